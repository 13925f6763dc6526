/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The extents of grids that leave some to the number of ranks.
 * It must not know groups, collectives or layouts. */
#include "context/context.h"
#include "support/error.h"

static tessera_status grid_misfit(const tessera_context *context, const tessera_grid *grid) {
  char text[256];
  return tr_fail(TESSERA_ERROR_MISMATCH, "grid @%s of shape %s does not fit %d rank%s", grid->name,
                 tr_extents_text(grid->rank, grid->shape, text, sizeof(text)), context->world.size,
                 context->world.size == 1 ? "" : "s");
}

/* Larger extents first, as MPI_Dims_create has it, among those that are open. */
static void sort_open_extents(const tessera_grid *grid, int64_t *extents) {
  for (int32_t i = 1; i < grid->rank; i++) {
    int32_t place = i;
    for (int32_t k = i - 1; grid->shape[i] < 0 && k >= 0; k--) {
      if (grid->shape[k] >= 0)
        continue;
      if (extents[k] >= extents[place])
        break;
      int64_t larger = extents[place];
      extents[place] = extents[k];
      extents[k] = larger;
      place = k;
    }
  }
}

/* Deals the prime factors of `left`, largest first, each to the open extent that is smallest so
 * far: near-equal extents. */
static void deal_factors(const tessera_grid *grid, int64_t left, int64_t *extents) {
  int64_t primes[64];
  int32_t count = 0;
  for (int64_t prime = 2; left > 1; prime++) {
    if (prime * prime > left)
      prime = left;
    for (; left % prime == 0; left /= prime)
      primes[count++] = prime;
  }
  while (count-- > 0) {
    int32_t smallest = -1;
    for (int32_t i = 0; i < grid->rank; i++)
      if (grid->shape[i] < 0 && (smallest < 0 || extents[i] < extents[smallest]))
        smallest = i;
    extents[smallest] *= primes[count];
  }
  sort_open_extents(grid, extents);
}

tessera_status tr_context_resolve_grid(const tessera_context *context, const tessera_grid *grid,
                                       int64_t *extents) {
  int64_t known = 1, size = context->world.size;
  bool is_open = false;
  for (int32_t i = 0; i < grid->rank; i++) {
    extents[i] = grid->shape[i] < 0 ? 1 : grid->shape[i];
    is_open |= grid->shape[i] < 0;
    if (extents[i] == 0 || __builtin_mul_overflow(known, extents[i], &known) || known > size)
      return grid_misfit(context, grid);
  }
  if (is_open ? size % known != 0 : size != known)
    return grid_misfit(context, grid);
  if (is_open)
    deal_factors(grid, size / known, extents);
  return TESSERA_OK;
}
