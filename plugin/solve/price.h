/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* What it costs to bring a tensor from one layout to another: the one price of all choices. */
#ifndef TESSERA_PLUGIN_SOLVE_PRICE_H
#define TESSERA_PLUGIN_SOLVE_PRICE_H

#include "model/model.h"

/* Bytes that the busiest device receives when the value is brought from one layout to another once.
 * Unknown extents count as 1024. */
double ts_bytes_moved(ts_arena *arena, const ts_value *value, const ts_sharding *from,
                      const ts_sharding *to);

/* Bytes of one element; unknown extents count as 1024. */
double ts_bytes_of_element(const ts_value *value);

#endif /* TESSERA_PLUGIN_SOLVE_PRICE_H */
