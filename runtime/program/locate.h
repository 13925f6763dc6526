/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* From a program's parameter and a context to a placement on a grid of known extents.
 * It must not know how tensors are copied or ranks communicate. */
#ifndef TESSERA_RUNTIME_PROGRAM_LOCATE_H
#define TESSERA_RUNTIME_PROGRAM_LOCATE_H

#include "layout/pieces.h"
#include "planes/device.h"
#include "tessera/program.h"

/* A placement with the memory of its grid's extents. */
typedef struct tr_located {
  tr_placement placement;
  int64_t extents[TR_MAX_RANK];
} tr_located;

/* Resolves the grid's `?` extents in the context and checks the layout for a tensor of `global`
 * extents (-1 or NULL: unknown beyond what the parameter says). Filled in place. */
tessera_status tr_locate(const tessera_program *program, const tessera_parameter *parameter,
                         const tessera_context *context, const int64_t *global,
                         tr_located *located);

/* Fails with both types: `expected` extents of the parameter's type, and what was found. */
tessera_status tr_misfit(const tessera_parameter *parameter, const int64_t *expected,
                         tessera_dtype type, int32_t rank, const int64_t *shape);
/* Element type and rank are the parameter's. */
tessera_status tr_check_type(const tessera_parameter *parameter, const tessera_tensor *tensor);

/* The tensor's rank: 0 for a scalar. */
int32_t tr_parameter_rank(const tessera_parameter *parameter);

/* Where its pieces lie: scalars on the host. */
const tr_device *tr_parameter_device(const tessera_parameter *parameter,
                                     const tessera_context *context);
/* Fails if a piece lies elsewhere. */
tessera_status tr_check_device(const tessera_parameter *parameter, const tessera_context *context,
                               const tessera_tensor *piece);

#endif /* TESSERA_RUNTIME_PROGRAM_LOCATE_H */
