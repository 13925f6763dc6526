/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Operands of contractions without the transposes and reshapes that strides can say. It knows maps
 * and reshapes of tensors; it must not know how a product is computed. */
#ifndef TESSERA_LOWERING_PREPARE_OPERANDS_H
#define TESSERA_LOWERING_PREPARE_OPERANDS_H

#include "ir/build.h"
#include "mlir-c/AffineMap.h"

/* A contraction: two inputs and the initial value, and the maps that read them. */
typedef struct ts_operands {
  MlirValue values[3];
  MlirAffineMap maps[3];
  int batch, num_batches; /* the dimension of the initial value that became several; 0: none did */
} ts_operands;

/* Takes inputs from before their transposes, through reshapes. Where a transpose parts dimensions
 * that were merged to a batch, the batch becomes several loops: the initial value, and so the
 * result, then has a dimension for each of them. */
void ts_operands_fold(const ts_maker *build, ts_operands *operands);

/* The result of the folded contraction with the dimensions of the one that was. */
MlirValue ts_operands_merge(const ts_maker *build, MlirValue result, const ts_operands *operands,
                            MlirValue like);

#endif /* TESSERA_LOWERING_PREPARE_OPERANDS_H */
