/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Why data is moved, in words. It knows producers, consumers and layouts; it must not know which
 * collectives there will be. */
#include "partition/reasons.h"

#include "capi/capi.h"
#include "model/causes.h"

static void say(ts_partitioner *p, const char *text) {
  p->emit.location = ts_location_with_note(p->emit.location, TS_CAUSE, text);
}

/* Who takes the data: behind an annotation for users the first of them. */
static MlirOperation consumer(const ts_partitioner *p) {
  const ts_op *op = p->current_op;
  while (op && op->kind == TS_OP_LINK && op->results[0]->num_users)
    op = op->results[0]->users[0];
  return op ? op->handle : p->current;
}

static int first_axis(ts_axes axes) {
  int a = 0;
  while (!(axes >> a & 1))
    a++;
  return a;
}

/* What the first axis that goes does to the value, and to which dimension: -1 where it is partial.
 */
static const char *describe_axis(ts_partitioner *p, const ts_value *info, const ts_sharding *from,
                                 const ts_sharding *to, int *dim, int *axis) {
  ts_arena *arena = &p->model->scratch;
  ts_axes gone = ts_sharding_partial_axes(from) & ~ts_sharding_partial_axes(to);
  if (gone) {
    *axis = first_axis(gone);
    const ts_op *op = info->definition;
    bool reduces =
        op && op->kind == TS_OP_RULE && ts_loops_partial_axes(op->loops, op->sharding) >> *axis & 1;
    return ts_arena_format(arena, "%s over axis %d",
                           reduces ? "its reduction is split" : "it is partial", *axis);
  }
  for (int d = 0; d < from->rank; d++) {
    gone = ts_dim_axes(&from->dims[d]) & ~ts_dim_axes(&to->dims[d]);
    if (!gone)
      continue;
    *dim = d;
    *axis = first_axis(gone);
    return ts_arena_format(arena, "dimension %d is split over axis %d", d, *axis);
  }
  return ts_arena_format(arena, "its pieces are %s", ts_sharding_text(arena, from));
}

static bool has_offsets(const ts_sharding *layout) {
  for (int d = 0; d < layout->rank; d++)
    if (layout->dims[d].offsets)
      return true;
  return false;
}

void ts_say_why_moved(ts_partitioner *p, const ts_value *info, MlirValue value,
                      const ts_sharding *from, const ts_sharding *to) {
  ts_arena *arena = &p->model->scratch;
  int dim = -1, axis = -1;
  const char *what = describe_axis(p, info, from, to, &dim, &axis);
  const char *origin = axis < 0 ? NULL : ts_origin(p->model, info, dim, axis);
  bool whole = ts_sharding_is_replicated(to) && !has_offsets(to);
  say(p,
      ts_arena_format(arena, "of %s: %s%s%s; needed %s%s by %s", ts_value_text(arena, value), what,
                      origin ? " because " : "", origin ? origin : "", whole ? "whole" : "as ",
                      whole ? "" : ts_sharding_text(arena, to), ts_op_text(arena, consumer(p))));
}

/* Where the split of loop `l` over `axis` comes from; NULL if no operand that follows it says. */
static const char *origin_of_loop(ts_partitioner *p, const ts_op *op, int l, int axis) {
  for (int i = 0; i < op->num_operands; i++)
    for (int d = 0; op->operands[i] && d < op->operands[i]->rank; d++) {
      const ts_dim_loops *dim = &op->loops->operands[i].dims[d];
      const char *origin = dim->num_loops && dim->loops[0] == l
                               ? ts_origin(p->model, op->operands[i], d, axis)
                               : NULL;
      if (origin)
        return origin;
    }
  return NULL;
}

void ts_say_why_told(ts_partitioner *p, const ts_op *op) {
  ts_arena *arena = &p->model->scratch;
  for (int l = 0; l < op->loops->num_loops; l++) {
    ts_loop_kind kind = op->loops->loops[l].kind;
    ts_axes axes = ts_dim_axes(&op->sharding->loops[l]);
    if (!axes || (kind != TS_LOOP_CHOICE && kind != TS_LOOP_SCAN))
      continue;
    const char *origin = origin_of_loop(p, op, l, first_axis(axes));
    say(p, ts_arena_format(
               arena, "of what each device %s in %s: its loop %d is split over axis %d%s%s",
               kind == TS_LOOP_CHOICE ? "chooses" : "adds up", ts_op_text(arena, op->handle), l,
               first_axis(axes), origin ? " because " : "", origin ? origin : ""));
    return;
  }
}

void ts_say_why_summed(ts_partitioner *p, MlirValue value, int d) {
  ts_arena *arena = &p->model->scratch;
  say(p,
      ts_arena_format(arena,
                      "of the sizes of the pieces of %s: the extent of dimension %d is needed by "
                      "%s",
                      ts_value_text(arena, value), d, ts_op_text(arena, consumer(p))));
}
