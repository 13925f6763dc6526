/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Shardings and reductions as text for diagnostics. It must not know any IR. */
#include "sharding/annotation.h"
#include "sharding/notation.h"
#include "tessera/reductions.h"

const char *ts_reduction_text(ts_reduction reduction) {
  return tessera_reduction_name((int32_t)reduction);
}

static const char *axes_text(ts_arena *arena, const ts_factor *factor) {
  const char *text = "";
  for (int i = 0; i < factor->num_axes; i++)
    text = ts_arena_format(arena, "%s%s%d", text, i ? ", " : "", factor->axes[i]);
  return ts_arena_format(arena, "[%s]", text);
}

/* "[0, 1]" for a plain dimension, "(8@[0] x 4@[])" for a factored one. */
static const char *dim_text(ts_arena *arena, const ts_dim *dim) {
  if (dim->num_factors == 1)
    return axes_text(arena, &dim->factors[0]);
  const char *text = "";
  for (int f = 0; f < dim->num_factors; f++)
    text = ts_arena_format(arena, "%s%s%lld@%s", text, f ? " x " : "",
                           (long long)dim->factors[f].size, axes_text(arena, &dim->factors[f]));
  return ts_arena_format(arena, "(%s)", text);
}

static const char *number_text(ts_arena *arena, ts_number number) {
  return ts_is_run_time(number) ? "?" : ts_arena_format(arena, "%lld", (long long)number.known);
}

const char *ts_sharding_text(ts_arena *arena, const ts_sharding *sharding) {
  const char *text = "";
  for (int d = 0; d < sharding->rank; d++)
    text =
        ts_arena_format(arena, "%s%s%s", text, d ? ", " : "", dim_text(arena, &sharding->dims[d]));
  text = ts_arena_format(arena, "[%s]", text);
  for (int d = 0; d < sharding->rank; d++) {
    const ts_dim *dim = &sharding->dims[d];
    if (ts_dim_has_halo(dim))
      text = ts_arena_format(arena, "%s halo %s, %s on %d", text, number_text(arena, dim->halo[0]),
                             number_text(arena, dim->halo[1]), d);
    if (dim->offsets)
      text = ts_arena_format(arena, "%s offsets on %d", text, d);
  }
  for (int i = 0; i < sharding->num_partial; i++)
    text = ts_arena_format(arena, "%s%s %s over %d", text, i ? "," : " partial",
                           ts_reduction_text(sharding->partial[i].kind), sharding->partial[i].axis);
  return text;
}
