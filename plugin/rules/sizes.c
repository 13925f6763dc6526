/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Where the extents of a tensor come from: operands that say them, and tensors that have the same.
 * Knows where such an op has them, not what they are for. */
#include "capi/capi.h"
#include "rules/linalg.h"
#include "rules/rows.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

/* The first size operand of `op`, or -1. */
static intptr_t first_size(MlirOperation op) {
  const ts_rule *rule = ts_rule_named(op);
  switch (rule ? rule->sizes : TS_NO_SIZES) {
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
  for (int other = 0; other < d; ++other)
    before += mlirShapedTypeIsDynamicDim(type, other);
  intptr_t first = first_size(op);
  return first < 0 ? none : (ts_size_operand){op, first + before};
}

/* ---- the same extent --------------------------------------------------------------------------
 */

/* An extent is the number `known`; or, if that is TS_DYNAMIC, that of dimension `dim` of `value`;
 * or, if `dim` is -1, the index `value`. */
typedef struct origin {
  int64_t known;
  MlirValue value;
  int dim;
} origin;

/* An index that asks for an extent is that extent. */
static origin of_index(MlirValue index) {
  MlirOperation op = ts_defining_op(index);
  origin o = {ts_index_value(index), index, -1};
  if (o.known != TS_DYNAMIC || !op.ptr || !ts_op_is(op, "tensor.dim"))
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

/* What a loop carries: its argument, what that is on the first trip, and on the next. */
typedef struct carried {
  MlirValue argument, start, next;
} carried;

/* False if `value` is neither an argument nor a result of an scf.for that carries it. */
static bool read_carried(MlirValue value, carried *c) {
  MlirOperation loop = ts_defining_op(value);
  intptr_t i;
  if (loop.ptr) {
    i = mlirOpResultGetResultNumber(value);
  } else {
    loop = mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value));
    i = mlirBlockArgumentGetArgNumber(value) - 1; /* behind the index */
  }
  if (!loop.ptr || !ts_op_is(loop, "scf.for") || i < 0)
    return false;
  MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(loop, 0));
  c->argument = mlirBlockGetArgument(body, 1 + i);
  c->start = mlirOperationGetOperand(loop, 3 + i);
  c->next = mlirOperationGetOperand(mlirBlockGetTerminator(body), i);
  return true;
}

/* Ops that are looked through, so that long chains cost no more than their length. */
enum { MAX_STEPS = 64 };

/* Looks no further than `end`, and no more often than `*steps` says. */
static origin find_until(origin o, MlirValue end, int *steps) {
  for (; *steps > 0 && o.dim >= 0 && o.known == TS_DYNAMIC; --*steps) {
    MlirType type = mlirValueGetType(o.value);
    carried c;
    if (!mlirTypeIsARankedTensor(type) || mlirValueEqual(o.value, end))
      return o;
    if (!mlirShapedTypeIsDynamicDim(type, o.dim))
      return (origin){mlirShapedTypeGetDimSize(type, o.dim), o.value, o.dim};
    if (read_carried(o.value, &c)) {
      --*steps;
      origin next = find_until((origin){TS_DYNAMIC, c.next, o.dim}, c.argument, steps);
      if (!mlirValueEqual(next.value, c.argument) || next.dim != o.dim)
        return o;
      o.value = c.start;
      continue;
    }
    MlirOperation op = ts_defining_op(o.value);
    if (mlirOperationIsNull(op))
      return o;
    ts_size_operand size = ts_size_operand_of(o.value, o.dim);
    MlirValue like = size.op.ptr ? (MlirValue){NULL} : same_shape(op, o.value);
    if (size.op.ptr)
      o = of_index(mlirOperationGetOperand(size.op, size.number));
    else if (like.ptr)
      o.value = like;
    else
      return o;
  }
  return o;
}

static origin find_origin(origin o) {
  int steps = MAX_STEPS;
  return find_until(o, (MlirValue){NULL}, &steps);
}

bool ts_extent_is_number(MlirValue tensor, int d, int64_t number) {
  return find_origin((origin){TS_DYNAMIC, tensor, d}).known == number;
}

bool ts_extent_is_value(MlirValue tensor, int d, MlirValue index) {
  origin a = find_origin((origin){TS_DYNAMIC, tensor, d}), b = find_origin(of_index(index));
  if (a.known != TS_DYNAMIC || b.known != TS_DYNAMIC)
    return a.known == b.known;
  return mlirValueEqual(a.value, b.value) && a.dim == b.dim;
}
