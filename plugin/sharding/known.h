/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Where halo sizes and shard offsets that only the launch knows are known, and what those of a
 * function are where it is called. */
#ifndef TESSERA_PLUGIN_SHARDING_KNOWN_H
#define TESSERA_PLUGIN_SHARDING_KNOWN_H

#include "numbers/program_numbers.h"
#include "sharding/sharding.h"

/* Every run-time number of the layout is known before `op`, looking at the blocks around `op`
 * alone; is computed in, or an argument of, `block`. */
bool ts_layout_known_before(const ts_sharding *layout, MlirOperation op);
bool ts_layout_known_in(const ts_sharding *layout, MlirBlock block);
/* The layout of `callee`, a func.func, with the numbers that the call passes; NULL after a located
 * error. */
const ts_sharding *ts_layout_at_call(ts_numbers *numbers, MlirOperation call, MlirOperation callee,
                                     const ts_sharding *layout);

#endif /* TESSERA_PLUGIN_SHARDING_KNOWN_H */
