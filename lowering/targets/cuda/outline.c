/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Launches apart from their code: a gpu.module of functions for the device, and calls of the
 * runtime with a record for each place where a kernel is launched. It knows functions and symbols;
 * it must not know what kernels do. */
#include "lowering/targets/cuda/outline.h"

#include <stdio.h>
#include <string.h>

#include "capi/capi.h"
#include "lowering/targets/cuda/launcher.h"
#include "lowering/targets/cuda/parameters.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/Dialect/LLVM.h"

/* ---- the code of the device ------------------------------------------------------------------ */

typedef struct outlining {
  ts_lowering *lowering;
  MlirOperation device; /* the gpu.module; null until there is a kernel */
  ts_map inside;        /* value of the function around a launch -> the same in the kernel */
  ts_maker start;       /* of the kernel */
} outlining;

static MlirOperation device_module(outlining *o) {
  if (o->device.ptr)
    return o->device;
  MlirContext context = o->lowering->records.context;
  MlirRegion region = mlirRegionCreate();
  mlirRegionAppendOwnedBlock(region, mlirBlockCreate(0, NULL, NULL));
  MlirNamedAttribute name =
      ts_named(context, "sym_name", ts_text_attribute(context, TS_CUDA_MODULE));
  ts_maker build = ts_make_at_end(ts_module_body(o->lowering->module),
                                  mlirOperationGetLocation(o->lowering->module));
  o->device = ts_make_op(&build, &(ts_new_op){.name = "gpu.module",
                                              .num_attributes = 1,
                                              .attributes = &name,
                                              .region = region});
  MlirAttribute marked = mlirUnitAttrGet(context);
  mlirOperationSetDiscardableAttributeByName(
      o->lowering->module, mlirStringRefCreateFromCString("gpu.container_module"), marked);
  return o->device;
}

static MlirBlock device_body(outlining *o) {
  return mlirRegionGetFirstBlock(mlirOperationGetRegion(device_module(o), 0));
}

static bool has_symbol(MlirBlock body, MlirStringRef symbol) {
  for (MlirOperation op = mlirBlockGetFirstOperation(body); op.ptr;
       op = mlirOperationGetNextInBlock(op))
    if (mlirStringRefEqual(ts_op_symbol(op, "sym_name"), symbol))
      return true;
  return false;
}

static void bring_symbols(MlirOperation op, void *user);

/* Tables and functions that code of the device refers to are there as well. */
static void bring_symbol(outlining *o, MlirStringRef symbol) {
  MlirBlock body = device_body(o);
  char name[512];
  snprintf(name, sizeof(name), "%.*s", (int)symbol.length, symbol.data);
  MlirOperation found = ts_module_symbol(o->lowering->module, name);
  if (!found.ptr || has_symbol(body, symbol))
    return;
  MlirOperation copy = mlirOperationClone(found);
  mlirBlockInsertOwnedOperation(body, 0, copy);
  ts_each_op(copy, bring_symbols, o);
}

static void bring_symbols(MlirOperation op, void *user) {
  if (ts_op_is(op, "llvm.mlir.addressof"))
    bring_symbol(user, ts_op_symbol(op, "global_name"));
  else if (ts_op_is(op, "func.call"))
    bring_symbol(user, ts_op_symbol(op, "callee"));
}

/* What fails on the device ends the kernel. */
static void trap(MlirOperation op, void *user) {
  (void)user;
  if (!ts_op_is(op, "llvm.call") || !ts_string_equal(ts_op_symbol(op, "callee"), "tessera_rt_fail"))
    return;
  MlirOperation words[2];
  for (int i = 0; i < 2; i++)
    words[i] = ts_defining_op(mlirOperationGetOperand(op, i));
  ts_maker build = ts_make_before(op);
  ts_make_op(&build, &(ts_new_op){.name = "llvm.intr.trap"});
  mlirOperationDestroy(op);
  for (int i = 0; i < 2; i++)
    if (words[i].ptr &&
        mlirOpOperandIsNull(mlirValueGetFirstUse(mlirOperationGetResult(words[i], 0))))
      mlirOperationDestroy(words[i]);
}

static bool is_in(MlirOperation op, MlirOperation root) {
  for (; op.ptr; op = mlirOperationGetParentOperation(op))
    if (mlirOperationEqual(op, root))
      return true;
  return false;
}

static MlirOperation owner_of(MlirValue value) {
  return mlirValueIsAOpResult(value)
             ? mlirOpResultGetOwner(value)
             : mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value));
}

typedef struct remapping {
  outlining *o;
  MlirOperation kernel;
} remapping;

/* Values from around the launch: arguments of the function, and constants. */
static void remap(MlirOperation op, void *user) {
  const remapping *r = user;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
    MlirValue value = mlirOperationGetOperand(op, i);
    if (is_in(owner_of(value), r->kernel))
      continue;
    void *known = ts_map_get(&r->o->inside, value.ptr);
    if (!known) {
      MlirOperation copy = mlirOperationClone(mlirOpResultGetOwner(value));
      mlirBlockInsertOwnedOperation(r->o->start.block, 0, copy);
      known = (void *)(uintptr_t)mlirOperationGetResult(copy, 0).ptr;
      ts_map_set(&r->o->inside, r->o->lowering->arena, value.ptr, known);
    }
    mlirOperationSetOperand(op, i, (MlirValue){known});
  }
}

static MlirValue position(const ts_maker *build, const char *name) {
  MlirNamedAttribute dimension = ts_named(
      build->context, "dimension",
      mlirAttributeParseGet(build->context, mlirStringRefCreateFromCString("#gpu<dim x>")));
  return ts_make_value(build, name, 0, NULL, mlirIndexTypeGet(build->context), 1, &dimension);
}

static MlirAttribute argument_attributes(MlirOperation function, intptr_t num_all) {
  MlirContext context = mlirOperationGetContext(function);
  MlirAttribute given = ts_attribute(function, "arg_attrs");
  MlirAttribute attributes[TS_CUDA_MOST_PARAMETERS];
  for (intptr_t i = 0; i < num_all; i++)
    attributes[i] = !mlirAttributeIsNull(given) && i < mlirArrayAttrGetNumElements(given)
                        ? mlirArrayAttrGetElement(given, i)
                        : mlirDictionaryAttrGet(context, 0, NULL);
  return mlirArrayAttrGet(context, num_all, attributes);
}

/* The function of the gpu.module, without its body. Its block has the parameters, then the memory
 * of the launch. */
static MlirOperation make_kernel(outlining *o, const char *name, MlirOperation function,
                                 MlirOperation launch, int32_t threads) {
  enum { LAUNCH_ARGUMENTS = 12 };
  MlirContext context = o->lowering->records.context;
  MlirBlock entry = ts_function_entry(function);
  MlirBlock launched = mlirRegionGetFirstBlock(mlirOperationGetRegion(launch, 0));
  intptr_t num = mlirBlockGetNumArguments(entry);
  intptr_t num_memory = mlirBlockGetNumArguments(launched) - LAUNCH_ARGUMENTS;
  MlirLocation location = mlirOperationGetLocation(function);
  MlirType *types = TS_NEW(o->lowering->arena, MlirType, num + num_memory);
  MlirLocation *locations = TS_NEW(o->lowering->arena, MlirLocation, num + num_memory);
  for (intptr_t i = 0; i < num + num_memory; i++) {
    locations[i] = location;
    types[i] = i < num
                   ? ts_cuda_parameter_type(mlirValueGetType(mlirBlockGetArgument(entry, i)))
                   : mlirValueGetType(mlirBlockGetArgument(launched, LAUNCH_ARGUMENTS + i - num));
  }
  MlirRegion region = mlirRegionCreate();
  mlirRegionAppendOwnedBlock(region, mlirBlockCreate(num + num_memory, types, locations));
  const int32_t block[] = {threads, 1, 1};
  MlirNamedAttribute attributes[] = {
      ts_named(context, "sym_name", ts_text_attribute(context, name)),
      ts_named(context, "function_type",
               mlirTypeAttrGet(mlirFunctionTypeGet(context, num, types, 0, NULL))),
      ts_named(context, "gpu.kernel", mlirUnitAttrGet(context)),
      ts_named(context, "known_block_size", mlirDenseI32ArrayGet(context, 3, block)),
      ts_named(context, "workgroup_attributions",
               ts_int_attribute(ts_i64_type(context), num_memory)),
      ts_named(context, "arg_attrs", argument_attributes(function, num)),
  };
  ts_maker build = ts_make_at_end(device_body(o), location);
  return ts_make_op(&build, &(ts_new_op){.name = "gpu.func",
                                         .num_attributes = 6,
                                         .attributes = attributes,
                                         .region = region});
}

/* Moves the launch's code into the kernel. */
static void move_body(outlining *o, MlirOperation function, MlirOperation launch,
                      MlirOperation kernel) {
  enum { LAUNCH_ARGUMENTS = 12, THREAD = 3 };
  MlirBlock entry = ts_function_entry(function);
  MlirBlock launched = mlirRegionGetFirstBlock(mlirOperationGetRegion(launch, 0));
  MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(kernel, 0));
  intptr_t num = mlirBlockGetNumArguments(entry);
  o->start = ts_make_at_end(body, mlirOperationGetLocation(kernel));
  o->inside = (ts_map){0};
  mlirValueReplaceAllUsesOfWith(mlirBlockGetArgument(launched, 0),
                                position(&o->start, "gpu.block_id"));
  mlirValueReplaceAllUsesOfWith(mlirBlockGetArgument(launched, THREAD),
                                position(&o->start, "gpu.thread_id"));
  for (intptr_t i = LAUNCH_ARGUMENTS; i < mlirBlockGetNumArguments(launched); i++)
    mlirValueReplaceAllUsesOfWith(mlirBlockGetArgument(launched, i),
                                  mlirBlockGetArgument(body, num + i - LAUNCH_ARGUMENTS));
  for (intptr_t i = 0; i < num; i++) {
    MlirValue outside = mlirBlockGetArgument(entry, i);
    MlirValue inside =
        ts_cuda_converted(&o->start, mlirBlockGetArgument(body, i), mlirValueGetType(outside));
    ts_map_set(&o->inside, o->lowering->arena, outside.ptr, (void *)(uintptr_t)inside.ptr);
  }
  for (MlirOperation op = mlirBlockGetFirstOperation(launched), next; op.ptr; op = next) {
    next = mlirOperationGetNextInBlock(op);
    if (ts_op_is_terminator(op))
      break;
    mlirOperationRemoveFromParent(op);
    mlirBlockAppendOwnedOperation(body, op);
  }
  ts_make_op(&o->start, &(ts_new_op){.name = "gpu.return"});
  remapping r = {o, kernel};
  ts_each_op(kernel, remap, &r);
  ts_each_op(kernel, trap, NULL);
  ts_each_op(kernel, bring_symbols, o);
}

/* ---- launches -------------------------------------------------------------------------------- */

static void note_launch(MlirOperation op, void *user) {
  if (ts_op_is(op, "gpu.launch"))
    *(MlirOperation *)user = op;
}

static int32_t threads_of(MlirOperation launch) {
  enum { BLOCK_SIZE_X = 3 };
  return (int32_t)ts_op_int(ts_defining_op(mlirOperationGetOperand(launch, BLOCK_SIZE_X)), "value",
                            1);
}

/* PTX has no dots in names. */
static const char *name_of(outlining *o, MlirOperation function) {
  MlirStringRef symbol = ts_op_symbol(function, "sym_name");
  char *name = ts_arena_format(o->lowering->arena, "%.*s", (int)symbol.length, symbol.data);
  for (char *at = name; *at; at++)
    if (*at == '.')
      *at = '_';
  return name;
}

int32_t ts_cuda_num_kernels(MlirOperation module) {
  MlirOperation table = ts_module_symbol(module, TS_CUDA_KERNELS);
  if (!table.ptr)
    return 0;
  return (int32_t)ts_op_int(table, "tessera.rows", 0);
}

void ts_cuda_outline(ts_lowering *lowering) {
  outlining o = {.lowering = lowering};
  ts_cuda_launchers launchers = {.lowering = lowering};
  for (MlirOperation op = mlirBlockGetFirstOperation(ts_module_body(lowering->module)), next;
       op.ptr; op = next) {
    next = mlirOperationGetNextInBlock(op);
    MlirOperation launch = {NULL};
    if (ts_op_is(op, "func.func"))
      ts_each_op(op, note_launch, &launch);
    if (!launch.ptr)
      continue;
    ts_cuda_launcher launcher = {op, launch, name_of(&o, op), threads_of(launch), 0};
    move_body(&o, op, launch, make_kernel(&o, launcher.name, op, launch, launcher.threads));
    ts_cuda_launcher_add(&launchers, &launcher);
  }
  ts_cuda_launchers_end(&launchers);
}
