/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* How an op may pass partial values on: which operands it takes as they are, and what its results
 * are partial over then. It knows terms and layouts; it must not know prices. */
#ifndef TESSERA_PLUGIN_SOLVE_PASSAGES_H
#define TESSERA_PLUGIN_SOLVE_PASSAGES_H

#include "model/model.h"

/* What a value is partial over, by one kind. No axes: it is complete, or by several kinds. */
typedef struct ts_partiality {
  ts_axes axes;
  ts_reduction kind;
} ts_partiality;

bool ts_partiality_equal(ts_partiality a, ts_partiality b);
ts_partiality ts_partiality_of_layout(const ts_sharding *layout);

/* Of a value, NULL too: as it is made; as the plan leaves it to those that use it; as they may find
 * it while that is planned. */
ts_partiality ts_partiality_made(const ts_value *value);
ts_partiality ts_partiality_planned(const ts_value *value);
ts_partiality ts_partiality_seen(const ts_value *value);

/* A bit for each operand. Those of either kind are required, and results are given, partial as
 * `what` says. No operands that are partial: the op passes nothing on. */
typedef struct ts_passage {
  ts_partiality what;
  uint32_t partial; /* the operands that are partial */
  uint32_t once;    /* complete ones that then count on one device of each group */
} ts_passage;

/* The passage for the operands that are partial, by `of`, as the first of them is. */
ts_passage ts_passage_of(const ts_op *op, ts_partiality (*of)(const ts_value *value));

/* Operand `i` is zero (the kind's neutral element) everywhere: as good as partial. */
bool ts_is_neutral_operand(const ts_op *op, int i, ts_reduction kind);

#endif /* TESSERA_PLUGIN_SOLVE_PASSAGES_H */
