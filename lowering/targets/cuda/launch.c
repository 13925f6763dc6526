/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Kernels as launches over a grid: its size, and memory as threads see it. It knows gpu.launch; it
 * must not know what a thread does. */
#include "lowering/targets/cuda/launch.h"

#include "capi/capi.h"
#include "lowering/targets/body.h"
#include "lowering/targets/cpu/loops.h"
#include "lowering/targets/cuda/kernel_code.h"
#include "lowering/targets/cuda/row_grid.h"
#include "lowering/targets/cuda/thread.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

/* ---- which kernels --------------------------------------------------------------------------- */

/* Device code calls nothing, and allocates nothing; tessera_rt_fail ends it. */
static MlirWalkResult note_host_only(MlirOperation op, void *user) {
  bool *found = user;
  *found |= ts_op_is(op, "func.call") || ts_op_is(op, "memref.alloc") ||
            ts_op_is(op, "memref.dealloc") || ts_op_is(op, "memref.copy") ||
            (ts_op_is(op, "llvm.call") &&
             !ts_string_equal(ts_op_symbol(op, "callee"), "tessera_rt_fail"));
  return MlirWalkResultAdvance;
}

static bool is_for_host(const ts_kernel *kernel) {
  bool found = false;
  for (int n = 0; n < kernel->num_nests; n++)
    mlirOperationWalk(kernel->nests[n]->op, note_host_only, &found, MlirWalkPreOrder);
  return found;
}

/* ---- memory ---------------------------------------------------------------------------------- */

/* Memory of a thread's own. */
static MlirValue thread_memory(const ts_maker *build, const ts_pointer *pointer) {
  int32_t segments[] = {0, 0};
  MlirNamedAttribute attribute = ts_named(build->context, "operandSegmentSizes",
                                          mlirDenseI32ArrayGet(build->context, 2, segments));
  return ts_make_value(build, "memref.alloca", 0, NULL,
                       ts_body_flat_type(pointer->element, pointer->elements), 1, &attribute);
}

static MlirValue block_memory(ts_cuda_code *code, const ts_pointer *pointer) {
  int64_t size = pointer->elements * (code->grid.threads / code->grid.team);
  MlirAttribute space = mlirAttributeParseGet(
      code->e.context, mlirStringRefCreateFromCString("#gpu.address_space<workgroup>"));
  MlirType type = mlirMemRefTypeContiguousGet(pointer->element, 1, &size, space);
  return mlirBlockAddArgument(code->launched, type, mlirLocationUnknownGet(code->e.context));
}

static void make_memory(ts_cuda_code *code, const ts_maker *build) {
  const ts_kernel *kernel = code->e.kernel;
  for (int p = 0; p < kernel->num_pointers; p++) {
    const ts_pointer *pointer = &kernel->pointers[p];
    if (!pointer->elements)
      code->e.memory[p] = ts_body_flat_memref(build, code->pointers[p], pointer->element);
    else if (code->grid.kind != TS_GRID_THREADS)
      code->e.memory[p] = block_memory(code, pointer);
    else
      code->e.memory[p] = thread_memory(build, pointer);
  }
}

static bool reads(const ts_kernel *kernel, int p) {
  for (int n = 0; n < kernel->num_nests; n++)
    for (int a = 0; a < kernel->nests[n]->num_accesses; a++)
      if (kernel->pointer_of[n][a] == p && kernel->nests[n]->accesses[a].reads)
        return true;
  return false;
}

/* What is read and written may have been written by another thread of the team, behind a wait:
 * LLVM, which knows one thread alone, takes noalias for that nobody else does. */
static void share_memory(const ts_kernel *kernel, MlirOperation function) {
  static const char name[] = "arg_attrs";
  MlirContext context = mlirOperationGetContext(function);
  MlirAttribute before = ts_attribute(function, name);
  intptr_t num = mlirArrayAttrGetNumElements(before), argument = 0;
  MlirAttribute *all = TS_NEW(kernel->memories->arena, MlirAttribute, num);
  for (intptr_t i = 0; i < num; i++)
    all[i] = mlirArrayAttrGetElement(before, i);
  for (int p = 0; p < kernel->num_pointers; p++) {
    if (kernel->pointers[p].elements)
      continue;
    if (kernel->pointers[p].is_written && reads(kernel, p))
      all[argument] = mlirDictionaryAttrGet(context, 0, NULL);
    argument++;
  }
  mlirOperationSetAttributeByName(function, mlirStringRefCreateFromCString(name),
                                  mlirArrayAttrGet(context, num, all));
}

/* ---- the launch ------------------------------------------------------------------------------ */

enum { LAUNCH_ARGUMENTS = 12, WORKGROUP_POSITION = LAUNCH_ARGUMENTS };

/* As many blocks as it takes for all steps. */
static MlirValue make_blocks(ts_cuda_code *code, const ts_maker *build) {
  const ts_grid_loops *loops = &code->grid.loops[0];
  int64_t each = code->grid.kind == TS_GRID_THREADS ? code->grid.threads * code->grid.width
                                                    : code->grid.threads / code->grid.team;
  MlirValue steps =
      ts_thread_extents(&code->e, build, code->e.kernel->nests[0], loops->num_grid, loops->grid);
  MlirValue more =
      ts_body_arithmetic(&code->e, build, "arith.addi", steps, ts_make_index(build, each - 1));
  return ts_make_binary(build, "arith.divui", more, ts_make_index(build, each));
}

static MlirOperation make_launch(ts_cuda_code *code, const ts_maker *build) {
  MlirType types[LAUNCH_ARGUMENTS];
  MlirLocation locations[LAUNCH_ARGUMENTS];
  MlirValue one = ts_make_index(build, 1);
  MlirValue operands[] = {
      make_blocks(code, build), one, one, ts_make_index(build, code->grid.threads), one, one};
  for (int i = 0; i < LAUNCH_ARGUMENTS; i++) {
    types[i] = mlirIndexTypeGet(build->context);
    locations[i] = build->location;
  }
  code->launched = mlirBlockCreate(LAUNCH_ARGUMENTS, types, locations);
  code->block = mlirBlockGetArgument(code->launched, 0);
  code->thread = mlirBlockGetArgument(code->launched, 3);
  MlirRegion region = mlirRegionCreate();
  mlirRegionAppendOwnedBlock(region, code->launched);
  const int32_t segments[] = {0, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0};
  MlirNamedAttribute attribute = ts_named(build->context, "operandSegmentSizes",
                                          mlirDenseI32ArrayGet(build->context, 11, segments));
  return ts_make_op(build, &(ts_new_op){.name = "gpu.launch",
                                        .num_operands = 6,
                                        .operands = operands,
                                        .num_attributes = 1,
                                        .attributes = &attribute,
                                        .region = region});
}

static void read_arguments(ts_cuda_code *code, MlirBlock entry) {
  const ts_kernel *kernel = code->e.kernel;
  intptr_t argument = 0;
  for (int p = 0; p < kernel->num_pointers; p++)
    if (!kernel->pointers[p].elements)
      code->pointers[p] = mlirBlockGetArgument(entry, argument++);
  for (int s = 0; s < kernel->num_symbols; s++)
    code->e.symbols[kernel->symbols[s]] = mlirBlockGetArgument(entry, argument++);
  for (int c = 0; c < kernel->num_captured; c++)
    ts_body_know(&code->e, kernel->captured[c], mlirBlockGetArgument(entry, argument++));
}

static void emit(const ts_kernel *kernel, MlirOperation function) {
  if (is_for_host(kernel)) {
    ts_cpu_kernels.emit(kernel, function);
    return;
  }
  MlirContext context = mlirOperationGetContext(function);
  ts_arena *arena = kernel->memories->arena;
  ts_cuda_code code = {.e = {.kernel = kernel, .arena = arena, .context = context}};
  code.e.nsw =
      mlirAttributeParseGet(context, mlirStringRefCreateFromCString("#arith.overflow<nsw>"));
  code.e.symbols = TS_NEW(arena, MlirValue, kernel->memories->num_symbols);
  code.e.memory = TS_NEW(arena, MlirValue, kernel->num_pointers);
  code.pointers = TS_NEW(arena, MlirValue, kernel->num_pointers);
  MlirBlock entry = ts_function_entry(function);
  ts_maker build = ts_make_at_end(entry, mlirOperationGetLocation(function));
  read_arguments(&code, entry);
  ts_grid_choose(kernel, arena, &code.grid);
  ts_row_grid_choose(kernel, arena, &code.grid);
  if (code.grid.kind != TS_GRID_THREADS)
    share_memory(kernel, function);
  MlirOperation launch = make_launch(&code, &build);
  ts_maker inside = ts_make_at_end(code.launched, build.location);
  make_memory(&code, &inside);
  if (code.grid.kind == TS_GRID_ROWS)
    ts_cuda_emit_rows(&code, &inside);
  else if (code.grid.kind == TS_GRID_TEAMS)
    ts_cuda_emit_teams(&code, &inside);
  else
    ts_cuda_emit_threads(&code, &inside);
  ts_make_op(&inside, &(ts_new_op){.name = "gpu.terminator"});
  intptr_t num_memory = mlirBlockGetNumArguments(code.launched) - LAUNCH_ARGUMENTS;
  if (num_memory)
    mlirOperationSetAttributeByName(launch,
                                    mlirStringRefCreateFromCString("workgroup_attributions"),
                                    ts_int_attribute(ts_i64_type(context), num_memory));
  ts_make_op(&build, &(ts_new_op){.name = "func.return"});
}

/* A step is a block's at the most: larger ones would leave the others without work. What it keeps
 * is the block's memory, beside what its threads combine. */
const ts_kernel_target ts_cuda_kernels = {.name = "cuda",
                                          .order = TS_NEST_PARALLEL_FIRST,
                                          .most_step_bytes = 1 << 20,
                                          .count = ts_steps_elements,
                                          .most_private_bytes = 40 << 10,
                                          .emit = emit};
