/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* A walk to fewer bytes, inside the solver: what its parts share. It knows values and prices; it
 * must not know what ops compute. */
#ifndef TESSERA_PLUGIN_SOLVE_WALK_H
#define TESSERA_PLUGIN_SOLVE_WALK_H

#include "model/model.h"
#include "solve/price.h"

/* An op as it was before a trial. */
typedef struct ts_walk_saved {
  ts_op *op;
  const ts_loop_sharding *sharding;
  const ts_sharding **layouts;
} ts_walk_saved;

/* How often an op has responded in a trial, and whether what it was before is kept. */
typedef struct ts_walk_turns {
  int trial, num;
  bool is_saved;
} ts_walk_turns;

/* What a loop carries, as it lay before a trial. */
typedef struct ts_walk_was_carried {
  ts_value *tied;
  const ts_sharding *layout;
} ts_walk_was_carried;

enum { TS_WALK_MOST_CHANGED = 1024, TS_WALK_MOST_WAITING = 512, TS_WALK_MOST_CARRIED = 16 };

typedef struct ts_walk {
  ts_model *model;
  ts_function *function;
  ts_prices prices;
  bool *is_frozen;      /* by position: has no other choice */
  ts_walk_turns *turns; /* by position */
  int trial;
  ts_walk_saved changed[TS_WALK_MOST_CHANGED];
  int num_changed;
  ts_walk_was_carried carried[TS_WALK_MOST_CARRIED];
  int num_carried;
  ts_op *waiting[TS_WALK_MOST_WAITING]; /* by position */
  int num_waiting;
  /* What a device may compute more than its share of, for each byte that is saved. */
  double iterations_per_byte;
  double left;      /* prices of ops that may still be looked at */
  double uses_left; /* and uses of values, for each price of one asks all of them */
} ts_walk;

/* Bytes: less is no gain. */
#define TS_WALK_LEAST_GAIN 0.5

/* ---- one op (walk_op.c) ---------------------------------------------------------------------- */

/* Which partial operands the op takes as they are, and gives a partial result of. */
typedef enum ts_walk_passing {
  TS_WALK_PASS_NOTHING,
  TS_WALK_PASS_AS_MADE,
  TS_WALK_PASS_AS_PLANNED
} ts_walk_passing;

/* Gives the op its layouts under `sharding`. */
void ts_walk_lay_out(ts_walk *w, ts_op *op, const ts_loop_sharding *sharding, ts_walk_passing how);
/* Laid out without halos and offsets, as far as is known now. */
bool ts_walk_is_plain(const ts_value *value);
/* Ports: operands, then results. */
ts_value *ts_walk_port(const ts_op *op, int port);
int ts_walk_num_ports(const ts_op *op);
/* The port's value, if its moves are paid for and no port before has it; else NULL. */
ts_value *ts_walk_paid_value(const ts_op *op, int port);
bool ts_walk_may_go_on(const ts_walk *w);
double ts_walk_price_of(ts_walk *w, const ts_value *value);
/* What is paid for all values at the op. */
double ts_walk_price_around(ts_walk *w, const ts_op *op);
/* Iterations of the op's loops on each device under `sharding`; unknown extents count as 1024, and
 * 2 on a grid. */
double ts_walk_iterations(const ts_op *op, const ts_loop_sharding *sharding);
/* As many, where the op does something. What only moves elements is no work: a device that has them
 * all can do it as well as it can receive them. Nor is a table of no tensor that is an argument,
 * nor its sums: any device has all that they are made of, and need not receive them. */
double ts_walk_work_of(const ts_op *op, const ts_loop_sharding *sharding);

/* ---- trials (walk_trial.c) ------------------------------------------------------------------- */

/* How those around an op follow it: as far as it costs nothing, those that only move elements as
 * far as they can, or all as far as they can. */
typedef enum ts_walk_following {
  TS_WALK_FOR_FREE,
  TS_WALK_THROUGH_MOVES,
  TS_WALK_FAR
} ts_walk_following;

/* Tries all other ways in which the op could split its loops; keeps the first that is cheaper in
 * sum. Whether one was. */
bool ts_walk_try(ts_walk *w, ts_op *op, ts_walk_following following);
/* Has devices share what they all do in the op, where that costs no bytes. */
void ts_walk_share(ts_walk *w, ts_op *op);

/* ---- what loops carry (walk_carried.c) ------------------------------------------------------- */

/* Tries all other ways in which what a loop carries could lie, as the ops that give it could give
 * it; keeps the first that is cheaper in sum. Whether one was. */
bool ts_walk_try_carried(ts_walk *w, ts_value *tied);

#endif /* TESSERA_PLUGIN_SOLVE_WALK_H */
