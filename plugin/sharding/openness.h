/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* How far an annotation lets the layout of its value grow, and what passes it: tessera.open,
 * tessera.replicated, tessera.priority, tessera.flow, tessera.group. It knows the notation; it must
 * not know how layouts grow. */
#ifndef TESSERA_PLUGIN_SHARDING_OPENNESS_H
#define TESSERA_PLUGIN_SHARDING_OPENNESS_H

#include "mlir-c/IR.h"

#include "sharding/sharding.h"

/* Which way layouts pass an annotation, from the value before it (forward) or to it. */
typedef enum ts_flow { TS_FLOW_BOTH, TS_FLOW_NONE, TS_FLOW_FORWARD, TS_FLOW_BACKWARD } ts_flow;

typedef struct ts_openness {
  bool is_open;          /* the layout is where the value starts from */
  const bool *closed;    /* dimensions of an open one that stay as they are; NULL: none */
  ts_axes never;         /* axes over which no dimension is split */
  const int *priorities; /* the round from which each dimension's axes count; NULL: all from 0 */
  ts_flow flow;
  int64_t group; /* values of one group have one layout; TS_NO_GROUP: none */
} ts_openness;

enum { TS_NO_GROUP = -1 };

/* Reads what `annotation`, a shard.shard, and `source`, its shard.sharding, say of growth; the
 * annotation wins. `sharding` is what it annotates. What is wrong, or NULL. */
const char *ts_openness_read(ts_arena *arena, MlirOperation annotation, MlirOperation source,
                             const ts_sharding *sharding, ts_openness *openness);

/* Whether either says anything of growth. */
bool ts_says_growth(MlirOperation annotation, MlirOperation source);
/* Takes off `annotation` what it says of growth itself. */
void ts_forget_growth(MlirOperation annotation);

/* Both let layouts grow alike. */
bool ts_openness_equal(const ts_openness *a, const ts_openness *b, int rank);

#endif /* TESSERA_PLUGIN_SHARDING_OPENNESS_H */
