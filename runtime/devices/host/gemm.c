/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Matrix products on the host: by BLAS, other types by oneDNN or as f32, and what no library has in
 * tiles. It must not know sites, groups or messages. */
#include <stdatomic.h>

#include "devices/host/products.h"
#include "devices/host/tiled.h"
#include "threads/pool.h"

/* ---- tiles ----------------------------------------------------------------------------------- */

/* A product whose parts whoever is free takes. */
typedef struct shared {
  const tr_product *product;
  tr_tiles tiles;
  char *memory; /* of each thread, one after the other */
  _Atomic int64_t next;
} shared;

static void multiply_some(void *data, int64_t from, int64_t to) {
  shared *s = data;
  for (int64_t thread = from; thread < to; thread++) {
    void *memory = s->memory + (size_t)thread * tr_tiled_memory();
    int64_t part;
    while ((part = atomic_fetch_add_explicit(&s->next, 1, memory_order_relaxed)) < s->tiles.num)
      tr_tiled_some(s->product, &s->tiles, part, part + 1, memory);
  }
}

/* Fewer products of numbers take no longer than it takes to wake threads. */
static int32_t threads_for(const tr_workspace *workspace, const tr_product *product) {
  enum { LEAST = 1 << 20 };
  double products =
      (double)tr_view_elements(&product->c) * (double)product->a.sizes[product->a.rank - 1];
  return workspace->pool && products >= LEAST ? workspace->threads : 1;
}

static tessera_status multiply_in_tiles(tr_workspace *workspace, const tr_product *product) {
  int32_t threads = threads_for(workspace, product);
  if (workspace->tiles_threads < threads) {
    workspace->tiles = tr_host_room(workspace, (size_t)threads * tr_tiled_memory());
    if (!workspace->tiles)
      return TESSERA_ERROR_OUT_OF_MEMORY;
    workspace->tiles_threads = threads;
  }
  shared s = {
      .product = product, .tiles = tr_tiled_share(product, threads), .memory = workspace->tiles};
  if (threads > 1)
    tr_pool_run(workspace->pool, multiply_some, &s, threads, 1);
  else
    multiply_some(&s, 0, 1);
  return TESSERA_OK;
}

/* ---- ways ------------------------------------------------------------------------------------ */

static tessera_status multiply(tr_workspace *workspace, const tr_product *product) {
  if (tr_host_gemm_has_blas(workspace, product))
    return tr_host_gemm_by_blas(workspace, product);
  if (tr_host_gemm_by_library(workspace, product))
    return TESSERA_OK;
  if (tr_host_gemm_has_halves(workspace, product))
    return tr_host_gemm_by_halves(workspace, product);
  return multiply_in_tiles(workspace, product);
}

tessera_status tr_host_gemm(tr_workspace *workspace, const tr_product *product) {
  tessera_status status = multiply(workspace, product);
  tr_scratch_reset(&workspace->inner);
  return status;
}
