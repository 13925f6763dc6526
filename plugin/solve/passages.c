/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Ops that are linear in what is partial pass it on. It knows terms and layouts; it must not know
 * prices, nor what ops compute. */
#include "solve/passages.h"

#include "model/sums.h"

/* ---- what is partial, over what -------------------------------------------------------------- */

ts_partiality ts_partiality_of_layout(const ts_sharding *layout) {
  ts_partiality s = {ts_sharding_partial_axes(layout), TS_REDUCTION_NONE};
  for (int i = 0; i < layout->num_partial; i++) {
    if (i && layout->partial[i].kind != s.kind)
      return (ts_partiality){0};
    s.kind = layout->partial[i].kind;
  }
  return s;
}

ts_partiality ts_partiality_seen(const ts_value *value) {
  if (!value || value->is_free)
    return (ts_partiality){0};
  if (value->is_fixed || value->layout->num_partial)
    return ts_partiality_of_layout(value->layout);
  return value->pending.ends ? (ts_partiality){0}
                             : (ts_partiality){value->pending.axes, value->pending.kind};
}

bool ts_partiality_equal(ts_partiality a, ts_partiality b) {
  return a.axes == b.axes && a.kind == b.kind;
}

ts_partiality ts_partiality_made(const ts_value *value) {
  const ts_op *op = value ? value->definition : NULL;
  if (!value || value->is_free)
    return (ts_partiality){0};
  if (!value->is_fixed && op && op->kind == TS_OP_FIXED && value->pending.stays)
    return (ts_partiality){value->pending.axes, value->pending.kind};
  if (value->is_fixed || !op || op->kind != TS_OP_RULE)
    return ts_partiality_of_layout(value->layout);
  return ts_partiality_of_layout(ts_natural_layout(value));
}

ts_partiality ts_partiality_planned(const ts_value *value) {
  if (!value || value->is_free)
    return (ts_partiality){0};
  if (value->is_fixed)
    return ts_partiality_of_layout(value->layout);
  return value->pending.stays ? (ts_partiality){value->pending.axes, value->pending.kind}
                              : (ts_partiality){0};
}

/* ---- ops that pass partial values on --------------------------------------------------------- */

bool ts_is_neutral_operand(const ts_op *op, int i, ts_reduction kind) {
  ts_value *source = op->operands[i] ? ts_free_source(op->operands[i]) : NULL;
  return source && kind != TS_REDUCTION_NONE && ts_free_is_neutral(source->handle, kind);
}

/* What windows read of others' pieces only comes whole. */
static bool reads_neighbours(const ts_op *op) {
  for (int l = 0; l < op->loops->num_loops; l++)
    if (ts_dim_is_split(&op->sharding->loops[l]) && ts_leads_window(op->loops, l))
      return true;
  return false;
}

static ts_axes loop_axes(const ts_loop_sharding *sharding) {
  ts_axes axes = 0;
  for (int l = 0; l < sharding->num_loops; l++)
    axes |= ts_dim_axes(&sharding->loops[l]);
  return axes;
}

/* One operand of a complete term that can be taken partial, or -1. */
static int maskable(const ts_op *op, const ts_terms *terms, uint32_t set) {
  for (int i = 0; i < op->num_operands && i < TS_MAX_TERM_OPERANDS; i++)
    if (set >> i & 1 && op->operands[i] && !(terms->must_be_complete >> i & 1))
      return i;
  return -1;
}

static bool is_neutral_term(const ts_op *op, uint32_t set, ts_reduction kind) {
  for (int i = 0; i < op->num_operands && i < TS_MAX_TERM_OPERANDS; i++)
    if (set >> i & 1 && ts_is_neutral_operand(op, i, kind))
      return true;
  return false;
}

/* Adds to `p->once` what complete terms need. False if the kind, or an operand, does not allow it.
 */
static bool complete_terms_count_once(const ts_op *op, const ts_terms *terms, ts_passage *p) {
  for (int t = 0; t < terms->num_terms; t++) {
    if (terms->sets[t] & (p->partial | p->once) ||
        is_neutral_term(op, terms->sets[t], p->what.kind))
      continue;
    if (ts_is_idempotent(p->what.kind))
      continue;
    int i = p->what.kind == TS_SUM ? maskable(op, terms, terms->sets[t]) : -1;
    if (i < 0)
      return false;
    p->once |= UINT32_C(1) << i;
  }
  return true;
}

/* Every term has one partial operand at most. */
static bool terms_accept(const ts_op *op, const ts_terms *terms, const ts_passage *p) {
  uint32_t all = p->partial | p->once;
  if (!terms->num_terms || (terms->must_be_complete & all))
    return false;
  if (terms->kind != TS_REDUCTION_NONE && terms->kind != p->what.kind)
    return false;
  for (int t = 0; t < terms->num_terms; t++) {
    uint32_t shared = terms->sets[t] & all;
    if (shared & (shared - 1))
      return false;
    if (!shared && !is_neutral_term(op, terms->sets[t], p->what.kind) &&
        !ts_is_idempotent(p->what.kind))
      return false;
  }
  return true;
}

/* What a loop carries partial is complete for ops behind it, if one of them needs it so: that is
 * made once. */
static bool is_completed_for(const ts_op *op, const ts_value *value) {
  return value && value->pending.ends_behind && ts_is_behind(op, value->definition);
}

/* What is partial is an initial value alone, over what the op's own loops leave partial: their
 * parts are added to its parts. */
static bool starts_from_parts(const ts_op *op, const ts_passage *p) {
  if (op->num_results != 1)
    return false;
  int init = op->loops->result_init[0];
  ts_partiality own = {ts_loops_partial_axes(op->loops, op->sharding),
                       op->loops->result_reduction[0]};
  return init >= 0 && init < TS_MAX_TERM_OPERANDS && p->partial == UINT32_C(1) << init &&
         op->loops->init_is_read[0] && ts_partiality_equal(own, p->what);
}

/* Whether what is partial as `part` says is so, some of it counting once, as `all` says. */
static bool is_part_of(ts_partiality part, ts_partiality all) {
  return part.axes && part.kind == all.kind && (part.axes & all.axes) == part.axes;
}

/* The passage by which results are partial over `what`. */
static ts_passage passage_over(const ts_op *op, ts_partiality what, const ts_partiality *seen) {
  const ts_passage none = {.partial = 0};
  ts_passage p = {.what = what};
  for (int i = 0; i < op->num_operands && i < TS_MAX_TERM_OPERANDS; i++)
    if (is_part_of(seen[i], what))
      p.partial |= UINT32_C(1) << i;
  if (!p.partial || reads_neighbours(op))
    return none;
  if (starts_from_parts(op, &p))
    return p;
  if (p.what.axes & loop_axes(op->sharding))
    return none;
  for (int r = 0; r < op->num_results; r++) {
    if (!op->results[r] || !complete_terms_count_once(op, &op->loops->terms[r], &p))
      return none;
    ts_partiality own = ts_partiality_of_layout(op->natural[r]);
    if (op->natural[r]->num_partial && own.kind != p.what.kind)
      return none;
  }
  uint32_t known = 0;
  for (int r = 0; r < op->num_results; r++) {
    if (!terms_accept(op, &op->loops->terms[r], &p))
      return none;
    for (int t = 0; t < op->loops->terms[r].num_terms; t++)
      known |= op->loops->terms[r].sets[t];
  }
  return p.partial & ~known ? none : p;
}

ts_passage ts_passage_of(const ts_op *op, ts_partiality (*of)(const ts_value *value)) {
  ts_partiality seen[TS_MAX_TERM_OPERANDS] = {{0}}, first = {0}, all = {0};
  if (op->kind != TS_OP_RULE)
    return (ts_passage){.partial = 0};
  for (int i = 0; i < op->num_operands && i < TS_MAX_TERM_OPERANDS; i++) {
    if (!is_completed_for(op, op->operands[i]))
      seen[i] = of(op->operands[i]);
    if (!first.axes)
      first = all = seen[i];
    if (seen[i].kind == first.kind)
      all.axes |= seen[i].axes;
  }
  ts_passage p = passage_over(op, all, seen);
  return p.partial || all.axes == first.axes ? p : passage_over(op, first, seen);
}
