/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Works around how memref.subview finds out which sizes 1 a view lacks: by strides, and it crashes
 * where it cannot. Such views become casts that say where everything is. Can go when the op says
 * which dimensions it drops. It knows views of memory. */
#include "lowering/workarounds/subviews.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "workarounds/unit_dims.h"

typedef struct view {
  MlirOperation op;
  intptr_t rank, small_rank;         /* of the memory, and of the view */
  int64_t sizes[TS_MAX_RANK];        /* one for each dimension of the memory */
  int64_t small_sizes[TS_MAX_RANK];  /* those of the view's type */
  MlirAttribute lists[3];            /* offsets, sizes and strides: the numbers */
  MlirValue numbers[3][TS_MAX_RANK]; /* and those that are operands, in order */
} view;

enum { OFFSETS, SIZES, STRIDES };

/* False if `op` is no memref.subview that lacks a dimension. */
static bool read_view(MlirOperation op, view *v) {
  static const char *const names[] = {"static_offsets", "static_sizes", "static_strides"};
  if (!ts_op_is(op, "memref.subview"))
    return false;
  MlirType from = mlirValueGetType(mlirOperationGetOperand(op, 0));
  MlirType to = mlirValueGetType(mlirOperationGetResult(op, 0));
  if (mlirShapedTypeGetRank(from) > TS_MAX_RANK ||
      mlirShapedTypeGetRank(from) == mlirShapedTypeGetRank(to))
    return false;
  *v = (view){
      .op = op, .rank = mlirShapedTypeGetRank(from), .small_rank = mlirShapedTypeGetRank(to)};
  for (intptr_t d = 0; d < v->small_rank; d++)
    v->small_sizes[d] = mlirShapedTypeGetDimSize(to, d);
  MlirAttribute segments = ts_attribute(op, "operandSegmentSizes");
  intptr_t next = 1;
  for (int l = OFFSETS; l <= STRIDES; l++) {
    v->lists[l] = ts_attribute(op, names[l]);
    for (int i = 0; i < mlirDenseI32ArrayGetElement(segments, 1 + l); i++)
      v->numbers[l][i] = mlirOperationGetOperand(op, next++);
  }
  for (intptr_t d = 0; d < v->rank; d++)
    v->sizes[d] = mlirDenseI64ArrayGetElement(v->lists[SIZES], d);
  return true;
}

/* The numbers of list `l` as values. */
static void numbers_of(const ts_maker *build, const view *v, int l, MlirValue *values) {
  intptr_t next = 0;
  for (intptr_t d = 0; d < v->rank; d++) {
    int64_t number = mlirDenseI64ArrayGetElement(v->lists[l], d);
    values[d] = number == mlirShapedTypeGetDynamicSize() ? v->numbers[l][next++]
                                                         : ts_make_index(build, number);
  }
}

/* Where memory that a view is of begins, and how it lies there. */
typedef struct descriptor {
  MlirValue base, offset, strides[TS_MAX_RANK];
} descriptor;

static descriptor descriptor_of(const ts_maker *build, MlirValue memref) {
  MlirType type = mlirValueGetType(memref), results[2 + 2 * TS_MAX_RANK];
  intptr_t rank = mlirShapedTypeGetRank(type);
  results[0] = mlirMemRefTypeContiguousGet(mlirShapedTypeGetElementType(type), 0, NULL,
                                           mlirMemRefTypeGetMemorySpace(type));
  for (intptr_t r = 1; r < 2 + 2 * rank; r++)
    results[r] = mlirIndexTypeGet(build->context);
  MlirOperation op = ts_make_op(build, &(ts_new_op){.name = "memref.extract_strided_metadata",
                                                    .num_operands = 1,
                                                    .operands = &memref,
                                                    .num_results = 2 + 2 * rank,
                                                    .results = results});
  descriptor p = {mlirOperationGetResult(op, 0), mlirOperationGetResult(op, 1), {{NULL}}};
  for (intptr_t d = 0; d < rank; d++)
    p.strides[d] = mlirOperationGetResult(op, 2 + rank + d);
  return p;
}

/* The descriptor of the view `v` of `p`. */
static void move_descriptor(const ts_maker *build, const view *v, descriptor *p) {
  MlirValue offsets[TS_MAX_RANK], strides[TS_MAX_RANK];
  numbers_of(build, v, OFFSETS, offsets);
  numbers_of(build, v, STRIDES, strides);
  for (intptr_t d = 0; d < v->rank; d++) {
    MlirValue distance = ts_make_binary(build, "arith.muli", offsets[d], p->strides[d]);
    p->offset = ts_make_binary(build, "arith.addi", p->offset, distance);
    p->strides[d] = ts_make_binary(build, "arith.muli", strides[d], p->strides[d]);
  }
}

/* The result of `v` at `p`: its type says which of the numbers are known. */
static MlirValue view_descriptor(const ts_maker *build, const view *v, const descriptor *p) {
  const int64_t dynamic = mlirShapedTypeGetDynamicStrideOrOffset();
  MlirType type = mlirValueGetType(mlirOperationGetResult(v->op, 0));
  MlirValue operands[2 + 2 * TS_MAX_RANK] = {p->base};
  int64_t offset, strides[TS_MAX_RANK];
  int32_t segments[] = {1, 0, 0, 0};
  bool kept[TS_MAX_RANK];
  intptr_t num = 1, next = 0;
  mlirMemRefTypeGetStridesAndOffset(type, strides, &offset);
  ts_unit_dims_match(v->rank, v->sizes, v->small_rank, v->small_sizes, kept);
  if (offset == dynamic) {
    operands[num++] = p->offset;
    segments[1] = 1;
  }
  for (intptr_t d = 0; d < v->small_rank; d++)
    if (v->small_sizes[d] == mlirShapedTypeGetDynamicSize())
      operands[num++] = v->numbers[SIZES][segments[2]++];
  for (intptr_t d = 0; d < v->rank; d++)
    if (kept[d] && strides[next++] == dynamic) {
      operands[num++] = p->strides[d];
      segments[3]++;
    }
  MlirContext context = build->context;
  MlirNamedAttribute attributes[] = {
      ts_named(context, "static_offsets", mlirDenseI64ArrayGet(context, 1, &offset)),
      ts_named(context, "static_sizes",
               mlirDenseI64ArrayGet(context, v->small_rank, v->small_sizes)),
      ts_named(context, "static_strides", mlirDenseI64ArrayGet(context, v->small_rank, strides)),
      ts_named(context, "operandSegmentSizes", mlirDenseI32ArrayGet(context, 4, segments)),
  };
  return ts_make_value(build, "memref.reinterpret_cast", num, operands, type, 4, attributes);
}

/* Upstream may not find out, now or when sizes that are operands have become constants, which
 * dimensions such a view lacks. */
static void spell_view(MlirOperation op, void *user) {
  (void)user;
  view v;
  if (!read_view(op, &v))
    return;
  bool certain = true;
  for (intptr_t d = 0; d < v.small_rank; d++)
    certain &= v.small_sizes[d] != 1 && v.small_sizes[d] != mlirShapedTypeGetDynamicSize();
  if (certain)
    return;
  ts_maker build = ts_make_before(op);
  descriptor p = descriptor_of(&build, mlirOperationGetOperand(op, 0));
  move_descriptor(&build, &v, &p);
  mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, 0), view_descriptor(&build, &v, &p));
  mlirOperationDestroy(op);
}

void ts_subviews_spell(MlirOperation module) {
  ts_each_op(module, spell_view, NULL);
}
