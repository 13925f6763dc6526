/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Pieces that are asked for, put together. It knows layouts and ranges; it must not know who asks.
 */
#ifndef TESSERA_PLUGIN_SOLVE_ASKS_H
#define TESSERA_PLUGIN_SOLVE_ASKS_H

#include "model/model.h"

/* The smallest piece that has what both read; its layout is NULL if there is none. */
ts_ask ts_union_of_asks(ts_arena *arena, const ts_ask *a, const ts_ask *b);

#endif /* TESSERA_PLUGIN_SOLVE_ASKS_H */
