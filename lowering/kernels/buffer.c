/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* What is known of memrefs: sizes, strides, and which memory they are views of. It knows memref
 * ops; it must not know loops. */
#include "lowering/kernels/buffer.h"

#include "capi/capi.h"
#include "ir/memory_views.h"
#include "lowering/entries/parameter_records.h"
#include "mlir-c/AffineMap.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

/* ---- symbols --------------------------------------------------------------------------------- */

static int64_t constant_index(MlirValue value, int64_t unknown) {
  MlirOperation op = ts_defining_op(value);
  if (!op.ptr || !ts_op_is(op, "arith.constant"))
    return unknown;
  return ts_op_int(op, "value", unknown);
}

static ts_product symbol_of(ts_buffers *memories, MlirValue value) {
  uintptr_t known = (uintptr_t)ts_map_get(&memories->symbols, value.ptr);
  if (!known) {
    memories->values = ts_arena_grow(memories->arena, memories->values, memories->num_symbols,
                                     &memories->max_symbols, sizeof(MlirValue));
    memories->values[memories->num_symbols++] = value;
    known = (uintptr_t)memories->num_symbols;
    ts_map_set(&memories->symbols, memories->arena, value.ptr, (void *)known);
  }
  return ts_product_of_symbol((int)known - 1);
}

static ts_product product_of_value(ts_buffers *memories, MlirValue value) {
  int64_t number = constant_index(value, -1);
  if (number >= 0)
    return ts_product_of_number(number);
  /* A size that the program asks for is the one that the memref is known by. */
  MlirOperation op = ts_defining_op(value);
  if (op.ptr && ts_op_is(op, "memref.dim")) {
    const ts_buffer *memory = ts_buffer_of(memories, mlirOperationGetOperand(op, 0));
    int64_t d = constant_index(mlirOperationGetOperand(op, 1), -1);
    if (memory && d >= 0 && d < memory->rank)
      return memory->sizes[d];
  }
  return symbol_of(memories, value);
}

/* ---- sizes and strides ----------------------------------------------------------------------- */

/* Builds where `value` begins to be. */
static ts_maker make_behind(MlirValue value) {
  if (mlirValueIsAOpResult(value)) {
    MlirOperation op = mlirOpResultGetOwner(value);
    ts_maker build = ts_make_before(op);
    build.before = mlirOperationGetNextInBlock(op);
    return build;
  }
  MlirBlock block = mlirBlockArgumentGetOwner(value);
  return ts_make_before(mlirBlockGetFirstOperation(block));
}

static ts_product asked_size(ts_buffers *memories, MlirValue memref, int d) {
  ts_maker build = make_behind(memref);
  return symbol_of(memories, ts_make_size(&build, memref, d));
}

/* The operand group `group` of an op with operandSegmentSizes: its first operand. */
static intptr_t segment_start(MlirOperation op, int group) {
  MlirAttribute segments = ts_attribute(op, "operandSegmentSizes");
  intptr_t start = 0;
  for (int g = 0; g < group; g++)
    start += mlirDenseI32ArrayGetElement(segments, g);
  return start;
}

/* Operand `number` of those that stand for dynamic sizes: dimension `d` is which of them. */
static int dynamic_before(MlirType type, int d) {
  int num = 0;
  for (int i = 0; i < d; i++)
    num += mlirShapedTypeIsDynamicDim(type, i);
  return num;
}

static ts_product collapsed_size(ts_buffers *memories, MlirOperation op, int d, bool *known) {
  const ts_buffer *source = ts_buffer_of(memories, mlirOperationGetOperand(op, 0));
  MlirAttribute group = mlirArrayAttrGetElement(ts_attribute(op, "reassociation"), d);
  ts_product size = ts_product_of_number(1);
  *known = source != NULL;
  for (intptr_t i = 0; *known && i < mlirArrayAttrGetNumElements(group); i++) {
    int64_t dim = mlirIntegerAttrGetValueInt(mlirArrayAttrGetElement(group, i));
    *known = ts_product_multiply(&size, &source->sizes[dim], &size);
  }
  return size;
}

/* Size `d` as the op lists it in `sizes`: a number, or one of the operands from `first` on. It may
 * be known there though the type does not say it. */
static ts_product listed_size(ts_buffers *memories, MlirOperation op, MlirAttribute sizes,
                              intptr_t first, int d) {
  for (int i = 0; i < d; i++)
    first += mlirDenseI64ArrayGetElement(sizes, i) == mlirShapedTypeGetDynamicSize();
  int64_t size = mlirDenseI64ArrayGetElement(sizes, d);
  return size == mlirShapedTypeGetDynamicSize()
             ? product_of_value(memories, mlirOperationGetOperand(op, first))
             : ts_product_of_number(size);
}

/* The dynamic size of dimension `d`, as the op that makes the memref says it. */
static ts_product dynamic_size(ts_buffers *memories, MlirValue memref, int d) {
  MlirOperation op = ts_defining_op(memref);
  MlirType type = mlirValueGetType(memref);
  if (!op.ptr)
    return asked_size(memories, memref, d);
  if (ts_op_is(op, "memref.alloc") || ts_op_is(op, "memref.alloca"))
    return product_of_value(memories, mlirOperationGetOperand(op, dynamic_before(type, d)));
  if (ts_op_is(op, "memref.expand_shape"))
    return listed_size(memories, op, ts_attribute(op, "static_output_shape"), 1, d);
  if (ts_op_is(op, "memref.cast") &&
      mlirTypeIsAMemRef(mlirValueGetType(mlirOperationGetOperand(op, 0)))) {
    const ts_buffer *source = ts_buffer_of(memories, mlirOperationGetOperand(op, 0));
    return source ? source->sizes[d] : asked_size(memories, memref, d);
  }
  if (ts_op_is(op, "memref.collapse_shape")) {
    bool known;
    ts_product size = collapsed_size(memories, op, d, &known);
    return known ? size : asked_size(memories, memref, d);
  }
  MlirAttribute sizes = ts_attribute(op, "static_sizes");
  if ((ts_op_is(op, "memref.subview") || ts_op_is(op, "memref.reinterpret_cast")) &&
      mlirDenseArrayGetNumElements(sizes) == mlirShapedTypeGetRank(type))
    return listed_size(memories, op, sizes, segment_start(op, 2), d);
  return asked_size(memories, memref, d);
}

/* Strides and offsets that only the launch knows, from memref.extract_strided_metadata. */
static MlirOperation ask_metadata(MlirValue memref) {
  ts_maker build = make_behind(memref);
  MlirType type = mlirValueGetType(memref), index = mlirIndexTypeGet(build.context);
  intptr_t rank = mlirShapedTypeGetRank(type);
  MlirType results[2 + 2 * TS_MAX_RANK];
  results[0] = mlirMemRefTypeGet(mlirShapedTypeGetElementType(type), 0, NULL,
                                 mlirAttributeGetNull(), mlirMemRefTypeGetMemorySpace(type));
  for (intptr_t i = 1; i < 2 + 2 * rank; i++)
    results[i] = index;
  return ts_make_op(&build, &(ts_new_op){.name = "memref.extract_strided_metadata",
                                         .num_operands = 1,
                                         .operands = &memref,
                                         .num_results = 2 + 2 * rank,
                                         .results = results});
}

static void read_strides(ts_buffers *memories, ts_buffer *memory, const int64_t *strides) {
  bool is_identity = false;
  MlirAttribute layout = mlirMemRefTypeGetLayout(mlirValueGetType(memory->memref));
  if (mlirAttributeIsAAffineMap(layout))
    is_identity = mlirAffineMapIsIdentity(mlirAffineMapAttrGetValue(layout));
  MlirOperation metadata = {NULL};
  for (int d = memory->rank - 1; d >= 0; d--) {
    ts_product *stride = &memory->strides[d];
    if (strides[d] != mlirShapedTypeGetDynamicStrideOrOffset()) {
      *stride = ts_product_of_number(strides[d]);
      continue;
    }
    if (is_identity && d + 1 < memory->rank &&
        ts_product_multiply(&memory->strides[d + 1], &memory->sizes[d + 1], stride))
      continue;
    if (!metadata.ptr)
      metadata = ask_metadata(memory->memref);
    *stride = symbol_of(memories, mlirOperationGetResult(metadata, 2 + memory->rank + d));
  }
}

/* ---- roots ----------------------------------------------------------------------------------- */

static bool is_scalar(MlirType element) {
  return mlirTypeIsAInteger(element) || mlirTypeIsAIndex(element) || mlirTypeIsAFloat(element) ||
         mlirTypeIsAComplex(element);
}

static bool is_allocation(MlirValue root) {
  MlirOperation op = ts_defining_op(root);
  return op.ptr && ts_op_is(op, "memref.alloc");
}

const ts_buffer *ts_buffer_of(ts_buffers *memories, MlirValue memref) {
  ts_buffer *memory = ts_map_get(&memories->known, memref.ptr);
  if (memory)
    return memory;
  MlirType type = mlirValueGetType(memref);
  int64_t strides[TS_MAX_RANK], offset;
  if (!mlirTypeIsAMemRef(type) || !is_scalar(mlirShapedTypeGetElementType(type)) ||
      mlirShapedTypeGetRank(type) > TS_MAX_RANK ||
      !mlirAttributeIsNull(mlirMemRefTypeGetMemorySpace(type)) ||
      mlirLogicalResultIsFailure(mlirMemRefTypeGetStridesAndOffset(type, strides, &offset)))
    return NULL;
  memory = TS_NEW(memories->arena, ts_buffer, 1);
  memory->memref = memref;
  memory->rank = (int)mlirShapedTypeGetRank(type);
  memory->sizes = TS_NEW(memories->arena, ts_product, 2 * memory->rank);
  memory->strides = memory->sizes + memory->rank;
  for (int d = 0; d < memory->rank; d++)
    memory->sizes[d] = mlirShapedTypeIsDynamicDim(type, d)
                           ? dynamic_size(memories, memref, d)
                           : ts_product_of_number(mlirShapedTypeGetDimSize(type, d));
  read_strides(memories, memory, strides);
  memory->root = ts_view_root(memref);
  memory->is_fresh = is_allocation(memory->root);
  ts_map_set(&memories->known, memories->arena, memref.ptr, memory);
  return memory;
}

/* Memory that surely was there before an allocation: a constant, or what a region is given that
 * the allocation is in. */
static bool is_older(MlirValue root, MlirValue allocation) {
  MlirOperation op = ts_defining_op(root);
  if (op.ptr)
    return ts_op_is(op, "memref.get_global");
  /* Blocks behind a region's first may be given what was allocated in it. */
  MlirBlock block = mlirBlockArgumentGetOwner(root);
  MlirRegion region = mlirBlockGetParentRegion(block);
  if (!mlirBlockEqual(mlirRegionGetFirstBlock(region), block))
    return false;
  for (op = mlirOpResultGetOwner(allocation); op.ptr; op = mlirOperationGetParentOperation(op)) {
    MlirBlock within = mlirOperationGetBlock(op);
    if (within.ptr && mlirRegionEqual(mlirBlockGetParentRegion(within), region))
      return true;
  }
  return false;
}

/* A donated argument's memory is no other argument's, and no constant's. */
static bool is_donated_apart(MlirValue donated, MlirValue other) {
  MlirOperation op = ts_defining_op(other);
  return ts_parameter_is_donated(donated) &&
         (op.ptr ? ts_op_is(op, "memref.get_global")
                 : mlirBlockEqual(mlirBlockArgumentGetOwner(other),
                                  mlirBlockArgumentGetOwner(donated)));
}

static bool may_share(MlirValue a, MlirValue b) {
  if (mlirValueEqual(a, b))
    return true;
  if (is_donated_apart(a, b) || is_donated_apart(b, a))
    return false;
  if (is_allocation(a))
    return !is_allocation(b) && !is_older(b, a);
  return !is_allocation(b) || !is_older(a, b);
}

bool ts_buffer_may_alias(const ts_buffer *a, const ts_buffer *b) {
  return may_share(a->root, b->root);
}

bool ts_buffer_may_be_in(const ts_buffer *a, MlirValue memref) {
  return may_share(a->root, ts_view_root(memref));
}
