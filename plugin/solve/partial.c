/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Partial values pass through what is linear in them, as far as that costs no more bytes. It knows
 * terms, layouts and prices; it must not know what ops compute. */
#include "solve/partial.h"

#include "model/sums.h"
#include "solve/price.h"

/* ---- small helpers --------------------------------------------------------------------------- */

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

/* ---- what is partial, over what -------------------------------------------------------------- */

typedef struct signature {
  ts_axes axes; /* 0: complete, or by several kinds */
  ts_reduction kind;
} signature;

static signature signature_of_layout(const ts_sharding *layout) {
  signature s = {ts_sharding_partial_axes(layout), TS_REDUCTION_NONE};
  for (int i = 0; i < layout->num_partial; i++) {
    if (i && layout->partial[i].kind != s.kind)
      return (signature){0};
    s.kind = layout->partial[i].kind;
  }
  return s;
}

/* What those that use the value may find it partial over. */
static signature signature_seen(const ts_value *value) {
  if (!value || value->is_free)
    return (signature){0};
  if (value->is_fixed || value->layout->num_partial)
    return signature_of_layout(value->layout);
  return value->pending.ends ? (signature){0}
                             : (signature){value->pending.axes, value->pending.kind};
}

static bool same(signature a, signature b) {
  return a.axes == b.axes && a.kind == b.kind;
}

/* ---- ops that pass partial values on --------------------------------------------------------- */

/* How an op passes partial values on. No axes: it does not. */
typedef struct passage {
  signature what;
  uint32_t partial; /* the operands that are partial */
  uint32_t once;    /* complete ones that then count on one device of each group */
} passage;

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

/* What is combined with itself by these kinds stays what it is, so complete terms may be there on
 * every device. */
static bool is_idempotent(ts_reduction kind) {
  return kind == TS_MAX || kind == TS_MIN || kind == TS_AND || kind == TS_OR || kind == TS_UMAX ||
         kind == TS_UMIN || kind == TS_MAXNUM || kind == TS_MINNUM;
}

/* Adds to `p->once` what complete terms need. False if the kind, or an operand, does not allow it.
 */
static bool complete_terms_count_once(const ts_op *op, const ts_terms *terms, passage *p) {
  for (int t = 0; t < terms->num_terms; t++) {
    if (terms->sets[t] & (p->partial | p->once) ||
        is_neutral_term(op, terms->sets[t], p->what.kind))
      continue;
    if (is_idempotent(p->what.kind))
      continue;
    int i = p->what.kind == TS_SUM ? maskable(op, terms, terms->sets[t]) : -1;
    if (i < 0)
      return false;
    p->once |= UINT32_C(1) << i;
  }
  return true;
}

/* Every term has one partial operand at most. */
static bool terms_accept(const ts_op *op, const ts_terms *terms, const passage *p) {
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
        !is_idempotent(p->what.kind))
      return false;
  }
  return true;
}

/* What a loop carries partial is complete for ops behind it, if one of them needs it so: that is
 * made once. */
static bool is_completed_for(const ts_op *op, const ts_value *value) {
  return value && value->pending.ends_behind && ts_is_behind(op, value->definition);
}

/* The passage for the operands that are partial as the first of them is. */
static passage passage_of(const ts_op *op, signature (*seen)(const ts_value *value)) {
  const passage none = {.partial = 0};
  passage p = none;
  if (op->kind != TS_OP_RULE)
    return none;
  for (int i = 0; i < op->num_operands && i < TS_MAX_TERM_OPERANDS; i++) {
    signature s = is_completed_for(op, op->operands[i]) ? (signature){0} : seen(op->operands[i]);
    if (s.axes && !p.what.axes)
      p.what = s;
    if (s.axes && same(s, p.what))
      p.partial |= UINT32_C(1) << i;
  }
  if (!p.partial || (p.what.axes & loop_axes(op->sharding)) || reads_neighbours(op))
    return none;
  for (int r = 0; r < op->num_results; r++) {
    if (!op->results[r] || !complete_terms_count_once(op, &op->loops->terms[r], &p))
      return none;
    signature own = signature_of_layout(op->natural[r]);
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

static signature signature_made(const ts_value *value) {
  const ts_op *op = value ? value->definition : NULL;
  if (!value || value->is_free)
    return (signature){0};
  if (!value->is_fixed && op && op->kind == TS_OP_FIXED && value->pending.stays)
    return (signature){value->pending.axes, value->pending.kind};
  if (value->is_fixed || !op || op->kind != TS_OP_RULE)
    return signature_of_layout(value->layout);
  for (int r = 0; r < op->num_results; r++)
    if (op->results[r] == value)
      return signature_of_layout(op->natural[r]);
  return (signature){0};
}

static signature signature_planned(const ts_value *value) {
  if (!value || value->is_free)
    return (signature){0};
  if (value->is_fixed)
    return signature_of_layout(value->layout);
  return value->pending.stays ? (signature){value->pending.axes, value->pending.kind}
                              : (signature){0};
}

ts_passage ts_passage_of_op(const ts_op *op, ts_passing_of which) {
  passage p = passage_of(op, which == TS_PASSING_AS_MADE ? signature_made : signature_planned);
  return (ts_passage){p.what.axes, p.what.kind, p.partial ? p.partial | p.once : 0};
}

/* ---- prices ---------------------------------------------------------------------------------- */

/* Bytes for completing the value where it is made, as `natural` partial over `s` as well. */
static double price_now(ts_model *model, const ts_value *value, double weight,
                        const ts_sharding *natural, signature s) {
  const ts_sharding *from = ts_add_partial(&model->scratch, natural, s.axes, s.kind);
  const ts_sharding *to =
      value->is_fixed ? value->layout : ts_completed(&model->scratch, value->layout);
  return weight * ts_bytes_moved(&model->scratch, value, from, to);
}

static bool takes(const ts_op *op, const ts_value *value) {
  for (int i = 0; i < op->num_operands; i++)
    if (op->operands[i] == value)
      return true;
  return false;
}

static const double never = 1e300;

/* Bytes behind `user` if it passes the value on; `never` if it cannot. What several partial
 * operands share, each has a part of, by what completing it would cost. */
static double price_behind(const ts_op *user, const ts_value *value, signature s, bool *masks) {
  if (user->kind == TS_OP_FIXED) {
    if (!takes(user, value))
      return 0; /* it gives the value */
    for (int i = 0; i < user->num_operands; i++)
      if (user->operands[i] == value &&
          (user->callee || !user->targets[i] || !same(signature_seen(user->targets[i]), s)))
        return never;
    return 0;
  }
  passage p = passage_of(user, signature_seen);
  double behind = 0;
  for (int i = 0; i < user->num_operands && i < TS_MAX_TERM_OPERANDS; i++)
    if (user->operands[i] == value && !(p.partial >> i & 1))
      return never;
  if (!p.partial || !same(p.what, s))
    return never;
  *masks |= p.once != 0;
  double now = 0;
  for (int i = 0; i < user->num_operands && i < TS_MAX_TERM_OPERANDS; i++)
    if (p.partial >> i & 1)
      now += user->operands[i]->pending.now;
  for (int r = 0; r < user->num_results; r++)
    behind += user->results[r]->pending.later;
  return now > 0 ? behind * value->pending.now / now : behind;
}

/* Decides whether the value stays partial, from what is behind its users. */
static void decide(ts_value *value) {
  ts_pending *pending = &value->pending;
  signature s = {pending->axes, pending->kind};
  pending->later = pending->now;
  pending->stays = false;
  if (!s.axes || pending->ends || value->is_fixed || value->is_captured || !value->num_users)
    return;
  double behind = 0;
  bool masks = false;
  for (int i = 0; i < value->num_users && behind <= pending->now; i++)
    behind += price_behind(value->users[i], value, s, &masks);
  /* What costs the same goes on, for it may meet others, unless that takes work. */
  pending->stays = masks ? behind < pending->now * (1 - 1e-9) : behind <= pending->now;
  if (pending->stays)
    pending->later = behind;
}

/* ---- what loops carry ------------------------------------------------------------------------ */

/* What all that a block's end gives to the tied value is partial over. */
static signature signature_given(const ts_value *tied, double *now) {
  signature given = {0};
  *now = 0;
  for (int u = 0; u < tied->num_users; u++) {
    const ts_op *end = tied->users[u];
    for (int i = 0; end->kind == TS_OP_FIXED && i < end->num_operands; i++) {
      if (end->targets[i] != tied || end == tied->definition)
        continue;
      signature s = signature_seen(end->operands[i]);
      if (!s.axes || end->operands[i]->is_fixed || (given.axes && !same(given, s)))
        return (signature){0};
      given = s;
      *now += end->operands[i]->pending.now;
    }
  }
  return given;
}

static bool is_carried(const ts_op *op, int r) {
  return op->kind == TS_OP_FIXED && op->ties && op->results[r] && !op->results[r]->is_fixed;
}

/* Whether what the op carries can start out partial: complete values count once. */
static bool may_start(const ts_op *op, const ts_value *tied, ts_reduction kind) {
  if (kind == TS_SUM || is_idempotent(kind))
    return true;
  for (int i = 0; i < op->num_operands; i++)
    if (op->targets[i] == tied && !ts_is_neutral_operand(op, i, kind))
      return false;
  return true;
}

/* Supposes that what is given partial is carried partial. Whether that is new. */
static bool suppose(ts_model *model, ts_op *op, int r) {
  ts_value *tied = op->results[r];
  double now;
  signature given = signature_given(tied, &now);
  if (!given.axes || tied->pending.axes || tied->pending.ends ||
      (given.axes & ts_sharding_split_axes(tied->layout)) || !may_start(op, tied, given.kind))
    return false;
  tied->pending.axes = given.axes;
  tied->pending.kind = given.kind;
  tied->pending.now = price_now(model, tied, op->weight, tied->layout, given);
  return true;
}

/* Whether carrying it partial costs less than completing it in each trip. */
static bool pays_to_carry(ts_value *tied) {
  ts_pending *pending = &tied->pending;
  signature s = {pending->axes, pending->kind};
  double now, behind = 0, after = 0;
  bool masks = false;
  signature given = signature_given(tied, &now);
  if (!same(given, s))
    return false;
  for (int i = 0; i < tied->num_users; i++) {
    double price = price_behind(tied->users[i], tied, s, &masks);
    if (ts_is_behind(tied->users[i], tied->definition))
      after += price;
    else
      behind += price;
  }
  pending->ends_behind = after > pending->now;
  after = pending->ends_behind ? pending->now : after;
  pending->later = behind + after;
  return behind + after < now * (1 - 1e-9);
}

/* Not to be supposed again. */
static void refuse(ts_value *tied) {
  tied->pending = (ts_pending){.ends = true};
}

/* As before anything was supposed, but for what was refused. */
static void take_back(ts_value *tied) {
  tied->pending = (ts_pending){.ends = tied->pending.ends};
}

/* ---- the plan -------------------------------------------------------------------------------- */

/* What results are partial over if all that can passes partial values on. */
static void follow(ts_model *model, ts_function *function) {
  for (int i = 0; i < function->num_ops; i++) {
    ts_op *op = function->ops[i];
    if (op->kind != TS_OP_RULE)
      continue;
    ts_arena_reset(&model->scratch);
    passage p = passage_of(op, signature_seen);
    for (int r = 0; r < op->num_results; r++) {
      ts_value *value = op->results[r];
      if (!value)
        continue;
      signature s = signature_of_layout(op->natural[r]);
      if (p.partial)
        s = (signature){s.axes | p.what.axes, p.what.kind};
      value->pending = (ts_pending){.axes = s.axes, .kind = s.kind, .ends = value->pending.ends};
      if (s.axes)
        value->pending.now = price_now(model, value, op->weight, op->natural[r], s);
    }
  }
}

/* Backwards, because what to do with a value depends on those that use it. False if something that
 * loops were supposed to carry partial is not worth it. */
static bool decide_all(ts_model *model, ts_function *function) {
  bool holds = true;
  for (int i = function->num_ops; i-- > 0;) {
    ts_op *op = function->ops[i];
    ts_arena_reset(&model->scratch);
    for (int r = 0; r < op->num_results; r++) {
      if (op->kind == TS_OP_RULE && op->results[r])
        decide(op->results[r]);
      if (!is_carried(op, r) || !op->results[r]->pending.axes)
        continue;
      bool pays = pays_to_carry(op->results[r]);
      op->results[r]->pending.stays = pays;
      if (!pays)
        refuse(op->results[r]);
      holds &= pays;
    }
  }
  return holds;
}

static void each_carried(ts_function *function, void (*change)(ts_value *tied)) {
  for (int i = 0; i < function->num_ops; i++)
    for (int r = 0; r < function->ops[i]->num_results; r++)
      if (is_carried(function->ops[i], r))
        change(function->ops[i]->results[r]);
}

static bool suppose_once(ts_model *model, ts_function *function) {
  bool any = false;
  for (int i = function->num_ops; i-- > 0;)
    for (int r = 0; r < function->ops[i]->num_results; r++)
      if (is_carried(function->ops[i], r))
        any |= suppose(model, function->ops[i], r);
  return any;
}

/* Loops in loops that are looked through; looks again. */
enum { MOST_LOOKS = 4 };

/* From the beginning, because what was supposed may rest on what is refused: on itself, even. */
static void suppose_all(ts_model *model, ts_function *function) {
  each_carried(function, take_back);
  follow(model, function);
  for (int i = 0; i < MOST_LOOKS && suppose_once(model, function); i++)
    follow(model, function);
}

/* Whether some value that others were counted on to meet is completed after all. */
static bool end_those_completed(ts_function *function) {
  bool any = false;
  for (int i = 0; i < function->num_ops; i++)
    for (int r = 0; r < function->ops[i]->num_results; r++) {
      ts_value *value = function->ops[i]->results[r];
      if (!value || !value->pending.axes || value->pending.stays || value->pending.ends)
        continue;
      value->pending.ends = any = true;
    }
  return any;
}

static void suppose_and_decide(ts_model *model, ts_function *function) {
  suppose_all(model, function);
  for (int i = 0; !decide_all(model, function); i++) {
    if (i == MOST_LOOKS)
      each_carried(function, refuse);
    suppose_all(model, function);
  }
}

void ts_plan_partial(ts_model *model, ts_function *function) {
  suppose_and_decide(model, function);
  for (int i = 0; i < MOST_LOOKS && end_those_completed(function); i++)
    suppose_and_decide(model, function);
}

void ts_forget_plan(ts_function *function) {
  for (int i = 0; i < function->num_ops; i++)
    for (int r = 0; r < function->ops[i]->num_results; r++)
      if (function->ops[i]->results[r])
        function->ops[i]->results[r]->pending = (ts_pending){0};
}

/* ---- one op ---------------------------------------------------------------------------------- */

static signature signature_left(const ts_value *value) {
  return value && !value->is_free ? signature_of_layout(value->layout) : (signature){0};
}

/* Whether completing the operands costs at least what there is to complete behind the op. */
static bool pays(ts_model *model, const ts_op *op, const passage *p) {
  double in = 0, out = 0;
  for (int i = 0; i < op->num_operands && i < TS_MAX_TERM_OPERANDS; i++)
    if (p->partial >> i & 1)
      in += op->weight * ts_bytes_moved(&model->scratch, op->operands[i], op->operands[i]->layout,
                                        op->required[i]);
  for (int r = 0; r < op->num_results; r++) {
    const ts_value *value = op->results[r];
    out += value->is_fixed ? price_now(model, value, op->weight, op->natural[r], p->what)
                           : value->pending.later;
  }
  return out <= in;
}

void ts_pass_partial(ts_model *model, ts_op *op) {
  passage p = passage_of(op, signature_left);
  if (!p.partial || !pays(model, op, &p))
    return;
  for (int i = 0; i < op->num_operands && i < TS_MAX_TERM_OPERANDS; i++)
    if ((p.partial | p.once) >> i & 1)
      op->required[i] = ts_add_partial(model->arena, op->required[i], p.what.axes, p.what.kind);
  for (int r = 0; r < op->num_results; r++)
    op->natural[r] = ts_add_partial(model->arena, op->natural[r], p.what.axes, p.what.kind);
}
