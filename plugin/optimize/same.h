/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Which values are the same on all devices along an axis of the grid: those that follow from
 * layouts of arguments, from constants, and from what collectives leave on all of their members. It
 * knows how ops pass values on; it must not know why anybody asks. */
#ifndef TESSERA_PLUGIN_OPTIMIZE_SAME_H
#define TESSERA_PLUGIN_OPTIMIZE_SAME_H

#include "optimize/optimize.h"
#include "support/map.h"

/* Every axis of any grid. */
#define TS_ALL_AXES ((ts_axes)((UINT64_C(1) << TS_MAX_AXES) - 1))

typedef struct ts_sameness {
  ts_arena *arena;
  ts_plain *plain;
  MlirStringRef grid; /* whose axes are meant */
  ts_map axes;        /* value -> a bit for each axis, and one that says that it is known */
  bool is_settled, has_changed;
} ts_sameness;

/* Looks at all of `function`, in linear time. */
void ts_sameness_find(ts_sameness *same, ts_optimizer *optimizer, MlirOperation function);

/* Is `value` surely the same on all devices along `axes` of the grid called `grid`? */
bool ts_is_same_along(const ts_sameness *same, MlirValue value, MlirStringRef grid, ts_axes axes);

/* What is known of the results of an op that was made since. */
void ts_sameness_add(ts_sameness *same, MlirOperation op);
/* `value` is from now on what `other` was. */
void ts_sameness_move(ts_sameness *same, MlirValue value, MlirValue other);

#endif /* TESSERA_PLUGIN_OPTIMIZE_SAME_H */
