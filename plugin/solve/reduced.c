/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* A sum over a split dimension, or the largest element along it, is the same whichever of its parts
 * each device takes. What is reduced may come from slices of split tensors, whose parts lie a
 * little aside of balanced pieces: of a loss over all tokens but the last one, the rows of logits
 * stay where they are, and the targets, which are fewer bytes, move. It knows asks, ranges and
 * prices; it must not know what ops compute.
 */
#include "solve/reduced.h"

#include "rules/linalg.h"
#include "solve/asks.h"
#include "solve/price.h"
#include "solve/pulled.h"
#include "solve/views.h"

/* Values that one op is looked at for, dimensions of what others make of them, uses of one of them,
 * and pieces of its loop. */
enum { MOST_VISITS = 128, MOST_FOLLOWED = 128, MOST_USERS = 32, MOST_CANDIDATES = 4 };

/* ---- values made of parts -------------------------------------------------------------------- */

static bool is_cut_out(const ts_op *op) {
  if (op->rule->does == TS_MOVES_DATA && ts_reads_ranges(op))
    return true;
  for (int i = 0; i < op->num_operands; i++)
    if (op->operands[i] && op->operands[i]->is_cut_out)
      return true;
  return false;
}

void ts_find_cut_out(ts_function *function) {
  for (int i = 0; i < function->num_ops; i++) {
    const ts_op *op = function->ops[i];
    bool cut_out = op->kind == TS_OP_RULE   ? is_cut_out(op)
                   : op->kind == TS_OP_LINK ? op->operands[0]->is_cut_out
                                            : false;
    for (int r = 0; r < op->num_results; r++) {
      ts_value *value = op->results[r];
      if (!value)
        continue;
      value->is_cut_out = cut_out;
      value->is_for_a_sum = false;
    }
  }
}

/* ---- what pieces of the loop move ------------------------------------------------------------ */

typedef struct visit {
  ts_value *value;
  const ts_sharding *layout;
  double times; /* bytes of an element, as often as it is fetched; 0: it is not */
  bool is_made; /* of its operands, for this */
} visit;

/* A dimension of a value that is made of visited ones for uses before the op. */
typedef struct followed {
  const ts_value *value;
  int dim;
} followed;

typedef struct probe {
  ts_arena *arena;
  const ts_op *op; /* that reduces */
  int loop;
  const ts_dim *pieces; /* of the loop, that are looked at; NULL: balanced ones */
  followed followed[MOST_FOLLOWED];
  int num_followed;
  visit visits[MOST_VISITS];
  int num_visits;
  bool joins;  /* something is made for others in the pieces that are asked for here */
  bool failed; /* it cannot be said */
  /* Pieces of the loop for which some value would lie where it is asked for; NULL: not wanted. */
  ts_dim *candidates;
  int num_candidates;
} probe;

static bool was_visited(const probe *p, const ts_value *value, const ts_sharding *layout) {
  for (int i = 0; i < p->num_visits; i++)
    if (p->visits[i].value == value && (!layout || ts_sharding_equal(p->visits[i].layout, layout)))
      return true;
  return false;
}

static bool same_pieces(const probe *p, const ts_dim *a, const ts_dim *b) {
  const ts_grid *grid = p->op->sharding->grid;
  return ts_dim_splits_alike(a, b) &&
         ts_ranges_equal(ts_dim_ranges(p->arena, grid, a), ts_dim_ranges(p->arena, grid, b));
}

/* What comes of the loop is the same whichever of its parts each device takes, none included. */
static bool may_have_any_pieces(const ts_loop *loop) {
  return loop->kind == TS_LOOP_REDUCTION || loop->kind == TS_LOOP_CHOICE;
}

/* The pieces of the loop if each began as far aside as the one that is asked for does from the one
 * that is there. False if that are none. */
static bool shift_pieces(const probe *p, const ts_dim *asked, const ts_dim *held, ts_dim *pieces) {
  ts_arena *arena = p->arena;
  const ts_dim *own = &p->op->sharding->loops[p->loop];
  const ts_grid *grid = p->op->sharding->grid;
  int64_t size = p->op->loops->loops[p->loop].size;
  if (!ts_dim_splits_alike(own, asked) || !ts_dim_splits_alike(own, held))
    return false;
  ts_ranges there = ts_dim_ranges(arena, grid, held), wanted = ts_dim_ranges(arena, grid, asked);
  ts_ranges shifted = ts_dim_ranges(arena, grid, own);
  if (!there.of || !wanted.of || !shifted.of)
    return false;
  for (int64_t i = 0; i < shifted.num; i++) {
    int64_t first = shifted.of[i].first - wanted.of[i].first + there.of[i].first;
    int64_t least = i ? shifted.of[i - 1].first : 0;
    first = first > size ? size : first;
    shifted.of[i].first = i && first > least ? first : least;
  }
  for (int64_t i = 0; i < shifted.num; i++)
    shifted.of[i].end = i + 1 < shifted.num ? shifted.of[i + 1].first : size;
  return ts_dim_of_ranges(arena, grid, own, size, shifted, pieces);
}

static bool can_be_made_in_pieces(const ts_value *value) {
  const ts_op *op = value->definition;
  return op && ts_can_be_made_in_pieces(op) && !ts_only_moves(op->handle) && !ts_reads_windows(op);
}

/* The first piece that others ask for of what the op makes, all of which it makes in one; NULL if
 * none has been. */
static const ts_sharding *asked_of(const ts_op *op) {
  for (int r = 0; r < op->num_results; r++)
    if (op->results[r]->num_asks)
      return op->results[r]->asks[0].layout;
  return NULL;
}

/* Whether the value is made for what is asked of it here: what others ask for is made for them, and
 * what reads windows would ask for more than its pieces. */
static bool is_made_for(const ts_value *value) {
  const ts_op *op = value->definition;
  return can_be_made_in_pieces(value) ? !asked_of(op)
                                      : op && ts_can_be_pulled(op) && ts_only_moves(op->handle);
}

/* What devices have of the value. */
static const ts_sharding *held_of(const probe *p, const ts_value *value) {
  const ts_sharding *asked = can_be_made_in_pieces(value) ? asked_of(value->definition) : NULL;
  return asked && ts_sharding_has_ranges(asked) ? asked
                                                : ts_sharding_balanced(p->arena, value->layout);
}

/* No device has much more to do than it has of balanced pieces. */
static bool is_balanced_enough(const probe *p, const ts_dim *pieces) {
  const ts_grid *grid = p->op->sharding->grid;
  ts_ranges own = ts_dim_ranges(p->arena, grid, &p->op->sharding->loops[p->loop]);
  return ts_are_as_short(ts_dim_ranges(p->arena, grid, pieces), own);
}

static void add_candidates(probe *p, const ts_value *value, const ts_sharding *layout) {
  const ts_sharding *held = held_of(p, value);
  ts_dim pieces;
  for (int d = 0; d < layout->rank; d++) {
    const ts_dim *asked = &layout->dims[d], *there = &held->dims[d];
    if ((!asked->offsets && !there->offsets) || p->num_candidates == MOST_CANDIDATES ||
        !shift_pieces(p, asked, there, &pieces) || !pieces.offsets ||
        !is_balanced_enough(p, &pieces))
      continue;
    bool is_known = false;
    for (int i = 0; i < p->num_candidates; i++)
      is_known = is_known || same_pieces(p, &p->candidates[i], &pieces);
    if (!is_known)
      p->candidates[p->num_candidates++] = pieces;
  }
}

static void visit_operands(probe *p, const ts_op *op, const ts_loop_sharding *loops);

/* The value is made for what is asked of it as far as ops can be run for that. */
static void visit_value(probe *p, ts_value *value, const ts_op *user, const ts_sharding *layout) {
  if (p->failed || was_visited(p, value, layout))
    return;
  if (p->num_visits == MOST_VISITS) {
    p->failed = true;
    return;
  }
  visit *visit = &p->visits[p->num_visits++];
  *visit = (struct visit){value, layout, 0, false};
  if (ts_is_fetched_anyway(p->arena, value, layout)) {
    p->joins = p->joins || can_be_made_in_pieces(value);
    return;
  }
  double bytes = ts_bytes_lacking(p->arena, value, user, held_of(p, value), layout);
  const ts_loop_sharding *loops = (value->is_cut_out || bytes > 0) && is_made_for(value)
                                      ? ts_view_loops(p->arena, value->definition, layout)
                                      : NULL;
  if (loops) {
    visit->is_made = true;
    visit_operands(p, value->definition, loops);
    return;
  }
  p->failed = bytes >= TS_NEVER;
  visit->times = ts_bytes_of_element(value) * ts_weight_at(value, user);
  if (bytes > 0 && !p->failed && p->candidates)
    add_candidates(p, value, layout);
}

static void visit_operands(probe *p, const ts_op *op, const ts_loop_sharding *loops) {
  for (int i = 0; i < op->num_operands; i++)
    if (op->operands[i] && !ts_free_source(op->operands[i]) && !ts_is_bare_destination(op, i))
      visit_value(p, ts_value_behind(op->operands[i]), op, ts_asked_by(p->arena, op, loops, i));
}

/* The pieces of one result are those of all. */
static bool is_made(const probe *p, const ts_op *op) {
  for (int i = 0; i < p->num_visits; i++)
    if (p->visits[i].is_made && p->visits[i].value->definition == op)
      return true;
  return false;
}

static bool is_on_the_way(const probe *p, const ts_op *user) {
  if (is_made(p, user))
    return true;
  for (int r = 0; r < user->num_results; r++)
    if (!user->results[r] || !was_visited(p, ts_value_behind(user->results[r]), NULL))
      return false;
  return user->num_results > 0 && user->kind == TS_OP_RULE;
}

/* An annotation that uses look through. */
static bool passes_on(const ts_op *user) {
  return user->kind == TS_OP_LINK && ts_value_behind(user->results[0]) != user->results[0];
}

/* Whether all that is made of dimension `d` of the value is reduced along it: then its pieces are
 * free, as those of the op are. */
static bool ends_reduced(probe *p, const ts_value *value, int d);

static bool was_followed(const probe *p, const ts_value *value, int d) {
  for (int i = 0; i < p->num_followed; i++)
    if (p->followed[i].value == value && p->followed[i].dim == d)
      return true;
  return false;
}

/* Uses behind the op have asked for the value already, if for anything, for these pieces. */
static bool is_asked_alike(const probe *p, const ts_value *value, int d) {
  for (int i = 0; p->pieces && i < value->num_asks; i++)
    if (!same_pieces(p, &value->asks[i].layout->dims[d], p->pieces))
      return false;
  return true;
}

/* The same of what an op before the one that reduces makes, which is followed once, however many
 * ways lead there. */
static bool is_free_behind(probe *p, const ts_value *value, int d) {
  if (was_followed(p, value, d))
    return true;
  if (p->num_followed == MOST_FOLLOWED)
    return false;
  p->followed[p->num_followed++] = (followed){value, d};
  return is_asked_alike(p, value, d) && ends_reduced(p, value, d);
}

static bool is_reduced_by(probe *p, const ts_op *user, const ts_value *value, int d) {
  if (passes_on(user))
    return ends_reduced(p, user->results[0], d);
  if (user->kind != TS_OP_RULE || !ts_loops_take_any_pieces(user))
    return false;
  for (int i = 0; i < user->num_operands; i++) {
    if (user->operands[i] != value)
      continue;
    const ts_dim_loops *dim = &user->loops->operands[i].dims[d];
    if (dim->window || dim->num_loops != 1)
      return false;
    const ts_loop *loop = &user->loops->loops[dim->loops[0]];
    if (may_have_any_pieces(loop))
      continue;
    if (loop->kind != TS_LOOP_PARALLEL)
      return false;
    for (int r = 0; r < user->num_results; r++)
      for (int to = 0; user->results[r] && to < user->results[r]->rank; to++) {
        const ts_dim_loops *made = &user->loops->results[r].dims[to];
        for (int l = 0; l < made->num_loops; l++)
          if (made->loops[l] == dim->loops[0] &&
              (made->num_loops > 1 || !is_free_behind(p, user->results[r], to)))
            return false;
      }
  }
  return true;
}

static bool ends_reduced(probe *p, const ts_value *value, int d) {
  if (value->is_captured || value->num_users > MOST_USERS)
    return false;
  for (int u = 0; u < value->num_users; u++) {
    const ts_op *user = value->users[u];
    if (user->kind != TS_OP_SHAPE && user->kind != TS_OP_IGNORE &&
        user->position < p->op->position && !is_on_the_way(p, user) &&
        !is_reduced_by(p, user, value, d))
      return false;
  }
  return true;
}

/* Whether uses before the op, which have not asked yet, may ask for ranges of the value. */
static bool may_ask_for_ranges(const probe *p, const ts_value *value) {
  if (value->num_users > MOST_USERS)
    return true;
  for (int u = 0; u < value->num_users; u++) {
    const ts_op *user = value->users[u];
    if (user->position >= p->op->position || is_on_the_way(p, user))
      continue;
    if (passes_on(user) ? may_ask_for_ranges(p, user->results[0])
                        : user->kind == TS_OP_RULE && ts_reads_windows(user))
      return true;
  }
  return false;
}

/* The dimensions along which a visited value, and what its op makes besides, has the pieces of the
 * loop. */
static bool are_pieces_free(probe *p, const visit *visit) {
  ts_axes axes = ts_dim_axes(&p->op->sharding->loops[p->loop]);
  const ts_op *op = visit->value->definition;
  for (int d = 0; d < visit->layout->rank; d++)
    for (int r = 0; ts_dim_axes(&visit->layout->dims[d]) == axes && r < op->num_results; r++)
      if (!ends_reduced(p, op->results[r], d))
        return false;
  return true;
}

/* Whether what uses before the op will ask for, which is not known yet, makes no difference: what
 * is made for the op is made for no other pieces, and what lies somewhere is not asked for ranges.
 */
static bool are_all_known(probe *p) {
  p->num_followed = 0;
  for (int i = 0; i < p->num_visits; i++)
    if (p->visits[i].is_made ? !are_pieces_free(p, &p->visits[i])
                             : may_ask_for_ranges(p, p->visits[i].value))
      return false;
  return true;
}

static const ts_loop_sharding *with_pieces(ts_arena *arena, const ts_op *op, int loop,
                                           const ts_dim *pieces) {
  ts_loop_sharding *loops = ts_arena_copy(arena, op->sharding, sizeof(*loops));
  loops->loops =
      ts_arena_copy(arena, op->sharding->loops, sizeof(ts_dim) * (size_t)loops->num_loops);
  loops->loops[loop] = *pieces;
  return loops;
}

/* Adds what devices lack of all that is fetched of the value of visit `i`, if it is the first one
 * of that value: by one piece that has all, if that is no more. */
static bool add_fetched(const probe *p, int i, double *by_device) {
  const ts_value *value = p->visits[i].value;
  const ts_sharding *layouts[MOST_VISITS], *held = held_of(p, value);
  int num = 0;
  if (p->visits[i].times <= 0)
    return true;
  ts_ask all = {.layout = p->visits[i].layout};
  for (int k = 0; k < p->num_visits; k++) {
    if (p->visits[k].value != value || p->visits[k].times <= 0)
      continue;
    if (k < i)
      return true;
    layouts[num++] = p->visits[k].layout;
    ts_ask next = {.layout = p->visits[k].layout};
    all = all.layout ? ts_union_of_asks(p->arena, &all, &next) : all;
  }
  if (all.layout && ts_sharding_lacking(p->arena, held, all.layout) <=
                        ts_sharding_lacking_each(p->arena, held, num, layouts)) {
    layouts[0] = all.layout;
    num = 1;
  }
  return ts_sharding_add_lacking(p->arena, held, num, layouts, p->visits[i].times, by_device);
}

/* What the busiest device receives of all that was visited. */
static double bytes_fetched(const probe *p) {
  int64_t num = ts_devices_looked_at(p->op->sharding->grid);
  double *by_device = TS_NEW(p->arena, double, num);
  for (int i = 0; i < p->num_visits; i++)
    if (!add_fetched(p, i, by_device))
      return TS_NEVER;
  return ts_largest(num, by_device);
}

/* The bytes that the operands move if the loop has these pieces; TS_NEVER if that is not known, and
 * `*depends` is set if it depends on what uses before the op will ask for. */
static double bytes_for(probe *p, const ts_dim *pieces, bool *depends) {
  p->num_visits = 0;
  p->failed = p->joins = false;
  p->pieces = pieces->offsets ? pieces : NULL;
  visit_operands(p, p->op, with_pieces(p->arena, p->op, p->loop, pieces));
  *depends = *depends || !are_all_known(p);
  return p->failed ? TS_NEVER : bytes_fetched(p);
}

/* ---- choosing -------------------------------------------------------------------------------- */

/* Has ops between compute the pieces that are asked for. */
static void mark_made(probe *p, const ts_dim *pieces) {
  bool depends = false;
  bytes_for(p, pieces, &depends);
  for (int i = 0; i < p->num_visits; i++) {
    const ts_op *op = p->visits[i].value->definition;
    for (int r = 0; p->visits[i].is_made && r < op->num_results; r++)
      op->results[r]->is_for_a_sum = true;
  }
}

/* The pieces of `loop` that move the fewest bytes, if those are not the balanced ones. */
static bool find_pieces(ts_arena *arena, const ts_op *op, int loop, ts_dim *best) {
  ts_dim candidates[MOST_CANDIDATES];
  probe *p = TS_NEW(arena, probe, 1);
  *p = (probe){.arena = arena, .op = op, .loop = loop, .candidates = candidates};
  bool found = false, depends = false;
  double least = bytes_for(p, &op->sharding->loops[loop], &depends);
  p->candidates = NULL;
  for (int i = 0; i < p->num_candidates && least < TS_NEVER; i++) {
    bool now = depends;
    double bytes = bytes_for(p, &candidates[i], &now);
    if (bytes >= least - 0.5 || (now && !p->joins))
      continue;
    least = bytes;
    *best = candidates[i];
    found = true;
  }
  if (found)
    mark_made(p, best);
  return found;
}

static bool may_choose(const ts_op *op) {
  if (op->rule->does != TS_COMPUTES || !ts_loops_take_any_pieces(op))
    return false;
  for (int i = 0; i < op->num_operands; i++)
    if (op->operands[i] && ts_value_behind(op->operands[i])->is_cut_out)
      return true;
  return false;
}

/* `found` is in memory that does not last. */
static void run_for(ts_arena *arena, ts_op *op, int loop, const ts_dim *found) {
  const ts_grid *grid = op->sharding->grid;
  ts_dim pieces;
  if (!ts_dim_of_ranges(arena, grid, &op->sharding->loops[loop], op->loops->loops[loop].size,
                        ts_dim_ranges(arena, grid, found), &pieces))
    return;
  op->sharding = with_pieces(arena, op, loop, &pieces);
  for (int i = 0; i < op->num_operands; i++)
    if (op->operands[i])
      op->required[i] = ts_asked_by(arena, op, op->sharding, i);
}

static bool is_split_evenly(const ts_op *op, int loop) {
  const ts_dim *dim = &op->sharding->loops[loop];
  return may_have_any_pieces(&op->loops->loops[loop]) && ts_dim_is_split(dim) && !dim->offsets;
}

void ts_take_reduced_where_they_lie(ts_model *model, ts_op *op) {
  ts_dim pieces;
  if (!may_choose(op))
    return;
  for (int l = 0; l < op->loops->num_loops; l++)
    if (is_split_evenly(op, l) && find_pieces(&model->scratch, op, l, &pieces))
      run_for(model->arena, op, l, &pieces);
}
