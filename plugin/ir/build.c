/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Ops by name, and those of func, memref, arith and the LLVM dialect that many need. It knows how
 * to say things in IR; it must not know what they are for. */
#include "ir/build.h"

#include "mlir-c/AffineMap.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/Dialect/LLVM.h"
#include "mlir-c/Dialect/Linalg.h"

ts_maker ts_make_before(MlirOperation op) {
  return (ts_maker){mlirOperationGetContext(op), mlirOperationGetLocation(op),
                    mlirOperationGetBlock(op), op};
}

ts_maker ts_make_at_end(MlirBlock block, MlirLocation location) {
  return (ts_maker){mlirLocationGetContext(location), location, block, {NULL}};
}

void ts_insert(const ts_maker *build, MlirOperation op) {
  if (build->before.ptr)
    mlirBlockInsertOwnedOperationBefore(build->block, build->before, op);
  else
    mlirBlockAppendOwnedOperation(build->block, op);
}

MlirOperation ts_make_op(const ts_maker *build, const ts_new_op *op) {
  MlirOperationState state =
      mlirOperationStateGet(mlirStringRefCreateFromCString(op->name), build->location);
  if (op->num_operands > 0)
    mlirOperationStateAddOperands(&state, op->num_operands, op->operands);
  if (op->num_results > 0)
    mlirOperationStateAddResults(&state, op->num_results, op->results);
  if (op->num_attributes > 0)
    mlirOperationStateAddAttributes(&state, op->num_attributes, op->attributes);
  if (op->region.ptr)
    mlirOperationStateAddOwnedRegions(&state, 1, &op->region);
  if (op->second.ptr)
    mlirOperationStateAddOwnedRegions(&state, 1, &op->second);
  MlirOperation built = mlirOperationCreate(&state);
  ts_insert(build, built);
  return built;
}

MlirValue ts_make_value(const ts_maker *build, const char *name, intptr_t num_operands,
                        const MlirValue *operands, MlirType result, intptr_t num_attributes,
                        const MlirNamedAttribute *attributes) {
  MlirOperation op = ts_make_op(build, &(ts_new_op){.name = name,
                                                    .num_operands = num_operands,
                                                    .operands = operands,
                                                    .num_results = 1,
                                                    .results = &result,
                                                    .num_attributes = num_attributes,
                                                    .attributes = attributes});
  return mlirOperationGetResult(op, 0);
}

MlirValue ts_make_binary(const ts_maker *build, const char *name, MlirValue a, MlirValue b) {
  MlirValue operands[] = {a, b};
  return ts_make_value(build, name, 2, operands, mlirValueGetType(a), 0, NULL);
}

MlirValue ts_make_compare(const ts_maker *build, const char *name, int64_t predicate, MlirValue a,
                          MlirValue b) {
  MlirValue operands[] = {a, b};
  MlirNamedAttribute attribute = ts_named(build->context, "predicate",
                                          ts_int_attribute(ts_i64_type(build->context), predicate));
  return ts_make_value(build, name, 2, operands, mlirIntegerTypeGet(build->context, 1), 1,
                       &attribute);
}

MlirValue ts_make_not(const ts_maker *build, MlirValue condition) {
  MlirAttribute one = ts_int_attribute(mlirValueGetType(condition), 1);
  return ts_make_binary(build, "arith.xori", condition, ts_make_constant(build, one));
}

MlirValue ts_make_select(const ts_maker *build, MlirValue condition, MlirValue a, MlirValue b) {
  MlirValue operands[] = {condition, a, b};
  return ts_make_value(build, "arith.select", 3, operands, mlirValueGetType(a), 0, NULL);
}

/* The region of `block`, which ends by yielding `value`. */
static MlirRegion yielding(const ts_maker *build, MlirBlock block, MlirValue value) {
  ts_maker inside = ts_make_at_end(block, build->location);
  ts_make_op(&inside, &(ts_new_op){.name = "scf.yield", .num_operands = 1, .operands = &value});
  MlirRegion region = mlirRegionCreate();
  mlirRegionAppendOwnedBlock(region, block);
  return region;
}

MlirValue ts_make_branch(const ts_maker *build, MlirValue condition, const ts_arm *then,
                         const ts_arm *otherwise) {
  MlirType type = mlirValueGetType(then->value);
  MlirOperation op = ts_make_op(
      build, &(ts_new_op){.name = "scf.if",
                          .num_operands = 1,
                          .operands = &condition,
                          .num_results = 1,
                          .results = &type,
                          .region = yielding(build, then->block, then->value),
                          .second = yielding(build, otherwise->block, otherwise->value)});
  return mlirOperationGetResult(op, 0);
}

/* ---- attributes ------------------------------------------------------------------------------ */

MlirAttribute ts_text_attribute(MlirContext context, const char *text) {
  return mlirStringAttrGet(context, mlirStringRefCreateFromCString(text));
}

MlirAttribute ts_symbol_attribute(MlirContext context, const char *symbol) {
  return mlirFlatSymbolRefAttrGet(context, mlirStringRefCreateFromCString(symbol));
}

MlirAttribute ts_int_attribute(MlirType type, int64_t value) {
  return mlirIntegerAttrGet(type, value);
}

/* ---- values ---------------------------------------------------------------------------------- */

static MlirValue make_constant(const ts_maker *build, const char *name, MlirAttribute value) {
  MlirNamedAttribute attribute = ts_named(build->context, "value", value);
  return ts_make_value(build, name, 0, NULL, mlirAttributeGetType(value), 1, &attribute);
}

MlirValue ts_make_constant(const ts_maker *build, MlirAttribute value) {
  return make_constant(build, "arith.constant", value);
}

MlirValue ts_make_index(const ts_maker *build, int64_t value) {
  return ts_make_constant(build, mlirIntegerAttrGet(mlirIndexTypeGet(build->context), value));
}

MlirValue ts_make_fill(const ts_maker *build, MlirValue scalar, MlirType type) {
  MlirValue operands[] = {scalar, ts_make_value(build, "tensor.empty", 0, NULL, type, 0, NULL)};
  const int32_t segments[] = {1, 1};
  MlirNamedAttribute attribute = ts_named(build->context, "operandSegmentSizes",
                                          mlirDenseI32ArrayGet(build->context, 2, segments));
  MlirOperation fill = ts_make_op(build, &(ts_new_op){.name = "linalg.fill",
                                                      .num_operands = 2,
                                                      .operands = operands,
                                                      .num_results = 1,
                                                      .results = &type,
                                                      .num_attributes = 1,
                                                      .attributes = &attribute,
                                                      .region = mlirRegionCreate()});
  mlirLinalgFillBuiltinNamedOpRegion(fill);
  return mlirOperationGetResult(fill, 0);
}

MlirValue ts_make_llvm_int(const ts_maker *build, int bits, int64_t value) {
  MlirType type = mlirIntegerTypeGet(build->context, (unsigned)bits);
  return make_constant(build, "llvm.mlir.constant", mlirIntegerAttrGet(type, value));
}

MlirValue ts_make_cast(const ts_maker *build, MlirValue value, MlirType type) {
  if (mlirTypeEqual(mlirValueGetType(value), type))
    return value;
  return ts_make_value(build, "builtin.unrealized_conversion_cast", 1, &value, type, 0, NULL);
}

MlirValue ts_make_address_of(const ts_maker *build, const char *symbol) {
  MlirNamedAttribute name =
      ts_named(build->context, "global_name", ts_symbol_attribute(build->context, symbol));
  return ts_make_value(build, "llvm.mlir.addressof", 0, NULL, ts_pointer_type(build->context), 1,
                       &name);
}

MlirValue ts_make_extract_value(const ts_maker *build, MlirValue from, int64_t position,
                                MlirType type) {
  MlirNamedAttribute at =
      ts_named(build->context, "position", mlirDenseI64ArrayGet(build->context, 1, &position));
  return ts_make_value(build, "llvm.extractvalue", 1, &from, type, 1, &at);
}

MlirValue ts_make_insert_value(const ts_maker *build, MlirValue into, MlirValue value,
                               intptr_t depth, const int64_t *position) {
  MlirNamedAttribute at =
      ts_named(build->context, "position", mlirDenseI64ArrayGet(build->context, depth, position));
  MlirValue operands[] = {into, value};
  return ts_make_value(build, "llvm.insertvalue", 2, operands, mlirValueGetType(into), 1, &at);
}

MlirValue ts_make_memref_cast(const ts_maker *build, MlirValue memref, MlirType type) {
  if (mlirTypeEqual(mlirValueGetType(memref), type))
    return memref;
  return ts_make_value(build, "memref.cast", 1, &memref, type, 0, NULL);
}

MlirValue ts_make_size(const ts_maker *build, MlirValue shaped, int64_t d) {
  MlirType type = mlirValueGetType(shaped);
  if (!mlirShapedTypeIsDynamicDim(type, d))
    return ts_make_index(build, mlirShapedTypeGetDimSize(type, d));
  const char *name = mlirTypeIsAMemRef(type) ? "memref.dim" : "tensor.dim";
  MlirValue operands[] = {shaped, ts_make_index(build, d)};
  return ts_make_value(build, name, 2, operands, mlirIndexTypeGet(build->context), 0, NULL);
}

intptr_t ts_make_dynamic_sizes(const ts_maker *build, MlirValue shaped,
                               MlirValue sizes[TS_MAX_RANK]) {
  MlirType type = mlirValueGetType(shaped);
  intptr_t num = 0;
  for (intptr_t d = 0; d < mlirShapedTypeGetRank(type); d++)
    if (mlirShapedTypeIsDynamicDim(type, d))
      sizes[num++] = ts_make_size(build, shaped, d);
  return num;
}

MlirValue ts_make_copy(const ts_maker *build, MlirValue memref, MlirType type) {
  MlirValue sizes[TS_MAX_RANK];
  int32_t num = 0;
  for (intptr_t d = 0; d < mlirShapedTypeGetRank(type); d++)
    if (mlirShapedTypeIsDynamicDim(type, d))
      sizes[num++] = ts_make_size(build, memref, d);
  int32_t segments[] = {num, 0};
  MlirNamedAttribute attribute = ts_named(build->context, "operandSegmentSizes",
                                          mlirDenseI32ArrayGet(build->context, 2, segments));
  MlirValue copy = ts_make_value(build, "memref.alloc", num, sizes, type, 1, &attribute);
  MlirValue ends[] = {memref, copy};
  ts_make_op(build, &(ts_new_op){.name = "memref.copy", .num_operands = 2, .operands = ends});
  return copy;
}

void ts_make_call(const ts_maker *build, const char *callee, intptr_t num_operands,
                  const MlirValue *operands) {
  MlirNamedAttribute name =
      ts_named(build->context, "callee", ts_symbol_attribute(build->context, callee));
  ts_make_op(build, &(ts_new_op){.name = "func.call",
                                 .num_operands = num_operands,
                                 .operands = operands,
                                 .num_attributes = 1,
                                 .attributes = &name});
}

/* The operand groups that every llvm.call and llvm.func-like call op carries. */
static MlirNamedAttribute call_segments(MlirContext context, intptr_t num_operands) {
  int32_t sizes[] = {(int32_t)num_operands, 0};
  return ts_named(context, "operandSegmentSizes", mlirDenseI32ArrayGet(context, 2, sizes));
}

static MlirOperation llvm_call(const ts_maker *build, const char *callee, intptr_t num_operands,
                               const MlirValue *operands, const MlirType *result) {
  MlirNamedAttribute attributes[] = {
      ts_named(build->context, "callee", ts_symbol_attribute(build->context, callee)),
      call_segments(build->context, num_operands),
      ts_named(build->context, "op_bundle_sizes", mlirDenseI32ArrayGet(build->context, 0, NULL)),
  };
  return ts_make_op(build, &(ts_new_op){.name = "llvm.call",
                                        .num_operands = num_operands,
                                        .operands = operands,
                                        .num_results = result ? 1 : 0,
                                        .results = result,
                                        .num_attributes = 3,
                                        .attributes = attributes});
}

void ts_make_llvm_call(const ts_maker *build, const char *callee, intptr_t num_operands,
                       const MlirValue *operands) {
  llvm_call(build, callee, num_operands, operands, NULL);
}

MlirValue ts_make_llvm_call_value(const ts_maker *build, const char *callee, intptr_t num_operands,
                                  const MlirValue *operands, MlirType result) {
  return mlirOperationGetResult(llvm_call(build, callee, num_operands, operands, &result), 0);
}

/* ---- types ----------------------------------------------------------------------------------- */

MlirType ts_pointer_type(MlirContext context) {
  return mlirLLVMPointerTypeGet(context, 0);
}

MlirType ts_i32_type(MlirContext context) {
  return mlirIntegerTypeGet(context, 32);
}

MlirType ts_i64_type(MlirContext context) {
  return mlirIntegerTypeGet(context, 64);
}

MlirType ts_any_strides_type(MlirType element, int64_t rank) {
  MlirContext context = mlirTypeGetContext(element);
  int64_t dynamic = mlirShapedTypeGetDynamicSize();
  int64_t dynamic_stride = mlirShapedTypeGetDynamicStrideOrOffset();
  int64_t sizes[TS_MAX_RANK], strides[TS_MAX_RANK];
  for (int64_t d = 0; d < rank; d++) {
    sizes[d] = dynamic;
    strides[d] = dynamic_stride;
  }
  MlirAttribute layout = mlirStridedLayoutAttrGet(context, dynamic_stride, rank, strides);
  return mlirMemRefTypeGet(element, rank, sizes, layout, mlirAttributeGetNull());
}

bool ts_is_identity_memref(MlirType memref) {
  MlirAttribute layout = mlirMemRefTypeGetLayout(memref);
  return mlirAttributeIsAAffineMap(layout) &&
         mlirAffineMapIsIdentity(mlirAffineMapAttrGetValue(layout));
}

MlirType ts_identity_memref_type(MlirType shaped) {
  int64_t rank = mlirShapedTypeGetRank(shaped);
  int64_t sizes[TS_MAX_RANK];
  for (int64_t d = 0; d < rank; d++)
    sizes[d] = mlirShapedTypeGetDimSize(shaped, d);
  return mlirMemRefTypeContiguousGet(mlirShapedTypeGetElementType(shaped), rank, sizes,
                                     mlirAttributeGetNull());
}

MlirType ts_descriptor_type(MlirContext context, int64_t rank) {
  MlirType pointer = ts_pointer_type(context), word = ts_i64_type(context);
  MlirType array = mlirLLVMArrayTypeGet(word, (unsigned)rank);
  MlirType members[] = {pointer, pointer, word, array, array};
  return mlirLLVMStructTypeLiteralGet(context, rank > 0 ? 5 : 3, members, false);
}

MlirType ts_llvm_type(MlirType type) {
  MlirContext context = mlirTypeGetContext(type);
  if (mlirTypeIsAMemRef(type))
    return ts_descriptor_type(context, mlirShapedTypeGetRank(type));
  if (mlirTypeIsAIndex(type))
    return ts_i64_type(context);
  if (mlirTypeIsAComplex(type)) {
    MlirType part = ts_llvm_type(mlirComplexTypeGetElementType(type));
    MlirType parts[] = {part, part};
    return mlirLLVMStructTypeLiteralGet(context, 2, parts, false);
  }
  if (mlirTypeIsAInteger(type) && !mlirIntegerTypeIsSignless(type))
    return mlirIntegerTypeGet(context, mlirIntegerTypeGetWidth(type));
  if (mlirTypeIsAFloat(type) && mlirFloatTypeGetWidth(type) < 16)
    return mlirIntegerTypeGet(context, mlirFloatTypeGetWidth(type));
  return type;
}
