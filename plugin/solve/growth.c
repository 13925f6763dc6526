/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Layouts that grow, and why. It knows factors, values and who sees them; it must not know what ops
 * mean. */
#include "solve/growth.h"

#include <string.h>

#include "model/causes.h"

/* ---- one dimension --------------------------------------------------------------------------- */

/* `dim` with every factor's axes cut off at the first one in `used`. */
static ts_dim without_axes(ts_arena *arena, const ts_grid *grid, const ts_dim *dim, ts_axes used) {
  ts_factor *factors =
      ts_arena_copy(arena, dim->factors, sizeof(ts_factor) * (size_t)dim->num_factors);
  for (int f = 0; f < dim->num_factors; f++)
    for (int i = 0; i < factors[f].num_axes; i++)
      if (used >> factors[f].axes[i] & 1)
        factors[f].num_axes = (int8_t)i;
  ts_dim cut = ts_dim_of_factors(arena, dim->num_factors, factors);
  return ts_dim_normal(arena, grid, &cut);
}

/* Both are one factor: the longer list of axes if one begins with the other. */
static ts_axes extend_factor(const ts_factor *base, const ts_factor *wish, ts_axes used,
                             ts_factor *result) {
  *result = *base;
  int common = base->num_axes < wish->num_axes ? base->num_axes : wish->num_axes;
  int i = 0;
  if (memcmp(base->axes, wish->axes, (size_t)common) == 0) {
    i = common;
    for (; i < wish->num_axes && !(used >> wish->axes[i] & 1); i++)
      result->axes[i] = wish->axes[i];
    if (i > base->num_axes)
      result->num_axes = (int8_t)i;
  }
  ts_axes dropped = 0;
  for (; i < wish->num_axes; i++)
    dropped |= (ts_axes)1 << wish->axes[i];
  return dropped;
}

static ts_axes extend_factored(ts_arena *arena, const ts_grid *grid, const ts_dim *base,
                               const ts_dim *wish, ts_axes used, ts_dim *result) {
  *result = *base;
  ts_axes wished = ts_dim_axes(wish) & ~ts_dim_axes(base);
  if (ts_dim_size(wish) != ts_dim_size(base))
    return wished;
  int64_t *sizes = NULL;
  int num = ts_dim_common_cuts(arena, base, wish, &sizes);
  if (!num)
    return wished;
  ts_dim *parts = TS_NEW(arena, ts_dim, num), *wishes = TS_NEW(arena, ts_dim, num);
  if (ts_dim_split(arena, grid, base, num, sizes, parts))
    return wished;
  ts_axes dropped = ts_dim_split(arena, grid, wish, num, sizes, wishes);
  const ts_dim **joined = TS_NEW(arena, const ts_dim *, num);
  ts_axes own = ts_dim_axes(base);
  for (int i = 0; i < num; i++) {
    if (parts[i].num_factors == 1 && wishes[i].num_factors == 1) {
      ts_factor *factor = TS_NEW(arena, ts_factor, 1);
      ts_axes elsewhere = used | (own & ~ts_dim_axes(&parts[i]));
      dropped |= extend_factor(&parts[i].factors[0], &wishes[i].factors[0], elsewhere, factor);
      parts[i] = (ts_dim){.num_factors = 1, .factors = factor};
      own |= ts_dim_axes(&parts[i]);
    } else if (!ts_dim_equal(&parts[i], &wishes[i])) {
      dropped |= ts_dim_axes(&wishes[i]) & ~ts_dim_axes(&parts[i]);
    }
    joined[i] = &parts[i];
  }
  ts_dim extended = ts_dim_join(arena, grid, num, joined);
  /* An axis of one device may have no place among the finer factors; what is there stays. */
  if (ts_dim_axes(base) & ~ts_dim_axes(&extended))
    return wished;
  *result = extended;
  return dropped;
}

ts_axes ts_dim_extend(ts_arena *arena, const ts_grid *grid, const ts_dim *base, const ts_dim *wish,
                      ts_axes used, ts_dim *result) {
  *result = *base;
  if (!ts_dim_is_split(wish) || ts_dim_equal(base, wish))
    return 0;
  if (!ts_dim_is_split(base)) {
    ts_dim cut = without_axes(arena, grid, wish, used);
    if (ts_dim_is_split(&cut))
      *result = cut;
    return ts_dim_axes(wish) & ~ts_dim_axes(&cut);
  }
  if (base->num_factors == 1 && wish->num_factors == 1) {
    ts_factor factor;
    ts_axes dropped = extend_factor(&base->factors[0], &wish->factors[0], used, &factor);
    if (factor.num_axes != base->factors[0].num_axes)
      *result = ts_dim_of_factors(arena, 1, &factor);
    return dropped;
  }
  return extend_factored(arena, grid, base, wish, used, result);
}

/* ---- the door -------------------------------------------------------------------------------- */

/* Dimension `d` counts from a later round on. */
static bool is_late(const ts_value *value, int d) {
  return value->announced && value->openness->priorities[d] > value->round;
}

static bool has_offsets(const ts_sharding *layout) {
  bool any = false;
  for (int d = 0; layout && d < layout->rank; d++)
    any = any || layout->dims[d].offsets;
  return any;
}

static bool has_halos(const ts_sharding *layout) {
  bool any = false;
  for (int d = 0; layout && d < layout->rank; d++)
    any = any || ts_dim_has_halo(&layout->dims[d]);
  return any;
}

/* An annotation with offsets or halos, now or from a later round on, has those of every split
 * dimension. A dimension has no offsets that could be written if its extent is not known, and
 * neither if its factors are several. */
static bool says_offsets(const ts_value *value) {
  return has_offsets(value->layout) || has_offsets(value->announced);
}

static bool may_have_factors(const ts_value *value) {
  return !says_offsets(value) && !has_halos(value->layout) && !has_halos(value->announced);
}

static bool lacks_offsets(const ts_value *value, int d) {
  return ts_dim_size(&value->layout->dims[d]) == TS_DYNAMIC && says_offsets(value);
}

/* Upstream's verifier takes the sum of the extents of a dimension's axes for the number of its
 * shards, so it looks for the offsets of later dimensions, which a value may get in a later round,
 * at other places. */
static bool is_misread(const ts_value *value, const ts_sharding *layout) {
  bool is_misplaced = false;
  for (int d = 0; d < layout->rank; d++) {
    const ts_factor *factor = &layout->dims[d].factors[0];
    int64_t sum = 0;
    if (!ts_dim_is_split(&layout->dims[d]))
      continue;
    for (int i = 0; i < factor->num_axes; i++)
      sum += layout->grid->shape[factor->axes[i]];
    int64_t shards = ts_dim_shards(layout->grid, &layout->dims[d]);
    if (is_misplaced || sum > shards || (sum < shards && value->announced))
      return true;
    is_misplaced = sum < shards;
  }
  return false;
}

/* A dimension with offsets has these shards and no others; and what is said must be said so that it
 * is read. */
static bool may_be_said(const ts_value *value, int d, const ts_sharding *layout) {
  return !says_offsets(value) ||
         (ts_dim_is_balanced(layout->grid, &value->layout->dims[d]) && !is_misread(value, layout));
}

ts_axes ts_may_take(const ts_value *value, int d) {
  const ts_openness *openness = value->openness;
  if (value->is_fixed || value->is_free || lacks_offsets(value, d) || value->dealt_dims >> d & 1)
    return 0;
  if (!openness)
    return ~value->apart;
  if ((openness->closed && openness->closed[d]) || is_late(value, d))
    return 0;
  ts_axes taken = openness->never | value->apart;
  for (int other = 0; value->announced && other < value->rank; other++)
    if (is_late(value, other))
      taken |= ts_dim_axes(&value->announced->dims[other]);
  return ~taken;
}

void ts_hide_late(ts_model *model, ts_value *value) {
  value->round = 0;
  for (int d = 0; value->announced && d < value->rank; d++)
    if (is_late(value, d)) {
      int64_t size = ts_dim_size(&value->layout->dims[d]);
      value->layout = ts_sharding_with_dim(model->arena, value->layout, d,
                                           ts_dim_plain(model->arena, size, 0, NULL));
    }
}

void ts_show_late(ts_model *model, const ts_late_dim *late) {
  ts_value *value = late->value;
  value->layout = ts_sharding_with_dim(model->arena, value->layout, late->dim,
                                       value->announced->dims[late->dim]);
  value->round = late->priority;
}

const ts_sharding *ts_grown(ts_arena *arena, const ts_value *value, const ts_sharding *wish) {
  const ts_sharding *layout = value->layout;
  for (int d = 0; d < value->rank; d++) {
    ts_axes may = ts_may_take(value, d), own = ts_dim_axes(&layout->dims[d]);
    if (!may || !ts_dim_is_split(&wish->dims[d]))
      continue;
    ts_axes others = (ts_sharding_split_axes(layout) | ~may) & ~own;
    ts_dim dim;
    ts_dim_extend(arena, layout->grid, &layout->dims[d], &wish->dims[d], others, &dim);
    if (ts_dim_equal(&dim, &layout->dims[d]) || (dim.num_factors > 1 && !may_have_factors(value)))
      continue;
    const ts_sharding *grown = ts_sharding_with_dim(arena, layout, d, dim);
    if (may_be_said(value, d, grown))
      layout = grown;
  }
  return layout;
}

/* ---- the log --------------------------------------------------------------------------------- */

/* Every axis that `layout` has on a dimension and the value's layout does not. */
static void log_causes(ts_model *model, ts_value *value, const ts_sharding *layout, ts_op *op) {
  for (int d = 0; d < value->rank; d++) {
    ts_axes added = ts_dim_axes(&layout->dims[d]) & ~ts_dim_axes(&value->layout->dims[d]);
    for (int a = 0; added >> a; a++)
      if (added >> a & 1) {
        value->causes = ts_arena_grow(model->arena, value->causes, value->num_causes,
                                      &value->max_causes, sizeof(*value->causes));
        value->causes[value->num_causes++] = (ts_cause){d, a, op, ts_origin_at(op, a)};
      }
  }
}

bool ts_grow(ts_model *model, ts_value *value, const ts_sharding *wish, ts_op *op) {
  if (!value || !wish || wish->grid != value->layout->grid)
    return false;
  const ts_sharding *layout = ts_grown(&model->scratch, value, wish);
  if (layout == value->layout)
    return false;
  log_causes(model, value, layout, op);
  value->layout = ts_intern_layout(&model->interned, layout);
  return true;
}

void ts_lay_out(ts_model *model, ts_value *value, const ts_sharding *layout, ts_op *op) {
  log_causes(model, value, layout, op);
  value->layout = ts_intern_layout(&model->interned, layout);
}
