/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Partial values pass through what is linear in them, as far as that costs no more bytes. It knows
 * layouts and prices; it must not know terms. */
#include "solve/partial.h"

#include "model/sums.h"
#include "solve/partial_price.h"
#include "solve/price.h"

/* ---- what is behind a value ------------------------------------------------------------------ */

static bool takes(const ts_op *op, const ts_value *value) {
  for (int i = 0; i < op->num_operands; i++)
    if (op->operands[i] == value)
      return true;
  return false;
}

static double price_after(ts_model *model, const ts_value *tied, ts_partiality s, bool *ends);

/* The same of an op that ends a block, is called or returns. What a loop carries is completed
 * behind the loop. */
static double price_behind_end(ts_model *model, const ts_op *user, const ts_value *value,
                               ts_partiality s, double *beyond) {
  bool ends;
  for (int i = 0; i < user->num_operands; i++) {
    const ts_value *target = user->targets[i];
    if (user->operands[i] != value)
      continue;
    if (user->callee || !target || !ts_partiality_equal(ts_partiality_seen(target), s))
      return TS_NEVER;
    if (target->definition && target->definition != user)
      *beyond += price_after(model, target, s, &ends);
  }
  return 0;
}

/* Bytes behind `user` if it passes the value on, and `beyond` the loops whose trips end with it, in
 * addition; TS_NEVER if it cannot. What several partial operands share, each has a part of, by what
 * completing it would cost. */
static double price_behind(ts_model *model, const ts_op *user, const ts_value *value,
                           ts_partiality s, bool *masks, double *beyond) {
  if (user->kind == TS_OP_FIXED) /* or it gives the value */
    return takes(user, value) ? price_behind_end(model, user, value, s, beyond) : 0;
  ts_passage p = ts_passage_of(user, ts_partiality_seen);
  double behind = 0, ends = 0;
  for (int i = 0; i < user->num_operands && i < TS_MAX_TERM_OPERANDS; i++)
    if (user->operands[i] == value && !(p.partial >> i & 1))
      return TS_NEVER;
  if (!p.partial)
    return TS_NEVER;
  *masks |= p.once != 0 || !ts_partiality_equal(p.what, s);
  double now = 0;
  for (int i = 0; i < user->num_operands && i < TS_MAX_TERM_OPERANDS; i++)
    if (p.partial >> i & 1)
      now += user->operands[i]->pending.now;
  for (int r = 0; r < user->num_results; r++) {
    behind += user->results[r]->pending.later;
    ends += user->results[r]->pending.beyond;
  }
  double part = now > 0 ? value->pending.now / now : 1;
  *beyond += part * ends;
  return part * (behind - ts_bytes_spared(model, user, &p));
}

/* Decides whether the value stays partial, from what is behind its users. */
static void decide(ts_model *model, ts_value *value) {
  ts_pending *pending = &value->pending;
  ts_partiality s = {pending->axes, pending->kind};
  pending->later = pending->now;
  pending->beyond = 0;
  pending->stays = false;
  if (!s.axes || pending->ends || value->is_fixed || value->is_captured || !value->num_users)
    return;
  double behind = 0, beyond = 0;
  bool masks = false;
  for (int i = 0; i < value->num_users && behind < TS_NEVER; i++)
    behind += price_behind(model, value->users[i], value, s, &masks, &beyond);
  /* What costs the same goes on, for it may meet others, unless that takes work. */
  double all = behind + beyond;
  pending->stays = masks ? all < pending->now * (1 - 1e-9) : all <= pending->now;
  if (!pending->stays)
    return;
  pending->later = behind;
  pending->beyond = beyond;
}

/* ---- what loops carry ------------------------------------------------------------------------ */

/* What all that a block's end gives to the tied value is partial over. */
static ts_partiality partiality_given(const ts_value *tied, double *now) {
  ts_partiality given = {0};
  *now = 0;
  for (int u = 0; u < tied->num_users; u++) {
    const ts_op *end = tied->users[u];
    for (int i = 0; end->kind == TS_OP_FIXED && i < end->num_operands; i++) {
      if (end->targets[i] != tied || end == tied->definition || end->operands[i] == tied)
        continue; /* it comes from before, or as it is */
      ts_partiality s = ts_partiality_seen(end->operands[i]);
      if (!s.axes || end->operands[i]->is_fixed || (given.axes && !ts_partiality_equal(given, s)))
        return (ts_partiality){0};
      given = s;
      *now += end->operands[i]->pending.now;
    }
  }
  return given;
}

/* What the loop carries for its result `r`; NULL if that is fixed, or there is none. */
static ts_value *carried(const ts_op *op, int r) {
  ts_value *tied = ts_carried_for(op, r);
  return tied && !tied->is_fixed ? tied : NULL;
}

/* Whether what the op carries can start out partial: complete values count once. */
static bool may_start(const ts_op *op, const ts_value *tied, ts_reduction kind) {
  if (kind == TS_SUM || ts_is_idempotent(kind))
    return true;
  for (int i = 0; i < op->num_operands; i++)
    if (op->targets[i] == tied && !ts_is_neutral_operand(op, i, kind))
      return false;
  return true;
}

/* Whether the parts of trips that are dealt out, if the result is a sum of them, add up alike. */
static bool adds_up_alike(const ts_op *op, int r, ts_reduction kind) {
  return !op->deals || !op->deals->sums[r] || op->deals->sums[r] == kind;
}

/* How the op that gives the value has it, complete. */
static const ts_sharding *as_made(ts_arena *arena, const ts_value *value) {
  const ts_op *op = value->definition;
  bool makes = op && op->kind == TS_OP_RULE;
  return ts_completed(arena, makes ? ts_natural_layout(value) : value->layout);
}

/* What is carried in pieces along these axes can be carried whole along them, and partial: so is
 * all that it becomes in the trips, and nothing is moved for that. */
static bool may_be_unsplit(ts_arena *arena, const ts_value *tied, ts_axes axes) {
  if (!(ts_sharding_split_axes(tied->layout) & axes))
    return true;
  const ts_sharding *whole = ts_sharding_without(arena, tied->layout, axes);
  for (int d = 0; d < tied->rank; d++)
    if (tied->layout->dims[d].offsets || ts_dim_has_halo(&tied->layout->dims[d]))
      return false;
  for (int u = 0; u < tied->num_users; u++) {
    const ts_op *end = tied->users[u];
    for (int i = 0; end->kind == TS_OP_FIXED && end != tied->definition && i < end->num_operands;
         i++)
      if (end->targets[i] == tied && end->operands[i] != tied &&
          !ts_sharding_equal(as_made(arena, end->operands[i]), whole))
        return false;
  }
  return true;
}

/* Supposes that what is given partial is carried partial. Whether that is new. */
static bool suppose(ts_model *model, const ts_op *op, int r) {
  ts_value *tied = carried(op, r);
  double now;
  ts_partiality given = partiality_given(tied, &now);
  if (!given.axes || tied->pending.axes || tied->pending.ends ||
      !adds_up_alike(op, r, given.kind) || !may_be_unsplit(&model->scratch, tied, given.axes) ||
      !may_start(op, tied, given.kind))
    return false;
  tied->pending.axes = given.axes;
  tied->pending.kind = given.kind;
  tied->pending.now =
      ts_bytes_to_complete(model, tied, op->weight,
                           ts_sharding_without(&model->scratch, tied->layout, given.axes), given);
  return true;
}

/* Bytes behind the loop for a sum of parts that are partial over `s` as well. */
static double price_of_sum(ts_model *model, const ts_op *op, int r, ts_partiality s) {
  ts_arena *scratch = &model->scratch;
  const ts_sharding *parts =
      ts_add_partial(scratch, ts_sharding_without(scratch, carried(op, r)->layout, s.axes),
                     op->deals->axes, op->deals->sums[r]);
  return ts_bytes_to_complete(model, op->results[r], op->weight, parts, s) -
         ts_bytes_to_complete(model, op->results[r], op->weight, parts, (ts_partiality){0});
}

/* Bytes behind the loop for what it carries partial over `s`: where its uses there pass it on, or,
 * if it `ends` with the loop, once for all of them. */
static double price_after(ts_model *model, const ts_value *tied, ts_partiality s, bool *ends) {
  const ts_op *op = tied->definition;
  double after = 0, beyond = 0;
  bool masks = false;
  for (int i = 0; i < tied->num_users && after < TS_NEVER; i++)
    if (ts_is_behind(tied->users[i], op))
      after += price_behind(model, tied->users[i], tied, s, &masks, &beyond);
  after += beyond;
  *ends = false;
  for (int r = 0; r < op->num_results; r++)
    if (carried(op, r) == tied && tied != op->results[r])
      return after + price_of_sum(model, op, r, s);
  *ends = after > tied->pending.now;
  return *ends ? tied->pending.now : after;
}

/* Whether carrying it partial costs less than completing it in each trip. */
static bool pays_to_carry(ts_model *model, const ts_op *op, int r) {
  ts_value *tied = carried(op, r);
  ts_pending *pending = &tied->pending;
  ts_partiality s = {pending->axes, pending->kind};
  double now, behind = 0, beyond = 0;
  bool masks = false;
  ts_partiality given = partiality_given(tied, &now);
  if (!ts_partiality_equal(given, s))
    return false;
  for (int i = 0; i < tied->num_users && behind < TS_NEVER; i++)
    if (!ts_is_behind(tied->users[i], op))
      behind += price_behind(model, tied->users[i], tied, s, &masks, &beyond);
  double after = price_after(model, tied, s, &pending->ends_behind);
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
    ts_passage p = ts_passage_of(op, ts_partiality_seen);
    for (int r = 0; r < op->num_results; r++) {
      ts_value *value = op->results[r];
      if (!value)
        continue;
      ts_partiality s = ts_partiality_of_layout(op->natural[r]);
      if (p.partial)
        s = (ts_partiality){s.axes | p.what.axes, p.what.kind};
      value->pending = (ts_pending){.axes = s.axes, .kind = s.kind, .ends = value->pending.ends};
      if (s.axes)
        value->pending.now = ts_bytes_to_complete(model, value, op->weight, op->natural[r], s);
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
        decide(model, op->results[r]);
      ts_value *tied = carried(op, r);
      if (!tied || !tied->pending.axes)
        continue;
      bool pays = pays_to_carry(model, op, r);
      tied->pending.stays = pays;
      if (!pays)
        refuse(tied);
      holds &= pays;
    }
  }
  return holds;
}

static void each_carried(ts_function *function, void (*change)(ts_value *tied)) {
  for (int i = 0; i < function->num_ops; i++)
    for (int r = 0; r < function->ops[i]->num_results; r++)
      if (carried(function->ops[i], r))
        change(carried(function->ops[i], r));
}

static bool suppose_once(ts_model *model, ts_function *function) {
  bool any = false;
  for (int i = function->num_ops; i-- > 0;)
    for (int r = 0; r < function->ops[i]->num_results; r++)
      if (carried(function->ops[i], r))
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

static void forget(ts_value *tied) {
  tied->pending = (ts_pending){0};
}

static void forget_plan(ts_function *function) {
  for (int i = 0; i < function->num_ops; i++)
    for (int r = 0; r < function->ops[i]->num_results; r++)
      if (function->ops[i]->results[r])
        function->ops[i]->results[r]->pending = (ts_pending){0};
  each_carried(function, forget);
}

/* ---- with and without carrying ------------------------------------------------------------- */

/* Bytes of what the loop carries partial, behind it. */
static double bytes_carried(ts_model *model, const ts_op *op, int r) {
  const ts_value *tied = carried(op, r);
  if (!tied || !tied->pending.stays)
    return 0;
  if (tied != op->results[r])
    return price_of_sum(model, op, r, (ts_partiality){tied->pending.axes, tied->pending.kind});
  return tied->pending.ends_behind ? tied->pending.now : 0;
}

/* Bytes that come for operands of an op with a rule, but for those it takes partial as they are,
 * and for what it completes. */
static double bytes_around(ts_model *model, const ts_op *op) {
  ts_arena *scratch = &model->scratch;
  ts_passage p = ts_passage_of(op, ts_partiality_planned);
  double bytes = 0;
  for (int i = 0; i < op->num_operands; i++) {
    const ts_value *value = op->operands[i];
    bool may_pass = i < TS_MAX_TERM_OPERANDS;
    if (!value || value->is_free || (may_pass && p.partial >> i & 1))
      continue;
    const ts_sharding *to = op->required[i];
    if (may_pass && p.once >> i & 1)
      to = ts_add_partial(scratch, to, p.what.axes, p.what.kind);
    bytes += op->weight * ts_bytes_moved(scratch, value, value->layout, to);
  }
  for (int r = 0; r < op->num_results; r++) {
    const ts_value *value = op->results[r];
    if (value && !value->pending.stays && (p.partial || op->natural[r]->num_partial))
      bytes += value->pending.now;
  }
  return bytes;
}

/* Bytes of all that is completed or taken as it is planned. */
static double bytes_planned(ts_model *model, const ts_function *function) {
  double bytes = 0;
  for (int i = 0; i < function->num_ops; i++) {
    const ts_op *op = function->ops[i];
    ts_arena_reset(&model->scratch);
    if (op->kind == TS_OP_RULE)
      bytes += bytes_around(model, op);
    for (int r = 0; r < op->num_results; r++)
      bytes += bytes_carried(model, op, r);
  }
  return bytes;
}

static bool carries_partial(const ts_op *op) {
  for (int r = 0; r < op->num_results; r++)
    if (carried(op, r) && carried(op, r)->pending.stays)
      return true;
  return false;
}

bool ts_carries_partial(const ts_function *function) {
  for (int i = 0; i < function->num_ops; i++)
    if (carries_partial(function->ops[i]))
      return true;
  return false;
}

void ts_plan_without(ts_model *model, ts_function *function, const bool *refused) {
  forget_plan(function);
  for (int i = 0; i < function->num_ops; i++)
    for (int r = 0; refused[i] && r < function->ops[i]->num_results; r++)
      if (carried(function->ops[i], r))
        refuse(carried(function->ops[i], r));
  ts_plan_partial(model, function);
}

/* Each value is decided by its part of what others complete with it, and what loops carry is among
 * these: whether it pays at all the sum over all values says. */
void ts_refuse_dear(ts_model *model, ts_function *function, bool *refused) {
  const int most_loops = 8; /* each plans all anew, once or twice */
  double least = bytes_planned(model, function);
  for (int i = 0, looks = 0; i < function->num_ops && looks < most_loops; i++) {
    if (!carries_partial(function->ops[i]))
      continue;
    looks++;
    refused[i] = true;
    ts_plan_without(model, function, refused);
    double bytes = bytes_planned(model, function);
    refused[i] = bytes < least * (1 - 1e-9);
    if (refused[i])
      least = bytes;
    else
      ts_plan_without(model, function, refused);
  }
}

/* ---- one op ---------------------------------------------------------------------------------- */

static ts_partiality partiality_left(const ts_value *value) {
  return value && !value->is_free ? ts_partiality_of_layout(value->layout) : (ts_partiality){0};
}

/* Whether completing the operands costs at least what there is to complete behind the op. */
static bool pays(ts_model *model, const ts_op *op, const ts_passage *p) {
  double in = ts_bytes_spared(model, op, p), out = 0;
  for (int i = 0; i < op->num_operands && i < TS_MAX_TERM_OPERANDS; i++)
    if (p->partial >> i & 1)
      in += op->weight * ts_bytes_moved(&model->scratch, op->operands[i], op->operands[i]->layout,
                                        op->required[i]);
  for (int r = 0; r < op->num_results; r++) {
    const ts_value *value = op->results[r];
    out += value->is_fixed ? ts_bytes_to_complete(model, value, op->weight, op->natural[r], p->what)
                           : value->pending.later;
  }
  return out <= in;
}

/* What the op takes of an operand as it is split elsewhere than along its loops, a range of a
 * window, may be split along the very axes: that comes complete. */
static bool takes_pieces(const ts_op *op, const ts_passage *p) {
  for (int i = 0; i < op->num_operands && i < TS_MAX_TERM_OPERANDS; i++)
    if ((p->partial | p->once) >> i & 1 && ts_sharding_split_axes(op->required[i]) & p->what.axes)
      return true;
  return false;
}

void ts_pass_partial(ts_model *model, ts_op *op) {
  ts_passage p = ts_passage_of(op, partiality_left);
  if (!p.partial || takes_pieces(op, &p) || !pays(model, op, &p))
    return;
  for (int i = 0; i < op->num_operands && i < TS_MAX_TERM_OPERANDS; i++)
    if ((p.partial | p.once) >> i & 1)
      op->required[i] = ts_add_partial(model->arena, op->required[i], p.what.axes, p.what.kind);
  for (int r = 0; r < op->num_results; r++)
    op->natural[r] = ts_add_partial(model->arena, op->natural[r], p.what.axes, p.what.kind);
}
