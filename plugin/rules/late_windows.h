/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Windows of which only the launch knows what pieces read: in descriptions of ops, and in their
 * local forms. It must not know any op, nor how pieces are fetched. */
#ifndef TESSERA_PLUGIN_RULES_LATE_WINDOWS_H
#define TESSERA_PLUGIN_RULES_LATE_WINDOWS_H

#include "rules/rules.h"

/* The window through which dimension `d` of `port` is read adds up, to `added` more iterations. */
void ts_late_add_up(ts_arena *arena, ts_port *port, int d, int64_t added);
/* Operands with such windows have to be complete: what is partial cannot be fetched in parts. */
void ts_late_need_complete(ts_arena *arena, MlirOperation op, ts_op_loops *out);

/* Dimension `d` of the piece of operand `i` is cut to what is read of it, which `reads` or `late`
 * says. */
bool ts_is_cut_to_reads(const ts_localize *context, int i, int d);
/* This device's piece of loop `loop`, which leads such a window. Null after a located error. */
ts_local_range ts_late_piece(ts_emit *emit, const ts_loop_sharding *loops,
                             const ts_extents *extents, int loop);

#endif /* TESSERA_PLUGIN_RULES_LATE_WINDOWS_H */
