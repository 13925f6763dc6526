/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Views as upstream tells them, and one that it does not tell. */
#include "ir/memory_views.h"

#include "capi/capi.h"
#include "support/ir.h"

MlirValue ts_view_source(MlirOperation op) {
  return ts_op_is(op, "memref.transpose") ? mlirOperationGetOperand(op, 0) : ts_op_view_source(op);
}

MlirValue ts_view_root(MlirValue value) {
  MlirOperation op = ts_defining_op(value);
  for (MlirValue source; op.ptr && !mlirValueIsNull(source = ts_view_source(op));
       op = ts_defining_op(value))
    value = source;
  return value;
}
