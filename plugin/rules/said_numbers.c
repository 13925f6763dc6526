/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Numbers that come to an extent, through what importers compute on the way to the list of a
 * reshape. It knows scalar code; it must not know what the extent is for. */
#include "rules/said_numbers.h"

#include "capi/capi.h"
#include "emit/emit.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "support/ir.h"

/* Numbers that are looked through in front of one. */
enum { MAX_NUMBERS = 8 };

static MlirValue simplest(MlirValue number, int left);

/* That of dimension `dim` of `tensor`; of none, if that is null. */
typedef struct extent {
  MlirValue tensor;
  int64_t dim;
} extent;

static extent extent_asked(MlirValue number, int left) {
  MlirOperation op = ts_defining_op(simplest(number, left));
  if (!op.ptr || !ts_op_is(op, "tensor.dim"))
    return (extent){{NULL}, TS_DYNAMIC};
  return (extent){mlirOperationGetOperand(op, 0), ts_index_value(mlirOperationGetOperand(op, 1))};
}

/* What was made an i64 or an index of: as such it is the same. */
static MlirValue before_cast(MlirOperation cast, MlirValue number) {
  MlirValue from = mlirOperationGetOperand(cast, 0);
  MlirType type = mlirValueGetType(mlirTypeIsAIndex(mlirValueGetType(from)) ? number : from);
  return mlirTypeIsAInteger(type) && mlirIntegerTypeGetWidth(type) >= 64 ? from : number;
}

static bool is_zero(MlirValue number) {
  MlirOperation op = ts_defining_op(number);
  if (!op.ptr || !ts_op_is(op, "arith.constant"))
    return false;
  MlirAttribute value = ts_attribute(op, "value");
  return mlirAttributeIsAInteger(value) && mlirIntegerAttrGetValueInt(value) == 0;
}

/* Importers ask whether an extent is negative: it is not. */
static MlirValue chosen(MlirOperation select, MlirValue number, int left) {
  enum { SLT = 2 }; /* arith's number */
  MlirOperation compare = ts_defining_op(mlirOperationGetOperand(select, 0));
  bool asks = compare.ptr && ts_op_is(compare, "arith.cmpi") &&
              ts_op_int(compare, "predicate", -1) == SLT &&
              is_zero(mlirOperationGetOperand(compare, 1)) &&
              extent_asked(mlirOperationGetOperand(compare, 0), left).tensor.ptr;
  return asks ? mlirOperationGetOperand(select, 2) : number;
}

/* Two extents of one tensor, multiplied and divided by the second, are the first. */
static MlirValue divided(MlirOperation division, MlirValue number, int left) {
  MlirOperation product = ts_defining_op(mlirOperationGetOperand(division, 0));
  if (!product.ptr || !ts_op_is(product, "arith.muli"))
    return number;
  extent a = extent_asked(mlirOperationGetOperand(product, 0), left);
  extent b = extent_asked(mlirOperationGetOperand(product, 1), left);
  extent by = extent_asked(mlirOperationGetOperand(division, 1), left);
  bool cancels = a.tensor.ptr && a.tensor.ptr == b.tensor.ptr && b.tensor.ptr == by.tensor.ptr &&
                 a.dim != b.dim && b.dim == by.dim && b.dim != TS_DYNAMIC;
  return cancels ? mlirOperationGetOperand(product, 0) : number;
}

/* The number by fewer ops, as far as extents say. */
static MlirValue simplest(MlirValue number, int left) {
  MlirOperation op = ts_defining_op(number);
  MlirValue simpler = number;
  if (!op.ptr || left == 0)
    return number;
  if (ts_op_is(op, "arith.index_cast"))
    simpler = before_cast(op, number);
  else if (ts_op_is(op, "arith.select"))
    simpler = chosen(op, number, left - 1);
  else if (ts_op_is(op, "arith.divsi") || ts_op_is(op, "arith.divui"))
    simpler = divided(op, number, left - 1);
  return mlirValueEqual(simpler, number) ? number : simplest(simpler, left - 1);
}

MlirValue ts_simplest_number(MlirValue number) {
  return simplest(number, MAX_NUMBERS);
}
