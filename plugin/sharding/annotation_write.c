/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* shard.sharding and shard.shard, written. It knows the ops; it must not know where shardings come
 * from nor what they are used for. */
#include <string.h>

#include "capi/capi.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "sharding/annotation.h"
#include "sharding/notation.h"
#include "support/diagnostics.h"
#include "support/ir.h"

static MlirAttribute split_axes_attribute(ts_arena *arena, MlirContext context,
                                          const ts_sharding *sharding) {
  /* The parser wants one list at least, even of a scalar. */
  int num = sharding->rank ? sharding->rank : 1;
  intptr_t *sizes = TS_NEW(arena, intptr_t, num);
  const int16_t **lists = TS_NEW(arena, const int16_t *, num);
  for (int d = 0; d < sharding->rank; d++) {
    int16_t *axes = TS_NEW(arena, int16_t, TS_MAX_AXES);
    const ts_dim *dim = &sharding->dims[d];
    for (int f = 0; f < dim->num_factors; f++)
      for (int i = 0; i < dim->factors[f].num_axes; i++)
        axes[sizes[d]++] = dim->factors[f].axes[i];
    lists[d] = axes;
  }
  if (sharding->rank == 0)
    lists[0] = TS_NEW(arena, int16_t, 1);
  return ts_axis_array_create(context, num, sizes, lists);
}

/* Two sizes for each split dimension, or an empty array if there are no halos. */
static MlirAttribute halos_attribute(ts_arena *arena, MlirContext context,
                                     const ts_sharding *sharding) {
  int64_t *sizes = TS_NEW(arena, int64_t, 2 * sharding->rank);
  intptr_t num = 0;
  bool any = false;
  for (int d = 0; d < sharding->rank; d++) {
    if (!ts_dim_is_split(&sharding->dims[d]))
      continue;
    any = any || ts_dim_has_halo(&sharding->dims[d]);
    for (int side = 0; side < 2; side++)
      sizes[num++] = ts_number_to_attribute(sharding->dims[d].halo[side]);
  }
  return mlirDenseI64ArrayGet(context, any ? num : 0, sizes);
}

/* The offsets of each split dimension, or an empty array if no dimension has explicit ones. */
static MlirAttribute offsets_attribute(ts_arena *arena, MlirContext context,
                                       const ts_sharding *sharding) {
  int64_t total = 0;
  bool any = false;
  for (int d = 0; d < sharding->rank; d++) {
    any = any || sharding->dims[d].offsets;
    int64_t shards = ts_dim_shards(sharding->grid, &sharding->dims[d]);
    total += shards == TS_DYNAMIC ? 0 : shards + 1;
  }
  if (!any)
    return mlirDenseI64ArrayGet(context, 0, NULL);
  int64_t *values = TS_NEW(arena, int64_t, total);
  intptr_t num = 0;
  for (int d = 0; d < sharding->rank; d++) {
    const ts_dim *dim = &sharding->dims[d];
    if (!ts_dim_is_split(dim))
      continue;
    int64_t shards = ts_dim_shards(sharding->grid, dim);
    for (int64_t i = 0; i <= shards; i++)
      values[num++] = dim->offsets ? ts_number_to_attribute(dim->offsets[i])
                                   : ts_balanced_offset(ts_dim_size(dim), shards, i);
  }
  return mlirDenseI64ArrayGet(context, num, values);
}

static bool has_factored_dim(const ts_sharding *sharding) {
  for (int d = 0; d < sharding->rank; d++)
    if (sharding->dims[d].num_factors > 1)
      return true;
  return false;
}

/* `sharding` with factored dimensions in normal form; plain ones stay as they are written. */
static const ts_sharding *for_writing(ts_arena *arena, const ts_sharding *sharding) {
  for (int d = 0; d < sharding->rank; d++)
    if (sharding->dims[d].num_factors > 1)
      sharding = ts_sharding_with_dim(arena, sharding, d,
                                      ts_dim_normal(arena, sharding->grid, &sharding->dims[d]));
  return sharding;
}

static MlirOperation create(MlirBlock block, MlirOperation before, MlirOperationState *state) {
  MlirOperation op = mlirOperationCreate(state);
  if (mlirOperationIsNull(before))
    mlirBlockAppendOwnedOperation(block, op);
  else
    mlirBlockInsertOwnedOperationBefore(block, before, op);
  return op;
}

/* A number as an operand of shard.sharding. */
static MlirValue number_operand(MlirBlock block, MlirOperation before, MlirLocation location,
                                ts_number number) {
  MlirValue value = ts_number_value(number);
  MlirType i64 = mlirIntegerTypeGet(mlirLocationGetContext(location), 64);
  if (mlirTypeEqual(mlirValueGetType(value), i64))
    return value;
  MlirOperationState state =
      mlirOperationStateGet(mlirStringRefCreateFromCString("arith.index_cast"), location);
  mlirOperationStateAddOperands(&state, 1, &value);
  mlirOperationStateAddResults(&state, 1, &i64);
  return mlirOperationGetResult(create(block, before, &state), 0);
}

/* The operands of a shard.sharding: run-time offsets, then run-time halos, in `segments` parts. */
static MlirValue *number_operands(const ts_annotation_writer *writer, MlirBlock block,
                                  MlirOperation before, MlirLocation location,
                                  const ts_sharding *sharding, int32_t segments[2]) {
  int64_t room = ts_sharding_run_time(sharding, NULL);
  MlirValue *operands = TS_NEW(writer->arena, MlirValue, room);
  intptr_t num = 0;
  for (int d = 0; d < sharding->rank; d++) {
    const ts_dim *dim = &sharding->dims[d];
    int64_t shards = dim->offsets ? ts_dim_shards(sharding->grid, dim) : -1;
    for (int64_t i = 0; i <= shards; i++)
      if (ts_is_run_time(dim->offsets[i]))
        operands[num++] = number_operand(block, before, location, dim->offsets[i]);
  }
  segments[0] = (int32_t)num;
  for (int d = 0; d < sharding->rank; d++)
    for (int side = 0; side < 2; side++)
      if (ts_is_run_time(sharding->dims[d].halo[side]))
        operands[num++] = number_operand(block, before, location, sharding->dims[d].halo[side]);
  segments[1] = (int32_t)num - segments[0];
  return operands;
}

/* The shard.sharding with these attributes, found or built. */
static MlirOperation shared_sharding(ts_annotation_writer *writer, MlirLocation location,
                                     intptr_t num, const MlirNamedAttribute *attributes) {
  MlirContext context = mlirLocationGetContext(location);
  MlirAttribute key = mlirDictionaryAttrGet(context, num, attributes);
  MlirOperation op = {ts_map_get(&writer->shardings, key.ptr)};
  if (op.ptr)
    return op;
  MlirType type = ts_sharding_type(context);
  MlirOperationState state =
      mlirOperationStateGet(mlirStringRefCreateFromCString("shard.sharding"), location);
  mlirOperationStateAddAttributes(&state, num, attributes);
  mlirOperationStateAddResults(&state, 1, &type);
  op = mlirOperationCreate(&state);
  mlirBlockInsertOwnedOperationAfter(writer->entry, writer->last, op);
  writer->last = op;
  ts_map_set(&writer->shardings, writer->arena, key.ptr, op.ptr);
  return op;
}

enum { MAX_ATTRIBUTES = 7 };

/* The attributes of a shard.sharding; returns their number. */
static intptr_t sharding_attributes(const ts_annotation_writer *writer, MlirContext context,
                                    const ts_sharding *sharding, const int32_t segments[2],
                                    MlirNamedAttribute *attributes) {
  ts_arena *arena = writer->arena;
  MlirStringRef grid = mlirStringRefCreateFromCString(sharding->grid->name);
  const MlirNamedAttribute always[5] = {
      ts_named(context, "grid", mlirFlatSymbolRefAttrGet(context, grid)),
      ts_named(context, "split_axes", split_axes_attribute(arena, context, sharding)),
      ts_named(context, ts_halos_name, halos_attribute(arena, context, sharding)),
      ts_named(context, ts_offsets_name, offsets_attribute(arena, context, sharding)),
      ts_named(context, "operandSegmentSizes", mlirDenseI32ArrayGet(context, 2, segments)),
  };
  intptr_t num = 5;
  memcpy(attributes, always, sizeof(always));
  if (has_factored_dim(sharding))
    attributes[num++] =
        ts_named(context, "tessera.factors", ts_factors_to_attribute(arena, context, sharding));
  if (sharding->num_partial)
    attributes[num++] =
        ts_named(context, "tessera.partial", ts_partial_to_attribute(arena, context, sharding));
  return num;
}

static MlirOperation build_sharding(ts_annotation_writer *writer, MlirLocation location,
                                    const ts_sharding *sharding) {
  const int32_t segments[2] = {0, 0};
  MlirNamedAttribute attributes[MAX_ATTRIBUTES];
  intptr_t num =
      sharding_attributes(writer, mlirLocationGetContext(location), sharding, segments, attributes);
  return shared_sharding(writer, location, num, attributes);
}

/* Beside its use, where its numbers are known. */
static MlirOperation build_run_time_sharding(ts_annotation_writer *writer, MlirBlock block,
                                             MlirOperation before, MlirLocation location,
                                             const ts_sharding *sharding) {
  MlirContext context = mlirLocationGetContext(location);
  int32_t segments[2];
  MlirValue *operands = number_operands(writer, block, before, location, sharding, segments);
  MlirNamedAttribute attributes[MAX_ATTRIBUTES];
  intptr_t num = sharding_attributes(writer, context, sharding, segments, attributes);
  MlirType type = ts_sharding_type(context);
  MlirOperationState state =
      mlirOperationStateGet(mlirStringRefCreateFromCString("shard.sharding"), location);
  mlirOperationStateAddOperands(&state, segments[0] + segments[1], operands);
  mlirOperationStateAddAttributes(&state, num, attributes);
  mlirOperationStateAddResults(&state, 1, &type);
  return create(block, before, &state);
}

static MlirOperation write_sharding(ts_annotation_writer *writer, MlirLocation location,
                                    const ts_sharding *sharding) {
  const unsigned capacity = sizeof(writer->recent) / sizeof(writer->recent[0]);
  for (unsigned i = 0; i < capacity && i < writer->num_recent; i++)
    if (writer->recent[i].sharding == sharding ||
        ts_sharding_equal(writer->recent[i].sharding, sharding))
      return writer->recent[i].op;
  MlirOperation op = build_sharding(writer, location, for_writing(writer->arena, sharding));
  unsigned slot = writer->num_recent++ % capacity;
  writer->recent[slot].sharding = sharding;
  writer->recent[slot].op = op;
  return op;
}

/* The shard.sharding for an annotation before `before` in `block`. */
static MlirOperation write_any_sharding(ts_annotation_writer *writer, MlirBlock block,
                                        MlirOperation before, MlirLocation location,
                                        const ts_sharding *sharding) {
  return ts_sharding_run_time(sharding, NULL)
             ? build_run_time_sharding(writer, block, before, location, sharding)
             : write_sharding(writer, location, sharding);
}

void ts_annotation_hold(ts_annotation_writer *writer, MlirOperation op,
                        const ts_sharding *sharding) {
  if (!ts_says_growth(op, ts_annotation_source(op)))
    return;
  MlirOperation source = write_any_sharding(writer, mlirOperationGetBlock(op), op,
                                            mlirOperationGetLocation(op), sharding);
  MlirOperation before = ts_annotation_source(op);
  mlirOperationSetOperand(op, 1, mlirOperationGetResult(source, 0));
  ts_forget_growth(op);
  /* Numbers that only the run knows are read where it says them, also after this. */
  if (mlirOperationGetNumOperands(before) == 0 &&
      mlirOpOperandIsNull(mlirValueGetFirstUse(mlirOperationGetResult(before, 0))))
    mlirOperationDestroy(before);
}

MlirValue ts_annotation_write(ts_annotation_writer *writer, MlirBlock block, MlirOperation before,
                              MlirLocation location, MlirValue value, const ts_sharding *sharding,
                              ts_annotation_for what) {
  MlirContext context = mlirLocationGetContext(location);
  MlirOperation source = write_any_sharding(writer, block, before, location, sharding);
  MlirValue operands[2] = {value, mlirOperationGetResult(source, 0)};
  MlirType type = mlirValueGetType(value);
  MlirOperationState state =
      mlirOperationStateGet(mlirStringRefCreateFromCString("shard.shard"), location);
  mlirOperationStateAddOperands(&state, 2, operands);
  mlirOperationStateAddResults(&state, 1, &type);
  if (what == TS_FOR_USERS) {
    MlirNamedAttribute flag = ts_named(context, "annotate_for_users", mlirUnitAttrGet(context));
    mlirOperationStateAddAttributes(&state, 1, &flag);
  }
  return mlirOperationGetResult(create(block, before, &state), 0);
}
