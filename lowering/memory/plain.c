/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Functions whose memory is plain: each buffer ends in the block that it is allocated in, or is
 * returned. It knows memrefs; it must not know sizes. */
#include "lowering/memory/plain.h"

#include "capi/capi.h"
#include "ir/build.h"
#include "ir/memory_views.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "support/blocks.h"

/* Memory that a function owns: an allocation, or what a call has given. */
typedef struct reading {
  ts_arena *arena;
  MlirBlock entry;
  bool is_plain;
  int num, max;
  MlirValue *ending; /* buffers that are freed at the end of their block */
} reading;

static bool is_memory(MlirValue value) {
  return mlirTypeIsAMemRef(mlirValueGetType(value)) ||
         mlirTypeIsAUnrankedMemRef(mlirValueGetType(value));
}

static bool has_memory_result(MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); i++)
    if (is_memory(mlirOperationGetResult(op, i)))
      return true;
  return false;
}

/* ---- what becomes of a buffer ---------------------------------------------------------------- */

typedef struct pursuit {
  MlirBlock block; /* of the buffer */
  int num_returns;
} pursuit;

/* Something else may have the memory behind `user`. A call gives memory of its own, by the
 * convention of upstream's deallocation. */
static bool passes_on(MlirOperation user) {
  return ts_op_is_terminator(user) || (has_memory_result(user) && !ts_op_is(user, "func.call"));
}

/* `value` is the buffer, as a whole or a view of it. False where something may pass it on. */
static bool follow(pursuit *p, MlirValue value, bool is_whole) {
  for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    bool good = ts_ancestor_in(p->block, user).ptr;
    if (ts_op_is(user, "func.return") && is_whole)
      p->num_returns++;
    else if (mlirValueEqual(ts_view_source(user), value))
      good = good && follow(p, mlirOperationGetResult(user, 0), false);
    else
      good = good && !passes_on(user);
    if (!good)
      return false;
  }
  return true;
}

static void read_buffer(reading *r, MlirOperation op, MlirValue buffer) {
  pursuit p = {.block = mlirOperationGetBlock(op)};
  if (!follow(&p, buffer, true) || p.num_returns > 1) {
    r->is_plain = false;
    return;
  }
  if (p.num_returns == 1)
    return;
  r->ending = ts_arena_grow(r->arena, r->ending, r->num, &r->max, sizeof(MlirValue));
  r->ending[r->num++] = buffer;
}

/* ---- functions ------------------------------------------------------------------------------- */

static bool owns(MlirOperation op) {
  return ts_op_is(op, "memref.alloc") || ts_op_is(op, "func.call");
}

/* Gives memory that nobody frees. */
static bool lends(MlirOperation op) {
  return ts_op_is(op, "memref.get_global") || ts_op_is(op, "memref.alloca") ||
         !mlirValueIsNull(ts_view_source(op));
}

/* What is returned is the caller's to free: a buffer of the function's own. */
static void read_return(reading *r, MlirOperation op) {
  r->is_plain &= mlirBlockEqual(mlirOperationGetBlock(op), r->entry);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
    MlirValue value = mlirOperationGetOperand(op, i);
    MlirOperation maker = ts_defining_op(value);
    if (is_memory(value))
      r->is_plain &=
          maker.ptr && owns(maker) && mlirBlockEqual(mlirOperationGetBlock(maker), r->entry);
  }
}

static void read_op(MlirOperation op, void *user) {
  reading *r = user;
  if (!r->is_plain)
    return;
  if (ts_op_is(op, "func.return"))
    read_return(r, op);
  else if (ts_op_is(op, "memref.dealloc"))
    r->is_plain = false;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op) && r->is_plain; i++) {
    MlirValue result = mlirOperationGetResult(op, i);
    if (!is_memory(result))
      continue;
    if (owns(op))
      read_buffer(r, op, result);
    else
      r->is_plain = lends(op);
  }
}

static void free_at_end(MlirValue buffer) {
  MlirBlock block = mlirOperationGetBlock(mlirOpResultGetOwner(buffer));
  ts_maker build = ts_make_before(mlirBlockGetTerminator(block));
  ts_make_op(&build,
             &(ts_new_op){.name = "memref.dealloc", .num_operands = 1, .operands = &buffer});
}

static void set_aside(ts_plain_functions *plain, ts_arena *arena, MlirOperation function) {
  static const char visibility[] = "sym_visibility";
  ts_plain_function aside = {function, mlirRegionCreate(), ts_attribute(function, visibility)};
  mlirRegionTakeBody(aside.body, mlirOperationGetRegion(function, 0));
  mlirOperationSetAttributeByName(function, mlirStringRefCreateFromCString(visibility),
                                  ts_text_attribute(mlirOperationGetContext(function), "private"));
  plain->functions =
      ts_arena_grow(arena, plain->functions, plain->num, &plain->max, sizeof(ts_plain_function));
  plain->functions[plain->num++] = aside;
}

static void free_memory(ts_plain_functions *plain, ts_arena *arena, MlirOperation function) {
  ts_arena scratch = {0};
  reading r = {.arena = &scratch, .entry = ts_function_entry(function), .is_plain = true};
  r.is_plain = !mlirBlockGetNextInRegion(r.entry).ptr;
  ts_each_op(function, read_op, &r);
  for (int i = 0; i < r.num && r.is_plain; i++)
    free_at_end(r.ending[i]);
  if (r.is_plain)
    set_aside(plain, arena, function);
  ts_arena_free(&scratch);
}

void ts_memory_free_plain(ts_plain_functions *plain, ts_arena *arena, MlirOperation module) {
  for (MlirOperation op = mlirBlockGetFirstOperation(ts_module_body(module)); op.ptr;
       op = mlirOperationGetNextInBlock(op))
    if (ts_op_is(op, "func.func") && ts_function_entry(op).ptr)
      free_memory(plain, arena, op);
}

void ts_memory_restore_plain(ts_plain_functions *plain) {
  static const char visibility[] = "sym_visibility";
  for (int i = 0; i < plain->num; i++) {
    ts_plain_function *aside = &plain->functions[i];
    mlirRegionTakeBody(mlirOperationGetRegion(aside->function, 0), aside->body);
    mlirRegionDestroy(aside->body);
    if (mlirAttributeIsNull(aside->visibility))
      mlirOperationRemoveAttributeByName(aside->function,
                                         mlirStringRefCreateFromCString(visibility));
    else
      mlirOperationSetAttributeByName(aside->function, mlirStringRefCreateFromCString(visibility),
                                      aside->visibility);
  }
  plain->num = 0;
}
