/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* How layouts grow: the one door through which a value gets more axes, who may pass it, and the
 * log of why they did. It knows factors, values and who sees them; it must not know what ops
 * mean. */
#ifndef TESSERA_PLUGIN_SOLVE_GROWTH_H
#define TESSERA_PLUGIN_SOLVE_GROWTH_H

#include "model/model.h"

/* Adds to `base` what `wish` splits beyond it, dimension by dimension, where the factors have a
 * common refinement and the axes are not in `used`. Returns the axes of `wish` that could not be
 * honoured; `*result` is `base` itself if nothing was added. */
ts_axes ts_dim_extend(ts_arena *arena, const ts_grid *grid, const ts_dim *base, const ts_dim *wish,
                      ts_axes used, ts_dim *result);

/* The axes that dimension `d` of `value` may take beyond those it has: the predicate of the door.
 * None of a fixed or free value. */
ts_axes ts_may_take(const ts_value *value, int d);

/* Takes out of the layout of `value` what counts from later rounds on. */
void ts_hide_late(ts_model *model, ts_value *value);
/* Its round has come: puts back what the annotation says of the dimension. */
void ts_show_late(ts_model *model, const ts_late_dim *late);

/* What the value's layout is once it has grown by `wish`, which is on its grid: the layout itself
 * if it does not. In the arena. */
const ts_sharding *ts_grown(ts_arena *arena, const ts_value *value, const ts_sharding *wish);

/* Lets the value's layout grow by `wish`, which `op` has for it, and notes the cause. Whether it
 * grew. */
bool ts_grow(ts_model *model, ts_value *value, const ts_sharding *wish, ts_op *op);

/* Lays the value, which nothing fixes, out as `layout` instead, for `op`, and notes the causes. */
void ts_lay_out(ts_model *model, ts_value *value, const ts_sharding *layout, ts_op *op);

#endif /* TESSERA_PLUGIN_SOLVE_GROWTH_H */
