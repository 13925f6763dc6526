/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Ops at an insertion point, index arithmetic that folds, and the cache of values of the entry
 * block. It knows how to say things in IR; it must not know what to say. */
#include "emit/emit.h"

#include <string.h>

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include "emit/cache.h"
#include "support/diagnostics.h"

/* ---- insertion point ------------------------------------------------------------------------- */

void ts_emit_init(ts_emit *emit, ts_arena *arena, MlirBlock entry) {
  MlirOperation parent = mlirBlockGetParentOperation(entry);
  *emit = (ts_emit){.arena = arena,
                    .context = mlirOperationGetContext(parent),
                    .entry = entry,
                    .block = entry,
                    .location = mlirOperationGetLocation(parent)};
}

void ts_emit_before(ts_emit *emit, MlirOperation op) {
  emit->block = mlirOperationGetBlock(op);
  emit->before = op;
  emit->location = mlirOperationGetLocation(op);
}

void ts_emit_after(ts_emit *emit, MlirOperation op) {
  emit->block = mlirOperationGetBlock(op);
  emit->before = mlirOperationGetNextInBlock(op);
  emit->location = mlirOperationGetLocation(op);
}

ts_place ts_emit_place(const ts_emit *emit) {
  return (ts_place){emit->context, emit->location, emit->block, emit->before};
}

ts_place ts_place_before(ts_emit *emit, MlirOperation op) {
  ts_place place = ts_emit_place(emit);
  ts_emit_before(emit, op);
  return place;
}

void ts_place_back(ts_emit *emit, ts_place place) {
  emit->block = place.block;
  emit->before = place.before;
  emit->location = place.location;
}

/* ---- cache of the entry block ---------------------------------------------------------------- */

/* Open addressing; `at_entry` counts nested ts_emit_enter. */
struct ts_emit_cached {
  size_t used, capacity;
  ts_cache_key *keys;
  MlirValue *values;
  int at_entry;
};

ts_cache_key ts_make_key(ts_cached_kind kind, const ts_grid *grid, int64_t number,
                         const ts_factor *factor) {
  ts_cache_key key = {{kind, (int64_t)(intptr_t)grid, number}};
  if (factor) {
    key.words[3] = factor->size;
    key.words[4] = factor->num_axes;
    memcpy(&key.words[5], factor->axes, (size_t)factor->num_axes);
  }
  return key;
}

static size_t hash_key(const ts_cache_key *key) {
  uint64_t hash = 1469598103934665603u; /* FNV-1a, by words */
  for (size_t i = 0; i < sizeof(key->words) / sizeof(key->words[0]); i++)
    hash = (hash ^ (uint64_t)key->words[i]) * 1099511628211u;
  return (size_t)(hash ^ hash >> 32);
}

static size_t find_slot(const struct ts_emit_cached *cache, const ts_cache_key *key) {
  size_t slot = hash_key(key) & (cache->capacity - 1);
  while (cache->keys[slot].words[0] && memcmp(&cache->keys[slot], key, sizeof(*key)) != 0)
    slot = (slot + 1) & (cache->capacity - 1);
  return slot;
}

static struct ts_emit_cached *get_cache(ts_emit *emit) {
  if (!emit->cache)
    emit->cache = TS_NEW(emit->arena, struct ts_emit_cached, 1);
  return emit->cache;
}

static void grow(ts_arena *arena, struct ts_emit_cached *cache) {
  struct ts_emit_cached old = *cache;
  cache->capacity = old.capacity ? old.capacity * 2 : 64;
  cache->keys = TS_NEW(arena, ts_cache_key, cache->capacity);
  cache->values = TS_NEW(arena, MlirValue, cache->capacity);
  for (size_t i = 0; i < old.capacity; i++) {
    if (!old.keys[i].words[0])
      continue;
    size_t slot = find_slot(cache, &old.keys[i]);
    cache->keys[slot] = old.keys[i];
    cache->values[slot] = old.values[i];
  }
}

MlirValue ts_cache_find(const ts_emit *emit, const ts_cache_key *key) {
  if (!emit->cache || !emit->cache->capacity)
    return (MlirValue){NULL};
  return emit->cache->values[find_slot(emit->cache, key)];
}

MlirValue ts_cache_store(ts_emit *emit, const ts_cache_key *key, MlirValue value) {
  struct ts_emit_cached *cache = get_cache(emit);
  if (2 * (cache->used + 1) > cache->capacity)
    grow(emit->arena, cache);
  size_t slot = find_slot(cache, key);
  cache->used += !cache->keys[slot].words[0];
  cache->keys[slot] = *key;
  cache->values[slot] = value;
  return value;
}

ts_place ts_emit_enter(ts_emit *emit) {
  ts_place place = ts_emit_place(emit);
  get_cache(emit)->at_entry++;
  emit->block = emit->entry;
  emit->before = mlirOperationIsNull(emit->entry_last)
                     ? mlirBlockGetFirstOperation(emit->entry)
                     : mlirOperationGetNextInBlock(emit->entry_last);
  emit->location = mlirOperationGetLocation(mlirBlockGetParentOperation(emit->entry));
  return place;
}

void ts_emit_leave(ts_emit *emit, ts_place place) {
  emit->cache->at_entry--;
  ts_place_back(emit, place);
}

/* ---- ops ------------------------------------------------------------------------------------- */

MlirOperation ts_emit_op(ts_emit *emit, const char *name, intptr_t num_operands,
                         const MlirValue *operands, intptr_t num_results, const MlirType *results,
                         intptr_t num_attributes, const MlirNamedAttribute *attributes) {
  ts_place place = ts_emit_place(emit);
  MlirOperation op = ts_make_op(&place, &(ts_new_op){.name = name,
                                                     .num_operands = num_operands,
                                                     .operands = operands,
                                                     .num_results = num_results,
                                                     .results = results,
                                                     .num_attributes = num_attributes,
                                                     .attributes = attributes});
  if (emit->cache && emit->cache->at_entry)
    emit->entry_last = op;
  return op;
}

/* ---- index arithmetic ------------------------------------------------------------------------ */

int64_t ts_index_value(MlirValue value) {
  if (mlirValueIsNull(value) || !mlirValueIsAOpResult(value))
    return TS_DYNAMIC;
  MlirOperation op = mlirOpResultGetOwner(value);
  if (!mlirStringRefEqual(mlirIdentifierStr(mlirOperationGetName(op)),
                          mlirStringRefCreateFromCString("arith.constant")))
    return TS_DYNAMIC;
  MlirAttribute attribute =
      mlirOperationGetAttributeByName(op, mlirStringRefCreateFromCString("value"));
  if (!mlirAttributeIsAInteger(attribute) || !mlirTypeIsAIndex(mlirValueGetType(value)))
    return TS_DYNAMIC;
  return mlirIntegerAttrGetValueInt(attribute);
}

MlirValue ts_emit_index(ts_emit *emit, int64_t value) {
  ts_cache_key key = ts_make_key(TS_CACHED_CONSTANT, NULL, value, NULL);
  MlirValue found = ts_cache_find(emit, &key);
  if (!mlirValueIsNull(found))
    return found;
  MlirType index = mlirIndexTypeGet(emit->context);
  MlirNamedAttribute attribute = ts_named(emit->context, "value", mlirIntegerAttrGet(index, value));
  ts_place place = ts_emit_enter(emit);
  MlirOperation op = ts_emit_op(emit, "arith.constant", 0, NULL, 1, &index, 1, &attribute);
  ts_emit_leave(emit, place);
  return ts_cache_store(emit, &key, mlirOperationGetResult(op, 0));
}

static MlirValue emit_binary(ts_emit *emit, const char *name, MlirValue a, MlirValue b) {
  if (mlirValueIsNull(a) || mlirValueIsNull(b))
    return (MlirValue){NULL};
  MlirValue operands[2] = {a, b};
  MlirType index = mlirIndexTypeGet(emit->context);
  return mlirOperationGetResult(ts_emit_op(emit, name, 2, operands, 1, &index, 0, NULL), 0);
}

MlirValue ts_emit_add(ts_emit *emit, MlirValue a, MlirValue b) {
  int64_t x = ts_index_value(a), y = ts_index_value(b);
  if (x == 0)
    return b;
  if (y == 0)
    return a;
  if (x != TS_DYNAMIC && y != TS_DYNAMIC)
    return ts_emit_index(emit, x + y);
  return emit_binary(emit, "arith.addi", a, b);
}

MlirValue ts_emit_sub(ts_emit *emit, MlirValue a, MlirValue b) {
  int64_t x = ts_index_value(a), y = ts_index_value(b);
  if (y == 0)
    return a;
  if (mlirValueEqual(a, b))
    return ts_emit_index(emit, 0);
  if (x != TS_DYNAMIC && y != TS_DYNAMIC)
    return ts_emit_index(emit, x - y);
  return emit_binary(emit, "arith.subi", a, b);
}

MlirValue ts_emit_mul(ts_emit *emit, MlirValue a, MlirValue b) {
  int64_t x = ts_index_value(a), y = ts_index_value(b);
  if (x == 1 || y == 0)
    return b;
  if (y == 1 || x == 0)
    return a;
  if (x != TS_DYNAMIC && y != TS_DYNAMIC)
    return ts_emit_index(emit, x * y);
  return emit_binary(emit, "arith.muli", a, b);
}

MlirValue ts_emit_div(ts_emit *emit, MlirValue a, MlirValue b) {
  int64_t x = ts_index_value(a), y = ts_index_value(b);
  if (y == 1)
    return a;
  if (x >= 0 && y > 0)
    return ts_emit_index(emit, x / y);
  return emit_binary(emit, "arith.divui", a, b);
}

MlirValue ts_emit_rem(ts_emit *emit, MlirValue a, MlirValue b) {
  int64_t x = ts_index_value(a), y = ts_index_value(b);
  if (y == 1)
    return ts_emit_index(emit, 0);
  if (x >= 0 && y > 0)
    return ts_emit_index(emit, x % y);
  return emit_binary(emit, "arith.remui", a, b);
}

MlirValue ts_emit_max(ts_emit *emit, MlirValue a, MlirValue b) {
  int64_t x = ts_index_value(a), y = ts_index_value(b);
  if (mlirValueEqual(a, b))
    return a;
  if (x != TS_DYNAMIC && y != TS_DYNAMIC)
    return ts_emit_index(emit, x > y ? x : y);
  return emit_binary(emit, "arith.maxsi", a, b);
}

MlirValue ts_emit_min(ts_emit *emit, MlirValue a, MlirValue b) {
  int64_t x = ts_index_value(a), y = ts_index_value(b);
  if (mlirValueEqual(a, b))
    return a;
  if (x != TS_DYNAMIC && y != TS_DYNAMIC)
    return ts_emit_index(emit, x < y ? x : y);
  return emit_binary(emit, "arith.minsi", a, b);
}

MlirValue ts_emit_number(ts_emit *emit, ts_number number) {
  if (!ts_is_run_time(number))
    return ts_emit_index(emit, number.known);
  MlirValue value = ts_number_value(number);
  MlirType index = mlirIndexTypeGet(emit->context);
  if (mlirValueIsNull(value))
    ts_error_at(emit->location,
                "the run-time halo sizes or shard offsets of this value are not known "
                "here: annotate it where it is used");
  if (mlirValueIsNull(value) || mlirTypeEqual(mlirValueGetType(value), index))
    return value;
  return mlirOperationGetResult(ts_emit_op(emit, "arith.index_cast", 1, &value, 1, &index, 0, NULL),
                                0);
}

/* ---- tensors --------------------------------------------------------------------------------- */

MlirValue ts_emit_tensor_size(ts_emit *emit, MlirValue tensor, int dim) {
  MlirType type = mlirValueGetType(tensor);
  if (!mlirShapedTypeIsDynamicDim(type, dim))
    return ts_emit_index(emit, mlirShapedTypeGetDimSize(type, dim));
  MlirValue operands[2] = {tensor, ts_emit_index(emit, dim)};
  MlirType index = mlirIndexTypeGet(emit->context);
  return mlirOperationGetResult(ts_emit_op(emit, "tensor.dim", 2, operands, 1, &index, 0, NULL), 0);
}

MlirValue ts_emit_cast(ts_emit *emit, MlirValue tensor, MlirType type) {
  if (mlirTypeEqual(mlirValueGetType(tensor), type))
    return tensor;
  return mlirOperationGetResult(ts_emit_op(emit, "tensor.cast", 1, &tensor, 1, &type, 0, NULL), 0);
}

MlirValue ts_emit_empty(ts_emit *emit, MlirType type, intptr_t num_sizes, const MlirValue *sizes) {
  return mlirOperationGetResult(
      ts_emit_op(emit, "tensor.empty", num_sizes, sizes, 1, &type, 0, NULL), 0);
}

MlirValue ts_emit_constant(ts_emit *emit, MlirType type, MlirAttribute value) {
  MlirNamedAttribute attribute = ts_named(emit->context, "value", value);
  return mlirOperationGetResult(
      ts_emit_op(emit, "arith.constant", 0, NULL, 1, &type, 1, &attribute), 0);
}

/* Of integers that say whether they have a sign arith has constant tensors only. */
MlirValue ts_emit_scalar(ts_emit *emit, MlirAttribute value) {
  MlirType element = mlirAttributeGetType(value);
  if (!mlirTypeIsAInteger(element) || mlirIntegerTypeIsSignless(element))
    return ts_emit_constant(emit, element, value);
  MlirType type = mlirRankedTensorTypeGet(0, NULL, element, mlirAttributeGetNull());
  MlirValue tensor = ts_emit_constant(emit, type, mlirDenseElementsAttrSplatGet(type, value));
  return mlirOperationGetResult(
      ts_emit_op(emit, "tensor.extract", 1, &tensor, 1, &element, 0, NULL), 0);
}

/* The slice of a tensor without elements, of which `tensor.extract_slice` takes none. */
static MlirValue empty_slice(ts_emit *emit, MlirType result, const MlirValue *sizes) {
  intptr_t rank = mlirShapedTypeGetRank(result), num = 0;
  MlirValue *operands = TS_NEW(emit->arena, MlirValue, rank);
  for (intptr_t d = 0; d < rank; d++)
    if (mlirShapedTypeIsDynamicDim(result, d))
      operands[num++] = sizes[d];
  return ts_emit_empty(emit, result, num, operands);
}

/* Appends the offsets, and the sizes that `type` does not say, to `operands`; returns the op's
 * attributes. `num`: the tensors that are there already. */
static void slice_numbers(ts_emit *emit, MlirType type, const MlirValue *offsets,
                          const MlirValue *sizes, MlirValue *operands, intptr_t *num,
                          MlirNamedAttribute attributes[4]) {
  intptr_t rank = mlirShapedTypeGetRank(type);
  int64_t *static_offsets = TS_NEW(emit->arena, int64_t, rank);
  int64_t *static_sizes = TS_NEW(emit->arena, int64_t, rank);
  int64_t *strides = TS_NEW(emit->arena, int64_t, rank);
  int32_t segments[5] = {1, *num > 1}, part = (int32_t)*num;
  int32_t *numbers = &segments[part];
  for (intptr_t d = 0; d < rank; d++) {
    strides[d] = 1;
    static_offsets[d] = ts_index_value(offsets[d]);
    if (static_offsets[d] != TS_DYNAMIC)
      continue;
    operands[(*num)++] = offsets[d];
    numbers[0]++;
  }
  /* The type of a slice follows from which sizes are attributes, so the asked type decides that. */
  for (intptr_t d = 0; d < rank; d++) {
    static_sizes[d] =
        mlirShapedTypeIsDynamicDim(type, d) ? TS_DYNAMIC : mlirShapedTypeGetDimSize(type, d);
    if (static_sizes[d] != TS_DYNAMIC)
      continue;
    operands[(*num)++] = sizes[d];
    numbers[1]++;
  }
  attributes[0] = ts_named(emit->context, "static_offsets",
                           mlirDenseI64ArrayGet(emit->context, rank, static_offsets));
  attributes[1] = ts_named(emit->context, "static_sizes",
                           mlirDenseI64ArrayGet(emit->context, rank, static_sizes));
  attributes[2] =
      ts_named(emit->context, "static_strides", mlirDenseI64ArrayGet(emit->context, rank, strides));
  attributes[3] = ts_named(emit->context, "operandSegmentSizes",
                           mlirDenseI32ArrayGet(emit->context, part + 3, segments));
}

MlirValue ts_emit_extract_slice(ts_emit *emit, MlirValue tensor, MlirType result,
                                const MlirValue *offsets, const MlirValue *sizes) {
  if (ts_has_no_elements(mlirValueGetType(tensor)))
    return empty_slice(emit, result, sizes);
  intptr_t rank = mlirShapedTypeGetRank(result), num = 1;
  MlirValue *operands = TS_NEW(emit->arena, MlirValue, 1 + 2 * rank);
  MlirNamedAttribute attributes[4];
  operands[0] = tensor;
  slice_numbers(emit, result, offsets, sizes, operands, &num, attributes);
  return mlirOperationGetResult(
      ts_emit_op(emit, "tensor.extract_slice", num, operands, 1, &result, 4, attributes), 0);
}

MlirValue ts_emit_insert_slice(ts_emit *emit, MlirValue slice, MlirValue into,
                               const MlirValue *offsets, const MlirValue *sizes) {
  MlirType type = mlirValueGetType(slice), result = mlirValueGetType(into);
  intptr_t rank = mlirShapedTypeGetRank(type), num = 2;
  MlirValue *operands = TS_NEW(emit->arena, MlirValue, 2 + 2 * rank);
  MlirNamedAttribute attributes[4];
  operands[0] = slice;
  operands[1] = into;
  slice_numbers(emit, type, offsets, sizes, operands, &num, attributes);
  return mlirOperationGetResult(
      ts_emit_op(emit, "tensor.insert_slice", num, operands, 1, &result, 4, attributes), 0);
}
