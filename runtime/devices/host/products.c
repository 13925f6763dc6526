/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* What a rank keeps for products on the host, and which way a convolution is computed.
 * It must not know sites, groups or messages. */
#include "devices/host/products.h"

#include <stdlib.h>
#include <unistd.h>

#include "devices/host/host.h"

/* ---- workspaces ------------------------------------------------------------------------------ */

static void done(tr_workspace *workspace) {
  workspace->tiles = NULL;
  workspace->tiles_threads = 0;
  tr_scratch_reset(&workspace->scratch);
  tr_scratch_reset(&workspace->inner);
}

tr_workspace *tr_host_open_workspace(const tr_device *device, int32_t threads, tr_pool *pool) {
  (void)device;
  tr_workspace *workspace = calloc(1, sizeof(*workspace));
  if (workspace) {
    workspace->threads = threads;
    workspace->process = getpid();
    workspace->pool = pool;
  }
  return workspace;
}

void tr_host_trim_workspace(const tr_device *device, tr_workspace *workspace, tr_trim what) {
  (void)device;
  tr_scratch *all[] = {&workspace->scratch, &workspace->inner};
  for (int i = 0; i < 2; i++)
    if (what == TR_TRIM_ALL)
      tr_scratch_drop(all[i]);
    else
      tr_scratch_shrink(all[i]);
}

void tr_host_close_workspace(const tr_device *device, tr_workspace *workspace) {
  tr_host_trim_workspace(device, workspace, TR_TRIM_ALL);
  tr_host_drop_prepared(workspace);
  free(workspace);
}

/* ---- products -------------------------------------------------------------------------------- */

tessera_status tr_host_multiply(const tr_device *device, tessera_stream *stream,
                                tr_workspace *workspace, const tr_product *product) {
  (void)device;
  (void)stream;
  tessera_status status = tr_host_gemm(workspace, product);
  done(workspace);
  return status;
}

/* ---- convolutions ---------------------------------------------------------------------------- */

static int64_t window_elements(const tr_conv *conv, const tr_view *view) {
  int64_t elements = 1;
  for (int32_t i = 0; i < conv->window; i++)
    elements *= view->sizes[TR_CONV_WINDOW + i];
  return elements;
}

/* A filter that is larger than its result, as in the gradient of a filter, is best seen as the
 * matrix that it is: the rows are few. */
static bool fits_library(const tr_conv *conv) {
  return conv->input_type == TESSERA_F32 && conv->output_type == TESSERA_F32 && conv->window <= 3 &&
         tr_view_elements(&conv->filter) > 0 && tr_view_elements(&conv->input) > 0 &&
         window_elements(conv, &conv->filter) <= window_elements(conv, &conv->output);
}

static tessera_status convolve_here(tr_workspace *workspace, const tr_conv *conv) {
  if (!tr_host_conv_is_direct(conv))
    return tr_host_conv_by_products(workspace, conv);
  tr_host_conv_directly(workspace, conv);
  return TESSERA_OK;
}

tessera_status tr_host_convolve(const tr_device *device, tessera_stream *stream,
                                tr_workspace *workspace, const tr_conv *conv) {
  (void)device;
  (void)stream;
  tessera_status status = TESSERA_OK;
  if (!fits_library(conv) || !tr_host_conv_by_library(workspace, conv))
    status = convolve_here(workspace, conv);
  done(workspace);
  return status;
}
