/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The price of bringing tensors to layouts. It knows the planner's costs, and what ops require; it
 * must not know how they choose. */
#include "solve/price.h"

#include <stdlib.h>

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

/* ---- tables ---------------------------------------------------------------------------------- */

static uint64_t mix(uint64_t hash, uint64_t word) {
  return (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15) ^ (hash >> 29);
}

/* Ranges of one value differ in their offsets alone. */
static uint64_t hash_offsets(const ts_grid *grid, const ts_dim *dim, uint64_t hash) {
  int64_t num = dim->offsets ? ts_dim_shards(grid, dim) + 1 : 0;
  for (int64_t i = 0; i < num; i++)
    hash = mix(hash, (uint64_t)dim->offsets[i].known);
  return mix(hash, (uint64_t)dim->halo[0].known + ((uint64_t)dim->halo[1].known << 32));
}

static uint64_t hash_layout(const ts_sharding *layout) {
  uint64_t hash = (uint64_t)layout->rank;
  for (int d = 0; d < layout->rank; d++)
    hash = hash_offsets(layout->grid, &layout->dims[d], hash);
  for (int d = 0; d < layout->rank; d++)
    for (int f = 0; f < layout->dims[d].num_factors; f++) {
      const ts_factor *factor = &layout->dims[d].factors[f];
      hash = mix(hash, (uint64_t)factor->size);
      for (int i = 0; i < factor->num_axes; i++)
        hash = mix(hash, (uint64_t)factor->axes[i] + 1);
    }
  for (int i = 0; i < layout->num_partial; i++)
    hash = mix(hash, (uint64_t)(layout->partial[i].axis * 64) + layout->partial[i].kind);
  return hash ^ hash >> 32;
}

static int place_of_layout(const ts_prices *prices, const ts_sharding *layout) {
  int at = (int)(hash_layout(layout) % (uint64_t)prices->max_layouts);
  while (prices->layouts[at] && !ts_sharding_equal(prices->layouts[at], layout))
    at = (at + 1) % prices->max_layouts;
  return at;
}

static void grow_layouts(ts_prices *prices) {
  ts_prices larger = *prices;
  larger.max_layouts = prices->max_layouts ? 2 * prices->max_layouts : 256;
  larger.layouts = TS_NEW(prices->model->arena, const ts_sharding *, larger.max_layouts);
  for (int i = 0; i < prices->max_layouts; i++)
    if (prices->layouts[i])
      larger.layouts[place_of_layout(&larger, prices->layouts[i])] = prices->layouts[i];
  *prices = larger;
}

const ts_sharding *ts_price_layout(ts_prices *prices, const ts_sharding *layout) {
  if (2 * prices->num_layouts >= prices->max_layouts)
    grow_layouts(prices);
  int at = place_of_layout(prices, layout);
  if (!prices->layouts[at]) {
    prices->layouts[at] = ts_sharding_copy(prices->model->arena, layout);
    prices->num_layouts++;
  }
  return prices->layouts[at];
}

typedef struct ts_known_price {
  const ts_sharding *from, *to;
  double elements;
} ts_known_price;

static ts_known_price *place_of_price(const ts_prices *prices, const ts_sharding *from,
                                      const ts_sharding *to) {
  uint64_t hash = mix(mix(1, (uint64_t)(uintptr_t)from), (uint64_t)(uintptr_t)to);
  int at = (int)((hash ^ hash >> 32) % (uint64_t)prices->max_known);
  while (prices->known[at].from && (prices->known[at].from != from || prices->known[at].to != to))
    at = (at + 1) % prices->max_known;
  return &prices->known[at];
}

static void grow_prices(ts_prices *prices) {
  ts_prices larger = *prices;
  larger.max_known = prices->max_known ? 2 * prices->max_known : 1024;
  larger.known = TS_NEW(prices->model->arena, ts_known_price, larger.max_known);
  for (int i = 0; i < prices->max_known; i++)
    if (prices->known[i].from)
      *place_of_price(&larger, prices->known[i].from, prices->known[i].to) = prices->known[i];
  *prices = larger;
}

/* What a device lacks of ranges; where that cannot be said, of the pieces that they are nearest to.
 */
static double elements_moved(const ts_prices *prices, const ts_sharding *from,
                             const ts_sharding *to) {
  ts_arena *arena = &prices->model->scratch;
  if (!prices->model->prices_ranges || !ts_sharding_has_ranges(to))
    return ts_reshard_cost(arena, from, to);
  double lacking = from->num_partial || to->num_partial ? -1 : ts_sharding_lacking(arena, from, to);
  return lacking >= 0 ? lacking : ts_reshard_cost(arena, from, ts_sharding_balanced(arena, to));
}

/* In bytes, of elements of so many. */
static double price_of_move(ts_prices *prices, double element, const ts_sharding *from,
                            const ts_sharding *to) {
  if (from == to)
    return 0;
  if (2 * prices->num_known >= prices->max_known)
    grow_prices(prices);
  ts_known_price *known = place_of_price(prices, from, to);
  if (!known->from) {
    *known = (ts_known_price){from, to, elements_moved(prices, from, to)};
    prices->num_known++;
  }
  return known->elements > 0 ? element * known->elements + TS_BYTES_OF_MESSAGE : 0;
}

/* ---- what uses require ----------------------------------------------------------------------- */

enum { MAX_DEMANDS = 24 };

typedef struct demands {
  int num;
  const ts_sharding *layouts[MAX_DEMANDS];
  double weights[MAX_DEMANDS]; /* how often it is built: where one of several branches asks for it,
                                  as often as that one is taken, and no more often than `most` */
  double most[MAX_DEMANDS];
  MlirBlock blocks[MAX_DEMANDS]; /* the last one that asked */
  /* The function's result that it is and may choose the layout of, and the layout that this has
   * without a choice; NULL if there is none. */
  const ts_value *returned;
  const ts_sharding *held;
} demands;

static const ts_sharding *whole(ts_prices *prices, const ts_value *value) {
  return ts_price_layout(prices,
                         ts_sharding_replicated(&prices->model->scratch, value->layout->grid,
                                                value->rank, value->shape));
}

/* An op in `block` that runs `times` asks for `layout` of what is built `most` times at most. */
static void add_demand(demands *d, const ts_sharding *layout, MlirBlock block, double times,
                       double most) {
  double weight = times < most ? times : most;
  for (int i = 0; i < d->num; i++) {
    if (d->layouts[i] != layout || d->most[i] != most)
      continue;
    if (d->blocks[i].ptr != block.ptr)
      d->weights[i] = d->weights[i] + weight < most ? d->weights[i] + weight : most;
    d->blocks[i] = block;
    return;
  }
  if (d->num == MAX_DEMANDS)
    return;
  d->layouts[d->num] = layout;
  d->most[d->num] = most;
  d->blocks[d->num] = block;
  d->weights[d->num++] = weight;
}

/* A destination that nobody reads can be fresh memory. */
static bool needs_no_data(const ts_op *op, int i) {
  for (int r = 0; r < op->num_results; r++)
    if (op->loops->result_init[r] == i)
      return !op->loops->init_is_read[r];
  return false;
}

bool ts_is_open_result(const ts_value *target) {
  return target && !target->definition && !target->handle.ptr && !target->is_fixed;
}

/* What a loop carries partial, if it is planned so, is that wherever it is. */
static const ts_sharding *carried_layout(ts_arena *arena, const ts_sharding *layout,
                                         const ts_value *tied) {
  const ts_pending *pending = &tied->pending;
  if (tied->definition && tied->definition->kind == TS_OP_FIXED && pending->stays)
    return ts_add_partial(arena, layout, pending->axes, pending->kind);
  return tied->is_fixed ? layout : ts_completed(arena, layout);
}

static void add_use(ts_prices *prices, const ts_value *value, const ts_op *user, int i, double most,
                    demands *d) {
  ts_arena *scratch = &prices->model->scratch;
  MlirBlock block = mlirOperationGetBlock(user->handle);
  if (user->kind == TS_OP_RULE && !needs_no_data(user, i)) {
    add_demand(d, ts_price_layout(prices, user->required[i]), block, user->weight, most);
  } else if (user->kind == TS_OP_LINK && !user->is_open) {
    add_demand(d, ts_price_layout(prices, user->results[0]->layout), block, user->weight, most);
  } else if (user->kind == TS_OP_WHOLE) {
    add_demand(d, whole(prices, value), block, user->weight, most);
  } else if (user->kind == TS_OP_FIXED && user->targets[i]) {
    const ts_value *target = user->targets[i];
    if (ts_is_open_result(target) && (target->num_choices || target->is_unlike_arguments)) {
      d->returned = target;
      d->held = user->required[i];
      return;
    }
    const ts_sharding *layout = carried_layout(
        scratch, ts_is_open_result(target) ? user->required[i] : target->layout, target);
    if (layout->grid == value->layout->grid)
      add_demand(d, ts_price_layout(prices, layout), block, user->weight, most);
  }
}

static bool gives(const ts_op *op, const ts_value *tied) {
  for (int i = 0; op->kind == TS_OP_FIXED && i < op->num_operands; i++)
    if (op->targets[i] == tied)
      return true;
  return false;
}

/* How often an op runs that ends a block inside and gives the value. */
static double weight_inside(const ts_value *tied) {
  for (int u = 0; u < tied->num_users; u++)
    if (tied->users[u] != tied->definition && gives(tied->users[u], tied))
      return tied->users[u]->weight;
  return tied->definition->weight;
}

static bool is_tied(const ts_value *value) {
  const ts_op *definition = value->definition;
  return definition && definition->kind == TS_OP_FIXED && definition->ties;
}

double ts_weight_of_uses(const ts_value *value) {
  if (is_tied(value))
    return weight_inside(value);
  return value->definition ? value->definition->weight : 1;
}

static bool is_result_of(const ts_op *user, int i, const ts_op *definition) {
  MlirOperation from = ts_defining_op(ts_op_operand(user, i));
  return from.ptr && mlirOperationEqual(from, definition->handle);
}

static void demands_of(ts_prices *prices, const ts_value *value, demands *d) {
  const ts_op *definition = value->definition;
  bool tied = is_tied(value);
  double weight = definition ? definition->weight : 1;
  double inside = ts_weight_of_uses(value);
  d->num = 0;
  d->returned = NULL;
  for (int u = 0; u < value->num_users; u++) {
    const ts_op *user = value->users[u];
    for (int i = 0; i < user->num_operands; i++)
      if (user->operands[i] == value)
        add_use(prices, value, user, i,
                !tied || is_result_of(user, i, definition) ? weight : inside, d);
  }
  if (value->is_captured)
    add_demand(d, whole(prices, value), (MlirBlock){NULL}, inside, inside);
}

double ts_times_brought(const ts_op *op, const ts_value *operand) {
  const ts_op *definition = operand->definition;
  if (!definition)
    return 1;
  bool carried = definition->kind == TS_OP_FIXED && definition->ties;
  return carried || definition->weight > op->weight ? op->weight : definition->weight;
}

/* ---- values ---------------------------------------------------------------------------------- */

/* How the value is made: NULL if in whatever layout it is given. */
static const ts_sharding *made_as(ts_prices *prices, const ts_value *value) {
  const ts_op *op = value->definition;
  if (op && op->kind == TS_OP_RULE)
    return ts_price_layout(prices, ts_natural_layout(value));
  if (op && op->kind == TS_OP_WHOLE)
    return whole(prices, value);
  return NULL;
}

/* Others can be brought from it: ranges lack what nobody reads. */
static bool is_piece(const ts_prices *prices, const ts_sharding *layout) {
  return !prices->model->prices_ranges || !ts_sharding_has_ranges(layout);
}

static double price_with(ts_prices *prices, const ts_value *value, const ts_sharding *made,
                         const ts_sharding *layout, const demands *d) {
  double weight = value->definition ? value->definition->weight : 1;
  double element = ts_bytes_of_element(value);
  double price = made ? weight * price_of_move(prices, element, made, layout) : 0;
  bool serves[MAX_DEMANDS]; /* others */
  for (int i = 0; i < d->num; i++) {
    double least = price_of_move(prices, element, layout, d->layouts[i]);
    for (int p = 0; p < i && least > 0; p++) {
      bool from_it = serves[p] && d->weights[p] == d->weights[i];
      double from = from_it ? price_of_move(prices, element, d->layouts[p], d->layouts[i]) : least;
      least = from < least ? from : least;
    }
    serves[i] = i + 1 < d->num && is_piece(prices, d->layouts[i]);
    price += d->weights[i] * least;
  }
  return price;
}

double ts_price_of_value(ts_prices *prices, const ts_value *value, const ts_sharding *layout) {
  demands d;
  demands_of(prices, value, &d);
  return price_with(prices, value, made_as(prices, value), layout, &d);
}

typedef struct best {
  const ts_sharding *layout;
  double price;
} best;

static void consider(ts_prices *prices, const ts_value *value, const ts_sharding *made,
                     const ts_sharding *layout, const demands *d, best *found) {
  if (found->price <= 0)
    return;
  layout = ts_price_layout(prices, ts_sharding_balanced(&prices->model->scratch, layout));
  double price = price_with(prices, value, made, layout, d);
  if (price < found->price * (1 - 1e-12))
    *found = (best){layout, price};
}

/* Whether the solver may lay the value out as it likes. */
static bool is_free_to_move(const ts_value *value) {
  const ts_op *op = value->definition;
  return !value->is_fixed && !value->openness && !value->annotation.ptr && !value->dealt_dims &&
         (!op || op->kind == TS_OP_RULE || op->kind == TS_OP_WHOLE);
}

/* The cheapest of those that the function may return it in. */
static const ts_sharding *cheapest_returned(ts_prices *prices, const ts_value *value,
                                            const ts_sharding *made, const demands *d,
                                            double *price) {
  best found = {ts_price_layout(prices, d->held), 0};
  found.price = price_with(prices, value, made, found.layout, d);
  if (d->returned->is_unlike_arguments && made && !made->num_partial)
    consider(prices, value, made, made, d, &found);
  for (int i = 0; i < d->returned->num_choices; i++)
    consider(prices, value, made, ts_price_layout(prices, d->returned->choices[i]), d, &found);
  *price = found.price;
  return found.layout;
}

/* Of a value that is made partial and asked for complete in several layouts one is completed, and
 * the others are made of that. */
static bool may_stay_as_made(const ts_sharding *made, const demands *d) {
  for (int i = 0; i < d->num; i++)
    if (d->layouts[i]->num_partial)
      return true;
  return !made->num_partial || d->num < 2;
}

const ts_sharding *ts_cheapest_layout(ts_prices *prices, const ts_value *value, double *price) {
  ts_arena *scratch = &prices->model->scratch;
  demands d;
  demands_of(prices, value, &d);
  const ts_sharding *made = made_as(prices, value);
  if (d.returned && is_free_to_move(value))
    return cheapest_returned(prices, value, made, &d, price);
  best found = {ts_price_layout(prices, carried_layout(scratch, value->layout, value)), 0};
  found.price = price_with(prices, value, made, found.layout, &d);
  if (is_free_to_move(value)) {
    if (made && may_stay_as_made(made, &d))
      consider(prices, value, made, made, &d, &found);
    if (made)
      consider(prices, value, made, ts_price_layout(prices, ts_completed(scratch, made)), &d,
               &found);
    for (int i = 0; i < d.num; i++)
      if (made || !d.layouts[i]->num_partial)
        consider(prices, value, made, d.layouts[i], &d, &found);
    if (!made)
      consider(prices, value, made, whole(prices, value), &d, &found);
  }
  *price = found.price;
  return found.layout;
}
