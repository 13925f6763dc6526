/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* What ops that choose or add up along a split loop, or read one element, exchange while they run.
 * It knows loops; it must not know what ops compute. */
#ifndef TESSERA_PLUGIN_SOLVE_FINDS_H
#define TESSERA_PLUGIN_SOLVE_FINDS_H

#include "model/model.h"

/* Bytes that each device receives of what others found along loops that choose, or added up along
 * scans, or of the element that it reads, when the op runs once under `sharding`. */
double ts_bytes_of_finds(ts_arena *arena, const ts_op *op, const ts_loop_sharding *sharding);

#endif /* TESSERA_PLUGIN_SOLVE_FINDS_H */
