/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The choice of moves that solve a resharding problem. Shared by the files of this folder alone.
 * It knows costs; it must not know ops. */
#ifndef TESSERA_PLUGIN_RESHARD_MOVES_H
#define TESSERA_PLUGIN_RESHARD_MOVES_H

#include "reshard/problem.h"

/* A step on changing dimensions, before any layout is made for it. */
typedef struct ts_move {
  ts_step_kind kind;
  ts_axis_list axes; /* in group order; of reductions also where partial values are made */
  int joined, cut;   /* changing dimensions, -1 where none */
  ts_reduction reduction;
  double bytes;
} ts_move;

typedef struct ts_moves {
  int num;
  ts_move list[TS_MAX_MOVES];
} ts_moves;

/* The price of a step's latency in elements. Small: bytes decide, steps break ties. */
enum { TS_STEP_PRICE = 16 };
/* Elements of temporary memory that are spent to save latency: so many more than the larger end a
 * device may hold between two moves, if an exchange could do without. */
enum { TS_ROOM_BETWEEN = 1 << 16 };

/* Appends the moves toward the target, each of which brings something to its place, or one exchange
 * if that is less (moves.c). Returns their price: elements that the busiest device receives, and
 * latency. */
double ts_choose_directly(const ts_problem *problem, ts_moves *moves);
/* The moves of least price, by layouts that are on neither end's way if that is less (detours.c).
 */
void ts_choose_moves(const ts_problem *problem, ts_moves *moves);

#endif /* TESSERA_PLUGIN_RESHARD_MOVES_H */
