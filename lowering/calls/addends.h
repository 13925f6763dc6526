/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* What is added to a product right behind it, which a library for products may add by itself. It
 * knows memory and sums; it must not know how products are computed. */
#ifndef TESSERA_LOWERING_CALLS_ADDENDS_H
#define TESSERA_LOWERING_CALLS_ADDENDS_H

#include "lowering/prepare/contractions.h"

/* A loop nest whose result is product + residual + bias. */
typedef struct ts_addends {
  MlirOperation op;   /* null: there is none */
  MlirValue result;   /* memory of the product's type, which nothing used before: the product may go
                         there, in the place of `op` */
  MlirValue residual; /* of that type too; null: none */
  MlirValue bias;     /* of one dimension, along the product's N loop; null: none */
} ts_addends;

/* Of `product`, a contraction on memory that starts from `fill`, and of what follows it. */
ts_addends ts_addends_of(MlirOperation product, const ts_contraction *contraction,
                         MlirOperation fill);

/* Drops `op`, and the product's old memory where nothing but that used it. */
void ts_addends_drop(const ts_addends *addends, MlirValue product);

#endif /* TESSERA_LOWERING_CALLS_ADDENDS_H */
