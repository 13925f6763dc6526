/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The pieces that annotations and layouts are written with: factor lists and partial lists as
 * attributes, and the names of reductions. It knows the notation; it must not know the ops and
 * dictionaries that it stands in. */
#ifndef TESSERA_PLUGIN_SHARDING_NOTATION_H
#define TESSERA_PLUGIN_SHARDING_NOTATION_H

#include "mlir-c/IR.h"

#include "sharding/sharding.h"

/* [[[size, [axes]], ...], ...]: one list of factors a dimension. A size of -1 is dynamic. */
MlirAttribute ts_factors_to_attribute(ts_arena *arena, MlirContext context,
                                      const ts_sharding *sharding);
/* Reads such a list into `rank` dimensions; returns what is wrong with it, or NULL. */
const char *ts_factors_from_attribute(ts_arena *arena, MlirAttribute attribute, int rank,
                                      ts_dim *dims);

/* [[axis, #shard<partial sum>], [axis, #shard<partial max>, "umax"], ...]. */
MlirAttribute ts_partial_to_attribute(ts_arena *arena, MlirContext context,
                                      const ts_sharding *sharding);
/* Reads such a list; returns what is wrong with it, or NULL. */
const char *ts_partial_from_attribute(ts_arena *arena, MlirAttribute attribute, int *num_partial,
                                      const ts_partial **partial);

/* A reduction in two parts: the kind that `shard` can name, and the flavour that it cannot (NULL if
 * the kind says it all). */
int32_t ts_reduction_shard_kind(ts_reduction reduction);
const char *ts_reduction_flavour(ts_reduction reduction);
/* The reduction of both parts (a flavour of length 0: none), or TS_REDUCTION_NONE. */
ts_reduction ts_reduction_from(int32_t shard_kind, MlirStringRef flavour);
/* Its name in messages. */
const char *ts_reduction_text(ts_reduction reduction);

#endif /* TESSERA_PLUGIN_SHARDING_NOTATION_H */
