/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Matrix products and convolutions as devices are asked for them: views in a fixed order of
 * dimensions. It must not know sites, groups of ranks or messages. */
#ifndef TESSERA_RUNTIME_PLANES_PRODUCT_H
#define TESSERA_RUNTIME_PLANES_PRODUCT_H

#include "tessera/runtime.h"

#include "tensors/view.h"

/* What is made of each element that comes out: nothing else, max(x, 0), whatever that is for a NaN,
 * or 0.5*x*(1 + tanh(sqrt(2/pi)*(x + 0.044715*x^3))). */
typedef enum tr_activation { TR_NO_ACTIVATION, TR_RELU, TR_GELU } tr_activation;

/* The operands of c = a*b (+ c), of rank 2, or 3 with the batch outermost; any strides. */
typedef struct tr_product {
  tessera_dtype input, output;
  bool overwrite; /* c's old value does not count */
  tr_view a, b, c;
  /* What is added besides, for devices that do so; NULL: nothing. */
  const tr_view *residual; /* of c's sizes, elsewhere in memory; only with `overwrite` */
  const tr_view *bias;     /* a number for each column, the same in all rows and batches */
  /* Of all that is added up, for devices that do so, and real floats. */
  tr_activation activation;
} tr_product;

/* Dimensions in front of those of the window. Groups: channels that are convolved apart. */
enum { TR_CONV_BATCH = 0, TR_CONV_GROUP = 1, TR_CONV_INPUTS = 2, TR_CONV_OUTPUTS = 2 };
enum { TR_FILTER_GROUP = 0, TR_FILTER_OUTPUTS = 1, TR_FILTER_INPUTS = 2, TR_CONV_WINDOW = 3 };

typedef struct tr_conv {
  tessera_dtype input_type, output_type;
  bool overwrite; /* the output's old value does not count */
  int32_t window; /* dimensions of the window */
  tr_view input;  /* batch, group, input channel, window; no place more than the output has */
  tr_view filter; /* group, output channel, input channel, window */
  tr_view output; /* batch, group, output channel, window */
  int64_t steps[TR_VIEW_RANK];     /* of the input, for each index of the output */
  int64_t dilations[TR_VIEW_RANK]; /* of the input, for each index of the filter */
} tr_conv;

#endif /* TESSERA_RUNTIME_PLANES_PRODUCT_H */
