/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Words about operations and attributes. Knows no op in particular. */
#include "support/ir.h"

#include <string.h>

const char *ts_op_name(MlirOperation op) {
  return mlirIdentifierStr(mlirOperationGetName(op)).data;
}

bool ts_op_is(MlirOperation op, const char *name) {
  MlirStringRef text = mlirIdentifierStr(mlirOperationGetName(op));
  return text.length == strlen(name) && !memcmp(text.data, name, text.length);
}

MlirAttribute ts_attribute(MlirOperation op, const char *name) {
  return mlirOperationGetAttributeByName(op, mlirStringRefCreateFromCString(name));
}

MlirNamedAttribute ts_named(MlirContext context, const char *name, MlirAttribute value) {
  return mlirNamedAttributeGet(mlirIdentifierGet(context, mlirStringRefCreateFromCString(name)),
                               value);
}

MlirOperation ts_defining_op(MlirValue value) {
  if (!mlirValueIsAOpResult(value))
    return (MlirOperation){NULL};
  return mlirOpResultGetOwner(value);
}
