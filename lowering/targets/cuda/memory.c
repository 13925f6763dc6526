/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Memory of the device in the host's code: calls that allocate, free and copy it, and constants. It
 * knows ops on memory and calls; it must not know how memory was placed. */
#include "lowering/targets/cuda/memory.h"

#include <string.h>

#include "capi/capi.h"
#include "ir/element_types.h"
#include "lowering/entries/program_record.h"
#include "lowering/targets/cuda/launcher.h"
#include "lowering/targets/cuda/outline.h"
#include "lowering/targets/cuda/placement.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/Dialect/LLVM.h"
#include "support/diagnostics.h"
#include "tessera/device.h"

typedef struct rewriting {
  ts_lowering *lowering;
  ts_placement placement;
  MlirAttribute *symbols; /* of constants, and how many bytes each has */
  int64_t *bytes;
  int num, max_symbols, max_bytes;
  MlirOperation *dead; /* destroyed at the end: values are known by their addresses till then */
  int num_dead, max_dead;
  bool good;
} rewriting;

static void bury(rewriting *r, MlirOperation op) {
  r->dead =
      ts_arena_grow(r->lowering->arena, r->dead, r->num_dead, &r->max_dead, sizeof(MlirOperation));
  r->dead[r->num_dead++] = op;
}

/* ---- addresses ------------------------------------------------------------------------------- */

/* `bytes` (i64) bytes at `pointer` as a memref of i8. */
static MlirValue bytes_at(const ts_maker *build, MlirValue pointer, MlirValue bytes) {
  MlirType type = ts_descriptor_type(build->context, 1);
  MlirValue made = ts_make_value(build, "llvm.mlir.poison", 0, NULL, type, 0, NULL);
  made = ts_make_insert_value(build, made, pointer, 1, (int64_t[]){0});
  made = ts_make_insert_value(build, made, pointer, 1, (int64_t[]){1});
  made = ts_make_insert_value(build, made, ts_make_llvm_int(build, 64, 0), 1, (int64_t[]){2});
  made = ts_make_insert_value(build, made, bytes, 2, (int64_t[]){3, 0});
  made = ts_make_insert_value(build, made, ts_make_llvm_int(build, 64, 1), 2, (int64_t[]){4, 0});
  int64_t dynamic = mlirShapedTypeGetDynamicSize();
  return ts_make_cast(build, made,
                      mlirMemRefTypeContiguousGet(mlirIntegerTypeGet(build->context, 8), 1,
                                                  &dynamic, mlirAttributeGetNull()));
}

/* A memref of `type`, with these dynamic sizes, that begins at `pointer`. */
static MlirValue memref_at(const ts_maker *build, MlirValue pointer, MlirValue bytes, MlirType type,
                           intptr_t num_sizes, const MlirValue *sizes) {
  MlirValue operands[2 + TS_MAX_RANK] = {bytes_at(build, pointer, bytes), ts_make_index(build, 0)};
  for (intptr_t i = 0; i < num_sizes; i++)
    operands[2 + i] = sizes[i];
  return ts_make_value(build, "memref.view", 2 + num_sizes, operands, type, 0, NULL);
}

/* The address that was allocated. */
static MlirValue allocated(const ts_maker *build, MlirValue memref) {
  MlirType type = mlirValueGetType(memref);
  MlirValue descriptor =
      ts_make_cast(build, memref, ts_descriptor_type(build->context, mlirShapedTypeGetRank(type)));
  return ts_make_extract_value(build, descriptor, 0, ts_pointer_type(build->context));
}

/* ---- allocations ----------------------------------------------------------------------------- */

static MlirValue size_in_bytes(const ts_maker *build, MlirOperation alloc) {
  MlirType type = mlirValueGetType(mlirOperationGetResult(alloc, 0));
  int64_t known = ts_element_bytes(mlirShapedTypeGetElementType(type));
  for (intptr_t d = 0; d < mlirShapedTypeGetRank(type); d++)
    if (!mlirShapedTypeIsDynamicDim(type, d))
      known *= mlirShapedTypeGetDimSize(type, d);
  MlirValue bytes = ts_make_llvm_int(build, 64, known);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(alloc); i++) {
    MlirValue size = mlirOperationGetOperand(alloc, i);
    bytes = ts_make_binary(
        build, "llvm.mul", bytes,
        ts_make_value(build, "arith.index_cast", 1, &size, ts_i64_type(build->context), 0, NULL));
  }
  return bytes;
}

static void call_free(rewriting *r, const ts_maker *build, MlirValue memref) {
  MlirType pointer = ts_pointer_type(build->context);
  MlirValue address = allocated(build, memref);
  ts_wrappers_declare(&r->lowering->wrappers, "tessera_rt_device_free", (MlirType){NULL}, 1,
                      &pointer);
  ts_make_llvm_call(build, "tessera_rt_device_free", 1, &address);
}

static void place_alloc(rewriting *r, MlirOperation op) {
  MlirValue memory = mlirOperationGetResult(op, 0);
  MlirType type = mlirValueGetType(memory);
  if (!ts_is_identity_memref(type)) {
    r->good = ts_error_at(mlirOperationGetLocation(op),
                          "memory of a layout of its own cannot be allocated on a GPU: expected "
                          "the identity layout");
    return;
  }
  ts_maker build = ts_make_before(op);
  MlirType word = ts_i64_type(build.context), pointer = ts_pointer_type(build.context);
  MlirValue bytes = size_in_bytes(&build, op), sizes[TS_MAX_RANK];
  intptr_t num = mlirOperationGetNumOperands(op);
  for (intptr_t i = 0; i < num; i++)
    sizes[i] = mlirOperationGetOperand(op, i);
  ts_wrappers_declare(&r->lowering->wrappers, "tessera_rt_device_allocate", pointer, 1, &word);
  MlirValue address =
      ts_make_llvm_call_value(&build, "tessera_rt_device_allocate", 1, &bytes, pointer);
  MlirValue made = memref_at(&build, address, bytes, type, num, sizes);
  if (ts_op_is(op, "memref.alloca")) {
    ts_maker end = ts_make_before(mlirBlockGetTerminator(mlirOperationGetBlock(op)));
    call_free(r, &end, made);
  }
  ts_placement_same(&r->placement, memory, made);
  mlirValueReplaceAllUsesOfWith(memory, made);
  bury(r, op);
}

static void place_dealloc(rewriting *r, MlirOperation op) {
  ts_maker build = ts_make_before(op);
  call_free(r, &build, mlirOperationGetOperand(op, 0));
  bury(r, op);
}

/* ---- constants ------------------------------------------------------------------------------- */

static int64_t constant_bytes(MlirType type) {
  int64_t bytes = ts_element_bytes(mlirShapedTypeGetElementType(type));
  for (intptr_t d = 0; d < mlirShapedTypeGetRank(type); d++)
    bytes *= mlirShapedTypeGetDimSize(type, d);
  return bytes;
}

static int constant_row(rewriting *r, MlirOperation op) {
  MlirContext context = r->lowering->records.context;
  MlirAttribute symbol = mlirStringAttrGet(context, ts_op_symbol(op, "name"));
  for (int i = 0; i < r->num; i++)
    if (mlirAttributeEqual(r->symbols[i], symbol))
      return i;
  r->symbols =
      ts_arena_grow(r->lowering->arena, r->symbols, r->num, &r->max_symbols, sizeof(MlirAttribute));
  r->bytes = ts_arena_grow(r->lowering->arena, r->bytes, r->num, &r->max_bytes, sizeof(int64_t));
  r->symbols[r->num] = symbol;
  r->bytes[r->num] = constant_bytes(mlirValueGetType(mlirOperationGetResult(op, 0)));
  return r->num++;
}

/* A load of the host from `memory`; null: there is none. */
static MlirOperation find_load(MlirValue memory) {
  for (MlirOpOperand use = mlirValueGetFirstUse(memory); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use))
    if (ts_op_is(mlirOpOperandGetOwner(use), "memref.load"))
      return mlirOpOperandGetOwner(use);
  return (MlirOperation){NULL};
}

/* What the host reads of a constant it reads of its own copy. */
static void keep_on_host(MlirOperation op) {
  MlirValue memory = mlirOperationGetResult(op, 0);
  MlirOperation load = find_load(memory);
  if (!load.ptr)
    return;
  MlirOperation host = mlirOperationClone(op);
  mlirBlockInsertOwnedOperationBefore(mlirOperationGetBlock(op), op, host);
  for (; load.ptr; load = find_load(memory))
    mlirOperationSetOperand(load, 0, mlirOperationGetResult(host, 0));
}

static void place_constant(rewriting *r, MlirOperation op) {
  keep_on_host(op);
  ts_maker build = ts_make_before(op);
  int row = constant_row(r, op);
  int32_t index = row;
  MlirType pointer = ts_pointer_type(build.context);
  MlirNamedAttribute attributes[] = {
      ts_named(build.context, "elem_type",
               mlirTypeAttrGet(mlirTypeParseGet(
                   build.context,
                   mlirStringRefCreateFromCString("!llvm.struct<(i32, i32, ptr, i64)>")))),
      ts_named(build.context, "rawConstantIndices", mlirDenseI32ArrayGet(build.context, 1, &index)),
  };
  MlirValue table = ts_make_address_of(&build, TS_CUDA_CONSTANTS);
  MlirValue record = ts_make_value(&build, "llvm.getelementptr", 1, &table, pointer, 2, attributes);
  ts_wrappers_declare(&r->lowering->wrappers, "tessera_rt_device_constant", pointer, 1, &pointer);
  MlirValue address =
      ts_make_llvm_call_value(&build, "tessera_rt_device_constant", 1, &record, pointer);
  MlirValue memory = mlirOperationGetResult(op, 0);
  MlirValue made = memref_at(&build, address, ts_make_llvm_int(&build, 64, r->bytes[row]),
                             mlirValueGetType(memory), 0, NULL);
  ts_placement_same(&r->placement, memory, made);
  mlirValueReplaceAllUsesOfWith(memory, made);
  bury(r, op);
}

/* ---- copies ---------------------------------------------------------------------------------- */

static void call_copy(rewriting *r, const ts_maker *build, MlirValue from, MlirValue to,
                      uint32_t flags) {
  MlirType type = mlirValueGetType(to);
  const char *site =
      ts_sites_add_copy(&r->lowering->sites, build->location, mlirShapedTypeGetRank(type),
                        (int32_t)ts_dtype(mlirShapedTypeGetElementType(type)), flags);
  ts_call call = {.name = "device_copy",
                  .num_memrefs = 2,
                  .memrefs = {mlirValueGetType(from), type},
                  .num_words = TS_CALL_NO_WORDS};
  MlirValue memrefs[] = {from, to};
  ts_wrappers_add(&r->lowering->wrappers, &call);
  ts_make_wrapper_call(build, &call, ts_make_address_of(build, site), memrefs, NULL);
}

/* The element at these indices as memory of no dimensions. */
static MlirValue element_of(const ts_maker *build, MlirValue memref, intptr_t num,
                            const MlirValue *indices) {
  if (num == 0)
    return memref;
  MlirContext context = build->context;
  MlirValue operands[1 + TS_MAX_RANK] = {memref};
  int64_t dynamic[TS_MAX_RANK], ones[TS_MAX_RANK];
  for (intptr_t i = 0; i < num; i++) {
    operands[1 + i] = indices[i];
    dynamic[i] = mlirShapedTypeGetDynamicStrideOrOffset();
    ones[i] = 1;
  }
  int32_t segments[] = {1, (int32_t)num, 0, 0};
  MlirNamedAttribute attributes[] = {
      ts_named(context, "static_offsets", mlirDenseI64ArrayGet(context, num, dynamic)),
      ts_named(context, "static_sizes", mlirDenseI64ArrayGet(context, num, ones)),
      ts_named(context, "static_strides", mlirDenseI64ArrayGet(context, num, ones)),
      ts_named(context, "operandSegmentSizes", mlirDenseI32ArrayGet(context, 4, segments)),
  };
  MlirType element = mlirShapedTypeGetElementType(mlirValueGetType(memref));
  return ts_make_value(build, "memref.subview", 1 + num, operands, ts_any_strides_type(element, 0),
                       4, attributes);
}

/* An element on the host's stack, allocated once for each call of the function. */
static MlirValue host_element(MlirOperation op, MlirType element) {
  MlirOperation function = ts_parent_named(op, "func.func");
  ts_maker build = ts_make_before(mlirBlockGetFirstOperation(ts_function_entry(function)));
  int32_t segments[] = {0, 0};
  MlirNamedAttribute attribute = ts_named(build.context, "operandSegmentSizes",
                                          mlirDenseI32ArrayGet(build.context, 2, segments));
  return ts_make_value(&build, "memref.alloca", 0, NULL,
                       mlirMemRefTypeContiguousGet(element, 0, NULL, mlirAttributeGetNull()), 1,
                       &attribute);
}

static void tell(MlirOperation op, const char *text) {
  ts_diagnose(mlirOperationGetLocation(op), TS_REMARK, text, mlirOperationGetLocation(op), NULL);
}

static void place_load(rewriting *r, MlirOperation op) {
  MlirValue memref = mlirOperationGetOperand(op, 0), indices[TS_MAX_RANK];
  intptr_t num = mlirOperationGetNumOperands(op) - 1;
  for (intptr_t i = 0; i < num; i++)
    indices[i] = mlirOperationGetOperand(op, 1 + i);
  ts_maker build = ts_make_before(op);
  MlirValue host = host_element(op, mlirValueGetType(mlirOperationGetResult(op, 0)));
  call_copy(r, &build, element_of(&build, memref, num, indices), host, TESSERA_SITE_TO_HOST);
  mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, 0),
                                ts_make_value(&build, "memref.load", 1, &host,
                                              mlirValueGetType(mlirOperationGetResult(op, 0)), 0,
                                              NULL));
  tell(op, "the host reads an element of the GPU's memory here, and waits for it");
  bury(r, op);
}

static void place_store(rewriting *r, MlirOperation op) {
  MlirValue memref = mlirOperationGetOperand(op, 1), indices[TS_MAX_RANK];
  intptr_t num = mlirOperationGetNumOperands(op) - 2;
  for (intptr_t i = 0; i < num; i++)
    indices[i] = mlirOperationGetOperand(op, 2 + i);
  ts_maker build = ts_make_before(op);
  MlirValue value = mlirOperationGetOperand(op, 0);
  MlirValue host = host_element(op, mlirValueGetType(value));
  MlirValue operands[] = {value, host};
  ts_make_op(&build, &(ts_new_op){.name = "memref.store", .num_operands = 2, .operands = operands});
  call_copy(r, &build, host, element_of(&build, memref, num, indices), TESSERA_SITE_FROM_HOST);
  bury(r, op);
}

static void place_copy(rewriting *r, MlirOperation op) {
  MlirValue from = mlirOperationGetOperand(op, 0), to = mlirOperationGetOperand(op, 1);
  bool from_device = ts_placement_is_device(&r->placement, from);
  bool to_device = ts_placement_is_device(&r->placement, to);
  if (!from_device && !to_device)
    return;
  ts_maker build = ts_make_before(op);
  uint32_t flags =
      (from_device ? 0 : TESSERA_SITE_FROM_HOST) | (to_device ? 0 : TESSERA_SITE_TO_HOST);
  call_copy(r, &build, from, to, flags);
  bury(r, op);
}

/* ---- the walk -------------------------------------------------------------------------------- */

static void place_on_operand(rewriting *r, MlirOperation op, intptr_t operand,
                             void (*rewrite)(rewriting *r, MlirOperation op)) {
  if (ts_placement_is_device(&r->placement, mlirOperationGetOperand(op, operand)))
    rewrite(r, op);
}

typedef struct access {
  const ts_placement *placement;
  bool is_found;
} access;

/* What else reads or writes the device's memory. */
static void check_access(ts_effect_kind kind, MlirValue on, void *user) {
  access *a = user;
  if ((kind == TS_EFFECT_READ || kind == TS_EFFECT_WRITE) && !mlirValueIsNull(on))
    a->is_found |= ts_placement_is_device(a->placement, on);
}

static void check_other(rewriting *r, MlirOperation op) {
  access a = {&r->placement, false};
  if (mlirOperationGetNumRegions(op) > 0 || ts_op_is(op, "func.call") ||
      strncmp(ts_op_name(op), "llvm.", 5) == 0)
    return;
  if (ts_op_effects(op, check_access, &a) && a.is_found)
    r->good =
        ts_error_at(mlirOperationGetLocation(op),
                    "'%s' on memory of the GPU, which the host cannot reach: expected linalg, "
                    "memref.load, memref.store or memref.copy",
                    ts_op_name(op));
}

static void place_op(MlirOperation op, void *user) {
  rewriting *r = user;
  static const struct {
    const char *name;
    int operand; /* that has to be on the device; -1: the result */
    void (*rewrite)(rewriting *r, MlirOperation op);
  } rows[] = {
      {"memref.alloc", -1, place_alloc},
      {"memref.alloca", -1, place_alloc},
      {"memref.get_global", -1, place_constant},
      {"memref.dealloc", 0, place_dealloc},
      {"memref.load", 0, place_load},
      {"memref.store", 1, place_store},
  };
  if (ts_op_is(op, "memref.copy")) {
    place_copy(r, op);
    return;
  }
  for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
    if (!ts_op_is(op, rows[i].name))
      continue;
    if (rows[i].operand >= 0)
      place_on_operand(r, op, rows[i].operand, rows[i].rewrite);
    else if (ts_placement_is_device(&r->placement, mlirOperationGetResult(op, 0)))
      rows[i].rewrite(r, op);
    return;
  }
  check_other(r, op);
}

/* ---- the record ------------------------------------------------------------------------------ */

/* A table that is made when its contents are known: behind the way to the LLVM dialect. */
static MlirOperation make_placeholder(ts_records *records, const char *symbol) {
  MlirContext context = records->context;
  MlirNamedAttribute attributes[] = {
      ts_named(context, "sym_name", ts_text_attribute(context, symbol)),
      ts_named(context, "global_type", mlirTypeAttrGet(ts_pointer_type(context))),
      ts_named(context, "linkage", mlirLLVMLinkageAttrGet(context, MlirLLVMLinkageExternal)),
      ts_named(context, "constant", mlirUnitAttrGet(context)),
  };
  ts_maker build = ts_make_at_end(ts_module_body(records->module), mlirLocationUnknownGet(context));
  return ts_make_op(&build, &(ts_new_op){.name = "llvm.mlir.global",
                                         .num_attributes = 4,
                                         .attributes = attributes,
                                         .region = mlirRegionCreate()});
}

static void record_constants(rewriting *r) {
  MlirContext context = r->lowering->records.context;
  MlirOperation table = make_placeholder(&r->lowering->records, TS_CUDA_CONSTANTS);
  mlirOperationSetDiscardableAttributeByName(table,
                                             mlirStringRefCreateFromCString("tessera.symbols"),
                                             mlirArrayAttrGet(context, r->num, r->symbols));
  mlirOperationSetDiscardableAttributeByName(table, mlirStringRefCreateFromCString("tessera.bytes"),
                                             mlirDenseI64ArrayGet(context, r->num, r->bytes));
}

static void record_code(rewriting *r) {
  ts_records *records = &r->lowering->records;
  int32_t num_kernels = ts_cuda_num_kernels(records->module);
  make_placeholder(records, TS_CUDA_MODULES);
  if (r->num)
    record_constants(r);
  const ts_field fields[] = {
      TS_I32(sizeof(tessera_device_code)),
      TS_I32(num_kernels ? 1 : 0),
      TS_POINTER(ts_record_text(records, mlirStringRefCreateFromCString("cuda"))),
      TS_POINTER(TS_CUDA_MODULES),
      TS_POINTER(num_kernels ? TS_CUDA_KERNELS : NULL),
      TS_POINTER(r->num ? TS_CUDA_CONSTANTS : NULL),
      TS_I32(num_kernels),
      TS_I32(r->num),
  };
  ts_record_structs(records, TS_DEVICE_CODE, mlirLocationUnknownGet(records->context), TS_INTERNAL,
                    1, sizeof(fields) / sizeof(fields[0]), fields);
}

bool ts_cuda_call_memory(ts_lowering *lowering) {
  rewriting r = {.lowering = lowering, .placement = {.arena = lowering->arena}, .good = true};
  ts_placement_read(&r.placement, lowering->module);
  MlirOperation last = {NULL}, op = mlirBlockGetFirstOperation(ts_module_body(lowering->module));
  for (MlirOperation next = op; next.ptr; next = mlirOperationGetNextInBlock(next))
    last = next;
  /* Wrappers come behind the last. */
  for (; op.ptr; op = op.ptr == last.ptr ? (MlirOperation){NULL} : mlirOperationGetNextInBlock(op))
    if (!ts_op_is(op, "gpu.module"))
      ts_each_op(op, place_op, &r);
  for (int i = r.num_dead - 1; i >= 0; i--)
    mlirOperationDestroy(r.dead[i]);
  record_code(&r);
  return r.good;
}
