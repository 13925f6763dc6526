/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* What loops do with the values that they carry. It knows terms and ties; it must not know layouts.
 */
#ifndef TESSERA_PLUGIN_MODEL_SUMS_H
#define TESSERA_PLUGIN_MODEL_SUMS_H

#include "model/model.h"

/* Whether `op` ends a block of the loop that carries `tied`, and gives the value. */
bool ts_ends_loop(const ts_op *op, const ts_value *tied);
/* Whether `op`, which uses a value that `loop` carries, uses it as the loop's result, rather than
 * inside. */
bool ts_is_behind(const ts_op *op, const ts_op *loop);
/* A loop adds up the value, and does nothing else with it inside. */
bool ts_is_added_up(const ts_value *value);

#endif /* TESSERA_PLUGIN_MODEL_SUMS_H */
