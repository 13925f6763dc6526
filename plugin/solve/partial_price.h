/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* What it costs to complete what is partial, and what passing it on saves. It knows layouts and
 * prices; it must not know what else is planned. */
#ifndef TESSERA_PLUGIN_SOLVE_PARTIAL_PRICE_H
#define TESSERA_PLUGIN_SOLVE_PARTIAL_PRICE_H

#include "solve/passages.h"

/* Bytes for completing the value where it is made, as `natural` partial over `s` as well. */
double ts_bytes_to_complete(ts_model *model, const ts_value *value, double weight,
                            const ts_sharding *natural, ts_partiality s);

/* Bytes that need not be brought for operands that count once: of what is split, each shard is put
 * in its place. They are taken off what there is to pay behind, which may then be less than 0. */
double ts_bytes_spared(ts_model *model, const ts_op *op, const ts_passage *p);

#endif /* TESSERA_PLUGIN_SOLVE_PARTIAL_PRICE_H */
