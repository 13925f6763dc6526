/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The row of the table of collectives that an op has. It knows names of ops; it must not know the
 * rows. */
#include "collectives/collectives.h"
#include "support/ir.h"

const ts_collective *ts_collective_of(MlirOperation op) {
  return ts_collective_named(ts_op_name(op));
}
