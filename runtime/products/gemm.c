/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* tessera_rt_gemm and gemm_plus: check descriptors, and have the device multiply.
 * It must not know groups or messages, nor how a product is computed. */
#include "products/call.h"

#include "support/error.h"
#include "tensors/dtype.h"
#include "threads/threads.h"

/* ---- arguments ------------------------------------------------------------------------------- */

/* Whole numbers wrap; others are only added up in types that hold them. Sums of 16-bit floats are
 * those of wider ones. */
static bool has_meaning(tessera_dtype input, tessera_dtype output) {
  bool is_half = output == TESSERA_F16 || output == TESSERA_BF16;
  bool fits = tr_is_integer(input) || tessera_dtype_size(output) >= tessera_dtype_size(input);
  return fits && tr_can_convert(input, output) &&
         tr_can_reduce(is_half ? TESSERA_F32 : output, TESSERA_SUM);
}

tessera_status tr_products_check_types(tessera_dtype input, tessera_dtype output) {
  if (has_meaning(input, output))
    return TESSERA_OK;
  return tr_fail(TESSERA_ERROR_UNSUPPORTED, "no matrix product from %s to %s", tr_dtype_name(input),
                 tr_dtype_name(output));
}

static tessera_status read_operands(const tr_call *call, const void *a, const void *b,
                                    const void *c, tr_product *product) {
  const tessera_site *site = call->site;
  product->input = (tessera_dtype)site->input_type;
  product->output = (tessera_dtype)site->output_type;
  product->overwrite = site->flags & TESSERA_SITE_OVERWRITE;
  tessera_status status = tr_call_input(call, a, &product->a);
  if (!status)
    status = tr_call_input(call, b, &product->b);
  if (!status)
    status = tr_call_output(call, c, &product->c);
  if (status)
    return status;
  int32_t rank = product->c.rank;
  if ((rank != 2 && rank != 3) || product->a.rank != rank)
    return tr_fail(TESSERA_ERROR_UNSUPPORTED, "a matrix product of ranks %d and %d",
                   product->a.rank, rank);
  return tr_products_check_types(product->input, product->output);
}

static tessera_status check_sizes(const tr_product *product) {
  const tr_view *a = &product->a, *b = &product->b, *c = &product->c;
  int32_t rank = c->rank, row = rank - 2, column = rank - 1;
  char texts[3][128];
  bool fits = a->sizes[row] == c->sizes[row] && b->sizes[column] == c->sizes[column] &&
              a->sizes[column] == b->sizes[row];
  if (rank == 3)
    fits = fits && a->sizes[0] == c->sizes[0] && b->sizes[0] == c->sizes[0];
  if (fits)
    return TESSERA_OK;
  return tr_fail(TESSERA_ERROR_MISMATCH, "sizes %s times %s do not give %s",
                 tr_view_text(a, texts[0], sizeof(texts[0])),
                 tr_view_text(b, texts[1], sizeof(texts[1])),
                 tr_view_text(c, texts[2], sizeof(texts[2])));
}

static bool is_real_float(tessera_dtype type) {
  return type == TESSERA_F16 || type == TESSERA_BF16 || type == TESSERA_F32 || type == TESSERA_F64;
}

/* What follows a product: what is added, into `views`, and the activation. */
static tessera_status read_epilogue(const tr_call *call, const void *residual, const void *bias,
                                    tr_view views[2], tr_product *product) {
  const tessera_site *site = call->site;
  const tr_view *c = &product->c;
  bool fits = product->overwrite || !(site->flags & TESSERA_SITE_RESIDUAL);
  tessera_status status = TESSERA_OK;
  if (!call->context->world.device->adds_to_products)
    return tr_fail(TESSERA_ERROR_UNSUPPORTED,
                   "sums and activations behind products are for GPUs alone");
  product->activation = site->flags & TESSERA_SITE_RELU   ? TR_RELU
                        : site->flags & TESSERA_SITE_GELU ? TR_GELU
                                                          : TR_NO_ACTIVATION;
  if (product->activation && !is_real_float(product->output))
    return tr_fail(TESSERA_ERROR_UNSUPPORTED, "no activation of products of %s",
                   tr_dtype_name(product->output));
  if (site->flags & TESSERA_SITE_RESIDUAL) {
    status = tr_call_output(call, residual, &views[0]);
    product->residual = &views[0];
    for (int32_t d = 0; !status && d < c->rank; d++)
      fits = fits && views[0].sizes[d] == c->sizes[d];
  }
  if (!status && site->flags & TESSERA_SITE_BIAS) {
    status = tr_call_view(call, bias, 1, site->output_type, &views[1]);
    product->bias = &views[1];
    fits = fits && !status && views[1].sizes[0] == c->sizes[c->rank - 1];
  }
  if (status || fits)
    return status;
  return tr_fail(TESSERA_ERROR_MISMATCH, "what follows a product does not fit it");
}

/* ---- the call -------------------------------------------------------------------------------- */

tessera_status tr_products_begin(tessera_context *context) {
  const tr_device *device = context->world.device;
  if (!context->workspace) {
    /* The library's number of threads is the process's: ranks that are threads do not change it. */
    tr_pool *pool = context->world.process_ranks > 1 ? NULL : tr_threads_pool(context);
    context->workspace = device->open_workspace(device, context->threads, pool);
  }
  return context->workspace ? TESSERA_OK
                            : tr_fail(TESSERA_ERROR_OUT_OF_MEMORY, "no memory for products");
}

static tessera_status multiply(const tr_call *call, tessera_stream *stream,
                               const tr_product *product) {
  const tr_device *device = call->context->world.device;
  tessera_status status = tr_products_begin(call->context);
  return status ? status : device->gemm(device, stream, call->context->workspace, product);
}

void tessera_rt_gemm_plus(const tessera_site *site, tessera_stream *stream, const void *a,
                          const void *b, const void *c, const void *residual, const void *bias) {
  static const uint32_t epilogue =
      (uint32_t)TESSERA_SITE_RESIDUAL | TESSERA_SITE_BIAS | TESSERA_SITE_RELU | TESSERA_SITE_GELU;
  tr_call call;
  tr_product product = {.overwrite = false};
  tr_view addends[2];
  tr_call_begin_alone(site, &call);
  tessera_status status = read_operands(&call, a, b, c, &product);
  if (!status)
    status = check_sizes(&product);
  if (!status && site->flags & epilogue)
    status = read_epilogue(&call, residual, bias, addends, &product);
  if (!status && tr_view_elements(&product.c) > 0)
    status = multiply(&call, stream, &product);
  tr_call_end(&call, status, 0);
}

void tessera_rt_gemm(const tessera_site *site, tessera_stream *stream, const void *a, const void *b,
                     const void *c) {
  tessera_rt_gemm_plus(site, stream, a, b, c, NULL, NULL);
}
