/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Ways between layouts that pass one on neither end's way. It knows layouts and prices; it must not
 * know ops, nor how moves are found. */
#include <string.h>

#include "reshard/moves.h"

enum {
  MOST_RUNS = 2,
  MOST_STOPS = MOST_RUNS + 1,
  MOST_TRIES = 2000, /* all there are of three dimensions and four axes */
  FEW_TRIES = 16,
  FEW_DEVICES = 16 /* of more, a price takes longer, and so fewer are asked for */
};

/* A value of complete parts goes best directly, by collectives or one exchange. A partial one may
 * better be completed in smaller pieces, cut along axes that split nothing else, and go on from
 * there. All layouts that add such axes to the beginning are tried. */
typedef struct detours {
  const ts_problem *problem;
  ts_axis_list at[TS_MAX_CHANGING];
  int num_stops;
  ts_axis_list stops[MOST_STOPS][TS_MAX_CHANGING];
  double least; /* price that any way has */
  double best;
  int tries, most_tries;
  ts_moves *moves;
} detours;

static bool goes_on(const detours *d) {
  return d->best > d->least && d->tries < d->most_tries;
}

/* One layout behind another, and then the target. */
static double price_of_stops(detours *d, ts_moves *moves) {
  ts_problem part = *d->problem;
  size_t bytes = sizeof(part.from[0]) * (size_t)part.num;
  double sum = 0;
  moves->num = 0;
  for (int i = 0; i <= d->num_stops && sum < d->best; i++) {
    bool is_last = i == d->num_stops;
    memcpy(part.to, is_last ? d->problem->to : d->stops[i], bytes);
    part.make = is_last ? d->problem->make : 0;
    sum += ts_choose_directly(&part, moves);
    memcpy(part.from, part.to, bytes);
    part.complete = 0;
  }
  return sum;
}

static bool divides(const ts_problem *problem, int d, const ts_axis_list *list) {
  int64_t shards = ts_axes_shards(problem->grid, list->num, list->axes);
  return shards != TS_DYNAMIC && problem->sizes[d] != TS_DYNAMIC && problem->sizes[d] % shards == 0;
}

static void stop_here(detours *d) {
  memcpy(d->stops[d->num_stops++], d->at, sizeof(d->at));
}

static void try_here(detours *d) {
  ts_moves moves;
  stop_here(d);
  double found = price_of_stops(d, &moves);
  d->tries++;
  d->num_stops--;
  if (found >= d->best)
    return;
  d->best = found;
  *d->moves = moves;
}

/* No exchange may move what stays partial: runs of axes go from the end of one dimension to that of
 * another. */
static void try_runs(detours *d, int more) {
  stop_here(d);
  for (int from = 0; from < d->problem->num; from++)
    for (int to = 0; to < d->problem->num; to++)
      for (int run = 1; from != to && run <= d->at[from].num && goes_on(d); run++) {
        ts_axis_list *a = &d->at[from], *b = &d->at[to], old_a = *a, old_b = *b;
        a->num = (int8_t)(a->num - run);
        memcpy(b->axes + b->num, old_a.axes + a->num, (size_t)run);
        b->num = (int8_t)(b->num + run);
        if (divides(d->problem, to, b)) {
          try_here(d);
          if (more)
            try_runs(d, more - 1);
        }
        *a = old_a;
        *b = old_b;
      }
  d->num_stops--;
}

static void try_from(detours *d, int dim, ts_axes left);

static void try_axis(detours *d, int dim, int axis, ts_axes left) {
  ts_axis_list *list = &d->at[dim];
  list->axes[list->num++] = (int8_t)axis;
  if (divides(d->problem, dim, list)) {
    try_here(d);
    try_from(d, dim, left & ~((ts_axes)1 << axis));
  }
  list->num--;
}

/* Appends one of the axes that are left to each dimension from `dim` on, and others behind it. */
static void try_from(detours *d, int dim, ts_axes left) {
  if (d->problem->carried && goes_on(d))
    try_runs(d, MOST_RUNS - 1);
  for (; dim < d->problem->num; dim++)
    for (int a = 0; a < d->problem->grid->rank; a++)
      if (left >> a & 1 && goes_on(d))
        try_axis(d, dim, a, left);
}

/* What a reduction in the smallest pieces receives, and what is wanted beyond them. */
static double least_price(const ts_problem *problem, ts_axes spare) {
  double held = ts_elements_held(problem, problem->from), reduced = 1;
  for (int a = 0; a < problem->grid->rank; a++) {
    double extent = spare >> a & 1 ? (double)problem->grid->shape[a] : 1;
    bool is_partial = problem->complete >> a & 1;
    held /= is_partial ? 1 : extent;
    reduced *= is_partial ? extent : 1;
  }
  double wanted = ts_elements_wanted(problem) - held / reduced;
  return held * (reduced - 1) / reduced + (wanted > 0 ? wanted : 0) + TS_STEP_PRICE;
}

static bool is_static(const ts_grid *grid) {
  for (int a = 0; a < grid->rank; a++)
    if (grid->shape[a] == TS_DYNAMIC)
      return false;
  return true;
}

static int most_tries(const ts_grid *grid) {
  double devices = 1;
  for (int a = 0; a < grid->rank; a++)
    devices *= (double)grid->shape[a];
  if (devices <= FEW_DEVICES)
    return MOST_TRIES;
  double tries = MOST_TRIES * (double)FEW_DEVICES * FEW_DEVICES / (devices * devices);
  return tries < FEW_TRIES ? FEW_TRIES : (int)tries;
}

static double try_detours(const ts_problem *problem, double best, ts_moves *moves) {
  ts_axes spare = 0;
  for (int a = 0; a < problem->grid->rank; a++)
    if (problem->grid->shape[a] > 1)
      spare |= (ts_axes)1 << a;
  spare &= ~(ts_axes_used(problem, problem->from) | problem->carried);
  detours d = {
      .problem = problem, .best = best, .moves = moves, .most_tries = most_tries(problem->grid)};
  d.least = least_price(problem, spare);
  memcpy(d.at, problem->from, sizeof(d.at[0]) * (size_t)problem->num);
  try_from(&d, 0, spare);
  return d.best;
}

/* Completed on the way, and made partial again: of sums alone, which have zeros for that. */
static double try_anew(const ts_problem *problem, double best, ts_moves *moves) {
  ts_problem anew = *problem;
  ts_moves other = {.num = 0};
  for (int a = 0; a < problem->grid->rank; a++)
    if (problem->carried >> a & 1 && problem->kind_from[a] != TS_SUM)
      return best;
  anew.complete |= problem->carried;
  anew.make |= problem->carried;
  anew.carried = 0;
  double found = try_detours(&anew, ts_choose_directly(&anew, &other), &other);
  if (found >= best)
    return best;
  *moves = other;
  return found;
}

void ts_choose_moves(const ts_problem *problem, ts_moves *moves) {
  moves->num = 0;
  double best = ts_choose_directly(problem, moves);
  if (problem->needs_exchange || !is_static(problem->grid))
    return;
  if (problem->complete || problem->carried)
    best = try_detours(problem, best, moves);
  if (problem->carried && best > 2 * TS_STEP_PRICE)
    try_anew(problem, best, moves);
}
