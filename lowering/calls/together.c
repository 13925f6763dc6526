/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Starts and waits in place of calls that block: which calls, and what may stand between them. It
 * knows memory by where it comes from; it must not know what a collective moves. */
#include "lowering/calls/together.h"

#include "capi/capi.h"
#include "collectives/collectives.h"
#include "ir/memory_views.h"
#include "mlir-c/BuiltinTypes.h"
#include "support/blocks.h"

enum { MOST_TOGETHER = 16 }; /* of a group, that the runtime has under way */

/* Calls behind each other, none of which has to come before another, and what they use. */
typedef struct run {
  ts_wrappers *wrappers;
  ts_arena arena;
  int num;
  MlirOperation calls[MOST_TOGETHER];
  MlirValue reads[MOST_TOGETHER], writes[MOST_TOGETHER]; /* memory, and not views of it */
  int num_ends, max_ends;
  MlirOperation *ends; /* what frees memory, between the calls */
} run;

/* ---- memory ---------------------------------------------------------------------------------- */

static bool is_made_by(MlirValue root, const char *name) {
  MlirOperation op = ts_defining_op(root);
  return op.ptr && ts_op_is(op, name);
}

/* Other memory than that of `alloc`: another allocation, a constant, or what was there before. */
static bool is_apart(MlirValue root, MlirValue alloc) {
  return !mlirValueEqual(root, alloc) &&
         (is_made_by(root, "memref.alloc") || is_made_by(root, "memref.get_global") ||
          ts_known_before(root, ts_defining_op(alloc)));
}

/* Nothing of the run writes that memory. */
static bool may_read(const run *run, MlirValue root) {
  for (int i = 0; i < run->num; i++)
    if (!is_apart(root, run->writes[i]))
      return false;
  return true;
}

/* Nothing of the run reads or writes that memory. */
static bool may_write(const run *run, MlirValue root) {
  if (!is_made_by(root, "memref.alloc") || !may_read(run, root))
    return false;
  for (int i = 0; i < run->num; i++)
    if (!is_apart(run->reads[i], root))
      return false;
  return true;
}

/* ---- what stands between --------------------------------------------------------------------- */

/* Asks the runtime for a number that it has without other ranks. */
static bool is_question(MlirOperation op) {
  static const char *const questions[] = {"tessera_rt_bytes", "tessera_rt_process_index",
                                          "tessera_rt_grid_extent"};
  MlirStringRef callee = ts_op_symbol(op, "callee");
  for (size_t i = 0; i < sizeof(questions) / sizeof(questions[0]); i++)
    if (ts_op_is(op, "llvm.call") && ts_string_equal(callee, questions[i]))
      return true;
  return false;
}

/* `op` may stand between a start and its wait; what frees memory is noted, to come behind that: it
 * may be memory that is under way, by whatever name. */
static bool may_stand(run *run, MlirOperation op) {
  if (ts_op_is_terminator(op))
    return false;
  if (ts_op_is(op, "memref.dealloc")) {
    run->ends =
        ts_arena_grow(&run->arena, run->ends, run->num_ends, &run->max_ends, sizeof(*run->ends));
    run->ends[run->num_ends++] = op;
    return true;
  }
  if (ts_op_is(op, "memref.load"))
    return may_read(run, ts_view_root(mlirOperationGetOperand(op, 0)));
  return ts_op_is(op, "memref.alloc") || ts_op_is(op, "memref.get_global") || is_question(op) ||
         ts_op_is_pure(op);
}

/* ---- calls ----------------------------------------------------------------------------------- */

/* `op` as a call of a collective that is messages between pairs. */
static bool read_call(MlirOperation op, ts_call *call) {
  MlirStringRef function = ts_wrapped_function(op);
  *call = (ts_call){.num_words = TS_CALL_NO_WORDS};
  for (int i = 0; !call->name && i < ts_num_collectives; i++) {
    const ts_collective *row = &ts_collectives[i];
    if (row->pairs && ts_string_equal(function, row->function))
      call->name = row->function;
  }
  if (!call->name)
    return false;
  intptr_t num = mlirOperationGetNumOperands(op), first = 1; /* behind the site */
  for (; first < num; first++) {
    MlirType type = mlirValueGetType(mlirOperationGetOperand(op, first));
    if (!mlirTypeIsAMemRef(type))
      break;
    call->memrefs[call->num_memrefs++] = type;
  }
  if (first < num)
    call->num_words = num - first;
  return true;
}

/* The call as one of the wrapper that starts it; what it gives is waited for before `behind`. */
static void split_call(const run *run, MlirOperation op, MlirOperation behind) {
  ts_call call;
  char name[512];
  MlirContext context = run->wrappers->context;
  MlirType pointer = ts_pointer_type(context), types[] = {pointer, pointer};
  read_call(op, &call);
  call.starts = true;
  ts_wrappers_add(run->wrappers, &call);
  ts_wrapper_name(&call, name, sizeof(name));
  ts_maker build = ts_make_before(op);
  intptr_t num = mlirOperationGetNumOperands(op);
  ts_arena scratch = {0};
  MlirValue *operands = TS_NEW(&scratch, MlirValue, num);
  for (intptr_t i = 0; i < num; i++)
    operands[i] = mlirOperationGetOperand(op, i);
  MlirNamedAttribute callee = ts_named(context, "callee", ts_symbol_attribute(context, name));
  MlirValue started = ts_make_value(&build, "func.call", num, operands, pointer, 1, &callee);
  ts_maker end = ts_make_before(behind);
  end.location = build.location;
  ts_make_llvm_call(&end, "tessera_rt_wait", 2, (MlirValue[]){operands[0], started});
  ts_wrappers_declare(run->wrappers, "tessera_rt_wait", (MlirType){NULL}, 2, types);
  mlirOperationDestroy(op);
  ts_arena_free(&scratch);
}

/* Before `behind`, which may not stand between. */
static void end_run(run *run, MlirOperation behind) {
  if (run->num > 1) {
    for (int i = 0; i < run->num; i++)
      split_call(run, run->calls[i], behind);
    for (int i = 0; i < run->num_ends; i++)
      mlirOperationMoveBefore(run->ends[i], behind);
  }
  run->num = run->num_ends = 0;
}

static void add_call(run *run, MlirOperation op, const ts_call *call) {
  MlirValue reads = ts_view_root(mlirOperationGetOperand(op, 1));
  MlirValue writes = ts_view_root(mlirOperationGetOperand(op, call->num_memrefs));
  if (run->num == MOST_TOGETHER || !may_read(run, reads) || !may_write(run, writes))
    end_run(run, op);
  if (!is_made_by(writes, "memref.alloc"))
    return;
  run->calls[run->num] = op;
  run->reads[run->num] = reads;
  run->writes[run->num++] = writes;
}

static void rewrite_block(run *run, MlirBlock block) {
  MlirOperation next;
  for (MlirOperation op = mlirBlockGetFirstOperation(block); op.ptr; op = next) {
    ts_call call;
    next = mlirOperationGetNextInBlock(op);
    if (read_call(op, &call))
      add_call(run, op, &call);
    else if (run->num > 0 && !may_stand(run, op))
      end_run(run, op);
  }
}

static void rewrite_regions(MlirOperation op, void *user) {
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); r++)
    for (MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, r)); block.ptr;
         block = mlirBlockGetNextInRegion(block))
      rewrite_block(user, block);
}

void ts_calls_start_together(ts_wrappers *wrappers) {
  run run = {.wrappers = wrappers};
  ts_each_op(wrappers->module, rewrite_regions, &run);
  ts_arena_free(&run.arena);
}
