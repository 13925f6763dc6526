/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Whether an op that computes is better run for each range that is asked of its result. */
#ifndef TESSERA_PLUGIN_SOLVE_PULLED_H
#define TESSERA_PLUGIN_SOLVE_PULLED_H

#include "model/model.h"

/* Whether fewer bytes are received if `op`, of one result, runs once for each of the `num` ranges,
 * which is all that is asked of the result, instead of once for the piece that the result has. What
 * it computes may not grow by that, but of an elementwise op by what it receives less; what only
 * moves elements may cost the same. */
bool ts_is_cheaper_pulled(ts_model *model, const ts_op *op, int num, const ts_ask *ranges);

/* How often the value's pieces are made where `user` wants them. */
double ts_weight_at(const ts_value *value, const ts_op *user);
/* Bytes that some device lacks of the value under `layout` if it has that under `held`, each time
 * `user` fetches it; TS_NEVER where one of them is partial, or it cannot be said. */
double ts_bytes_lacking(ts_arena *arena, const ts_value *value, const ts_op *user,
                        const ts_sharding *held, const ts_sharding *layout);
/* Whether some use that has asked fetches all of that piece anyway. */
bool ts_is_fetched_anyway(ts_arena *arena, const ts_value *value, const ts_sharding *layout);

#endif /* TESSERA_PLUGIN_SOLVE_PULLED_H */
