/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* tensor.gather and tensor.scatter: slices of a tensor at places that another tensor lists. It
 * knows how these ops say it; it must not know what is done with the slices. */
#include "ir/listed.h"

#include <stdio.h>

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

ts_listed ts_listed_read(MlirOperation op) {
  bool gathers = ts_op_is(op, "tensor.gather");
  ts_listed l = {.op = op, .dims = ts_attribute(op, gathers ? "gather_dims" : "scatter_dims")};
  l.whole = mlirOperationGetOperand(op, gathers ? 0 : 1);
  l.slices = gathers ? mlirOperationGetResult(op, 0) : mlirOperationGetOperand(op, 0);
  l.indices = mlirOperationGetOperand(op, gathers ? 1 : 2);
  l.whole_rank = mlirShapedTypeGetRank(mlirValueGetType(l.whole));
  l.leading = mlirShapedTypeGetRank(mlirValueGetType(l.indices)) - 1;
  l.keeps_ones = mlirShapedTypeGetRank(mlirValueGetType(l.slices)) == l.leading + l.whole_rank;
  return l;
}

intptr_t ts_listed_coordinate(const ts_listed *l, intptr_t d) {
  for (intptr_t k = 0; k < mlirDenseArrayGetNumElements(l->dims); k++)
    if (mlirDenseI64ArrayGetElement(l->dims, k) == d)
      return k;
  return -1;
}

intptr_t ts_listed_dim(const ts_listed *l, intptr_t d) {
  if (l->keeps_ones)
    return l->leading + d;
  if (ts_listed_coordinate(l, d) >= 0)
    return -1;
  intptr_t dim = l->leading;
  for (intptr_t before = 0; before < d; before++)
    dim += ts_listed_coordinate(l, before) < 0;
  return dim;
}

void ts_listed_message(intptr_t d, char buffer[TS_LISTED_MESSAGE]) {
  snprintf(buffer, TS_LISTED_MESSAGE, "a coordinate is outside of dimension %d", (int)d);
}

MlirValue ts_make_coordinate(const ts_maker *build, MlirValue number) {
  if (mlirTypeIsAIndex(mlirValueGetType(number)))
    return number;
  return ts_make_value(build, "arith.index_cast", 1, &number, mlirIndexTypeGet(build->context), 0,
                       NULL);
}
