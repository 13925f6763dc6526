/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The parts of the rule for structured ops, shared by the linalg files and by free values of that
 * form. It must not know shardings of anything but loops. */
#ifndef TESSERA_PLUGIN_RULES_LINALG_H
#define TESSERA_PLUGIN_RULES_LINALG_H

#include "mlir-c/AffineMap.h"

#include "mlir-c/AffineExpr.h"

#include "rules/rules.h"
#include "support/captured.h"

/* ---- linalg_body.c --------------------------------------------------------------------------- */

typedef enum ts_body_kind { TS_BODY_ELEMENTWISE, TS_BODY_REDUCES } ts_body_kind;

/* Reads the scalar code into `out`: whether initial values count, terms, and, if loops reduce, each
 * result's kind. Returns the first result that is reduced in a way that is not known, else -1; with
 * one, all kinds are NONE. */
int ts_linalg_read_body(ts_arena *arena, MlirOperation op, ts_body_kind kind, ts_op_loops *out);

/* Whether `op` is a structured op that copies its one input, transposed, repeated or in part. */
bool ts_linalg_is_copy(MlirOperation op);

/* ---- linalg_window.c ------------------------------------------------------------------------- */

/* The window that a dimension is read through whose index is `expr`, of `num_loops` loops; NULL if
 * it is no sum of multiples of them. */
const ts_window *ts_linalg_window(ts_arena *arena, int num_loops, MlirAffineExpr expr);

/* ---- linalg_backwards.c ---------------------------------------------------------------------- */

/* One loop counts backwards through the dimension, and nothing else does. */
bool ts_window_is_backwards(const ts_window *window);
/* Whether what the map says can be computed in an op's body. */
bool ts_can_be_read_in_body(MlirAffineMap map);
/* Lets the op, which is on pieces already, read those that it reads backwards from their ends. */
void ts_backwards_localize(const ts_localize *context);

/* ---- linalg_choices.c ------------------------------------------------------------------------ */

enum { TS_MOST_CHOSEN = 3 }; /* values of a candidate */

/* Whether the op reduces one loop by choosing, of what was found so far and the next candidate, the
 * one that is first in some order: it may then choose among devices' choices. Says of the loop what
 * a TS_LOOP_CHOICE has. */
bool ts_linalg_chooses(ts_arena *arena, MlirOperation op, ts_loop *loop);
/* The result of such an op that is the index of the reduced loop where a candidate was found: of
 * two candidates the one with the lesser was found before. -1 if there is none. */
int ts_choice_place(MlirOperation op);
/* The values in the body of such an op: of result `r`, what was found so far, and that of the next
 * candidate; null if the body does not choose. */
MlirValue ts_choice_before(MlirOperation op, int r);
MlirValue ts_choice_next(MlirOperation op, int r);

/* ---- linalg_choices_local.c ------------------------------------------------------------------ */

/* Each device chooses along its piece of the loop, then all among the devices' candidates. */
bool ts_choice_localize(const ts_localize *context, int loop, MlirValue *results);

/* ---- linalg_scans.c -------------------------------------------------------------------------- */

/* If the op is a scan, lets what follows its reduction follow the result's loop, which is then one
 * of kind SCAN. The op's loops, kinds and initial values are known. */
void ts_scans_read(ts_arena *arena, MlirOperation op, ts_op_loops *out);
/* Each device scans its piece of loop `along`, started with what the devices before have in all. */
bool ts_scan_localize(const ts_localize *context, int along, MlirValue *results);

/* ---- linalg_scatters.c ----------------------------------------------------------------------- */

/* Whether the body looks for the elements that data says: few iterations of a reduction change any
 * one. */
bool ts_linalg_scatters(MlirOperation op);

/* ---- linalg_lookups.c ------------------------------------------------------------------------ */

/* Whether the body does nothing with tensors from outside but tensor.extract. */
bool ts_lookups_extract(const ts_captured *captured);
/* Lets the dimensions of captured tensors, the operands behind the op's own, follow loops of the op
 * or loops of their own. The op's loops, kinds and initial values are known. */
void ts_lookups_read(ts_arena *arena, MlirOperation op, const ts_captured *captured,
                     ts_op_loops *out, const char **remark);
/* In the local op: reads from pieces. The indices are global already (ts_linalg_shift_indices).
 * False after a located error. */
bool ts_lookups_localize(const ts_localize *context);
/* The op on pieces, where it stands. */
bool ts_linalg_localize_plain(const ts_localize *context, MlirValue *results);

/* ---- linalg_index.c -------------------------------------------------------------------------- */

/* Whether the region of `op` asks for the index of a loop. */
bool ts_linalg_uses_index(MlirOperation op);
/* In the clone `op`, a local op under `sharding`: every index of a sharded loop becomes global.
 * False after a located error. */
bool ts_linalg_shift_indices(ts_emit *emit, MlirOperation op, const ts_loop_sharding *sharding,
                             const ts_extents *extents);
/* One dimension or loop of an op that asks for indices in its region. */
typedef struct ts_indexed {
  MlirOperation op;
  const ts_grid *grid;
  const ts_dim *dim;
  const ts_extents *extents; /* has the extent under `number` */
  int number;
} ts_indexed;
/* The global index for index `local` of this device's piece, at the insertion point; what does not
 * depend on the index is built before the op. Null after a located error. */
MlirValue ts_emit_global_index(ts_emit *emit, const ts_indexed *indexed, MlirValue local);
/* The index in this device's piece for index `global`, at the insertion point; `*is_here`, an i1:
 * whether the piece has it. Where it has not, 0. Null after a located error. */
MlirValue ts_emit_piece_index(ts_emit *emit, const ts_indexed *indexed, MlirValue global,
                              MlirValue *is_here);
/* Extents of the run are found where the program stands, which may be behind `op`: moves it, which
 * nobody uses yet, behind `extent`. */
void ts_move_behind(MlirOperation op, MlirValue extent);
/* Lets all that read `argument`, the index in the body of the op, see the global one. False after a
 * located error. */
bool ts_shift_argument(ts_emit *emit, MlirValue argument, const ts_indexed *indexed);

#endif /* TESSERA_PLUGIN_RULES_LINALG_H */
