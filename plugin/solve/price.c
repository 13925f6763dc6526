/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The price of bringing tensors to layouts. It knows the planner's costs; it must not know ops. */
#include "solve/price.h"

#include "reshard/reshard.h"

double ts_bytes_of_element(const ts_value *value) {
  double elements = 1;
  for (int d = 0; d < value->rank; d++)
    elements *= value->shape[d] == TS_DYNAMIC ? 1024 : (double)value->shape[d];
  return elements > 0 ? value->bytes / elements : 0;
}

double ts_bytes_moved(ts_arena *arena, const ts_value *value, const ts_sharding *from,
                      const ts_sharding *to) {
  return from == to ? 0 : ts_reshard_cost(arena, from, to) * ts_bytes_of_element(value);
}
