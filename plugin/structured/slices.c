/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Slices and insertions of unit strides whose numbers the run may tell. It must not know what they
 * are for. */
#include "structured/slices.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "support/arena.h"

bool ts_told_is_known(ts_told number) {
  return number.known != mlirShapedTypeGetDynamicSize();
}

ts_told ts_told_known(int64_t number) {
  return (ts_told){.known = number};
}

ts_told ts_told_by(MlirValue index) {
  return (ts_told){mlirShapedTypeGetDynamicSize(), index};
}

MlirAttribute ts_told_list(MlirContext context, intptr_t num, const ts_told *numbers,
                           intptr_t *num_operands, MlirValue *operands) {
  int64_t known[TS_MAX_RANK] = {0};
  for (intptr_t d = 0; d < num; d++) {
    known[d] = numbers[d].known;
    if (!ts_told_is_known(numbers[d]))
      operands[(*num_operands)++] = numbers[d].at_last;
  }
  return mlirDenseI64ArrayGet(context, num, known);
}

static MlirValue make(const ts_maker *build, const char *name, int num_tensors,
                      const MlirValue *tensors, MlirType type, intptr_t rank,
                      const ts_told *offsets, const ts_told *sizes) {
  enum { OFFSETS, SIZES, STRIDES, NUM_LISTS };
  static const char *const names[] = {"static_offsets", "static_sizes", "static_strides"};
  MlirContext context = build->context;
  ts_told ones[TS_MAX_RANK];
  for (intptr_t d = 0; d < rank; d++)
    ones[d] = ts_told_known(1);
  const ts_told *lists[] = {[OFFSETS] = offsets, [SIZES] = sizes, [STRIDES] = ones};
  MlirValue operands[2 + 2 * TS_MAX_RANK];
  int32_t segments[2 + NUM_LISTS];
  MlirNamedAttribute attributes[NUM_LISTS + 1];
  intptr_t num = 0;
  for (; num < num_tensors; num++) {
    operands[num] = tensors[num];
    segments[num] = 1;
  }
  for (int i = 0; i < NUM_LISTS; i++) {
    intptr_t before = num;
    attributes[i] =
        ts_named(context, names[i], ts_told_list(context, rank, lists[i], &num, operands));
    segments[num_tensors + i] = (int32_t)(num - before);
  }
  attributes[NUM_LISTS] =
      ts_named(context, "operandSegmentSizes",
               mlirDenseI32ArrayGet(context, num_tensors + NUM_LISTS, segments));
  return ts_make_value(build, name, num, operands, type, NUM_LISTS + 1, attributes);
}

MlirValue ts_make_extract_slice(const ts_maker *build, MlirValue tensor, intptr_t rank,
                                const ts_told *offsets, const ts_told *sizes) {
  MlirType from = mlirValueGetType(tensor);
  int64_t shape[TS_MAX_RANK];
  for (intptr_t d = 0; d < rank; d++)
    shape[d] = sizes[d].known;
  MlirType type = mlirRankedTensorTypeGet(rank, shape, mlirShapedTypeGetElementType(from),
                                          mlirRankedTensorTypeGetEncoding(from));
  return make(build, "tensor.extract_slice", 1, &tensor, type, rank, offsets, sizes);
}

MlirValue ts_make_insert_slice(const ts_maker *build, MlirValue slice, MlirValue into,
                               intptr_t rank, const ts_told *offsets, const ts_told *sizes) {
  MlirValue tensors[] = {slice, into};
  return make(build, "tensor.insert_slice", 2, tensors, mlirValueGetType(into), rank, offsets,
              sizes);
}

static bool puts_parts_together(MlirOperation op) {
  return ts_op_is(op, "tensor.concat") || ts_op_is(op, "tensor.extract_slice") ||
         ts_op_is(op, "tensor.insert_slice");
}

void ts_drop_unused_parts(MlirValue value) {
  MlirOperation op = ts_defining_op(value);
  if (!op.ptr || !puts_parts_together(op) || !mlirOpOperandIsNull(mlirValueGetFirstUse(value)))
    return;
  ts_arena arena = {0};
  intptr_t num = mlirOperationGetNumOperands(op);
  MlirValue *parts = TS_NEW(&arena, MlirValue, num);
  for (intptr_t i = 0; i < num; i++)
    parts[i] = mlirOperationGetOperand(op, i);
  /* One by one, for one part may be made of another. */
  while (num--) {
    mlirOperationSetOperands(op, num, parts);
    ts_drop_unused_parts(parts[num]);
  }
  mlirOperationDestroy(op);
  ts_arena_free(&arena);
}
