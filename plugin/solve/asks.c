/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* One piece for two that are asked for. It knows layouts and ranges; it must not know who asks. */
#include "solve/asks.h"

static ts_ranges read_of(ts_arena *arena, const ts_ask *ask, int d) {
  if (ask->read && ask->read[d].of)
    return ask->read[d];
  return ts_dim_ranges(arena, ask->layout->grid, &ask->layout->dims[d]);
}

ts_ask ts_union_of_asks(ts_arena *arena, const ts_ask *a, const ts_ask *b) {
  ts_ask both = {.layout = a->layout, .is_in_trips = a->is_in_trips || b->is_in_trips};
  ts_ranges *read = TS_NEW(arena, ts_ranges, a->layout->rank);
  if (a->layout->num_partial || b->layout->num_partial)
    return (ts_ask){0};
  for (int d = 0; d < a->layout->rank; d++) {
    const ts_dim *x = &a->layout->dims[d], *y = &b->layout->dims[d];
    ts_dim dim;
    if (!x->offsets && !y->offsets && ts_dim_equal(x, y))
      continue;
    read[d] = ts_ranges_union(arena, read_of(arena, a, d), read_of(arena, b, d));
    if (!ts_dim_splits_alike(x, y) ||
        !ts_dim_of_ranges(arena, a->layout->grid, x, ts_dim_size(x), read[d], &dim))
      return (ts_ask){0};
    both.layout = ts_sharding_with_dim(arena, both.layout, d, dim);
  }
  both.read = read;
  return both;
}
