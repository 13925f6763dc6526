/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* tessera-check's command line as data.
 * It must not know programs or ranks. */
#ifndef TESSERA_TOOLS_CHECK_OPTIONS_H
#define TESSERA_TOOLS_CHECK_OPTIONS_H

#include "common/values.h"
#include "compare.h"

typedef enum check_mode { CHECK_MODEL, CHECK_WORKER, CHECK_HELP, CHECK_VERSION } check_mode;

/* What --shape, --input or --range says about argument K. */
typedef struct argument_option {
  int32_t argument;
  int32_t rank;
  int64_t shape[32]; /* --shape */
  double range[2];   /* --range */
  const char *path;  /* --input */
} argument_option;

/* The entries of a comma-separated list. */
typedef struct text_list {
  char **items;
  int32_t count;
} text_list;

/* Strings belong to argv; options_destroy frees the rest. */
typedef struct check_options {
  check_mode mode;
  const char *model;
  const char *entry;    /* NULL: the only one, or main */
  const char *worker;   /* the directory of a worker's files */
  const char *program;  /* what a worker runs */
  const char *label;    /* the grid that a worker reports */
  const char *together; /* a folder or an archive with all arguments, or NULL */
  const char *target;   /* of the partitioned program; NULL: the default one */
  text_list grids;
  text_list ranks;
  argument_option *shapes, *inputs, *ranges;
  int32_t num_shapes, num_inputs, num_ranges;
  int64_t seed;
  int opt_level;       /* of the code, 0 to 3 */
  tolerance tolerance; /* negative: the default of each result */
  bool mpi;
  bool verbose;
} check_options;

bool options_parse(int argc, char **argv, check_options *options, message *message);
void options_destroy(check_options *options);

extern const char options_help[];

#endif /* TESSERA_TOOLS_CHECK_OPTIONS_H */
