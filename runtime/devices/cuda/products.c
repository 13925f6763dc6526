/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Matrix products and convolutions on a GPU: by a library where it has them, else by kernels.
 * It must not know sites, groups or messages. */
#include "devices/cuda/products.h"

#include <stdlib.h>
#include <string.h>

/* ---- kernels --------------------------------------------------------------------------------- */

/* Of a family, in the order of TR_CUDA_KERNELS: integers, f32, f64, c64, c128. Sums of 16-bit
 * floats are those of f32. */
static tr_cuda_kernel kernel_of(tr_cuda_kernel family, tessera_dtype output) {
  switch (output) {
  case TESSERA_F16:
  case TESSERA_BF16:
  case TESSERA_F32:
    return family + 1;
  case TESSERA_F64:
    return family + 2;
  case TESSERA_C64:
    return family + 3;
  case TESSERA_C128:
    return family + 4;
  default:
    return family;
  }
}

static void strides_of(const tr_view *view, int64_t *strides) {
  int32_t first = view->rank == 3;
  strides[0] = first ? view->strides[0] : 0;
  strides[1] = view->strides[first];
  strides[2] = view->strides[first + 1];
}

static void multiply_by_kernel(tr_cuda *cuda, cuda_stream on, const tr_product *product) {
  int32_t row = product->c.rank - 2;
  gemm_parameters parameters = {.a = product->a.data,
                                .b = product->b.data,
                                .c = product->c.data,
                                .batch = row ? product->c.sizes[0] : 1,
                                .m = product->c.sizes[row],
                                .n = product->c.sizes[row + 1],
                                .k = product->a.sizes[row + 1],
                                .input = product->input,
                                .output = product->output,
                                .overwrite = product->overwrite};
  strides_of(&product->a, parameters.a_strides);
  strides_of(&product->b, parameters.b_strides);
  strides_of(&product->c, parameters.c_strides);
  tr_cuda_run(cuda, on, kernel_of(TR_CUDA_gemm_integers, product->output),
              tr_view_elements(&product->c), &parameters);
}

/* Sums behind products are those of floats. */
static void start_from_addends(tr_cuda *cuda, cuda_stream on, const tr_product *product) {
  int32_t row = product->c.rank - 2;
  addend_parameters parameters = {.c = product->c.data,
                                  .count = tr_view_elements(&product->c),
                                  .m = product->c.sizes[row],
                                  .n = product->c.sizes[row + 1],
                                  .type = product->output};
  strides_of(&product->c, parameters.c_strides);
  if (!product->overwrite) {
    parameters.residual = product->c.data;
    strides_of(&product->c, parameters.residual_strides);
  }
  if (product->residual) {
    parameters.residual = product->residual->data;
    strides_of(product->residual, parameters.residual_strides);
  }
  if (product->bias) {
    parameters.bias = product->bias->data;
    parameters.bias_stride = product->bias->strides[0];
  }
  tr_cuda_run(cuda, on, TR_CUDA_addends, parameters.count, &parameters);
}

static void activate(tr_cuda *cuda, cuda_stream on, const tr_product *product) {
  int32_t row = product->c.rank - 2;
  activate_parameters parameters = {.c = product->c.data,
                                    .count = tr_view_elements(&product->c),
                                    .m = product->c.sizes[row],
                                    .n = product->c.sizes[row + 1],
                                    .type = product->output,
                                    .is_gelu = product->activation == TR_GELU};
  strides_of(&product->c, parameters.c_strides);
  tr_cuda_run(cuda, on, TR_CUDA_activate, parameters.count, &parameters);
}

/* What the library does not do at once is done one by one: the activation behind the rest, then
 * what is added in front of it. */
static void multiply(tr_cuda *cuda, cuda_stream on, tr_workspace *workspace,
                     const tr_product *product) {
  tr_product rest = *product;
  if (tr_cuda_library_gemm(cuda, on, workspace, product))
    return;
  if (product->activation) {
    rest.activation = TR_NO_ACTIVATION;
    multiply(cuda, on, workspace, &rest);
    activate(cuda, on, product);
    return;
  }
  if (!product->residual && !product->bias) {
    multiply_by_kernel(cuda, on, product);
    return;
  }
  rest.residual = rest.bias = NULL;
  rest.overwrite = false;
  start_from_addends(cuda, on, product);
  multiply(cuda, on, workspace, &rest);
}

tessera_status tr_cuda_gemm(const tr_device *device, tessera_stream *stream,
                            tr_workspace *workspace, const tr_product *product) {
  tr_cuda *cuda = tr_cuda_of(device);
  cuda_stream on = tr_cuda_stream(cuda, stream);
  if (!tr_cuda_enter(cuda))
    return tr_cuda_check(device);
  tessera_status status = tr_cuda_library_check(cuda, product->input, product->output);
  if (status)
    return status;
  multiply(cuda, on, workspace, product);
  return tr_cuda_check(device);
}

static void convolve_by_kernel(tr_cuda *cuda, cuda_stream on, const tr_conv *conv) {
  size_t words = sizeof(int64_t) * (size_t)conv->output.rank;
  conv_parameters parameters = {.input = conv->input.data,
                                .filter = conv->filter.data,
                                .output = conv->output.data,
                                .count = tr_view_elements(&conv->output),
                                .rank = conv->output.rank,
                                .input_type = conv->input_type,
                                .output_type = conv->output_type,
                                .overwrite = conv->overwrite};
  memcpy(parameters.input_strides, conv->input.strides, words);
  memcpy(parameters.filter_sizes, conv->filter.sizes, words);
  memcpy(parameters.filter_strides, conv->filter.strides, words);
  memcpy(parameters.output_sizes, conv->output.sizes, words);
  memcpy(parameters.output_strides, conv->output.strides, words);
  for (int32_t i = 0; i < conv->window; i++) {
    parameters.steps[i] = conv->steps[i];
    parameters.dilations[i] = conv->dilations[i];
  }
  tr_cuda_run(cuda, on, kernel_of(TR_CUDA_conv_integers, conv->output_type), parameters.count,
              &parameters);
}

tessera_status tr_cuda_conv(const tr_device *device, tessera_stream *stream,
                            tr_workspace *workspace, const tr_conv *conv) {
  tr_cuda *cuda = tr_cuda_of(device);
  tessera_status status = tr_cuda_library_check(cuda, conv->input_type, conv->output_type);
  if (status)
    return status;
  if (tr_cuda_enter(cuda) && !tr_cuda_conv_by_products(cuda, stream, workspace, conv))
    convolve_by_kernel(cuda, tr_cuda_stream(cuda, stream), conv);
  return tr_cuda_check(device);
}

/* ---- workspaces ------------------------------------------------------------------------------ */

tr_workspace *tr_cuda_open_workspace(const tr_device *device, int32_t threads, tr_pool *pool) {
  (void)device;
  (void)threads;
  (void)pool;
  return calloc(1, sizeof(tr_workspace));
}

void tr_cuda_trim_workspace(const tr_device *device, tr_workspace *workspace, tr_trim what) {
  if (what != TR_TRIM_ALL)
    return;
  tr_cuda_release(device, workspace->memory);
  workspace->memory = NULL;
}

void tr_cuda_close_workspace(const tr_device *device, tr_workspace *workspace) {
  tr_cuda_trim_workspace(device, workspace, TR_TRIM_ALL);
  tr_cuda_library_close(tr_cuda_of(device), workspace);
  free(workspace);
}
