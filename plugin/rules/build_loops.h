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
/* Appends a loop; returns its number. */
int ts_ports_add_loop(ts_op_loops *out, ts_loop_kind kind, int64_t size);
/* Lets dimension `d` of `port` follow loop `loop` alone, and the loop take the dimension's extent
 * if that says more than it knows. */
void ts_ports_follow(ts_arena *arena, ts_op_loops *out, ts_port *port, int d, int loop,
                     int64_t extent);
/* Lets dimension `d` of `port` follow several loops, outermost first. */
void ts_ports_follow_all(ts_arena *arena, ts_port *port, int d, int num_loops, const int *loops);

/* Lets dimension `d` of `port` be read through `window`: it follows no loops and stays whole. */
void ts_ports_window(ts_arena *arena, ts_port *port, int d, const ts_window *window);

/* Result `r` is a copy of operand `i`. */
void ts_terms_copy(ts_op_loops *out, int r, int i);

/* A clone of `op` at the insertion point. */
MlirOperation ts_clone_here(ts_emit *emit, MlirOperation op);

#endif /* TESSERA_PLUGIN_RULES_BUILD_LOOPS_H */
