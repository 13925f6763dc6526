/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Sums of products among linalg ops: which are worth a call of the runtime's matrix product. It
 * knows maps and bodies; it must not know memory. */
#ifndef TESSERA_LOWERING_PREPARE_CONTRACTIONS_H
#define TESSERA_LOWERING_PREPARE_CONTRACTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "ir/build.h"
#include "mlir-c/AffineMap.h"

/* On tensors, before fusion: contractions that are worth a call are hidden from it; all other
 * structured ops but fills and windows become linalg.generic, so that it can fuse them. */
void ts_contractions_hide(MlirOperation module);
/* After fusion: hidden contractions are linalg.contract. */
void ts_contractions_restore(MlirOperation module);

/* A linalg.contract of two inputs and an initial value. */
MlirValue ts_make_contract(const ts_maker *build, const MlirValue operands[3],
                           const MlirAffineMap maps[3]);

/* Loops of a contraction by their role, in loop order. */
enum { TS_MAX_LOOPS = 32 };
typedef enum ts_role { TS_ROLE_BATCH, TS_ROLE_M, TS_ROLE_N, TS_ROLE_K, TS_NUM_ROLES } ts_role;

typedef struct ts_contraction {
  int num[TS_NUM_ROLES];
  int loops[TS_NUM_ROLES][TS_MAX_LOOPS];
} ts_contraction;

/* Reads `op`; false if it is no sum of products that the runtime's matrix product computes, or too
 * small to gain by it. */
bool ts_contraction_read(MlirOperation op, ts_contraction *contraction);

#endif /* TESSERA_LOWERING_PREPARE_CONTRACTIONS_H */
