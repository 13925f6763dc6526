/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Where the extents of a tensor come from: operands that say them, and tensors that have the same.
 * It knows where such an op has them; it must not know what they are for. */
#include "capi/capi.h"
#include "ir/merged_dims.h"
#include "regions/regions.h"
#include "rules/linalg.h"
#include "rules/rows.h"
#include "rules/said_numbers.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

/* The first size operand of `op`, or -1. */
static intptr_t first_size(MlirOperation op) {
  const ts_rule *rule = ts_rule_named(op);
  const ts_sizes sizes = rule ? rule->sizes : TS_NO_SIZES;
  switch (sizes) {
  case TS_NO_SIZES:
    return -1;
  case TS_SIZES_FROM_0:
    return 0;
  case TS_SIZES_FROM_1:
    return 1;
  case TS_SIZES_BEHIND_OFFSETS:
    return 1 + mlirDenseI32ArrayGetElement(ts_attribute(op, "operandSegmentSizes"), 1);
  }
  return -1;
}

ts_size_operand ts_size_operand_of(MlirValue value, int d) {
  const ts_size_operand none = {{NULL}, 0};
  MlirOperation op = ts_defining_op(value);
  MlirType type = mlirValueGetType(value);
  /* A destination has its result's extents. */
  while (op.ptr && ts_op_is_linalg(op) && ts_is_free(value)) {
    value = mlirOperationGetOperand(op, ts_linalg_num_inputs(op));
    op = ts_defining_op(value);
  }
  if (!op.ptr || !mlirShapedTypeIsDynamicDim(type, d))
    return none;
  intptr_t before = 0;
  for (int other = 0; other < d; other++)
    before += mlirShapedTypeIsDynamicDim(type, other);
  intptr_t first = first_size(op);
  return first < 0 ? none : (ts_size_operand){op, first + before};
}

/* ---- the same extent ------------------------------------------------------------------------- */

/* An extent is the number `known`; or, if that is TS_DYNAMIC, that of dimension `dim` of `value`;
 * or, if `dim` is -1, the index `value`. */
typedef struct origin {
  int64_t known;
  MlirValue value;
  int dim;
} origin;

/* An index that asks for an extent is that extent. */
static origin of_index(MlirValue index) {
  index = ts_simplest_number(index);
  MlirOperation op = ts_defining_op(index);
  origin o = {TS_DYNAMIC, index, -1};
  if (ts_constant_integer(index, &o.known) || !op.ptr || !ts_op_is(op, "tensor.dim"))
    return o;
  int64_t dim = ts_index_value(mlirOperationGetOperand(op, 1));
  MlirValue tensor = mlirOperationGetOperand(op, 0);
  if (!mlirTypeIsARankedTensor(mlirValueGetType(tensor)) || dim < 0 ||
      dim >= mlirShapedTypeGetRank(mlirValueGetType(tensor)))
    return o;
  return (origin){TS_DYNAMIC, tensor, (int)dim};
}

MlirValue ts_like_first(MlirOperation op, intptr_t r) {
  (void)r;
  return mlirOperationGetOperand(op, 0);
}

MlirValue ts_like_second(MlirOperation op, intptr_t r) {
  (void)r;
  return mlirOperationGetOperand(op, 1);
}

/* A select of whole tensors takes the extents of one of them. */
MlirValue ts_like_first_tensor(MlirOperation op, intptr_t r) {
  MlirValue first = ts_like_first(op, r);
  return mlirTypeIsARankedTensor(mlirValueGetType(first)) ? first : (MlirValue){NULL};
}

MlirValue ts_like_destination(MlirOperation op, intptr_t r) {
  return mlirOperationGetOperand(op, ts_linalg_num_inputs(op) + r);
}

/* The operand that has the extents of the result `value` of `op`; null if none surely has. */
static MlirValue same_shape(MlirOperation op, MlirValue value) {
  const ts_rule *rule = ts_rule_named(op);
  if (!rule || !rule->like)
    rule = ts_rule_find(op);
  return rule && rule->like ? rule->like(op, mlirOpResultGetResultNumber(value))
                            : (MlirValue){NULL};
}

static bool is_tied(const ts_tie *tie, MlirValue value) {
  for (int i = 0; tie && i < tie->num_values; i++)
    if (mlirValueEqual(tie->values[i], value))
      return true;
  return false;
}

static MlirValue source_value(const ts_tie_source *source) {
  return mlirOperationGetOperand(source->op, source->operand);
}

/* Ops that are looked through, so that long chains cost no more than their length. */
enum { MAX_STEPS = 64 };

/* One extent that is being looked for. */
typedef struct search {
  ts_arena *arena;
  int steps; /* that are left */
} search;

static origin find_until(search *s, origin o, const ts_tie *end);

/* Every source but the first gives the extent that the tie's values have already: so it is the
 * first one's. */
static bool keeps_extent(search *s, const ts_tie *tie, int dim) {
  for (int i = 1; i < tie->num_sources; i++) {
    s->steps--;
    origin next = find_until(s, (origin){TS_DYNAMIC, source_value(&tie->sources[i]), dim}, tie);
    if (next.dim != dim || !is_tied(tie, next.value))
      return false;
  }
  return true;
}

/* The dimensions of the operand of a collapse that are merged to that of `o`. */
static bool read_merged(origin o, MlirOperation collapse, int *first, int *end) {
  MlirType type = mlirValueGetType(mlirOperationGetOperand(collapse, 0));
  if (mlirShapedTypeGetRank(type) > TS_MAX_RANK)
    return false;
  ts_merged_dims merged;
  ts_merged_dims_read(collapse, &merged);
  *first = merged.first[o.dim];
  *end = *first + merged.num[o.dim];
  return true;
}

/* A dimension that is merged with such of one element alone. */
static origin before_collapse(origin o, MlirOperation op) {
  MlirValue source = mlirOperationGetOperand(op, 0);
  int only = -1, first, end;
  if (!read_merged(o, op, &first, &end))
    return o;
  for (int d = first; d < end; d++) {
    if (mlirShapedTypeGetDimSize(mlirValueGetType(source), d) == 1)
      continue;
    if (only >= 0)
      return o;
    only = d;
  }
  return only < 0 ? o : (origin){TS_DYNAMIC, source, only};
}

/* What `o`, the extent of the result of an op, is taken from; `o` itself if nobody says. */
static origin before_op(origin o, MlirOperation op) {
  if (ts_op_is(op, "tensor.collapse_shape"))
    return before_collapse(o, op);
  ts_size_operand size = ts_size_operand_of(o.value, o.dim);
  if (size.op.ptr)
    return of_index(mlirOperationGetOperand(size.op, size.number));
  MlirValue like = same_shape(op, o.value);
  return like.ptr ? (origin){TS_DYNAMIC, like, o.dim} : o;
}

static bool same_origin(origin a, origin b) {
  return a.known == b.known && a.dim == b.dim && mlirValueEqual(a.value, b.value);
}

/* Looks no further than the values of `end`, if it is given. */
static origin find_until(search *s, origin o, const ts_tie *end) {
  for (; s->steps > 0 && o.dim >= 0 && o.known == TS_DYNAMIC; s->steps--) {
    MlirType type = mlirValueGetType(o.value);
    if (!mlirTypeIsARankedTensor(type) || is_tied(end, o.value))
      return o;
    if (!mlirShapedTypeIsDynamicDim(type, o.dim))
      return (origin){mlirShapedTypeGetDimSize(type, o.dim), o.value, o.dim};
    ts_tie tie;
    bool tied = ts_tie_of(s->arena, o.value, &tie);
    MlirOperation op = ts_defining_op(o.value);
    origin before = o;
    if (tied && keeps_extent(s, &tie, o.dim))
      before.value = source_value(&tie.sources[0]);
    else if (!tied && op.ptr)
      before = before_op(o, op);
    if (same_origin(before, o))
      return o;
    o = before;
  }
  return o;
}

static origin find_origin(ts_arena *arena, origin o) {
  search s = {arena, MAX_STEPS};
  return find_until(&s, o, NULL);
}

bool ts_extent_is_number(ts_arena *arena, MlirValue tensor, int d, int64_t number) {
  return find_origin(arena, (origin){TS_DYNAMIC, tensor, d}).known == number;
}

static bool is_same(ts_arena *arena, origin one, origin other) {
  origin a = find_origin(arena, one), b = find_origin(arena, other);
  if (a.known != TS_DYNAMIC || b.known != TS_DYNAMIC)
    return a.known == b.known;
  return mlirValueEqual(a.value, b.value) && a.dim == b.dim;
}

bool ts_extent_is_value(ts_arena *arena, MlirValue tensor, int d, MlirValue index) {
  return is_same(arena, (origin){TS_DYNAMIC, tensor, d}, of_index(index));
}

bool ts_extents_are_same(ts_arena *arena, MlirValue tensor, int d, MlirValue other, int other_d) {
  return is_same(arena, (origin){TS_DYNAMIC, tensor, d}, (origin){TS_DYNAMIC, other, other_d});
}

/* ---- the same product ------------------------------------------------------------------------ */

enum { MOST_FACTORS = 16 };

/* Numbers that are multiplied: those that are known as one. */
typedef struct product {
  int64_t known;
  int num, steps; /* factors; numbers that were looked at */
  origin factors[MOST_FACTORS];
} product;

static bool multiply(ts_arena *arena, product *p, origin o);

static bool multiply_extents(ts_arena *arena, product *p, MlirValue tensor, int first, int end) {
  for (int d = first; d < end; d++)
    if (!multiply(arena, p, (origin){TS_DYNAMIC, tensor, d}))
      return false;
  return true;
}

/* Takes `o` into the product, as its own factors if it is one. False if that takes too long. */
static bool multiply(ts_arena *arena, product *p, origin o) {
  o = find_origin(arena, o);
  if (p->steps++ == MAX_STEPS)
    return false;
  if (o.known != TS_DYNAMIC)
    return !__builtin_mul_overflow(p->known, o.known, &p->known);
  MlirOperation op = ts_defining_op(o.value);
  if (op.ptr && o.dim < 0 && ts_op_is(op, "arith.muli"))
    return multiply(arena, p, of_index(mlirOperationGetOperand(op, 0))) &&
           multiply(arena, p, of_index(mlirOperationGetOperand(op, 1)));
  int first, end;
  if (op.ptr && o.dim >= 0 && ts_op_is(op, "tensor.collapse_shape") &&
      read_merged(o, op, &first, &end))
    return multiply_extents(arena, p, mlirOperationGetOperand(op, 0), first, end);
  if (p->num == MOST_FACTORS)
    return false;
  p->factors[p->num++] = o;
  return true;
}

/* Takes one factor like `o` out of the product, if there is one. */
static bool divide(product *p, origin o) {
  for (int i = 0; i < p->num; i++)
    if (same_origin(p->factors[i], o)) {
      p->factors[i] = p->factors[--p->num];
      return true;
    }
  return false;
}

bool ts_extents_have_product(ts_arena *arena, MlirValue tensor, int first, int end, int64_t known,
                             int num, const MlirValue *indices) {
  product a = {.known = 1}, b = {.known = known};
  if (!multiply_extents(arena, &a, tensor, first, end))
    return false;
  for (int i = 0; i < num; i++)
    if (!multiply(arena, &b, of_index(indices[i])))
      return false;
  for (int i = 0; i < a.num; i++)
    if (!divide(&b, a.factors[i]))
      return false;
  return a.known == b.known && b.num == 0;
}
