/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* A loaded program inside libtessera: its record and the library it came from.
 * It must not know how a context communicates. */
#ifndef TESSERA_RUNTIME_PROGRAM_PROGRAM_H
#define TESSERA_RUNTIME_PROGRAM_PROGRAM_H

#include "tessera/program.h"

#include "planes/program_life.h"

struct tessera_program {
  const tessera_program_record *record;
  void *library; /* dlopen's handle, or NULL if the record came from the process */
  tr_life *life; /* shared with the contexts that it is attached to */
};

/* The grid that a parameter's layout refers to, or NULL: whole on every rank. */
const tessera_grid *tr_parameter_grid(const tessera_program *program,
                                      const tessera_parameter *parameter);

#endif /* TESSERA_RUNTIME_PROGRAM_PROGRAM_H */
