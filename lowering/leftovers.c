/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* What bufferization would stumble over: annotations that nobody partitioned, and writes to
 * arguments that callers keep. Knows single ops. */
#include "leftovers.h"

#include "build.h"
#include "sites.h"

static void check_op(MlirOperation op, void *user) {
  bool *good = user;
  if (ts_op_is(op, "shard.shard"))
    *good = ts_lower_error(mlirOperationGetLocation(op),
                           "this annotation was not partitioned: run tessera-partition first");
}

bool ts_leftovers_check(MlirOperation module) {
  bool good = true;
  ts_each_op(module, check_op, &good);
  return good;
}
