/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Importers write sums and products of complex numbers as arithmetic on their parts. As ops on
 * whole numbers they are reductions and terms like those of any type. It knows scalar code; it must
 * not know structured ops nor layouts. */
#include "ir/build.h"
#include "structured/structured.h"

/* ---- reading --------------------------------------------------------------------------------- */

/* The two operands of the op `name` that gives the value; false if another one does. */
static bool read_binary(MlirValue value, const char *name, MlirValue parts[2]) {
  MlirOperation op = ts_defining_op(value);
  if (!op.ptr || !ts_op_is(op, name))
    return false;
  for (intptr_t i = 0; i < 2; i++)
    parts[i] = mlirOperationGetOperand(op, i);
  return true;
}

static bool is_part(MlirValue value, const char *name, MlirValue of) {
  MlirOperation op = ts_defining_op(value);
  return op.ptr && ts_op_is(op, name) && mlirValueEqual(mlirOperationGetOperand(op, 0), of);
}

static bool are_parts(const MlirValue values[2], const char *first, MlirValue a, const char *second,
                      MlirValue b) {
  return is_part(values[0], first, a) && is_part(values[1], second, b);
}

/* The numbers whose real parts the values are. */
static bool read_real(const MlirValue values[2], MlirValue *a, MlirValue *b) {
  MlirOperation first = ts_defining_op(values[0]), second = ts_defining_op(values[1]);
  if (!first.ptr || !second.ptr || !ts_op_is(first, "complex.re") ||
      !ts_op_is(second, "complex.re"))
    return false;
  *a = mlirOperationGetOperand(first, 0);
  *b = mlirOperationGetOperand(second, 0);
  return true;
}

/* Both parts are combined by `name`. */
static bool reads_as(const char *name, bool commutes, MlirValue real, MlirValue imaginary,
                     MlirValue *a, MlirValue *b) {
  MlirValue re[2], im[2];
  return read_binary(real, name, re) && read_binary(imaginary, name, im) && read_real(re, a, b) &&
         (are_parts(im, "complex.im", *a, "complex.im", *b) ||
          (commutes && are_parts(im, "complex.im", *b, "complex.im", *a)));
}

static bool is_cross(const MlirValue values[2], MlirValue a, MlirValue b) {
  return are_parts(values, "complex.re", a, "complex.im", b) ||
         are_parts(values, "complex.im", b, "complex.re", a);
}

static bool reads_as_product(MlirValue real, MlirValue imaginary, MlirValue *a, MlirValue *b) {
  MlirValue difference[2], sum[2], re[2], im[2], first[2], second[2];
  return read_binary(real, "arith.subf", difference) && read_binary(imaginary, "arith.addf", sum) &&
         read_binary(difference[0], "arith.mulf", re) &&
         read_binary(difference[1], "arith.mulf", im) && read_binary(sum[0], "arith.mulf", first) &&
         read_binary(sum[1], "arith.mulf", second) && read_real(re, a, b) &&
         (are_parts(im, "complex.im", *a, "complex.im", *b) ||
          are_parts(im, "complex.im", *b, "complex.im", *a)) &&
         ((is_cross(first, *a, *b) && is_cross(second, *b, *a)) ||
          (is_cross(first, *b, *a) && is_cross(second, *a, *b)));
}

/* ---- writing --------------------------------------------------------------------------------- */

/* The arithmetic on parts that nobody uses any more, which would be a use of what is reduced. */
static void drop_unused(MlirValue value) {
  static const char *const names[] = {"arith.addf", "arith.mulf", "arith.subf", "complex.im",
                                      "complex.re"};
  MlirOperation op = ts_defining_op(value);
  bool may_go = false;
  for (size_t i = 0; op.ptr && i < sizeof(names) / sizeof(names[0]); i++)
    may_go = may_go || ts_op_is(op, names[i]);
  if (!may_go || !mlirOpOperandIsNull(mlirValueGetFirstUse(value)))
    return;
  intptr_t num = mlirOperationGetNumOperands(op);
  MlirValue operands[2] = {mlirOperationGetOperand(op, 0), mlirOperationGetOperand(op, num - 1)};
  mlirOperationDestroy(op);
  for (intptr_t i = 0; i < num && (!i || !mlirValueEqual(operands[0], operands[1])); i++)
    drop_unused(operands[i]);
}

void ts_structure_complex(MlirOperation op) {
  MlirValue real = mlirOperationGetOperand(op, 0), imaginary = mlirOperationGetOperand(op, 1);
  MlirValue numbers[2];
  const char *name =
      reads_as("arith.addf", true, real, imaginary, &numbers[0], &numbers[1])    ? "complex.add"
      : reads_as("arith.subf", false, real, imaginary, &numbers[0], &numbers[1]) ? "complex.sub"
      : reads_as_product(real, imaginary, &numbers[0], &numbers[1])              ? "complex.mul"
                                                                                 : NULL;
  if (!name)
    return;
  ts_maker build = ts_make_before(op);
  MlirValue result = mlirOperationGetResult(op, 0);
  MlirValue made = ts_make_value(&build, name, 2, numbers, mlirValueGetType(result), 0, NULL);
  mlirValueReplaceAllUsesOfWith(result, made);
  mlirOperationDestroy(op);
  drop_unused(real);
  if (!mlirValueEqual(real, imaginary))
    drop_unused(imaginary);
}
