/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Layouts of arguments as choices for results of the same type. It knows a function's signature; it
 * must not know its ops. */
#include "solve/returned.h"

#include "support/map.h"

/* Of one type: more layouts than these are not looked at. */
enum { MOST_CHOICES = 4 };

typedef struct choices {
  const ts_sharding *layouts[MOST_CHOICES];
  int num;
} choices;

/* Of known extents, so that its type tells its shape, and of balanced pieces. */
static bool is_plain(const ts_value *argument) {
  const ts_sharding *layout = argument->layout;
  for (int d = 0; d < layout->rank; d++)
    if (argument->shape[d] == TS_DYNAMIC || layout->dims[d].offsets ||
        ts_dim_has_halo(&layout->dims[d]))
      return false;
  return !layout->num_partial && !ts_sharding_run_time(layout, NULL);
}

static void add(choices *of, const ts_sharding *layout) {
  for (int i = 0; i < of->num; i++)
    if (ts_sharding_equal(of->layouts[i], layout))
      return;
  if (of->num < MOST_CHOICES)
    of->layouts[of->num++] = layout;
}

/* Of each type that an argument has, those of annotated ones. */
static void collect(ts_model *model, ts_function *function, ts_map *by_type) {
  for (int i = 0; i < function->num_arguments; i++) {
    const ts_value *argument = function->arguments[i];
    if (!argument)
      continue;
    choices *of = ts_map_get(by_type, argument->type.ptr);
    if (!of) {
      of = TS_NEW(model->arena, choices, 1);
      ts_map_set(by_type, model->arena, argument->type.ptr, of);
    }
    if (argument->is_fixed && argument->layout->grid == function->grid && is_plain(argument))
      add(of, argument->layout);
  }
}

void ts_find_returned(ts_model *model, ts_function *function) {
  ts_map by_type = {0};
  collect(model, function, &by_type);
  for (int i = 0; i < function->num_results; i++) {
    ts_value *result = function->results[i];
    if (!result || result->is_fixed)
      continue;
    choices *of = ts_map_get(&by_type, result->type.ptr);
    result->is_unlike_arguments = !of;
    if (of) {
      result->choices = of->layouts;
      result->num_choices = of->num;
    }
  }
}
