/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* One convolution as the ways to compute it see it: views in a fixed order of dimensions.
 * It must not know groups of ranks or messages. */
#ifndef TESSERA_RUNTIME_CONV_CONV_H
#define TESSERA_RUNTIME_CONV_CONV_H

#include "site_call.h"

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

/* As products of matrices, whose rows are what the window sees at each place: any types that have
 * products, any strides, no size 0 but those that tr_gemm takes. */
tessera_status tr_conv_by_products(const tr_call *call, const tr_conv *conv);

/* True if oneDNN is there and has done it; false: nothing has happened. Room for other layouts is
 * scratch memory of the call. */
bool tr_conv_by_dnnl(const tr_call *call, const tr_conv *conv);

#endif /* TESSERA_RUNTIME_CONV_CONV_H */
