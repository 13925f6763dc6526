/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Numbers that come to an extent, through what importers compute on the way to the list of a
 * reshape. It knows scalar code; it must not know what the extent is for. */
#include "rules/said_numbers.h"

#include "capi/capi.h"
#include "emit/emit.h"
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

/* Importers ask whether an extent is negative: it is not. */
static MlirValue chosen(MlirOperation select, MlirValue number, int left) {
  enum { SLT = 2 }; /* arith's number */
  int64_t than;
  MlirOperation compare = ts_defining_op(mlirOperationGetOperand(select, 0));
  bool asks = compare.ptr && ts_op_is(compare, "arith.cmpi") &&
              ts_op_int(compare, "predicate", -1) == SLT &&
              ts_constant_integer(mlirOperationGetOperand(compare, 1), &than) && than == 0 &&
              extent_asked(mlirOperationGetOperand(compare, 0), left).tensor.ptr;
  return asks ? mlirOperationGetOperand(select, 2) : number;
}

/* An extent that is multiplied and divided by another one of its tensor, or by a small number, is
 * what it was: no such product wraps. */
static MlirValue divided(MlirOperation division, MlirValue number, int left) {
  enum { SMALL = 1 << 16 };
  MlirOperation product = ts_defining_op(mlirOperationGetOperand(division, 0));
  if (!product.ptr || !ts_op_is(product, "arith.muli"))
    return number;
  MlirValue factor = mlirOperationGetOperand(product, 1);
  MlirValue divisor = mlirOperationGetOperand(division, 1);
  extent a = extent_asked(mlirOperationGetOperand(product, 0), left);
  extent b = extent_asked(factor, left), by = extent_asked(divisor, left);
  int64_t times, divides;
  bool by_number = ts_constant_integer(factor, &times) && times > 0 && times < SMALL &&
                   ts_constant_integer(divisor, &divides) && divides == times;
  bool by_extent = a.tensor.ptr == b.tensor.ptr && b.tensor.ptr == by.tensor.ptr &&
                   a.dim != b.dim && b.dim == by.dim && b.dim != TS_DYNAMIC;
  return a.tensor.ptr && (by_number || by_extent) ? mlirOperationGetOperand(product, 0) : number;
}

/* The larger or the smaller one of an extent and itself, as broadcasts are said. */
static MlirValue one_of_equal(MlirOperation op, MlirValue number, int left) {
  extent a = extent_asked(mlirOperationGetOperand(op, 0), left);
  extent b = extent_asked(mlirOperationGetOperand(op, 1), left);
  bool same = a.tensor.ptr && a.tensor.ptr == b.tensor.ptr && a.dim == b.dim && a.dim != TS_DYNAMIC;
  return same ? mlirOperationGetOperand(op, 1) : number;
}

/* The number by fewer ops, as far as extents say. */
static MlirValue simplest(MlirValue number, int left) {
  static const char *const divisions[] = {"arith.divsi", "arith.divui", NULL};
  static const char *const choices[] = {"arith.maxsi", "arith.maxui", "arith.minsi", "arith.minui",
                                        NULL};
  MlirOperation op = ts_defining_op(number);
  MlirValue simpler = number;
  if (!op.ptr || left == 0)
    return number;
  if (ts_op_is(op, "arith.index_cast"))
    simpler = before_cast(op, number);
  else if (ts_op_is(op, "arith.select"))
    simpler = chosen(op, number, left - 1);
  else if (ts_op_is_any(op, divisions))
    simpler = divided(op, number, left - 1);
  else if (ts_op_is_any(op, choices))
    simpler = one_of_equal(op, number, left - 1);
  return mlirValueEqual(simpler, number) ? number : simplest(simpler, left - 1);
}

MlirValue ts_simplest_number(MlirValue number) {
  return simplest(number, MAX_NUMBERS);
}
