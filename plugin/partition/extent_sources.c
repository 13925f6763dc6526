/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Where global extents come from, read from the source, so that most are found without a message:
 * loops that two dimensions follow, operands that say sizes, loops that keep a shape. It must not
 * know how extents are built. */
#include "partition/extent_sources.h"

#include "support/blocks.h"

ts_extent_source *ts_extent_sources(ts_partitioner *p, MlirValue value) {
  ts_extent_source *list = ts_map_get(&p->extents, value.ptr);
  const ts_value *info = ts_model_value(p->model, value);
  bool dynamic = false;
  for (int d = 0; !list && info && d < info->rank; d++)
    dynamic |= info->shape[d] == TS_DYNAMIC;
  if (!dynamic)
    return list;
  list = TS_NEW(p->model->arena, ts_extent_source, info->rank);
  ts_map_set(&p->extents, p->model->arena, value.ptr, list);
  return list;
}

/* ---- reading --------------------------------------------------------------------------------- */

/* Where an extent comes from at last: OWN of some value, an operand, a product; or a number. */
typedef struct root {
  MlirValue value;
  int dim;
  const ts_extent_source *extent; /* NULL: the type of `value` says it */
} root;

static root find_root(ts_partitioner *p, MlirValue value, int d) {
  for (;;) {
    const ts_value *info = ts_model_value(p->model, value);
    if (info && info->shape[d] != TS_DYNAMIC)
      return (root){value, d, NULL};
    const ts_extent_source *list = ts_extent_sources(p, value);
    if (list[d].kind != TS_EXTENT_SAME)
      return (root){value, d, &list[d]};
    value = list[d].value;
    d = list[d].dim;
  }
}

static bool same_root(const root *a, const root *b) {
  if (!a->extent || !b->extent)
    return false;
  if (a->extent == b->extent)
    return true;
  if (a->extent->kind != TS_EXTENT_OPERAND || b->extent->kind != TS_EXTENT_OPERAND)
    return false;
  const ts_size_operand *x = &a->extent->operand, *y = &b->extent->operand;
  return mlirValueEqual(mlirOperationGetOperand(x->op, x->number),
                        mlirOperationGetOperand(y->op, y->number));
}

/* Lets an extent be that of another value's dimension, without a chain of such. */
static void set_same(ts_partitioner *p, ts_extent_source *to, MlirValue value, int d) {
  root from = find_root(p, value, d);
  *to = (ts_extent_source){.kind = TS_EXTENT_SAME, .value = from.value, .dim = from.dim};
}

/* An operand that is a tensor.dim is as good as the dimension that it asks for. */
static void set_operand(ts_partitioner *p, ts_extent_source *to, ts_size_operand size) {
  *to = (ts_extent_source){.kind = TS_EXTENT_OPERAND, .operand = size};
  MlirOperation op = ts_defining_op(mlirOperationGetOperand(size.op, size.number));
  if (!op.ptr || !ts_op_is(op, "tensor.dim"))
    return;
  MlirValue tensor = mlirOperationGetOperand(op, 0);
  int64_t d = ts_index_value(mlirOperationGetOperand(op, 1));
  const ts_value *info = ts_model_value(p->model, tensor);
  if (info && d >= 0 && d < info->rank)
    set_same(p, to, tensor, (int)d);
}

int ts_operand_of_loop(const ts_op *op, int l, int *d) {
  for (int i = 0; i < op->num_operands; i++) {
    const ts_port *port = &op->loops->operands[i];
    for (*d = 0; op->operands[i] && *d < port->rank; ++*d)
      if (port->dims[*d].num_loops == 1 && port->dims[*d].loops[0] == l)
        return i;
  }
  return -1;
}

int ts_parts_of_loop(const ts_op *op, int l, ts_extent_part *parts, int64_t *added) {
  int num = 0;
  *added = 0;
  for (int i = 0; i < op->num_operands; i++) {
    const ts_port *port = &op->loops->operands[i];
    for (int d = 0; op->operands[i] && d < port->rank; d++) {
      const ts_window *window = port->dims[d].window;
      if (!window || !window->adds_up || window->leader != l + 1)
        continue;
      *added += window->added;
      if (parts)
        parts[num] = (ts_extent_part){ts_op_operand(op, i), d};
      num++;
    }
  }
  return num;
}

/* Of a dimension that others are joined or padded to; false if it is none. */
static bool set_sum(ts_partitioner *p, ts_extent_source *to, const ts_op *op,
                    const ts_dim_loops *loops) {
  ts_extent_part *parts = TS_NEW(p->model->arena, ts_extent_part, op->num_operands);
  int64_t added = 0;
  int num = loops->num_loops == 1 ? ts_parts_of_loop(op, loops->loops[0], parts, &added) : 0;
  if (num)
    *to =
        (ts_extent_source){.kind = TS_EXTENT_SUM, .num_parts = num, .parts = parts, .added = added};
  return num > 0;
}

/* The product of the loops' extents, if a type or an operand says each. */
static void set_product(ts_partitioner *p, ts_extent_source *to, const ts_op *op,
                        const ts_dim_loops *loops) {
  ts_extent_part *parts = TS_NEW(p->model->arena, ts_extent_part, loops->num_loops);
  for (int i = 0; i < loops->num_loops; i++) {
    int l = loops->loops[i], d = 0;
    parts[i] = (ts_extent_part){{NULL}, op->loops->loops[l].size};
    if (parts[i].dim != TS_DYNAMIC)
      continue;
    int operand = ts_operand_of_loop(op, l, &d);
    if (operand < 0)
      return;
    parts[i] = (ts_extent_part){ts_op_operand(op, operand), d};
  }
  if (loops->num_loops)
    *to = (ts_extent_source){
        .kind = TS_EXTENT_PRODUCT, .num_parts = loops->num_loops, .parts = parts};
}

static void read_rule(ts_partitioner *p, const ts_op *op, int r, int d, ts_extent_source *out) {
  MlirValue result = mlirOperationGetResult(op->handle, r);
  const ts_dim_loops *loops = &op->loops->results[r].dims[d];
  int from = 0, operand = -1;
  if (loops->num_loops == 1)
    operand = ts_operand_of_loop(op, loops->loops[0], &from);
  ts_size_operand size = ts_size_operand_of(result, d);
  if (op->loops->picks)
    return;
  if (operand >= 0)
    set_same(p, out, ts_op_operand(op, operand), from);
  else if (size.op.ptr)
    set_operand(p, out, size);
  else if (!set_sum(p, out, op, loops))
    set_product(p, out, op, loops);
}

static void read_free(ts_partitioner *p, MlirValue value, int d, ts_extent_source *out) {
  ts_size_operand size = ts_size_operand_of(value, d);
  if (size.op.ptr)
    set_operand(p, out, size);
}

static void read_op(ts_partitioner *p, const ts_op *op) {
  for (int r = 0; r < op->num_results; r++) {
    const ts_value *value = op->results[r];
    if (!value)
      continue;
    MlirValue result = mlirOperationGetResult(op->handle, r);
    ts_extent_source *list = ts_extent_sources(p, result);
    for (int d = 0; list && d < value->rank; d++) {
      if (value->shape[d] != TS_DYNAMIC)
        continue;
      if (op->kind == TS_OP_LINK)
        set_same(p, &list[d], mlirOperationGetOperand(op->handle, 0), d);
      else if (op->kind == TS_OP_RULE)
        read_rule(p, op, r, d, &list[d]);
      else if (value->is_free)
        read_free(p, result, d, &list[d]);
    }
  }
}

/* ---- ties -------------------------------------------------------------------------------------
 */

/* What an extent of a tie's values is taken for, until a source says otherwise. */
typedef enum guess_kind { GUESS_ANY, GUESS_ROOT, GUESS_NONE } guess_kind;

typedef struct guess {
  guess_kind kind;
  root root;
} guess;

/* The ties of one op, or of a function's blocks. */
typedef struct tied {
  ts_partitioner *p;
  const ts_ties *ties;
  MlirOperation op;
  bool is_function;
  ts_map guesses; /* MlirValue of a tie, of a shape that is not static -> guess, by dimension */
} tied;

/* Known before the op, or in a function's first block. */
static bool is_around(const tied *t, const root *from) {
  if (!from->extent)
    return true;
  if (!t->is_function)
    return ts_known_before(from->value, t->op);
  MlirBlock entry = mlirRegionGetFirstBlock(mlirOperationGetRegion(t->op, 0));
  return mlirBlockEqual(ts_block_of(from->value), entry);
}

static bool is_same_extent(const tied *t, const root *a, const root *b) {
  if (a->extent || b->extent)
    return same_root(a, b);
  return ts_model_value(t->p->model, a->value)->shape[a->dim] ==
         ts_model_value(t->p->model, b->value)->shape[b->dim];
}

/* `g` and that it is also what `source` gives. What is tied to the source is looked through. */
static guess meet(tied *t, guess g, const ts_tie_source *source, int d) {
  root from = find_root(t->p, mlirOperationGetOperand(source->op, source->operand), d);
  const guess *tied_to = ts_map_get(&t->guesses, from.value.ptr);
  if (tied_to && from.extent && tied_to[from.dim].kind == GUESS_ANY)
    return g;
  if (tied_to && from.extent && tied_to[from.dim].kind == GUESS_ROOT)
    from = tied_to[from.dim].root;
  bool fits = g.kind == GUESS_ANY ? is_around(t, &from)
                                  : g.kind == GUESS_ROOT && is_same_extent(t, &g.root, &from);
  return fits ? (guess){GUESS_ROOT, g.kind == GUESS_ANY ? from : g.root}
              : (guess){.kind = GUESS_NONE};
}

/* The guesses for a tie's values once more; whether they differ from those before. */
static bool guess_again(tied *t, const ts_tie *tie) {
  guess *guesses = ts_map_get(&t->guesses, tie->values[0].ptr);
  const ts_value *value = ts_model_value(t->p->model, tie->values[0]);
  bool differ = false;
  for (int d = 0; guesses && d < value->rank; d++) {
    guess g = {.kind = tie->num_sources ? GUESS_ANY : GUESS_NONE};
    for (int i = 0; value->shape[d] == TS_DYNAMIC && i < tie->num_sources; i++)
      g = meet(t, g, &tie->sources[i], d);
    differ |= g.kind != guesses[d].kind;
    guesses[d] = g;
  }
  return differ;
}

static void begin_guessing(tied *t, const ts_tie *tie) {
  const ts_value *value = ts_model_value(t->p->model, tie->values[0]);
  if (!value || !ts_extent_sources(t->p, tie->values[0]))
    return;
  guess *guesses = TS_NEW(t->p->model->arena, guess, value->rank);
  for (int i = 0; i < tie->num_values; i++)
    ts_map_set(&t->guesses, t->p->model->arena, tie->values[i].ptr, guesses);
}

static void end_guessing(tied *t, const ts_tie *tie) {
  const guess *guesses = ts_map_get(&t->guesses, tie->values[0].ptr);
  const ts_value *value = ts_model_value(t->p->model, tie->values[0]);
  for (int d = 0; guesses && d < value->rank; d++)
    for (int i = 0; guesses[d].kind == GUESS_ROOT && i < tie->num_values; i++)
      set_same(t->p, &ts_extent_sources(t->p, tie->values[i])[d], guesses[d].root.value,
               guesses[d].root.dim);
}

/* Of what is tied, all extents are guessed to be those that come from around the op, and those
 * guesses that do not hold are dropped, until nothing changes: what goes round in a loop may be of
 * the extent that it had. A guess changes twice at most. */
static void read_ties(ts_partitioner *p, const ts_ties *ties, MlirOperation op) {
  tied t = {.p = p, .ties = ties, .op = op, .is_function = ts_op_is(op, "func.func")};
  for (int i = 0; i < ties->num; i++)
    begin_guessing(&t, &ties->ties[i]);
  for (bool differ = true; differ;) {
    differ = false;
    for (int i = 0; i < ties->num; i++)
      differ |= guess_again(&t, &ties->ties[i]);
  }
  for (int i = 0; i < ties->num; i++)
    end_guessing(&t, &ties->ties[i]);
}

void ts_extents_read(ts_partitioner *p, const ts_function *function) {
  if (!function->is_dynamic)
    return;
  const ts_op **open = TS_NEW(p->model->arena, const ts_op *, function->num_ops);
  int num = 0;
  for (int i = 0; i < function->num_ops; i++) {
    const ts_op *op = function->ops[i];
    MlirOperation around = mlirOperationGetParentOperation(op->handle);
    for (; num && !mlirOperationEqual(open[num - 1]->handle, around); num--)
      read_ties(p, open[num - 1]->ties, open[num - 1]->handle);
    read_op(p, op);
    if (op->ties)
      open[num++] = op;
  }
  while (num--)
    read_ties(p, open[num]->ties, open[num]->handle);
  read_ties(p, function->ties, function->handle);
}
