/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Works around expand-strided-metadata, which takes no reshape of memory with a group of several
 * run-time extents, and the lowering of memref.reshape, which leaves a cast of some. Can go when
 * they do. It knows how a reshape lays out memory. */
#include "lowering/workarounds/dynamic_reshapes.h"

#include "ir/build.h"
#include "lowering/calls/strided.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

static MlirValue product(const ts_maker *build, MlirValue a, MlirValue b) {
  return ts_make_binary(build, "arith.muli", a, b);
}

/* A group of dimensions of one memref is one dimension of the other. */
static MlirAttribute group_of(MlirOperation op, intptr_t g) {
  return mlirArrayAttrGetElement(ts_attribute(op, "reassociation"), g);
}

static intptr_t group_size(MlirAttribute group) {
  return mlirArrayAttrGetNumElements(group);
}

static int64_t member(MlirAttribute group, intptr_t i) {
  return mlirIntegerAttrGetValueInt(mlirArrayAttrGetElement(group, i));
}

/* What is collapsed is as long as its dimensions together, and steps as the last of them. */
static void collapse(const ts_maker *build, MlirOperation op, const ts_strided *source,
                     intptr_t rank, MlirValue *sizes, MlirValue *strides) {
  for (intptr_t d = 0; d < rank; d++) {
    MlirAttribute group = group_of(op, d);
    sizes[d] = strides[d] = ts_make_index(build, 1);
    for (intptr_t i = 0; i < group_size(group); i++) {
      sizes[d] = product(build, sizes[d], source->sizes[member(group, i)]);
      strides[d] = source->strides[member(group, i)];
    }
  }
}

/* What is expanded steps over what stands behind it in its group. Extents that the type does not
 * know may be known all the same: the list of them decides. */
static void expand(const ts_maker *build, MlirOperation op, const ts_strided *source, MlirType type,
                   MlirValue *sizes, MlirValue *strides) {
  MlirAttribute list = ts_attribute(op, "static_output_shape");
  intptr_t next = 1;
  for (intptr_t d = 0; d < mlirShapedTypeGetRank(type); d++) {
    int64_t known = mlirDenseI64ArrayGetElement(list, d);
    sizes[d] = known == mlirShapedTypeGetDynamicSize() ? mlirOperationGetOperand(op, next++)
                                                       : ts_make_index(build, known);
  }
  for (intptr_t g = 0; g < mlirArrayAttrGetNumElements(ts_attribute(op, "reassociation")); g++) {
    MlirValue stride = source->strides[g];
    for (intptr_t i = group_size(group_of(op, g)); i-- > 0;) {
      int64_t d = member(group_of(op, g), i);
      strides[d] = stride;
      stride = product(build, stride, sizes[d]);
    }
  }
}

static bool has_dynamic_dims(MlirAttribute group, MlirType type, int num) {
  for (intptr_t i = 0; i < group_size(group); i++)
    num -= mlirShapedTypeIsDynamicDim(type, member(group, i));
  return num <= 0;
}

/* Upstream takes contiguous memory of static shape, and groups with one run-time extent. */
static bool is_ours(MlirOperation op, MlirType source, MlirType result, bool collapses) {
  if (mlirShapedTypeGetRank(source) > TS_MAX_RANK || mlirShapedTypeGetRank(result) > TS_MAX_RANK)
    return false;
  if (ts_is_identity_memref(source) && ts_is_identity_memref(result))
    return !mlirShapedTypeHasStaticShape(result);
  for (intptr_t g = 0;
       !collapses && g < mlirArrayAttrGetNumElements(ts_attribute(op, "reassociation")); g++)
    if (has_dynamic_dims(group_of(op, g), result, 2))
      return true;
  return false;
}

/* Extent `d` of a memref.reshape's result. */
static MlirValue said_size(const ts_maker *build, MlirOperation op, MlirType type, intptr_t d) {
  if (!mlirShapedTypeIsDynamicDim(type, d))
    return ts_make_index(build, mlirShapedTypeGetDimSize(type, d));
  MlirValue shape = mlirOperationGetOperand(op, 1);
  MlirValue operands[] = {shape, ts_make_index(build, d)};
  MlirValue number = ts_make_value(build, "memref.load", 2, operands,
                                   mlirShapedTypeGetElementType(mlirValueGetType(shape)), 0, NULL);
  return ts_make_value(build, "arith.index_cast", 1, &number, mlirIndexTypeGet(build->context), 0,
                       NULL);
}

/* Upstream leaves a cast that nothing takes of extents that are other integers than indices, where
 * the result has known extents as well. */
static void lower_said_reshape(MlirOperation op) {
  MlirValue result = mlirOperationGetResult(op, 0), shape = mlirOperationGetOperand(op, 1);
  MlirType type = mlirValueGetType(result);
  if (!mlirTypeIsAMemRef(type) ||
      !mlirTypeIsAMemRef(mlirValueGetType(mlirOperationGetOperand(op, 0))) ||
      mlirShapedTypeGetRank(type) > TS_MAX_RANK ||
      mlirTypeIsAIndex(mlirShapedTypeGetElementType(mlirValueGetType(shape))))
    return;
  ts_maker build = ts_make_before(op);
  intptr_t rank = mlirShapedTypeGetRank(type);
  MlirValue sizes[TS_MAX_RANK], strides[TS_MAX_RANK], stride = ts_make_index(&build, 1);
  ts_strided from;
  ts_strided_read(&build, mlirOperationGetOperand(op, 0), &from);
  for (intptr_t d = rank; d-- > 0;) {
    sizes[d] = said_size(&build, op, type, d);
    strides[d] = stride;
    stride = product(&build, stride, sizes[d]);
  }
  MlirValue view = ts_strided_view(&build, &from, from.offset, (int)rank, sizes, strides);
  mlirValueReplaceAllUsesOfWith(result, ts_make_memref_cast(&build, view, type));
  mlirOperationDestroy(op);
}

static void lower_reshape(MlirOperation op, void *user) {
  (void)user;
  if (ts_op_is(op, "memref.reshape")) {
    lower_said_reshape(op);
    return;
  }
  bool collapses = ts_op_is(op, "memref.collapse_shape");
  if (!collapses && !ts_op_is(op, "memref.expand_shape"))
    return;
  MlirValue source = mlirOperationGetOperand(op, 0), result = mlirOperationGetResult(op, 0);
  MlirType type = mlirValueGetType(result);
  if (!is_ours(op, mlirValueGetType(source), type, collapses))
    return;
  ts_maker build = ts_make_before(op);
  intptr_t rank = mlirShapedTypeGetRank(type);
  MlirValue sizes[TS_MAX_RANK], strides[TS_MAX_RANK];
  ts_strided from;
  ts_strided_read(&build, source, &from);
  if (collapses)
    collapse(&build, op, &from, rank, sizes, strides);
  else
    expand(&build, op, &from, type, sizes, strides);
  MlirValue view = ts_strided_view(&build, &from, from.offset, (int)rank, sizes, strides);
  mlirValueReplaceAllUsesOfWith(result, ts_make_memref_cast(&build, view, type));
  mlirOperationDestroy(op);
}

void ts_reshapes_lower(MlirOperation module) {
  ts_each_op(module, lower_reshape, NULL);
}
