/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The few words about operations and attributes that every stage needs. Knows no op in particular.
 */
#ifndef TESSERA_PLUGIN_SUPPORT_IR_H
#define TESSERA_PLUGIN_SUPPORT_IR_H

#include <stdbool.h>

#include "mlir-c/IR.h"

/* The op's name, "linalg.matmul"; valid as long as the context. */
const char *ts_op_name(MlirOperation op);
bool ts_op_is(MlirOperation op, const char *name);
/* The op's attribute `name`, null if it has none. */
MlirAttribute ts_attribute(MlirOperation op, const char *name);
/* The op that defines `value`, or null. */
MlirOperation ts_defining_op(MlirValue value);
/* `name` = `value`, as op builders take it. */
MlirNamedAttribute ts_named(MlirContext context, const char *name, MlirAttribute value);

#endif /* TESSERA_PLUGIN_SUPPORT_IR_H */
