/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* One rank of a check: run the partitioned entry, compare this rank's pieces with the reference.
 * It must not know how programs are compiled or started. */
#ifndef TESSERA_TOOLS_CHECK_VERIFY_H
#define TESSERA_TOOLS_CHECK_VERIFY_H

#include "common/values.h"
#include "compare.h"

/* Shared by the ranks of a process, which only read it. */
typedef struct check_job {
  const char *model;   /* as the user wrote it */
  char label[128];     /* the grid in messages */
  tolerance tolerance; /* negative: the default of each result */
  bool verbose;        /* a line for each result */
  tessera_program *program;
  const tessera_entry *entry;
  const tessera_tensor *inputs;   /* global */
  const tessera_tensor *expected; /* global */
} check_job;

/* A team_function over a check_job. Rank 0 prints the line of a success. */
int verify_rank(tessera_context *context, void *job);

#endif /* TESSERA_TOOLS_CHECK_VERIFY_H */
