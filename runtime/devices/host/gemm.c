/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Matrix products on the host: by BLAS, other types by oneDNN or as f32, and what no library has in
 * tiles. It must not know sites, groups or messages. */
#include "devices/host/products.h"
#include "devices/host/tiled.h"

static tessera_status multiply_in_tiles(tr_workspace *workspace, const tr_product *product,
                                        int64_t batch) {
  if (!workspace->tiles)
    workspace->tiles = tr_host_room(workspace, tr_tiled_memory());
  for (int64_t i = 0; workspace->tiles && i < batch; i++) {
    tr_view a = tr_host_matrix(&product->a, i), b = tr_host_matrix(&product->b, i);
    tr_view c = tr_host_matrix(&product->c, i);
    tr_tiled_gemm(product->input, product->output, &a, &b, &c, product->overwrite,
                  workspace->tiles);
  }
  return workspace->tiles ? TESSERA_OK : TESSERA_ERROR_OUT_OF_MEMORY;
}

static tessera_status multiply(tr_workspace *workspace, const tr_product *product) {
  if (tr_host_gemm_has_blas(workspace, product))
    return tr_host_gemm_by_blas(workspace, product);
  if (tr_host_gemm_by_library(workspace, product))
    return TESSERA_OK;
  if (tr_host_gemm_has_halves(workspace, product))
    return tr_host_gemm_by_halves(workspace, product);
  return multiply_in_tiles(workspace, product, product->c.rank == 3 ? product->c.sizes[0] : 1);
}

tessera_status tr_host_gemm(tr_workspace *workspace, const tr_product *product) {
  tessera_status status = multiply(workspace, product);
  tr_scratch_reset(&workspace->inner);
  return status;
}
