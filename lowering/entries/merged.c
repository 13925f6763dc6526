/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Entry functions of many parameters as part of their wrappers. It knows calls; it must not know
 * what is passed. */
#include "lowering/entries/merged.h"

#include "capi/capi.h"
#include "ir/build.h"
#include "ir/memory_views.h"
#include "mlir-c/BuiltinAttributes.h"
#include "support/blocks.h"

/* LLVM looks at each parameter of a call as often as there are parameters, at each word of what is
 * returned as often as there are words, and at all pairs of words that are loaded or stored between
 * two calls. */
enum { MOST_PASSED = 64 };

/* ---- calls ----------------------------------------------------------------------------------- */

typedef struct callers {
  ts_arena *arena;
  ts_map calls; /* symbol reference -> its one call */
  ts_map other; /* symbol reference -> itself, if there are several calls */
} callers;

static void note_call(MlirOperation op, void *user) {
  callers *c = user;
  MlirAttribute callee = ts_attribute(op, "callee");
  if (mlirAttributeIsNull(callee))
    return;
  if (ts_map_get(&c->calls, callee.ptr))
    ts_map_set(&c->other, c->arena, callee.ptr, op.ptr);
  else
    ts_map_set(&c->calls, c->arena, callee.ptr, op.ptr);
}

static MlirOperation only_call_of(callers *c, const ts_entry *entry, MlirContext context) {
  MlirAttribute callee = ts_symbol_attribute(context, entry->symbol);
  MlirOperation none = {NULL}, call = {ts_map_get(&c->calls, callee.ptr)};
  return ts_map_get(&c->other, callee.ptr) ? none : call;
}

/* ---- arguments ------------------------------------------------------------------------------- */

typedef struct merging {
  MlirOperation call;
  MlirBlock body; /* of the function */
} merging;

/* What makes an argument out of what the wrapper is given: loads, before anything of the body. */
static bool reads_argument(MlirOperation op) {
  return ts_op_is(op, "builtin.unrealized_conversion_cast") || ts_op_is(op, "llvm.load") ||
         ts_op_is(op, "llvm.getelementptr");
}

/* Moves what makes `value` to before the call, behind that part of the body that is there. */
static void make_here(const merging *m, MlirValue value) {
  MlirOperation op = ts_defining_op(value);
  if (!op.ptr || !reads_argument(op))
    return;
  make_here(m, mlirOperationGetOperand(op, 0));
  mlirOperationMoveBefore(op, m->call);
}

/* Brings what `op` uses, and what is inside of it: arguments, and views that were put off. */
static void bring_operands(MlirOperation op, void *user) {
  merging *m = user;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
    MlirValue operand = mlirOperationGetOperand(op, i);
    if (!mlirBlockEqual(ts_block_of(operand), m->body))
      continue;
    if (mlirValueIsABlockArgument(operand)) {
      MlirValue given = mlirOperationGetOperand(m->call, mlirBlockArgumentGetArgNumber(operand));
      make_here(m, given);
      mlirValueReplaceAllUsesOfWith(operand, given);
    } else {
      MlirOperation view = mlirOpResultGetOwner(operand);
      bring_operands(view, m);
      mlirOperationMoveBefore(view, m->call);
    }
  }
}

/* ---- results --------------------------------------------------------------------------------- */

/* Moves the op that makes `value` to behind `last`, if it is one of the wrapper's that nothing else
 * uses, and before it what makes its operand; gives the last one then. */
static MlirOperation make_behind(MlirOperation last, MlirValue value) {
  MlirOperation op = ts_defining_op(value);
  if (!op.ptr || !reads_argument(op))
    return last;
  last = make_behind(last, mlirOperationGetOperand(op, 0));
  mlirOperationMoveAfter(op, last);
  return op;
}

/* A result is the caller's as soon as its memory is there: what is in it counts when the wrapper
 * returns. */
static void store_early(MlirOperation store) {
  MlirValue stored = mlirOperationGetOperand(store, 0);
  MlirOperation cast = ts_defining_op(stored);
  if (!cast.ptr || !ts_op_is(cast, "builtin.unrealized_conversion_cast") || !ts_has_one_use(stored))
    return;
  MlirOperation made = ts_defining_op(mlirOperationGetOperand(cast, 0));
  if (!made.ptr)
    return;
  mlirOperationMoveAfter(cast, made);
  mlirOperationMoveAfter(store, make_behind(cast, mlirOperationGetOperand(store, 1)));
}

static void store_results(MlirOperation op) {
  for (MlirOperation next; op.ptr; op = next) {
    next = mlirOperationGetNextInBlock(op);
    if (ts_op_is(op, "llvm.store"))
      store_early(op);
  }
}

/* ---- bodies ---------------------------------------------------------------------------------- */

static void merge(MlirOperation function, MlirOperation call) {
  merging m = {call, ts_function_entry(function)};
  MlirOperation returns = mlirBlockGetTerminator(m.body), next;
  for (MlirOperation op = mlirBlockGetFirstOperation(m.body); !mlirOperationEqual(op, returns);
       op = next) {
    next = mlirOperationGetNextInBlock(op);
    if (!mlirValueIsNull(ts_view_source(op)))
      continue;
    ts_each_op(op, bring_operands, &m);
    mlirOperationMoveBefore(op, call);
  }
  bring_operands(returns, &m);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(call); i++)
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(call, i),
                                  mlirOperationGetOperand(returns, i));
  store_results(mlirOperationGetNextInBlock(call));
  mlirOperationDestroy(call);
  mlirOperationDestroy(function);
}

static void visit_entry(callers *c, ts_records *records, const ts_entry *entry) {
  MlirOperation function = ts_module_symbol(records->module, entry->symbol);
  MlirOperation call = only_call_of(c, entry, records->context);
  MlirBlock body = ts_function_entry(function);
  if (entry->num_arguments + entry->num_results > MOST_PASSED && call.ptr &&
      ts_op_is(call, "func.call") && !mlirBlockGetNextInRegion(body).ptr)
    merge(function, call);
}

void ts_entries_merge(const ts_entries *entries, ts_records *records) {
  ts_arena arena = {0};
  callers c = {.arena = &arena};
  ts_each_op(records->module, note_call, &c);
  for (intptr_t i = 0; i < entries->num; i++)
    visit_entry(&c, records, &entries->entries[i]);
  ts_arena_free(&arena);
}
