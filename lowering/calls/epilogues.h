/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* What is done with a product right behind it, which a library for products may do by itself: what
 * is added, and an activation of the sum. It knows memory; it must not know how products are
 * computed. */
#ifndef TESSERA_LOWERING_CALLS_EPILOGUES_H
#define TESSERA_LOWERING_CALLS_EPILOGUES_H

#include "lowering/calls/activations.h"
#include "lowering/prepare/contractions.h"

/* Activations that whoever computes products has, beside sums. */
typedef struct ts_activations {
  bool relu, gelu;
} ts_activations;

/* A loop nest whose result is an activation of product + residual + bias. */
typedef struct ts_epilogue {
  MlirOperation op;      /* null: there is none */
  MlirOperation reshape; /* the view of the product that `op` reads; null: it reads the product */
  MlirValue result;      /* memory of the product's size, which nothing used before, or the
                            residual's: the product may go there, in the place of `op` */
  MlirValue residual;    /* of that type too; null: none */
  bool accumulates;      /* the result is what the residual is in: it is added to */
  MlirValue bias;        /* of one dimension, along the product's N loop; null: none */
  ts_activation activation; /* TS_NO_ACTIVATION: none */
} ts_epilogue;

/* Of `product`, a contraction on memory that starts from `fill`, and of what follows it. */
ts_epilogue ts_epilogue_of(MlirOperation product, const ts_contraction *contraction,
                           MlirOperation fill, const ts_activations *allowed);

/* Memory of the epilogue's, its result or what it adds, in the shape that `product` has. */
MlirValue ts_epilogue_in_shape(const ts_maker *build, const ts_epilogue *epilogue, MlirValue memory,
                               MlirValue product);

/* Drops `op`, and the product's old memory where nothing but that used it. */
void ts_epilogue_drop(const ts_epilogue *epilogue, MlirValue product);

#endif /* TESSERA_LOWERING_CALLS_EPILOGUES_H */
