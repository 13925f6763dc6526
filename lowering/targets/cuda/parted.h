/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Which reductions are done in parts, and in how many. It knows maps of linalg ops; it must not
 * know how parts are made. */
#ifndef TESSERA_LOWERING_TARGETS_CUDA_PARTED_H
#define TESSERA_LOWERING_TARGETS_CUDA_PARTED_H

#include "lowering/kernels/nest.h"
#include "mlir-c/AffineMap.h"

enum { TS_PART_LOOPS = TS_NEST_LOOPS - 4, TS_PART_OPERANDS = 16 }; /* at most */

typedef struct ts_parted {
  MlirOperation op;
  ts_nest nest; /* body and numbers of operands alone */
  int num_loops, num_operands;
  int64_t extents[TS_PART_LOOPS];
  int64_t kept, combined;    /* steps of all parallel loops, of all reductions */
  bool along_rows;           /* neighbours in memory are combined */
  int loop;                  /* that is done in parts */
  int64_t parts, each, rest; /* extent = parts * each + rest */
} ts_parted;

/* False unless the op is a large reduction to few elements, of static shape, whose order may
 * change, and its results are of one shape. */
bool ts_parted_read(MlirOperation op, ts_parted *r);

bool ts_parted_combines(const ts_parted *r, int loop);
/* The loop that dimension `d` of an operand follows; -1: none alone. */
int ts_parted_loop(MlirAffineMap map, intptr_t d);

#endif /* TESSERA_LOWERING_TARGETS_CUDA_PARTED_H */
