/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* What it costs to bring tensors from one layout to another: the one price of all choices. It
 * knows the planner's costs, and what ops require; it must not know how they choose. */
#ifndef TESSERA_PLUGIN_SOLVE_PRICE_H
#define TESSERA_PLUGIN_SOLVE_PRICE_H

#include "model/model.h"

/* Bytes of what cannot be done, or is not known. */
#define TS_NEVER 1e300

/* Bytes that the busiest device receives when the value is brought from one layout to another once.
 * Unknown extents count as 1024. */
double ts_bytes_moved(ts_arena *arena, const ts_value *value, const ts_sharding *from,
                      const ts_sharding *to);

/* A message costs as much as so many bytes: several small ones are no gain over one that is hardly
 * larger. */
enum { TS_BYTES_OF_MESSAGE = 256 };

/* How often the op's operand is brought to a layout: as often as it is made, at most. */
double ts_times_brought(const ts_op *op, const ts_value *operand);

/* Bytes of one element; unknown extents count as 1024. */
double ts_bytes_of_element(const ts_value *value);

/* Layouts and prices that were asked for before. Zero-initialise the rest; all of it lives in
 * `model->arena`. */
typedef struct ts_prices {
  ts_model *model;
  const ts_sharding **layouts; /* by what they say */
  int num_layouts, max_layouts;
  struct ts_known_price *known; /* by both layouts */
  int num_known, max_known;
} ts_prices;

/* The one layout of the table that is equal to `layout`. */
const ts_sharding *ts_price_layout(ts_prices *prices, const ts_sharding *layout);

/* How often pieces of the value are built for uses: of what a loop carries once a trip. */
double ts_weight_of_uses(const ts_value *value);

/* What is paid for the value once, in bytes and a little for each message, if it is laid out as
 * `layout`: from how it is made to that, and from there to what its uses require, each layout once.
 * All layouts are of the table. */
double ts_price_of_value(ts_prices *prices, const ts_value *value, const ts_sharding *layout);

/* The cheapest layout for the value, and its price in `*price`. The one that it has if that is as
 * good. */
const ts_sharding *ts_cheapest_layout(ts_prices *prices, const ts_value *value, double *price);

/* Whether what an op passes its operand to is a result of the function whose layout is not decided
 * yet. NULL: it passes it to nothing. */
bool ts_is_open_result(const ts_value *target);

#endif /* TESSERA_PLUGIN_SOLVE_PRICE_H */
