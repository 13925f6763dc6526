/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Constant records as llvm.mlir.global ops: strings, number arrays, structs. It knows layout in
 * memory; it must not know what a site or a program is. */
#include "lowering/records.h"

#include <string.h>

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/Dialect/LLVM.h"
#include "tessera/runtime.h"

#define DATA_PREFIX "tessera.data."
#define LATE "tessera.late"

void ts_records_init(ts_records *records, ts_arena *arena, MlirOperation module) {
  *records =
      (ts_records){.arena = arena, .context = mlirOperationGetContext(module), .module = module};
  /* A module that was lowered in part already has some: go on counting. */
  for (MlirOperation op = mlirBlockGetFirstOperation(ts_module_body(module)); op.ptr;
       op = mlirOperationGetNextInBlock(op)) {
    MlirStringRef name = ts_op_symbol(op, "sym_name");
    records->next += name.length > strlen(DATA_PREFIX) &&
                     memcmp(name.data, DATA_PREFIX, strlen(DATA_PREFIX)) == 0;
  }
}

static MlirOperation create_global(ts_records *records, const char *symbol, MlirLocation location,
                                   ts_linkage linkage, MlirType type, MlirAttribute value,
                                   MlirRegion region) {
  MlirContext context = records->context;
  MlirLLVMLinkage kind = linkage == TS_INTERNAL ? MlirLLVMLinkageInternal : MlirLLVMLinkageExternal;
  MlirNamedAttribute attributes[] = {
      ts_named(context, "sym_name", ts_text_attribute(context, symbol)),
      ts_named(context, "global_type", mlirTypeAttrGet(type)),
      ts_named(context, "linkage", mlirLLVMLinkageAttrGet(context, kind)),
      ts_named(context, "constant", mlirUnitAttrGet(context)),
      ts_named(context, "value", value.ptr ? value : mlirUnitAttrGet(context)),
  };
  ts_maker build = ts_make_at_end(ts_module_body(records->module), location);
  return ts_make_op(&build, &(ts_new_op){.name = "llvm.mlir.global",
                                         .num_attributes = value.ptr ? 5 : 4,
                                         .attributes = attributes,
                                         .region = region});
}

/* The global that holds `value`, created with `type` where there is none yet. */
static const char *shared_global(ts_records *records, MlirType type, MlirAttribute value) {
  const char *known = ts_map_get(&records->shared, value.ptr);
  if (known)
    return known;
  char *symbol = ts_arena_format(records->arena, DATA_PREFIX "%d", records->next++);
  create_global(records, symbol, mlirLocationUnknownGet(records->context), TS_INTERNAL, type, value,
                mlirRegionCreate());
  ts_map_set(&records->shared, records->arena, value.ptr, symbol);
  return symbol;
}

const char *ts_record_text(ts_records *records, MlirStringRef text) {
  char *ended = ts_arena_alloc(records->arena, text.length + 1);
  memcpy(ended, text.data, text.length);
  MlirType type =
      mlirLLVMArrayTypeGet(mlirIntegerTypeGet(records->context, 8), (unsigned)(text.length + 1));
  MlirAttribute value =
      mlirStringAttrGet(records->context, mlirStringRefCreate(ended, text.length + 1));
  return shared_global(records, type, value);
}

static MlirType vector_type(MlirType element, intptr_t num) {
  int64_t size = num;
  return mlirRankedTensorTypeGet(1, &size, element, mlirAttributeGetNull());
}

static const char *shared_array(ts_records *records, intptr_t num, MlirType element,
                                MlirAttribute value) {
  return shared_global(records, mlirLLVMArrayTypeGet(element, (unsigned)num), value);
}

const char *ts_record_i32(ts_records *records, intptr_t num, const int32_t *values) {
  if (num == 0)
    return NULL;
  MlirType type = ts_i32_type(records->context);
  return shared_array(records, num, type,
                      mlirDenseElementsAttrInt32Get(vector_type(type, num), num, values));
}

const char *ts_record_i64(ts_records *records, intptr_t num, const int64_t *values) {
  if (num == 0)
    return NULL;
  MlirType type = ts_i64_type(records->context);
  return shared_array(records, num, type,
                      mlirDenseElementsAttrInt64Get(vector_type(type, num), num, values));
}

const char *ts_record_f64(ts_records *records, intptr_t num, const double *values) {
  if (num == 0)
    return NULL;
  MlirType type = mlirF64TypeGet(records->context);
  return shared_array(records, num, type,
                      mlirDenseElementsAttrDoubleGet(vector_type(type, num), num, values));
}

/* ---- structs --------------------------------------------------------------------------------- */

static MlirType field_type(MlirContext context, ts_field_kind kind) {
  if (kind == TS_FIELD_POINTER)
    return ts_pointer_type(context);
  return kind == TS_FIELD_I32 ? ts_i32_type(context) : ts_i64_type(context);
}

/* A field in a constant attribute: its number, or zero where a pointer is put in later. */
static MlirAttribute field_attribute(MlirContext context, const ts_field *field) {
  if (field->kind == TS_FIELD_POINTER)
    return mlirAttributeParseGet(context, mlirStringRefCreateFromCString("#llvm.zero"));
  return ts_int_attribute(field_type(context, field->kind), field->number);
}

/* All numbers of `num` structs as one constant; the position of the late one is noted on it. */
static MlirValue constant_fields(ts_records *records, const ts_maker *build, MlirType type,
                                 intptr_t num, intptr_t num_fields, const ts_field *fields) {
  MlirAttribute *structs = TS_NEW(records->arena, MlirAttribute, num);
  MlirAttribute *members = TS_NEW(records->arena, MlirAttribute, num_fields);
  intptr_t late = -1;
  for (intptr_t i = 0; i < num; i++) {
    for (intptr_t f = 0; f < num_fields; f++) {
      members[f] = field_attribute(records->context, &fields[i * num_fields + f]);
      late = fields[i * num_fields + f].late ? f : late;
    }
    structs[i] = mlirArrayAttrGet(records->context, num_fields, members);
  }
  MlirNamedAttribute attributes[] = {
      ts_named(records->context, "value", mlirArrayAttrGet(records->context, num, structs)),
      ts_named(records->context, LATE, ts_int_attribute(ts_i64_type(records->context), late)),
  };
  return ts_make_value(build, "llvm.mlir.constant", 0, NULL, type, late >= 0 ? 2 : 1, attributes);
}

static MlirValue insert_pointer(const ts_maker *build, MlirValue aggregate, const char *symbol,
                                intptr_t depth, const int64_t *position) {
  return ts_make_insert_value(build, aggregate, ts_make_address_of(build, symbol), depth, position);
}

/* A block of its own region that ends by returning what is built in it. */
static ts_maker begin_initializer(MlirLocation location, MlirRegion *region) {
  MlirBlock block = mlirBlockCreate(0, NULL, NULL);
  *region = mlirRegionCreate();
  mlirRegionAppendOwnedBlock(*region, block);
  return ts_make_at_end(block, location);
}

static void end_initializer(const ts_maker *build, MlirValue value) {
  ts_make_op(build, &(ts_new_op){.name = "llvm.return", .num_operands = 1, .operands = &value});
}

MlirOperation ts_record_structs(ts_records *records, const char *symbol, MlirLocation location,
                                ts_linkage linkage, intptr_t num, intptr_t num_fields,
                                const ts_field *fields) {
  MlirType *types = TS_NEW(records->arena, MlirType, num_fields);
  for (intptr_t f = 0; f < num_fields; f++)
    types[f] = field_type(records->context, fields[f].kind);
  MlirType one = mlirLLVMStructTypeLiteralGet(records->context, num_fields, types, false);
  MlirType type = mlirLLVMArrayTypeGet(one, (unsigned)num);
  MlirRegion region;
  ts_maker build = begin_initializer(location, &region);
  MlirValue value = constant_fields(records, &build, type, num, num_fields, fields);
  for (intptr_t i = 0; i < num; i++)
    for (intptr_t f = 0; f < num_fields; f++) {
      const char *target = fields[i * num_fields + f].symbol;
      int64_t position[] = {i, f};
      if (target)
        value = insert_pointer(&build, value, target, 2, position);
    }
  end_initializer(&build, value);
  return create_global(records, symbol, location, linkage, type, mlirAttributeGetNull(), region);
}

const char *ts_record_pointers(ts_records *records, intptr_t num, const char *const *symbols) {
  if (num == 0)
    return NULL;
  char *symbol = ts_arena_format(records->arena, DATA_PREFIX "%d", records->next++);
  MlirLocation location = mlirLocationUnknownGet(records->context);
  MlirType type = mlirLLVMArrayTypeGet(ts_pointer_type(records->context), (unsigned)num);
  MlirRegion region;
  ts_maker build = begin_initializer(location, &region);
  MlirValue value = ts_make_value(&build, "llvm.mlir.zero", 0, NULL, type, 0, NULL);
  for (int64_t i = 0; i < num; i++)
    value = insert_pointer(&build, value, symbols[i], 1, &i);
  end_initializer(&build, value);
  create_global(records, symbol, location, TS_INTERNAL, type, mlirAttributeGetNull(), region);
  return symbol;
}

/* `list` of one struct's members, with member `position` replaced. */
static MlirAttribute with_member(MlirAttribute list, intptr_t position, int64_t number) {
  MlirContext context = mlirAttributeGetContext(list);
  MlirAttribute members[64], one = mlirArrayAttrGetElement(list, 0);
  intptr_t num = mlirArrayAttrGetNumElements(one);
  for (intptr_t f = 0; f < num && f < 64; f++)
    members[f] = mlirArrayAttrGetElement(one, f);
  members[position] = ts_int_attribute(mlirAttributeGetType(members[position]), number);
  one = mlirArrayAttrGet(context, num, members);
  return mlirArrayAttrGet(context, 1, &one);
}

void ts_record_set_late(MlirOperation global, int64_t number) {
  MlirStringRef late = mlirStringRefCreateFromCString(LATE);
  MlirStringRef value = mlirStringRefCreateFromCString("value");
  MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(global, 0));
  for (MlirOperation op = mlirBlockGetFirstOperation(block); op.ptr;
       op = mlirOperationGetNextInBlock(op)) {
    MlirAttribute position = mlirOperationGetDiscardableAttributeByName(op, late);
    if (mlirAttributeIsNull(position))
      continue;
    MlirAttribute list = mlirOperationGetAttributeByName(op, value);
    mlirOperationSetAttributeByName(
        op, value, with_member(list, mlirIntegerAttrGetValueInt(position), number));
    return;
  }
}
