/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Each function is looked at once, with those that it calls; what calls itself is not plain. It
 * must not know who asks. */
#include "optimize/plain.h"

#include <string.h>

#include "capi/capi.h"
#include "mlir-c/BuiltinAttributes.h"
#include "support/ir.h"

/* Answers, as a map keeps them; a function is not plain while it is looked at. */
static const char is_plain_mark, is_not_plain_mark;

static const void *key_of(MlirOperation op, MlirStringRef name) {
  return mlirStringAttrGet(mlirOperationGetContext(op), name).ptr;
}

void ts_plain_init(ts_plain *plain, ts_arena *arena, MlirOperation module) {
  *plain = (ts_plain){.arena = arena};
  for (MlirOperation op = mlirBlockGetFirstOperation(ts_module_body(module)); op.ptr;
       op = mlirOperationGetNextInBlock(op))
    if (ts_op_is(op, "func.func") && ts_function_entry(op).ptr)
      ts_map_set(&plain->functions, arena, key_of(op, ts_op_symbol(op, "sym_name")), op.ptr);
}

typedef struct look {
  ts_plain *plain;
  bool is_plain;
} look;

static bool keeps_plain(ts_plain *plain, MlirOperation op) {
  if (ts_op_is(op, "func.call"))
    return ts_is_plain_call(plain, op);
  return !ts_tells_devices_apart(plain, op) &&
         (ts_op_is_terminator(op) || !ts_op_has_effects_of_its_own(op));
}

static MlirWalkResult look_at(MlirOperation op, void *user) {
  look *l = user;
  if (ts_op_is(op, "func.func"))
    return MlirWalkResultAdvance;
  l->is_plain = keeps_plain(l->plain, op);
  return l->is_plain ? MlirWalkResultAdvance : MlirWalkResultInterrupt;
}

static bool is_plain(ts_plain *plain, MlirOperation function) {
  const char *answer = ts_map_get(&plain->answers, function.ptr);
  if (answer)
    return answer == &is_plain_mark;
  ts_map_set(&plain->answers, plain->arena, function.ptr, (void *)&is_not_plain_mark);
  look l = {plain, true};
  mlirOperationWalk(function, look_at, &l, MlirWalkPreOrder);
  if (l.is_plain)
    ts_map_set(&plain->answers, plain->arena, function.ptr, (void *)&is_plain_mark);
  return l.is_plain;
}

bool ts_is_plain_call(ts_plain *plain, MlirOperation op) {
  if (!ts_op_is(op, "func.call"))
    return false;
  MlirOperation callee = {ts_map_get(&plain->functions, key_of(op, ts_op_symbol(op, "callee")))};
  return callee.ptr && is_plain(plain, callee);
}

bool ts_tells_devices_apart(ts_plain *plain, MlirOperation op) {
  const char *name = ts_op_name(op);
  return strncmp(name, "shard.", strlen("shard.")) == 0 ||
         strncmp(name, "tessera.", strlen("tessera.")) == 0 ||
         (ts_op_is(op, "func.call") && !ts_is_plain_call(plain, op));
}
