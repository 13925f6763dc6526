/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Each function is looked at once, with those that it calls; what calls itself is not plain, and
 * may do anything. It must not know who asks. */
#include "optimize/plain.h"

#include <string.h>

#include "capi/capi.h"
#include "mlir-c/BuiltinAttributes.h"
#include "optimize/communication.h"
#include "support/ir.h"

/* Answers, as a map keeps them; a function is not plain while it is looked at. */
static const char yes, no;

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
  bool is_so;
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
  l->is_so = keeps_plain(l->plain, op);
  return l->is_so ? MlirWalkResultAdvance : MlirWalkResultInterrupt;
}

static bool is_plain(ts_plain *plain, MlirOperation function) {
  const char *answer = ts_map_get(&plain->answers, function.ptr);
  if (answer)
    return answer == &yes;
  ts_map_set(&plain->answers, plain->arena, function.ptr, (void *)&no);
  look l = {plain, true};
  mlirOperationWalk(function, look_at, &l, MlirWalkPreOrder);
  if (l.is_so)
    ts_map_set(&plain->answers, plain->arena, function.ptr, (void *)&yes);
  return l.is_so;
}

static MlirOperation callee_of(ts_plain *plain, MlirOperation call) {
  const void *name = key_of(call, ts_op_symbol(call, "callee"));
  return (MlirOperation){ts_map_get(&plain->functions, name)};
}

bool ts_is_plain_call(ts_plain *plain, MlirOperation op) {
  if (!ts_op_is(op, "func.call"))
    return false;
  MlirOperation callee = callee_of(plain, op);
  return callee.ptr && is_plain(plain, callee);
}

bool ts_tells_devices_apart(ts_plain *plain, MlirOperation op) {
  const char *name = ts_op_name(op);
  return strncmp(name, "shard.", strlen("shard.")) == 0 ||
         strncmp(name, "tessera.", strlen("tessera.")) == 0 ||
         (ts_op_is(op, "func.call") && !ts_is_plain_call(plain, op));
}

static MlirWalkResult find_memory(MlirOperation op, void *user) {
  bool *found = user;
  *found = ts_communicates_memory(op);
  return *found ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

bool ts_is_free_of_effects(MlirOperation op) {
  bool found = false;
  if (!ts_op_is_memory_effect_free(op))
    return false;
  mlirOperationWalk(op, find_memory, &found, MlirWalkPreOrder);
  return !found;
}

static bool may_send(ts_plain *plain, MlirOperation function);

/* A function that nobody sees may do anything. */
static bool is_message(ts_plain *plain, MlirOperation op) {
  if (ts_op_is(op, "func.call")) {
    MlirOperation callee = callee_of(plain, op);
    return !callee.ptr || may_send(plain, callee);
  }
  return ts_op_is(op, "func.call_indirect") || (ts_collective_of(op) && !ts_is_free_of_effects(op));
}

static MlirWalkResult find_message(MlirOperation op, void *user) {
  look *l = user;
  l->is_so = is_message(l->plain, op);
  return l->is_so ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

bool ts_may_be_message(ts_plain *plain, MlirOperation op) {
  look l = {plain, false};
  mlirOperationWalk(op, find_message, &l, MlirWalkPreOrder);
  return l.is_so;
}

/* A function counts as one that sends while it is looked at. */
static bool may_send(ts_plain *plain, MlirOperation function) {
  const char *answer = ts_map_get(&plain->senders, function.ptr);
  if (answer)
    return answer == &yes;
  ts_map_set(&plain->senders, plain->arena, function.ptr, (void *)&yes);
  bool sends = ts_may_be_message(plain, function);
  if (!sends)
    ts_map_set(&plain->senders, plain->arena, function.ptr, (void *)&no);
  return sends;
}
