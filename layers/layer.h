/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* What layers are made of: steps with gradients on values that were checked. It knows arithmetic;
 * it must not know which layer is made of which. */
#ifndef TESSERA_LAYERS_LAYER_H
#define TESSERA_LAYERS_LAYER_H

#include "function.h"
#include "nest.h"

/* The sum over all loops that `to` lacks of a at `of_a` times b at `of_b`; every loop is in two of
 * the three at least. */
MlirValue ts_product(tessera_layers *layers, MlirValue a, ts_layer_access of_a, MlirValue b,
                     ts_layer_access of_b, ts_layer_access to);
/* x + b, whose dimensions are x's last ones. */
MlirValue ts_add_bias(tessera_layers *layers, MlirValue x, MlirValue b);

typedef enum ts_mask { TS_ALL, TS_CAUSAL } ts_mask;
/* Softmax of scale * x along the last dimension; masked, elements whose last index is larger than
 * the one before it are left out. */
MlirValue ts_softmax(tessera_layers *layers, MlirValue x, double scale, ts_mask mask);

/* The parameter `name`.`part` with its splits. */
MlirValue ts_parameter(tessera_layers *layers, const char *name, const char *part, int rank,
                       const int64_t *shape, const tessera_split *splits);
/* A layer needs a name. */
bool ts_layers_check_name(tessera_layers *layers, const char *name, const char *what);

#endif /* TESSERA_LAYERS_LAYER_H */
