/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Which collectives turn one list of axes per dimension into another, by the elements that they
 * move. It knows shardings and costs; it must not know ops. */
#include "reshard/moves.h"

#include <string.h>

/* An exchange costs as much latency as several collectives because it talks to every device on its
 * own. */
static const double step_price = TS_STEP_PRICE, exchange_price = 4 * TS_STEP_PRICE;

/* Where a sequence of moves has come to. */
typedef struct search {
  const ts_problem *problem;
  ts_axis_list now[TS_MAX_CHANGING];
  ts_axes pending; /* partial axes to be completed */
  ts_axes make;    /* and those to be made */
  double most;     /* elements that the largest device holds behind any of the moves */
  ts_moves *moves;
} search;

static ts_axes list_axes(const ts_axis_list *list, int first, int end) {
  ts_axes axes = 0;
  for (int i = first; i < end; i++)
    axes |= (ts_axes)1 << list->axes[i];
  return axes;
}

static bool lists_equal(const ts_axis_list *a, const ts_axis_list *b) {
  return a->num == b->num && memcmp(a->axes, b->axes, (size_t)a->num) == 0;
}

static bool arrived(const search *s) {
  for (int d = 0; d < s->problem->num; d++)
    if (!lists_equal(&s->now[d], &s->problem->to[d]))
      return false;
  return true;
}

static int common_prefix(const ts_axis_list *a, const ts_axis_list *b) {
  int num = 0;
  while (num < a->num && num < b->num && a->axes[num] == b->axes[num])
    num++;
  return num;
}

/* The first `num` axes of `list`. */
static ts_axis_list prefix_of(const ts_axis_list *list, int num) {
  ts_axis_list prefix = *list;
  prefix.num = (int8_t)num;
  return prefix;
}

/* The axes of `list` from `first` on. */
static ts_axis_list suffix_of(const ts_axis_list *list, int first) {
  ts_axis_list suffix = {.num = (int8_t)(list->num - first)};
  memcpy(suffix.axes, list->axes + first, (size_t)suffix.num);
  return suffix;
}

/* Only axes are missing on dimension `d`, and its shards contain what devices want in the end. */
static bool on_the_way(const search *s, int d) {
  const ts_axis_list *now = &s->now[d], *to = &s->problem->to[d];
  return common_prefix(now, to) == now->num && ts_list_nests(s->problem, d, to, now->num);
}

/* Appending `more` axes of the target to dimension `d` cuts its shards, and the result is again on
 * the way to the target. */
static bool may_append(const search *s, int d, int more) {
  const ts_axis_list *to = &s->problem->to[d];
  int now = s->now[d].num;
  ts_axis_list longer = prefix_of(to, now + more);
  return ts_list_nests(s->problem, d, &longer, now) && ts_list_nests(s->problem, d, to, now + more);
}

static void record(search *s, ts_move move) {
  if (s->moves->num < TS_MAX_MOVES)
    s->moves->list[s->moves->num++] = move;
}

/* ---- moves ----------------------------------------------------------------------------------- */

static void append(search *s, int d, int more) {
  s->now[d] = prefix_of(&s->problem->to[d], s->now[d].num + more);
}

/* Elements received on the way from `before` to where the search is now. */
static double received(const search *s, const ts_move *move, const ts_axis_list *before) {
  const ts_problem *problem = s->problem;
  const ts_collective *row = ts_collective_find((tessera_site_kind)move->kind, TS_EXTENTS_OF_INPUT);
  int64_t n = ts_axes_shards(problem->grid, move->axes.num, move->axes.axes);
  double input = row->reduces ? ts_elements_held(problem, before) : 0;
  double lacking =
      row->receives == TS_RECEIVES_LACKING ? ts_elements_lacking(problem, before, s->now) : 0;
  return ts_collective_received(row, n == TS_DYNAMIC ? 0 : (double)n, input, lacking);
}

/* Makes a move of a collective on `run` axes: takes them away from the end of `move.joined`,
 * appends the target's next ones to `move.cut`, or reduces `move.axes`. */
static void take(search *s, ts_move move, int run) {
  ts_axis_list before[TS_MAX_CHANGING];
  memcpy(before, s->now, sizeof(before[0]) * (size_t)s->problem->num);
  if (move.joined >= 0) {
    ts_axis_list *list = &s->now[move.joined];
    move.axes = suffix_of(list, list->num - run);
    *list = prefix_of(list, list->num - run);
  }
  if (move.cut >= 0) {
    append(s, move.cut, run);
    move.axes = suffix_of(&s->now[move.cut], s->now[move.cut].num - run);
  }
  if (move.kind == TS_STEP_ALL_REDUCE || move.kind == TS_STEP_REDUCE_SCATTER) {
    s->pending &= ~list_axes(&move.axes, 0, move.axes.num);
    move.reduction = (ts_reduction)s->problem->kind_from[move.axes.axes[0]];
  }
  move.bytes = received(s, &move, before);
  double held = ts_elements_held(s->problem, s->now);
  s->most = held > s->most ? held : s->most;
  record(s, move);
}

/* The longest run of the target's next axes on `d` that lie in `among` and may be appended; 0 if
 * none. */
static int next_run(const search *s, int d, ts_axes among) {
  if (!on_the_way(s, d))
    return 0;
  const ts_axis_list *to = &s->problem->to[d];
  int now = s->now[d].num, run = 0;
  while (now + run < to->num && among >> to->axes[now + run] & 1)
    run++;
  while (run && !may_append(s, d, run))
    run--;
  return run;
}

static bool slice(search *s) {
  const ts_problem *problem = s->problem;
  ts_axes busy = ts_axes_used(problem, s->now) | s->pending | problem->carried;
  for (int d = 0; d < problem->num; d++) {
    int run = next_run(s, d, ~busy);
    if (!run)
      continue;
    take(s, (ts_move){.kind = TS_STEP_ALL_SLICE, .joined = -1, .cut = d}, run);
    return true;
  }
  return false;
}

/* The axes still to be reduced whose kind is that of the target's next axis on `d`: one collective
 * reduces over one kind. */
static ts_axes pending_alike(const search *s, int d) {
  const ts_axis_list *to = &s->problem->to[d];
  ts_axes alike = 0;
  for (int i = s->now[d].num; i < to->num; i++)
    if (s->problem->kind_from[to->axes[i]] == s->problem->kind_from[to->axes[s->now[d].num]])
      alike |= (ts_axes)1 << to->axes[i];
  return alike & s->pending;
}

static bool reduce_scatter(search *s) {
  for (int d = 0; d < s->problem->num; d++) {
    int run = next_run(s, d, pending_alike(s, d));
    if (!run)
      continue;
    take(s, (ts_move){.kind = TS_STEP_REDUCE_SCATTER, .joined = -1, .cut = d}, run);
    return true;
  }
  return false;
}

/* The length of the target's next run on `t` that is the end of what splits `d`, or 0. */
static int movable_run(const search *s, int d, int t) {
  const ts_axis_list *from = &s->now[d], *to = &s->problem->to[t];
  int now = s->now[t].num, most = to->num - now;
  most = most < from->num ? most : from->num;
  for (int run = most; run > 0; run--)
    if (memcmp(from->axes + from->num - run, to->axes + now, (size_t)run) == 0 &&
        ts_list_nests(s->problem, d, from, from->num - run) && may_append(s, t, run))
      return run;
  return 0;
}

typedef enum all_to_all_for { ANY_ALL_TO_ALL, ALL_TO_ALL_BEFORE_REDUCE_SCATTER } all_to_all_for;

static bool all_to_all(search *s, all_to_all_for what) {
  const ts_problem *problem = s->problem;
  for (int t = 0; t < problem->num; t++) {
    for (int d = 0; d < problem->num && on_the_way(s, t); d++) {
      int run = d == t ? 0 : movable_run(s, d, t);
      if (!run)
        continue;
      int next = s->now[t].num + run;
      if (what == ALL_TO_ALL_BEFORE_REDUCE_SCATTER &&
          (next == problem->to[t].num || !(s->pending >> problem->to[t].axes[next] & 1)))
        continue;
      take(s, (ts_move){.kind = TS_STEP_ALL_TO_ALL, .joined = d, .cut = t}, run);
      return true;
    }
  }
  return false;
}

/* All pending axes of one kind at once. */
static void all_reduce(search *s) {
  const ts_problem *problem = s->problem;
  ts_axis_list axes = {.num = 0};
  ts_reduction kind = TS_REDUCTION_NONE;
  for (int a = 0; a < problem->grid->rank; a++) {
    if (!(s->pending >> a & 1) || (axes.num && problem->kind_from[a] != (int8_t)kind))
      continue;
    kind = (ts_reduction)problem->kind_from[a];
    axes.axes[axes.num++] = (int8_t)a;
  }
  take(s, (ts_move){.kind = TS_STEP_ALL_REDUCE, .axes = axes, .joined = -1, .cut = -1}, 0);
}

/* How many outer axes of `d` can stay while the others are gathered. */
static int keepable(const search *s, int d) {
  int keep = common_prefix(&s->now[d], &s->problem->to[d]);
  while (keep && !(ts_list_nests(s->problem, d, &s->now[d], keep) &&
                   ts_list_nests(s->problem, d, &s->problem->to[d], keep)))
    keep--;
  return keep;
}

/* Gathers a dimension that is not on its way: rather one whose axes split nothing in the end, so
 * that others can still be moved. */
static bool gather(search *s) {
  ts_axes wanted = ts_axes_used(s->problem, s->problem->to);
  int chosen = -1;
  for (int d = 0; d < s->problem->num; d++) {
    if (on_the_way(s, d))
      continue;
    if (chosen < 0)
      chosen = d;
    if (!(list_axes(&s->now[d], keepable(s, d), s->now[d].num) & wanted)) {
      chosen = d;
      break;
    }
  }
  if (chosen < 0)
    return false;
  int run = s->now[chosen].num - keepable(s, chosen);
  take(s, (ts_move){.kind = TS_STEP_ALL_GATHER, .joined = chosen, .cut = -1}, run);
  return true;
}

/* ---- sequences ------------------------------------------------------------------------------- */

/* Completes what is partial, at the smallest size that is reached without gathering. */
static void complete(search *s) {
  while (s->pending)
    if (!slice(s) && !reduce_scatter(s) && !all_to_all(s, ALL_TO_ALL_BEFORE_REDUCE_SCATTER))
      all_reduce(s);
}

/* Goes to the target by collectives. Every move brings an axis to its place for good, or takes axes
 * off a dimension that never gets wrong ones again; so it ends. */
static void collect(search *s) {
  while (!arrived(s))
    if (!slice(s) && !all_to_all(s, ANY_ALL_TO_ALL) && !gather(s))
      return;
}

static void exchange(search *s) {
  const ts_problem *problem = s->problem;
  /* Of a dimension of which nothing is known, a device may lack all that it wants. */
  double bytes = problem->lacking;
  if (!problem->needs_exchange)
    bytes = ts_elements_lacking(problem, s->now, problem->to);
  else if (bytes < 0)
    bytes = ts_elements_wanted(problem);
  record(s, (ts_move){.kind = TS_STEP_EXCHANGE, .joined = -1, .cut = -1, .bytes = bytes});
  memcpy(s->now, s->problem->to, sizeof(s->now[0]) * (size_t)s->problem->num);
}

static double price(const ts_moves *moves, int first) {
  double sum = 0;
  for (int i = first; i < moves->num; i++) {
    const ts_move *move = &moves->list[i];
    if (move->kind != TS_STEP_ALL_SLICE)
      sum += move->bytes + (move->kind == TS_STEP_EXCHANGE ? exchange_price : step_price);
  }
  return sum;
}

/* Elements that the largest device holds at most on the way from `before` beyond what both ends
 * need. */
static double more_than_ends(const search *s, const ts_axis_list *before) {
  double from = ts_elements_held(s->problem, before), to = ts_elements_held(s->problem, s->now);
  return s->most - (from > to ? from : to);
}

/* The better of collectives and one exchange, which needs no memory but that of both ends. */
static void rearrange(search *s) {
  if (s->problem->needs_exchange) {
    exchange(s);
    return;
  }
  int first = s->moves->num;
  search direct = *s;
  s->most = 0;
  collect(s);
  if (s->problem->carried)
    return; /* an exchange would mix the devices among which the value is partial */
  double collected = price(s->moves, first);
  if (collected <= exchange_price)
    return;
  double lacking = ts_elements_lacking(s->problem, direct.now, s->problem->to);
  if (collected <= lacking + exchange_price && more_than_ends(s, direct.now) <= TS_ROOM_BETWEEN)
    return;
  s->moves->num = first;
  exchange(&direct);
  *s = direct;
}

/* The axes that split dimension `d` beyond the target are all to be partial, by one kind that has
 * neutral elements. */
static bool may_place(const search *s, int d) {
  const ts_problem *problem = s->problem;
  const ts_axis_list *now = &s->now[d];
  int keep = common_prefix(now, &problem->to[d]);
  if (keep < problem->to[d].num || !ts_list_nests(problem, d, now, keep) ||
      (list_axes(now, keep, now->num) & ~s->make))
    return false;
  int8_t kind = keep < now->num ? problem->kind_to[now->axes[keep]] : TS_REDUCTION_NONE;
  for (int i = keep; i < now->num; i++)
    if (problem->kind_to[now->axes[i]] != kind || kind == TS_AVERAGE)
      return false;
  return true;
}

/* Each shard is put in its place among neutral elements, if that is all there is to do: nothing is
 * received. */
static bool place(search *s) {
  const ts_problem *problem = s->problem;
  for (int d = 0; d < problem->num; d++)
    if (!may_place(s, d))
      return false;
  for (int d = 0; d < problem->num; d++) {
    ts_axis_list beyond = suffix_of(&s->now[d], problem->to[d].num);
    if (!beyond.num)
      continue;
    record(s, (ts_move){.kind = TS_STEP_MAKE_PARTIAL,
                        .axes = beyond,
                        .joined = d,
                        .cut = -1,
                        .reduction = (ts_reduction)problem->kind_to[beyond.axes[0]]});
    s->make &= ~list_axes(&beyond, 0, beyond.num);
    s->now[d] = problem->to[d];
  }
  return true;
}

static void make_partial(search *s) {
  const ts_problem *problem = s->problem;
  for (ts_axes rest = s->make; rest;) {
    ts_axis_list axes = {.num = 0};
    ts_reduction kind = TS_REDUCTION_NONE;
    for (int a = 0; a < problem->grid->rank; a++) {
      if (!(rest >> a & 1) || (axes.num && problem->kind_to[a] != (int8_t)kind))
        continue;
      kind = (ts_reduction)problem->kind_to[a];
      axes.axes[axes.num++] = (int8_t)a;
    }
    rest &= ~list_axes(&axes, 0, axes.num);
    ts_move move = {
        .kind = TS_STEP_MAKE_PARTIAL, .axes = axes, .joined = -1, .cut = -1, .reduction = kind};
    record(s, move);
  }
}

double ts_choose_directly(const ts_problem *problem, ts_moves *moves) {
  search s = {
      .problem = problem, .pending = problem->complete, .make = problem->make, .moves = moves};
  int first = moves->num;
  memcpy(s.now, problem->from, sizeof(s.now[0]) * (size_t)problem->num);
  complete(&s);
  if (problem->needs_exchange || (!arrived(&s) && !place(&s)))
    rearrange(&s);
  make_partial(&s);
  return price(moves, first);
}
