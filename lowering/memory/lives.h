/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* When a function's memory is in use: from the first to the last op that looks at it, through
 * views, casts and loops. It knows ops on memory; it must not know who wants to know. */
#ifndef TESSERA_LOWERING_MEMORY_LIVES_H
#define TESSERA_LOWERING_MEMORY_LIVES_H

#include <stdbool.h>

#include "support/arena.h"
#include "support/ir.h"
#include "support/map.h"

/* The ops of a function, numbered as they stand in the text. */
typedef struct ts_order {
  ts_arena *arena;
  ts_map places; /* op -> where it begins and ends */
  int num;
} ts_order;

/* The use of one allocation. */
typedef struct ts_life {
  MlirOperation alloc;
  MlirOperation dealloc; /* the one op that surely frees it, in the block of `alloc` */
  MlirOperation last;    /* of that block: nothing behind it looks at the memory */
  int begin, end;        /* in the order: all that looks at it is there */
} ts_life;

/* Numbers all ops under `function`. */
void ts_order_read(ts_order *order, MlirOperation function);

/* The life of what the memref.alloc `alloc` allocates. False if it is not freed in its own block,
 * or its address goes where nobody can follow it. */
bool ts_life_read(ts_order *order, MlirOperation alloc, ts_life *life);

#endif /* TESSERA_LOWERING_MEMORY_LIVES_H */
