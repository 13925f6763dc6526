/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Ops that need whole what is split, so that grid axes idle in them and behind them. It knows what
 * the solver found; it must not know how, nor what is told of it. */
#ifndef TESSERA_PLUGIN_SOLVE_IDLE_H
#define TESSERA_PLUGIN_SOLVE_IDLE_H

#include "model/model.h"

typedef enum ts_idle_kind {
  TS_IDLE_WHOLE,    /* the op runs whole, or a dimension of what it reads has to be whole */
  TS_IDLE_UNFIT,    /* it cannot be split as what it reads is: another way it could be */
  TS_IDLE_GATHERED, /* it reads at a place of the run what is gathered for that */
  TS_IDLE_SENT,     /* it reads at a place of the run, and all devices are sent what it reads */
  TS_IDLE_PASSED,   /* a call: what is split is passed whole */
  TS_IDLE_RETURNED  /* a function's end: what is made split is returned whole */
} ts_idle_kind;

/* What an op leaves idle, or makes whole. */
typedef struct ts_idle {
  const ts_op *op;
  ts_idle_kind kind;
  ts_axes axes; /* 0: nothing is lost */
  const ts_grid *grid;
  bool is_in_op; /* the axes idle in the op itself */
  const ts_value
      *value;       /* the first that is whole for it although it is split over axes of these */
  int operand, dim; /* which that is, and its dimension; -1: no single one */
  double bytes;     /* that a device receives because of it, each time its function runs; or, if
                       `repeats`, each time the op does: how often only the run knows */
  bool repeats;
  bool guesses;  /* unknown extents count as 1024 */
  int followers; /* ops after it that compute, and use axes no more because of it */
  bool resumes;  /* an op after it uses them again: what it reads is whole, and work is shared */
  struct ts_idle *next;
} ts_idle;

/* Whether a note says why `op` is whole, or a dimension for it. */
typedef bool (*ts_is_noted)(const void *user, MlirOperation op);

/* All of a solved model that is to be told, each once, in program order, in the model's arena: what
 * notes say the reason of, and what else costs more than a message where work that could be shared
 * is done by every device alike, or what is split is gathered for no work. What an annotation asks
 * for is none. */
ts_idle *ts_find_idle(ts_model *model, ts_is_noted is_noted, const void *user);

#endif /* TESSERA_PLUGIN_SOLVE_IDLE_H */
