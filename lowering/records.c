/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Constant records as llvm.mlir.global ops: strings, number arrays, structs, and the element types
 * in them. Knows layout in memory, not what a site or a program is. */
#include "records.h"

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
  return ts_make_op(&build, &(ts_op){.name = "llvm.mlir.global",
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

/* ---- structs ----------------------------------------------------------------------------------
 */

static MlirType field_type(MlirContext context, ts_field_kind kind) {
  if (kind == TS_FIELD_POINTER)
    return ts_pointer_type(context);
  return kind == TS_FIELD_I32 ? ts_i32_type(context) : ts_i64_type(context);
}

static MlirValue field_value(const ts_maker *build, const ts_field *field) {
  if (field->kind == TS_FIELD_POINTER && field->symbol)
    return ts_make_address_of(build, field->symbol);
  if (field->kind == TS_FIELD_POINTER)
    return ts_make_value(build, "llvm.mlir.zero", 0, NULL, ts_pointer_type(build->context), 0,
                         NULL);
  MlirValue value = ts_make_llvm_int(build, field->kind == TS_FIELD_I32 ? 32 : 64, field->number);
  if (field->late)
    mlirOperationSetDiscardableAttributeByName(mlirOpResultGetOwner(value),
                                               mlirStringRefCreateFromCString(LATE),
                                               mlirUnitAttrGet(build->context));
  return value;
}

static MlirValue insert_value(const ts_maker *build, MlirValue aggregate, MlirValue value,
                              intptr_t depth, const int64_t *position) {
  MlirNamedAttribute attribute =
      ts_named(build->context, "position", mlirDenseI64ArrayGet(build->context, depth, position));
  MlirValue operands[] = {aggregate, value};
  return ts_make_value(build, "llvm.insertvalue", 2, operands, mlirValueGetType(aggregate), 1,
                       &attribute);
}

/* A region that makes `type` out of `num` times `num_fields` fields. `flat`: one struct or
 * array of num * num_fields members, else an array of structs. */
static MlirRegion initializer(MlirLocation location, MlirType type, intptr_t num,
                              intptr_t num_fields, const ts_field *fields, bool flat) {
  MlirBlock block = mlirBlockCreate(0, NULL, NULL);
  MlirRegion region = mlirRegionCreate();
  mlirRegionAppendOwnedBlock(region, block);
  ts_maker build = ts_make_at_end(block, location);
  MlirValue value = ts_make_value(&build, "llvm.mlir.zero", 0, NULL, type, 0, NULL);
  for (intptr_t i = 0; i < num; i++)
    for (intptr_t f = 0; f < num_fields; f++) {
      int64_t position[] = {flat ? i + f : i, f};
      value = insert_value(&build, value, field_value(&build, &fields[i * num_fields + f]),
                           flat ? 1 : 2, position);
    }
  ts_make_op(&build, &(ts_op){.name = "llvm.return", .num_operands = 1, .operands = &value});
  return region;
}

MlirOperation ts_record_structs(ts_records *records, const char *symbol, MlirLocation location,
                                ts_linkage linkage, intptr_t num, intptr_t num_fields,
                                const ts_field *fields) {
  MlirType *types = TS_NEW(records->arena, MlirType, num_fields);
  for (intptr_t f = 0; f < num_fields; f++)
    types[f] = field_type(records->context, fields[f].kind);
  MlirType one = mlirLLVMStructTypeLiteralGet(records->context, num_fields, types, false);
  MlirType type = num == 1 ? one : mlirLLVMArrayTypeGet(one, (unsigned)num);
  MlirRegion region = initializer(location, type, num, num_fields, fields, num == 1);
  return create_global(records, symbol, location, linkage, type, mlirAttributeGetNull(), region);
}

const char *ts_record_pointers(ts_records *records, intptr_t num, const char *const *symbols) {
  if (num == 0)
    return NULL;
  ts_field *fields = TS_NEW(records->arena, ts_field, num);
  for (intptr_t i = 0; i < num; i++)
    fields[i] = TS_POINTER(symbols[i]);
  char *symbol = ts_arena_format(records->arena, DATA_PREFIX "%d", records->next++);
  MlirLocation location = mlirLocationUnknownGet(records->context);
  MlirType type = mlirLLVMArrayTypeGet(ts_pointer_type(records->context), (unsigned)num);
  create_global(records, symbol, location, TS_INTERNAL, type, mlirAttributeGetNull(),
                initializer(location, type, 1, num, fields, true));
  return symbol;
}

void ts_record_set_late(MlirOperation global, int64_t value) {
  MlirStringRef late = mlirStringRefCreateFromCString(LATE);
  MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(global, 0));
  for (MlirOperation op = mlirBlockGetFirstOperation(block); op.ptr;
       op = mlirOperationGetNextInBlock(op)) {
    if (mlirAttributeIsNull(mlirOperationGetDiscardableAttributeByName(op, late)))
      continue;
    MlirType type = mlirValueGetType(mlirOperationGetResult(op, 0));
    mlirOperationSetAttributeByName(op, mlirStringRefCreateFromCString("value"),
                                    ts_int_attribute(type, value));
    return;
  }
}

/* ---- element types ----------------------------------------------------------------------------
 */

static int32_t integer_dtype(MlirType type) {
  bool is_unsigned = mlirIntegerTypeIsUnsigned(type);
  switch (mlirIntegerTypeGetWidth(type)) {
  case 1:
    return TESSERA_I1;
  case 4:
    return TESSERA_I4;
  case 8:
    return is_unsigned ? TESSERA_U8 : TESSERA_I8;
  case 16:
    return is_unsigned ? TESSERA_U16 : TESSERA_I16;
  case 32:
    return is_unsigned ? TESSERA_U32 : TESSERA_I32;
  case 64:
    return is_unsigned ? TESSERA_U64 : TESSERA_I64;
  default:
    return 0;
  }
}

int32_t ts_dtype(MlirType element) {
  if (mlirTypeIsAInteger(element))
    return integer_dtype(element);
  if (mlirTypeIsAIndex(element))
    return TESSERA_INDEX;
  if (mlirTypeIsAF16(element))
    return TESSERA_F16;
  if (mlirTypeIsABF16(element))
    return TESSERA_BF16;
  if (mlirTypeIsAF32(element))
    return TESSERA_F32;
  if (mlirTypeIsAF64(element))
    return TESSERA_F64;
  if (mlirTypeIsAFloat(element) && mlirFloatTypeGetWidth(element) == 8)
    return TESSERA_F8;
  if (mlirTypeIsAComplex(element)) {
    MlirType part = mlirComplexTypeGetElementType(element);
    if (mlirTypeIsAF32(part))
      return TESSERA_C64;
    return mlirTypeIsAF64(part) ? TESSERA_C128 : 0;
  }
  return 0;
}
