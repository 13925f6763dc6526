/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* What outlives the turn of one op: descriptions, layouts and loop shardings move from scratch
 * memory to lasting one, those that came just before once only: programs repeat themselves, and
 * what is small stays in the caches. It knows shardings and loops; it must not know ops. */
#ifndef TESSERA_PLUGIN_LOOPS_INTERN_H
#define TESSERA_PLUGIN_LOOPS_INTERN_H

#include "loops/loops.h"

enum { TS_KEPT = 4 };

/* Zero-initialise the rest. */
typedef struct ts_interned {
  ts_arena *arena;
  const ts_sharding *layouts[TS_KEPT]; /* the last new ones */
  int next_layout;
  const ts_op_loops *descriptions[TS_KEPT]; /* the last new ones */
  int next_description;
  const ts_loop_sharding *loops; /* the last new one */
} ts_interned;

/* What is equal to the argument, in the arena of `interned`. */
const ts_sharding *ts_intern_layout(ts_interned *interned, const ts_sharding *layout);
const ts_op_loops *ts_intern_description(ts_interned *interned, const ts_op_loops *loops);
/* The same; `known` (or NULL) itself if it is equal. */
const ts_loop_sharding *ts_intern_loops(ts_interned *interned, const ts_loop_sharding *known,
                                        const ts_loop_sharding *sharding);

#endif /* TESSERA_PLUGIN_LOOPS_INTERN_H */
