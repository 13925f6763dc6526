/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The host's half of a kernel: a function that launches it, and the records of its places. It knows
 * the runtime's launch; it must not know what kernels do. */
#include "lowering/targets/cuda/launcher.h"

#include <string.h>

#include "capi/capi.h"
#include "lowering/targets/cuda/outline.h"
#include "lowering/targets/cuda/parameters.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/Dialect/LLVM.h"

enum { KERNEL_FIELDS = 11 };

/* ---- the function ---------------------------------------------------------------------------- */

static MlirValue make_alloca(const ts_maker *build, MlirType type, int64_t num) {
  MlirValue count = ts_make_llvm_int(build, 64, num);
  MlirNamedAttribute element = ts_named(build->context, "elem_type", mlirTypeAttrGet(type));
  return ts_make_value(build, "llvm.alloca", 1, &count, ts_pointer_type(build->context), 1,
                       &element);
}

static MlirValue element_of(const ts_maker *build, MlirValue array, MlirType type, int32_t i) {
  MlirNamedAttribute attributes[] = {
      ts_named(build->context, "elem_type", mlirTypeAttrGet(type)),
      ts_named(build->context, "rawConstantIndices", mlirDenseI32ArrayGet(build->context, 1, &i)),
  };
  return ts_make_value(build, "llvm.getelementptr", 1, &array, ts_pointer_type(build->context), 2,
                       attributes);
}

static void store(const ts_maker *build, MlirValue value, MlirValue place) {
  MlirValue operands[] = {value, place};
  ts_make_op(build, &(ts_new_op){.name = "llvm.store", .num_operands = 2, .operands = operands});
}

/* The numbers of blocks in x, y and z. */
static MlirValue store_blocks(const ts_maker *build, MlirOperation launch) {
  MlirType word = ts_i64_type(build->context);
  MlirValue array = make_alloca(build, word, 3);
  for (int32_t i = 0; i < 3; i++)
    store(build, ts_cuda_converted(build, mlirOperationGetOperand(launch, i), word),
          element_of(build, array, word, i));
  return array;
}

/* The addresses of the arguments' values. */
static MlirValue store_arguments(const ts_maker *build, MlirBlock entry) {
  intptr_t num = mlirBlockGetNumArguments(entry);
  MlirType pointer = ts_pointer_type(build->context);
  MlirValue array = make_alloca(build, pointer, num);
  for (intptr_t i = 0; i < num; i++) {
    MlirValue value = mlirBlockGetArgument(entry, i);
    MlirType type = ts_cuda_parameter_type(mlirValueGetType(value));
    MlirValue place = make_alloca(build, type, 1);
    store(build, ts_cuda_converted(build, value, type), place);
    store(build, place, element_of(build, array, pointer, (int32_t)i));
  }
  return array;
}

static void set_type(MlirOperation function) {
  MlirContext context = mlirOperationGetContext(function);
  MlirBlock entry = ts_function_entry(function);
  intptr_t num = mlirBlockGetNumArguments(entry);
  MlirType types[TS_CUDA_MOST_PARAMETERS];
  for (intptr_t i = 0; i < num; i++)
    types[i] = mlirValueGetType(mlirBlockGetArgument(entry, i));
  mlirOperationSetAttributeByName(
      function, mlirStringRefCreateFromCString("function_type"),
      mlirTypeAttrGet(mlirFunctionTypeGet(context, num, types, 0, NULL)));
  mlirOperationRemoveAttributeByName(function, mlirStringRefCreateFromCString("arg_attrs"));
}

void ts_cuda_launcher_add(ts_cuda_launchers *launchers, const ts_cuda_launcher *given) {
  ts_lowering *lowering = launchers->lowering;
  ts_cuda_launcher launcher = *given;
  MlirBlock entry = ts_function_entry(launcher.function);
  ts_maker build = ts_make_before(launcher.launch);
  launcher.num_arguments = (int32_t)mlirBlockGetNumArguments(entry);
  MlirType pointer = ts_pointer_type(build.context);
  MlirType types[] = {pointer, pointer, pointer, pointer};
  MlirValue operands[] = {{NULL},
                          ts_make_value(&build, "llvm.mlir.zero", 0, NULL, pointer, 0, NULL),
                          store_blocks(&build, launcher.launch),
                          store_arguments(&build, entry)};
  operands[0] = mlirBlockInsertArgument(entry, 0, pointer, build.location);
  ts_wrappers_declare(&lowering->wrappers, "tessera_rt_launch", (MlirType){NULL}, 4, types);
  ts_make_llvm_call(&build, "tessera_rt_launch", 4, operands);
  mlirOperationDestroy(launcher.launch);
  launcher.launch = (MlirOperation){NULL};
  set_type(launcher.function);
  launchers->launchers = ts_arena_grow(lowering->arena, launchers->launchers, launchers->num,
                                       &launchers->max, sizeof(ts_cuda_launcher));
  launchers->launchers[launchers->num++] = launcher;
}

/* ---- its places ------------------------------------------------------------------------------ */

static MlirType record_type(MlirContext context) {
  static const char text[] =
      "!llvm.struct<(i32, i32, ptr, ptr, ptr, i32, i32, i32, i32, i32, i32)>";
  return mlirTypeParseGet(context, mlirStringRefCreateFromCString(text));
}

static void add_row(ts_cuda_launchers *launchers, const ts_cuda_launcher *launcher,
                    MlirOperation call) {
  ts_records *records = &launchers->lowering->records;
  char place[512];
  ts_location_text(mlirOperationGetLocation(call), place, sizeof(place));
  const ts_field row[KERNEL_FIELDS] = {
      TS_I32(56),
      TS_I32(0),
      TS_POINTER(ts_record_text(records, mlirStringRefCreateFromCString(launcher->name))),
      TS_POINTER(ts_record_text(records, mlirStringRefCreateFromCString("linalg"))),
      TS_POINTER(ts_record_text(records, mlirStringRefCreateFromCString(place))),
      TS_I32(launcher->threads),
      TS_I32(1),
      TS_I32(1),
      TS_I32(0),
      TS_I32(launcher->num_arguments),
      TS_I32(0),
  };
  for (int i = 0; i < KERNEL_FIELDS; i++) {
    launchers->rows = ts_arena_grow(records->arena, launchers->rows, launchers->num_rows,
                                    &launchers->max_rows, sizeof(ts_field));
    launchers->rows[launchers->num_rows++] = row[i];
  }
}

static void pass_record(MlirOperation op, void *user) {
  ts_cuda_launchers *launchers = user;
  if (!ts_op_is(op, "func.call"))
    return;
  MlirStringRef callee = ts_op_symbol(op, "callee");
  for (int i = 0; i < launchers->num; i++) {
    const ts_cuda_launcher *launcher = &launchers->launchers[i];
    if (!mlirStringRefEqual(callee, ts_op_symbol(launcher->function, "sym_name")))
      continue;
    ts_maker build = ts_make_before(op);
    MlirValue operands[TS_CUDA_MOST_PARAMETERS + 1];
    intptr_t num = mlirOperationGetNumOperands(op);
    int32_t row = launchers->num_rows / KERNEL_FIELDS;
    add_row(launchers, launcher, op);
    operands[0] = element_of(&build, ts_make_address_of(&build, TS_CUDA_KERNELS),
                             record_type(build.context), row);
    for (intptr_t k = 0; k < num; k++)
      operands[1 + k] = mlirOperationGetOperand(op, k);
    mlirOperationSetOperands(op, 1 + num, operands);
    return;
  }
}

void ts_cuda_launchers_end(ts_cuda_launchers *launchers) {
  ts_lowering *lowering = launchers->lowering;
  ts_each_op(lowering->module, pass_record, launchers);
  int32_t num = launchers->num_rows / KERNEL_FIELDS;
  if (num == 0)
    return;
  MlirOperation table = ts_record_structs(&lowering->records, TS_CUDA_KERNELS,
                                          mlirLocationUnknownGet(lowering->records.context),
                                          TS_INTERNAL, num, KERNEL_FIELDS, launchers->rows);
  mlirOperationSetDiscardableAttributeByName(
      table, mlirStringRefCreateFromCString("tessera.rows"),
      ts_int_attribute(ts_i64_type(lowering->records.context), num));
}
