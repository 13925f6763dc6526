/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Building an op's description: its ports, loops and their extents. Shared by the rule files alone;
 * must not know any op. */
#ifndef TESSERA_PLUGIN_RULES_BUILD_LOOPS_H
#define TESSERA_PLUGIN_RULES_BUILD_LOOPS_H

#include "rules/rules.h"
#include "support/captured.h"
#include "support/ir.h"

/* Ports for all operands and results of `op`, every dimension without loops, no reductions, no
 * terms; room for `max_loops` loops. False, with a reason, if a memref or an unranked tensor is
 * among them. */
bool ts_ports_init(ts_arena *arena, MlirOperation op, int max_loops, ts_op_loops *out,
                   const char **reason);
/* Before loops are added: ports for captured tensors behind those of the op's own operands, and
 * room for a loop for each of their dimensions beside `max_loops`. */
bool ts_ports_add_captured(ts_arena *arena, const ts_captured *captured, int max_loops,
                           ts_op_loops *out, const char **reason);
/* Adds a line to `*remark`: that `what`, a "loop" or a "dimension" of that number, stays whole, and
 * why; nothing if there is one of it. Which of them is split is not known here. */
void ts_add_remark(ts_arena *arena, const char **remark, const char *what, int number,
                   MlirOperation op, const char *why);
/* Appends a loop; returns its number. */
int ts_ports_add_loop(ts_op_loops *out, ts_loop_kind kind, int64_t size);
/* Lets dimension `d` of `port` follow loop `loop` alone, and the loop take the dimension's extent
 * if that says more than it knows. */
void ts_ports_follow(ts_arena *arena, ts_op_loops *out, ts_port *port, int d, int loop,
                     int64_t extent);
/* Whether some dimension of `port` follows the loop, or is read through a window that it leads. No
 * other may then be split along with it: an axis splits one dimension. */
bool ts_port_is_along(const ts_port *port, int loop);
/* Lets dimension `d` of `port` follow several loops, outermost first. */
void ts_ports_follow_all(ts_arena *arena, ts_port *port, int d, int num_loops, const int *loops);

/* Lets dimension `d` of `port` be read through `window`: it follows no loops. */
void ts_ports_window(ts_arena *arena, ts_port *port, int d, const ts_window *window);

/* Result `r` is a copy of operand `i`. */
void ts_terms_copy(ts_op_loops *out, int r, int i);

/* ---- results that are put together of what each device has ------------------------------------
 */

/* By what results are combined of which all devices but one have the neutral element; NONE:
 * elements of this type cannot be. */
ts_reduction ts_kind_of_parts(MlirType element);
/* Whether some device's piece of the dimension may be empty. */
bool ts_may_be_empty(const ts_grid *grid, const ts_dim *dim);
/* `piece`, with at least one place in each dimension of `dims`, so that one can be read where none
 * is. */
MlirValue ts_emit_at_least_one(ts_emit *emit, MlirValue piece, const bool *dims);

/* A clone of `op` at the insertion point. */
MlirOperation ts_clone_here(ts_emit *emit, MlirOperation op);

#endif /* TESSERA_PLUGIN_RULES_BUILD_LOOPS_H */
