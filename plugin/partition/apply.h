/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* How ops of each kind become ops of one device. It knows the model's kinds of ops; it must not
 * know any op. Shared by the files of this folder alone. All but two are false after a located
 * error. */
#ifndef TESSERA_PLUGIN_PARTITION_APPLY_H
#define TESSERA_PLUGIN_PARTITION_APPLY_H

#include "partition/partitioner.h"

/* An op with a rule; `op` stands for `source` in the program. */
bool ts_apply_rule(ts_partitioner *p, const ts_op *op, MlirOperation source);
/* A piece of a view is made at its op, of what the op reads for that piece. */
bool ts_apply_view(ts_partitioner *p, const ts_op *op, const ts_loop_sharding *loops,
                   const ts_sharding *layout);
/* Pieces of its result are made where they are asked for. */
bool ts_op_is_view(const ts_op *op);

bool ts_apply_link(ts_partitioner *p, ts_op *op);
/* Calls, ties, returns and programs of one device. */
bool ts_apply_fixed(ts_partitioner *p, ts_function *function, ts_op *op);

/* Gives `op` its operands in the layouts that it requires. */
bool ts_bring_operands(ts_partitioner *p, ts_op *op);
/* `value` itself is the piece of `info` under `layout`, and gets its type. */
void ts_set_local(ts_partitioner *p, ts_value *info, MlirValue value, const ts_sharding *layout);

#endif /* TESSERA_PLUGIN_PARTITION_APPLY_H */
