/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* A walk from the solution of the fixpoint to a cheaper one: where it begins, and what it leaves
 * alone. An op near a value that is paid for tries another loop sharding; what is cheaper in sum
 * stays. It knows values and prices; it must not know what ops compute. */
#include "solve/improve.h"

#include <stdlib.h>

#include "solve/finds.h"
#include "solve/growth.h"
#include "solve/walk.h"

enum { MAX_SEEDS = 6 };

typedef struct paid {
  ts_value *value;
  double price;
  int order;
} paid;

static int dearest_first(const void *a, const void *b) {
  const paid *left = a, *right = b;
  if (left->price != right->price)
    return left->price > right->price ? -1 : 1;
  return left->order < right->order ? -1 : 1;
}

/* `making` is what devices tell each other to make it. */
static void add_paid(ts_walk *w, ts_value *value, double making, paid *all, int *num) {
  if (!value || value->is_free || ts_free_source(value))
    return;
  ts_arena_reset(&w->model->scratch);
  double price = making + ts_walk_price_of(w, value);
  if (price >= TS_WALK_LEAST_GAIN) {
    all[*num] = (paid){value, price, *num};
    ++*num;
  }
}

static int most_values(const ts_function *function) {
  int num = function->num_arguments;
  for (int i = 0; i < function->num_ops; i++)
    num += function->ops[i]->num_results;
  return num;
}

/* Values that something is paid for, the dearest first. */
static int collect_paid(ts_walk *w, paid *all) {
  int num = 0;
  for (int i = 0; i < w->function->num_arguments; i++)
    add_paid(w, w->function->arguments[i], 0, all, &num);
  for (int i = 0; i < w->function->num_ops; i++) {
    const ts_op *op = w->function->ops[i];
    ts_arena_reset(&w->model->scratch);
    double finds = op->kind == TS_OP_RULE
                       ? op->weight * ts_bytes_of_finds(&w->model->scratch, op, op->sharding)
                       : 0;
    for (int r = 0; r < op->num_results; r++)
      add_paid(w, op->results[r], finds, all, &num);
  }
  qsort(all, (size_t)num, sizeof(*all), dearest_first);
  return num;
}

static bool try_around(ts_walk *w, const ts_value *value, ts_walk_following following) {
  bool any = false;
  if (value->definition)
    any |= ts_walk_try(w, value->definition, following);
  for (int u = 0; u < value->num_users && u < MAX_SEEDS; u++)
    any |= ts_walk_try(w, value->users[u], following);
  return any;
}

bool ts_holds_ranges(const ts_op *op) {
  if (op->kind != TS_OP_RULE || op->rule->does != TS_MOVES_DATA)
    return false;
  for (int l = 0; l < op->loops->num_loops; l++)
    if (ts_leads_window(op->loops, l) && ts_dim_is_split(&op->sharding->loops[l]))
      return true;
  for (int i = 0; i < op->num_operands; i++)
    for (int d = 0; op->operands[i] && !op->operands[i]->is_free && d < op->operands[i]->rank; d++)
      if (op->loops->operands[i].dims[d].window &&
          ts_dim_is_split(&op->operands[i]->layout->dims[d]))
        return true;
  return false;
}

/* No operand is partial where it is made. */
static bool is_complete(const ts_op *op) {
  for (int i = 0; i < op->num_operands; i++)
    if (op->operands[i] && op->operands[i]->pending.axes)
      return false;
  return true;
}

static bool is_less_than_a_piece(const ts_value *result, const ts_value *table) {
  return table->is_free ||
         result->bytes < ts_sharding_local_elements(table->layout) * ts_bytes_of_element(table);
}

/* Each result is as large as the operands: to move these is less than to combine that. */
static bool adds_to_much(const ts_op *op) {
  double most = 0;
  for (int i = 0; i < op->num_operands; i++)
    if (op->operands[i] && !op->operands[i]->is_free && op->operands[i]->bytes > most)
      most = op->operands[i]->bytes;
  for (int r = 0; r < op->num_results; r++)
    if (op->results[r] && op->results[r]->bytes < most)
      return false;
  return true;
}

/* Data says what the op needs of a split dimension, or where it adds: it moves its results. Only
 * slices as large as a piece of what they are of may cost more than pieces do. */
static bool goes_by_data(const ts_op *op) {
  for (int l = 0; l < op->loops->num_loops; l++) {
    if (!ts_loop_may_be_given_up(&op->loops->loops[l]) || !ts_dim_is_split(&op->sharding->loops[l]))
      continue;
    if (op->loops->loops[l].kind == TS_LOOP_REDUCTION && adds_to_much(op))
      continue;
    if (op->loops->loops[l].kind != TS_LOOP_LOOKUP || op->captured.num || !op->operands[0] ||
        !op->results[0] || is_less_than_a_piece(op->results[0], op->operands[0]))
      return true;
  }
  return false;
}

/* Ops that take explicit offsets, halos or annotated partial values as they are, those that move
 * ranges of what is complete where these have no price, and those that look up little or add where
 * data says, but for sums as large as what is added, stay as the fixpoint has them. A range of what
 * is partial costs least where that is passed on. */
static bool is_frozen(const ts_model *model, const ts_op *op) {
  if (op->kind != TS_OP_RULE || (ts_holds_ranges(op) && is_complete(op) && !model->prices_ranges) ||
      goes_by_data(op))
    return true;
  for (int port = 0; port < ts_walk_num_ports(op); port++) {
    const ts_value *value = ts_walk_port(op, port);
    if (value && !value->is_free &&
        (!ts_walk_is_plain(value) || (value->is_fixed && value->layout->num_partial)))
      return true;
  }
  return false;
}

/* What is returned without an annotation stays laid out as it is, or as an argument is. */
static void hold_results(ts_walk *w, ts_op *op) {
  for (int i = 0; op->kind == TS_OP_FIXED && i < op->num_operands; i++)
    if (op->operands[i])
      op->required[i] =
          ts_price_layout(&w->prices, ts_completed(&w->model->scratch, op->operands[i]->layout));
}

/* No more iterations than some operand or result has elements: elementwise, or a sum. */
static bool looks_once(const ts_op *op) {
  double iterations = 1, most = 1;
  for (int l = 0; l < op->loops->num_loops; l++) {
    if (op->loops->loops[l].size == TS_DYNAMIC)
      return false;
    iterations *= (double)op->loops->loops[l].size;
  }
  for (int port = 0; port < ts_walk_num_ports(op); port++) {
    const ts_value *value = ts_walk_port(op, port);
    double elements = value ? value->bytes / ts_bytes_of_element(value) : 0;
    most = elements > most ? elements : most;
  }
  return iterations <= most;
}

/* Of indices, scalars and constants alone. */
static bool is_given_nothing(const ts_op *op) {
  if (op->kind != TS_OP_RULE || !looks_once(op))
    return false;
  for (int i = 0; i < op->num_operands; i++) {
    ts_value *value = op->operands[i];
    if (value && !value->is_free && !ts_free_source(value) &&
        !(value->definition && value->definition->is_given_nothing))
      return false;
  }
  return true;
}

static void start(ts_walk *w) {
  for (int i = 0; i < w->function->num_ops; i++) {
    ts_op *op = w->function->ops[i];
    op->is_given_nothing = is_given_nothing(op);
    w->is_frozen[i] = is_frozen(w->model, op);
    ts_arena_reset(&w->model->scratch);
    hold_results(w, op);
    if (!w->is_frozen[i])
      ts_walk_lay_out(w, op, op->sharding, TS_WALK_PASS_AS_PLANNED);
  }
}

/* Gives values the layouts that the prices are of. */
static void lay_out_value(ts_walk *w, ts_value *value, ts_op *op) {
  if (!value || value->is_free || ts_free_source(value))
    return;
  double price;
  ts_arena_reset(&w->model->scratch);
  const ts_sharding *layout = ts_cheapest_layout(&w->prices, value, &price);
  if (!ts_sharding_equal(layout, value->layout))
    ts_lay_out(w->model, value, ts_completed(w->model->arena, layout), op);
}

static void lay_out_values(ts_walk *w) {
  for (int i = 0; i < w->function->num_arguments; i++) {
    ts_value *value = w->function->arguments[i];
    if (value && value->num_users)
      lay_out_value(w, value, value->users[0]);
  }
  for (int i = 0; i < w->function->num_ops; i++)
    for (int r = 0; r < w->function->ops[i]->num_results; r++)
      lay_out_value(w, w->function->ops[i]->results[r], w->function->ops[i]);
}

/* Gives the value, at `op`, the layout that costs least, where that is less than what it has.
 * Whether it was. */
static bool lay_out_cheaper(ts_walk *w, ts_value *value, ts_op *op) {
  ts_arena_reset(&w->model->scratch);
  const ts_sharding *layout = ts_completed(w->model->arena, value->layout);
  double now = ts_price_of_value(&w->prices, value, ts_price_layout(&w->prices, layout));
  if (ts_walk_price_of(w, value) > now - TS_WALK_LEAST_GAIN)
    return false;
  lay_out_value(w, value, op);
  return true;
}

/* Gives what is returned the layout of an annotated argument of its type, where that costs less.
 * Whether there was any. */
static bool lay_out_returned(ts_walk *w) {
  bool any = false;
  for (int i = 0; i < w->function->num_ops; i++) {
    const ts_op *op = w->function->ops[i];
    for (int k = 0; op->kind == TS_OP_FIXED && k < op->num_operands; k++) {
      ts_value *value = op->operands[k];
      if (value && op->targets[k] && op->targets[k]->num_choices && value->definition)
        any |= lay_out_cheaper(w, value, value->definition);
    }
  }
  return any;
}

/* Gives arguments that nobody annotated the layouts that cost least, where that is less than what
 * they have. Whether there was any. */
static bool lay_out_arguments(ts_walk *w) {
  bool any = false;
  for (int i = 0; i < w->function->num_arguments; i++) {
    ts_value *value = w->function->arguments[i];
    if (value && value->num_users && !value->is_fixed && !value->is_free)
      any |= lay_out_cheaper(w, value, value->users[0]);
  }
  return any;
}

/* The walk looks at bytes alone, and may end where it is not sure to be done: ops have looks of
 * their own here. */
static void share_work(ts_walk *w) {
  const double looks = 24;
  w->left = looks * w->function->num_ops;
  for (int i = w->function->num_ops; i-- > 0 && ts_walk_may_go_on(w);)
    ts_walk_share(w, w->function->ops[i]);
}

/* Looks at the dearest `num` values, at all of them or until something is cheaper. */
static bool try_values(ts_walk *w, const paid *all, int num, ts_walk_following following,
                       double *left) {
  bool any = false;
  w->left = *left;
  for (int i = 0; i < num && ts_walk_may_go_on(w) && (!any || following == TS_WALK_FOR_FREE); i++)
    any |= try_around(w, all[i].value, following);
  *left = w->left;
  return any;
}

static bool try_carried(ts_walk *w, double *left) {
  bool any = false;
  w->left = *left;
  for (int i = 0; i < w->function->num_ops; i++)
    for (int r = 0; r < w->function->ops[i]->num_results && ts_walk_may_go_on(w); r++)
      any |= ts_walk_try_carried(w, w->function->ops[i]->results[r]);
  *left = w->left;
  return any;
}

/* Sweeps over what is paid for until nothing gets cheaper, each way of following for so many looks.
 * Whether anything did. */
static bool sweep(ts_walk *w, paid *all, double looks) {
  const int most_sweeps = 6, most_far = 8;
  const double far_looks = 30000;
  double left[] = {looks, far_looks, far_looks}, left_carried = far_looks;
  bool any = false, better = true;
  for (int i = 0; better && i < most_sweeps; i++) {
    int num = collect_paid(w, all), far = num < most_far ? num : most_far;
    better = try_values(w, all, num, TS_WALK_FOR_FREE, &left[TS_WALK_FOR_FREE]) ||
             try_carried(w, &left_carried) ||
             try_values(w, all, far, TS_WALK_FAR, &left[TS_WALK_FAR]) ||
             try_values(w, all, far, TS_WALK_THROUGH_MOVES, &left[TS_WALK_THROUGH_MOVES]);
    any |= better;
  }
  return any;
}

bool ts_improve(ts_model *model, ts_function *function) {
  const double looks = 30000 + 24.0 * function->num_ops;
  ts_walk w = {.model = model,
               .function = function,
               .prices = {.model = model},
               .uses_left = 5e7 + 400.0 * function->num_ops};
  w.is_frozen = TS_NEW(model->arena, bool, function->num_ops);
  w.turns = TS_NEW(model->arena, ts_walk_turns, function->num_ops);
  paid *all = TS_NEW(model->arena, paid, most_values(function));
  start(&w);
  bool any = sweep(&w, all, looks);
  w.iterations_per_byte = 1.0 / TS_BYTES_PER_ITERATION;
  any |= sweep(&w, all, looks);
  if (!any) {
    any = lay_out_arguments(&w);
    return lay_out_returned(&w) || any || model->prices_ranges;
  }
  share_work(&w);
  lay_out_values(&w);
  return true;
}
