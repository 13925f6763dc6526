/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Global extents that only the launch knows. Read from the source, so that most are found
 * without a message: loops that two dimensions follow, operands that say sizes, loops that keep
 * a shape. It knows which values have an extent in common; it must not know who asks. */
#include "partition/extents.h"

#include "partition/bring.h"
#include "partition/known_pieces.h"
#include "partition/reasons.h"
#include "support/blocks.h"
#include "support/diagnostics.h"

/* What one dynamic extent is. */
typedef enum extent_kind {
  EXTENT_OWN,     /* nothing else has it: found from the pieces */
  EXTENT_SAME,    /* that of dimension `dim` of `value` */
  EXTENT_OPERAND, /* `operand` says it */
  EXTENT_PRODUCT  /* the product of `parts` */
} extent_kind;

/* That of dimension `dim` of `value`; without a value, `dim` itself. */
typedef struct part {
  MlirValue value;
  int64_t dim;
} part;

typedef struct extent {
  extent_kind kind;
  MlirValue value;
  int dim;
  ts_size_operand operand;
  int num_parts;
  const part *parts;
  MlirValue built; /* OWN, PRODUCT: once it has been asked for */
} extent;

/* One for each dimension of a value with dynamic ones; NULL if it is of static shape. */
static extent *extents_of(ts_partitioner *p, MlirValue value) {
  extent *list = ts_map_get(&p->extents, value.ptr);
  const ts_value *info = ts_model_value(p->model, value);
  bool dynamic = false;
  for (int d = 0; !list && info && d < info->rank; d++)
    dynamic |= info->shape[d] == TS_DYNAMIC;
  if (!dynamic)
    return list;
  list = TS_NEW(p->model->arena, extent, info->rank);
  ts_map_set(&p->extents, p->model->arena, value.ptr, list);
  return list;
}

/* ---- reading --------------------------------------------------------------------------------- */

/* Where an extent comes from at last: OWN of some value, an operand, a product; or a number. */
typedef struct root {
  MlirValue value;
  int dim;
  const extent *extent; /* NULL: the type of `value` says it */
} root;

static root find_root(ts_partitioner *p, MlirValue value, int d) {
  for (;;) {
    const ts_value *info = ts_model_value(p->model, value);
    if (info && info->shape[d] != TS_DYNAMIC)
      return (root){value, d, NULL};
    const extent *list = extents_of(p, value);
    if (list[d].kind != EXTENT_SAME)
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
  if (a->extent->kind != EXTENT_OPERAND || b->extent->kind != EXTENT_OPERAND)
    return false;
  const ts_size_operand *x = &a->extent->operand, *y = &b->extent->operand;
  return mlirValueEqual(mlirOperationGetOperand(x->op, x->number),
                        mlirOperationGetOperand(y->op, y->number));
}

/* Lets an extent be that of another value's dimension, without a chain of such. */
static void set_same(ts_partitioner *p, extent *to, MlirValue value, int d) {
  root from = find_root(p, value, d);
  *to = (extent){.kind = EXTENT_SAME, .value = from.value, .dim = from.dim};
}

/* An operand that is a tensor.dim is as good as the dimension that it asks for. */
static void set_operand(ts_partitioner *p, extent *to, ts_size_operand size) {
  *to = (extent){.kind = EXTENT_OPERAND, .operand = size};
  MlirOperation op = ts_defining_op(mlirOperationGetOperand(size.op, size.number));
  if (!op.ptr || !ts_op_is(op, "tensor.dim"))
    return;
  MlirValue tensor = mlirOperationGetOperand(op, 0);
  int64_t d = ts_index_value(mlirOperationGetOperand(op, 1));
  const ts_value *info = ts_model_value(p->model, tensor);
  if (info && d >= 0 && d < info->rank)
    set_same(p, to, tensor, (int)d);
}

/* The first operand of which one dimension is all of loop `l`, and that dimension; -1 if none. */
static int find_loop(const ts_op *op, int l, int *d) {
  for (int i = 0; i < op->num_operands; i++) {
    const ts_port *port = &op->loops->operands[i];
    for (*d = 0; op->operands[i] && *d < port->rank; ++*d)
      if (port->dims[*d].num_loops == 1 && port->dims[*d].loops[0] == l)
        return i;
  }
  return -1;
}

/* The product of the loops' extents, if a type or an operand says each. */
static void set_product(ts_partitioner *p, extent *to, const ts_op *op, const ts_dim_loops *loops) {
  part *parts = TS_NEW(p->model->arena, part, loops->num_loops);
  for (int i = 0; i < loops->num_loops; i++) {
    int l = loops->loops[i], d = 0;
    parts[i] = (part){{NULL}, op->loops->loops[l].size};
    if (parts[i].dim != TS_DYNAMIC)
      continue;
    int operand = find_loop(op, l, &d);
    if (operand < 0)
      return;
    parts[i] = (part){ts_op_operand(op, operand), d};
  }
  if (loops->num_loops)
    *to = (extent){.kind = EXTENT_PRODUCT, .num_parts = loops->num_loops, .parts = parts};
}

static void read_rule(ts_partitioner *p, const ts_op *op, int r, int d, extent *out) {
  MlirValue result = mlirOperationGetResult(op->handle, r);
  const ts_dim_loops *loops = &op->loops->results[r].dims[d];
  int from = 0, operand = -1;
  if (loops->num_loops == 1)
    operand = find_loop(op, loops->loops[0], &from);
  ts_size_operand size = ts_size_operand_of(result, d);
  if (op->loops->picks)
    return;
  if (operand >= 0)
    set_same(p, out, ts_op_operand(op, operand), from);
  else if (size.op.ptr)
    set_operand(p, out, size);
  else
    set_product(p, out, op, loops);
}

static void read_free(ts_partitioner *p, MlirValue value, int d, extent *out) {
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
    extent *list = extents_of(p, result);
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
  if (!value || !extents_of(t->p, tie->values[0]))
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
      set_same(t->p, &extents_of(t->p, tie->values[i])[d], guesses[d].root.value,
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

/* ---- building -------------------------------------------------------------------------------- */

static MlirValue loop_extent(void *user, int l) {
  const ts_loop_asker *asker = user;
  int64_t known = asker->op->loops->loops[l].size;
  if (known != TS_DYNAMIC)
    return ts_emit_index(&asker->p->emit, known);
  int d = 0, operand = find_loop(asker->op, l, &d);
  return ts_extent(asker->p, ts_op_operand(asker->op, operand), d);
}

ts_extents ts_loop_extents(ts_loop_asker *asker) {
  return (ts_extents){loop_extent, asker};
}

static MlirValue piece_extent(void *user, int d) {
  const ts_piece_asker *asker = user;
  return ts_emit_global_size(asker->emit, asker->local, asker->layout, d);
}

ts_extents ts_piece_extents(ts_piece_asker *asker) {
  return (ts_extents){piece_extent, asker};
}

/* Often a sum is asked for and its parts are then enough. */
static void erase_if_unused(ts_partitioner *p, MlirValue sum) {
  MlirOperation extract = ts_defining_op(sum);
  if (!extract.ptr || !ts_op_is(extract, "tensor.extract"))
    return;
  MlirOperation reduce = ts_defining_op(mlirOperationGetOperand(extract, 0));
  ts_erase_later(p, ts_defining_op(mlirOperationGetOperand(reduce, 0)));
  ts_erase_later(p, reduce);
  ts_erase_later(p, extract);
}

typedef MlirValue (*build_size)(ts_emit *emit, MlirValue local, const ts_sharding *layout, int d);

/* Beside the definition of `local`, before all other pieces that are made from it. */
static MlirValue build_beside(ts_partitioner *p, MlirValue value, const ts_known_piece *piece,
                              int d, build_size build) {
  MlirValue local = piece->local;
  MlirOperation maker = ts_defining_op(local);
  MlirBlock block = maker.ptr ? mlirOperationGetBlock(maker) : mlirBlockArgumentGetOwner(local);
  if (!maker.ptr && mlirBlockEqual(block, p->emit.entry)) {
    ts_place back = ts_emit_enter(&p->emit);
    ts_say_why_summed(p, value, d);
    MlirValue size = build(&p->emit, local, piece->layout, d);
    ts_emit_leave(&p->emit, back);
    return size;
  }
  const void *key = maker.ptr ? maker.ptr : block.ptr;
  MlirOperation last = {ts_map_get(&p->sizes_of, key)};
  ts_place back = ts_emit_place(&p->emit);
  if (last.ptr || maker.ptr)
    ts_emit_after(&p->emit, last.ptr ? last : maker);
  else
    ts_emit_before(&p->emit, mlirBlockGetFirstOperation(block));
  ts_say_why_summed(p, value, d);
  MlirValue size = build(&p->emit, local, piece->layout, d);
  ts_place_back(&p->emit, back);
  if (!mlirValueIsNull(size) && ts_index_value(size) == TS_DYNAMIC)
    ts_map_set(&p->sizes_of, p->model->arena, key, mlirOpResultGetOwner(size).ptr);
  return size;
}

/* Beside a piece that is known wherever `value` is. */
static MlirValue build_early(ts_partitioner *p, MlirValue value, const ts_known_piece *piece, int d,
                             extent *own, build_size build) {
  MlirValue size = build_beside(p, value, piece, d, build);
  if (!mlirValueIsNull(size))
    erase_if_unused(p, size);
  if (piece->everywhere)
    own->built = size;
  return size;
}

/* From a piece under a layout of numbers that only the launch knows: where the current op is, for
 * they may not be known yet where the value is. */
static MlirValue build_late(ts_partitioner *p, MlirValue value, const ts_known_piece *piece, int d,
                            extent *own) {
  if (ts_bring_numbers(p->emit.entry, p->current, piece->layout, d)) {
    ts_place back = ts_place_before(&p->emit, p->current);
    ts_say_why_summed(p, value, d);
    MlirValue size = ts_emit_global_size(&p->emit, piece->local, piece->layout, d);
    ts_place_back(&p->emit, back);
    return size;
  }
  /* Offsets may depend on the extent itself; the sizes of all pieces tell it without them. */
  if (piece->layout->dims[d].offsets)
    return build_early(p, value, piece, d, own, ts_emit_sum_of_sizes);
  ts_error(p->current,
           "the extent of dimension %d is needed here, of a tensor whose pieces have a halo there "
           "of a size that depends on this extent, or is not known yet: expected a halo size that "
           "follows from scalar arguments, constants and other extents; pass it as an argument",
           d);
  return (MlirValue){NULL};
}

static MlirValue build_own(ts_partitioner *p, MlirValue value, int d, extent *own) {
  ts_known_piece piece = ts_find_piece(p, value, d);
  if (piece.run_time || (!piece.everywhere && ts_sharding_run_time(piece.layout, NULL)))
    return build_late(p, value, &piece, d, own);
  return build_early(p, value, &piece, d, own, ts_emit_global_size);
}

static bool is_late(ts_partitioner *p, MlirValue value, int d) {
  if (ts_model_value(p->model, value)->shape[d] != TS_DYNAMIC)
    return false;
  const extent *own = &extents_of(p, value)[d];
  bool late = false;
  switch (own->kind) {
  case EXTENT_SAME:
    return is_late(p, own->value, own->dim);
  case EXTENT_OPERAND:
    return false;
  case EXTENT_PRODUCT:
    for (int i = 0; i < own->num_parts && !own->built.ptr; i++)
      late |= own->parts[i].value.ptr && is_late(p, own->parts[i].value, (int)own->parts[i].dim);
    return late;
  case EXTENT_OWN:
    break;
  }
  if (own->built.ptr)
    return false;
  ts_known_piece piece = ts_find_piece(p, value, d);
  return !piece.everywhere || piece.run_time;
}

bool ts_extents_are_late(ts_partitioner *p, MlirValue value) {
  const ts_value *info = ts_model_value(p->model, value);
  for (int d = 0; d < info->rank; d++)
    if (is_late(p, value, d))
      return true;
  return false;
}

/* Before the op that makes the first piece, where the parts are known; or where they are. */
static MlirValue build_product(ts_partitioner *p, MlirValue value, int d, extent *product) {
  ts_known_piece piece = ts_find_piece(p, value, d);
  bool late = is_late(p, value, d);
  ts_place back = ts_place_before(&p->emit, late ? p->current : ts_defining_op(piece.local));
  MlirValue size = ts_emit_index(&p->emit, 1);
  for (int i = 0; i < product->num_parts; i++) {
    const part *at = &product->parts[i];
    MlirValue factor =
        at->value.ptr ? ts_extent(p, at->value, (int)at->dim) : ts_emit_index(&p->emit, at->dim);
    size = ts_emit_mul(&p->emit, size, factor);
  }
  ts_place_back(&p->emit, back);
  if (!late)
    product->built = size;
  return size;
}

MlirValue ts_extent(ts_partitioner *p, MlirValue value, int d) {
  int64_t known = ts_model_value(p->model, value)->shape[d];
  if (known != TS_DYNAMIC)
    return ts_emit_index(&p->emit, known);
  extent *own = &extents_of(p, value)[d];
  if (own->kind == EXTENT_SAME)
    return ts_extent(p, own->value, own->dim);
  if (own->kind == EXTENT_OPERAND)
    return mlirOperationGetOperand(own->operand.op, own->operand.number);
  if (own->built.ptr)
    return own->built;
  return own->kind == EXTENT_PRODUCT ? build_product(p, value, d, own)
                                     : build_own(p, value, d, own);
}
