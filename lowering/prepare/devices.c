/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Numbers of a program that follow from which device it runs on: constants, coordinates, elements
 * of constants that are looked up by them, and arithmetic on these. It knows index arithmetic and
 * questions about the grid; it must not know what the numbers are for. */
#include "lowering/prepare/devices.h"

#include <stdio.h>

#include "capi/capi.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

enum { MOST_DEPTH = 32 }; /* from a number back to what it comes from */

/* ---- grids ----------------------------------------------------------------------------------- */

/* Extents of a grid, all known; their number, 0 if it is not so. */
static int read_shape(MlirOperation grid, int64_t shape[TS_MAX_RANK]) {
  MlirAttribute extents = ts_attribute(grid, "shape");
  intptr_t rank = mlirAttributeIsNull(extents) ? 0 : mlirDenseArrayGetNumElements(extents);
  if (rank > TS_MAX_RANK)
    return 0;
  for (intptr_t d = 0; d < rank; d++) {
    shape[d] = mlirDenseI64ArrayGetElement(extents, d);
    if (shape[d] < 1)
      return 0;
  }
  return (int)rank;
}

ts_devices ts_devices_of(MlirOperation module) {
  ts_devices devices = {module, 1};
  for (MlirOperation op = mlirBlockGetFirstOperation(ts_module_body(module)); op.ptr;
       op = mlirOperationGetNextInBlock(op)) {
    int64_t shape[TS_MAX_RANK], num = 1;
    if (!ts_op_is(op, "shard.grid"))
      continue;
    int rank = read_shape(op, shape);
    for (int d = 0; d < rank && num <= TS_MOST_DEVICES; d++)
      num *= shape[d];
    if (rank > 0 && num <= TS_MOST_DEVICES && num > devices.num)
      devices.num = (int)num;
  }
  return devices;
}

/* Coordinate `result` of those that the op asks for. */
static bool coordinate(const ts_devices *devices, int device, MlirOperation op, intptr_t result,
                       int64_t *number) {
  int64_t shape[TS_MAX_RANK], total = 1;
  MlirStringRef name = mlirFlatSymbolRefAttrGetValue(ts_attribute(op, "grid"));
  char text[256];
  if (name.length >= sizeof(text))
    return false;
  snprintf(text, sizeof(text), "%.*s", (int)name.length, name.data);
  MlirOperation grid = ts_module_symbol(devices->module, text);
  int rank = grid.ptr ? read_shape(grid, shape) : 0;
  for (int d = 0; d < rank; d++)
    if (__builtin_mul_overflow(total, shape[d], &total))
      return false;
  if (rank == 0 || total != devices->num)
    return false;
  if (ts_op_is(op, "shard.process_linear_index")) {
    *number = device;
    return true;
  }
  MlirAttribute axes = ts_attribute(op, "axes");
  intptr_t num = mlirAttributeIsNull(axes) ? 0 : mlirDenseArrayGetNumElements(axes);
  int64_t axis = num > 0 ? mlirDenseI16ArrayGetElement(axes, result) : result;
  if (axis >= rank)
    return false;
  int64_t rest = device;
  for (int d = rank - 1; d > axis; d--)
    rest /= shape[d];
  *number = rest % shape[axis];
  return true;
}

/* ---- arithmetic ------------------------------------------------------------------------------ */

typedef bool arithmetic(int64_t a, int64_t b, int64_t *result);

static bool add(int64_t a, int64_t b, int64_t *result) {
  return !__builtin_add_overflow(a, b, result);
}
static bool subtract(int64_t a, int64_t b, int64_t *result) {
  return !__builtin_sub_overflow(a, b, result);
}
static bool multiply(int64_t a, int64_t b, int64_t *result) {
  return !__builtin_mul_overflow(a, b, result);
}
/* Of numbers for which all divisions of their kind agree. */
static bool divide(int64_t a, int64_t b, int64_t *result) {
  if (a < 0 || b < 1)
    return false;
  *result = a / b;
  return true;
}
static bool remain(int64_t a, int64_t b, int64_t *result) {
  if (a < 0 || b < 1)
    return false;
  *result = a % b;
  return true;
}
static bool least(int64_t a, int64_t b, int64_t *result) {
  *result = a < b ? a : b;
  return true;
}
static bool most(int64_t a, int64_t b, int64_t *result) {
  *result = a > b ? a : b;
  return true;
}

static const struct {
  const char *op;
  arithmetic *compute;
} table[] = {
    {"arith.addi", add},     {"arith.subi", subtract}, {"arith.muli", multiply},
    {"arith.divui", divide}, {"arith.divsi", divide},  {"arith.floordivsi", divide},
    {"arith.remui", remain}, {"arith.remsi", remain},  {"arith.minsi", least},
    {"arith.maxsi", most},
};

static bool find_number(const ts_devices *devices, int device, MlirValue value, int depth,
                        int64_t *number);

/* The element of a constant of one dimension. */
static bool look_up(const ts_devices *devices, int device, MlirOperation op, int depth,
                    int64_t *number) {
  MlirOperation constant = ts_defining_op(mlirOperationGetOperand(op, 0));
  MlirAttribute elements = constant.ptr && ts_op_is(constant, "arith.constant")
                               ? ts_attribute(constant, "value")
                               : mlirAttributeGetNull();
  int64_t at;
  if (mlirOperationGetNumOperands(op) != 2 || mlirAttributeIsNull(elements) ||
      !mlirAttributeIsADenseElements(elements) ||
      !mlirTypeIsAIndex(mlirShapedTypeGetElementType(mlirAttributeGetType(elements))) ||
      !find_number(devices, device, mlirOperationGetOperand(op, 1), depth + 1, &at) || at < 0 ||
      at >= mlirElementsAttrGetNumElements(elements))
    return false;
  *number = (int64_t)mlirDenseElementsAttrGetIndexValue(elements, at);
  return true;
}

/* The size of what a slice cut out, where the type does not say it. */
static bool size_of(const ts_devices *devices, int device, MlirOperation op, int depth,
                    int64_t *number) {
  MlirOperation slice = ts_defining_op(mlirOperationGetOperand(op, 0));
  int64_t d;
  if (!slice.ptr || !ts_op_is(slice, "tensor.extract_slice") ||
      !find_number(devices, device, mlirOperationGetOperand(op, 1), depth + 1, &d))
    return false;
  MlirAttribute offsets = ts_attribute(slice, "static_offsets");
  MlirAttribute sizes = ts_attribute(slice, "static_sizes");
  int64_t dynamic = mlirShapedTypeGetDynamicSize();
  intptr_t rank = mlirDenseArrayGetNumElements(sizes), operand = 1;
  if (rank != mlirShapedTypeGetRank(mlirValueGetType(mlirOperationGetResult(slice, 0))) || d < 0 ||
      d >= rank)
    return false;
  for (intptr_t i = 0; i < rank; i++)
    operand += mlirDenseI64ArrayGetElement(offsets, i) == dynamic;
  for (intptr_t i = 0; i < d; i++)
    operand += mlirDenseI64ArrayGetElement(sizes, i) == dynamic;
  *number = mlirDenseI64ArrayGetElement(sizes, d);
  return *number != dynamic ||
         find_number(devices, device, mlirOperationGetOperand(slice, operand), depth + 1, number);
}

static bool find_number(const ts_devices *devices, int device, MlirValue value, int depth,
                        int64_t *number) {
  MlirOperation op = ts_defining_op(value);
  if (!op.ptr || depth > MOST_DEPTH)
    return false;
  if (ts_op_is(op, "arith.constant")) {
    *number = ts_op_int(op, "value", INT64_MIN);
    return *number != INT64_MIN;
  }
  if (ts_op_is(op, "shard.process_linear_index") || ts_op_is(op, "shard.process_multi_index"))
    return coordinate(devices, device, op, mlirOpResultGetResultNumber(value), number);
  if (ts_op_is(op, "tensor.extract"))
    return look_up(devices, device, op, depth, number);
  if (ts_op_is(op, "tensor.dim"))
    return size_of(devices, device, op, depth, number);
  for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
    int64_t a, b;
    if (ts_op_is(op, table[i].op))
      return find_number(devices, device, mlirOperationGetOperand(op, 0), depth + 1, &a) &&
             find_number(devices, device, mlirOperationGetOperand(op, 1), depth + 1, &b) &&
             table[i].compute(a, b, number);
  }
  return false;
}

bool ts_devices_number(const ts_devices *devices, int device, MlirValue value, int64_t *number) {
  return find_number(devices, device, value, 0, number);
}
