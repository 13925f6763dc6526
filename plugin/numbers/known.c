/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Where halo sizes and shard offsets that only the launch knows are known, and what those of a
 * function are where it is called. Knows values and calls, not what layouts are for. */
#include "model/model.h"

#include "mlir-c/BuiltinAttributes.h"

/* ---- where --------------------------------------------------------------------------------------
 */

static MlirBlock block_of(MlirValue value) {
  return mlirValueIsABlockArgument(value) ? mlirBlockArgumentGetOwner(value)
                                          : mlirOperationGetBlock(mlirOpResultGetOwner(value));
}

MlirOperation ts_ancestor_in(MlirBlock block, MlirOperation op) {
  while (op.ptr && !mlirBlockEqual(mlirOperationGetBlock(op), block)) {
    op = mlirOperationGetParentOperation(op);
    if (op.ptr && ts_op_is(op, "func.func"))
      return (MlirOperation){NULL};
  }
  return op;
}

bool ts_known_before(MlirValue value, MlirOperation op) {
  MlirOperation around = ts_ancestor_in(block_of(value), op);
  if (!around.ptr)
    return false;
  return mlirValueIsABlockArgument(value) ||
         mlirOperationIsBeforeInBlock(mlirOpResultGetOwner(value), around);
}

/* The values behind the layout's run-time numbers; unknown ones are null. */
static int64_t values_of(ts_model *model, const ts_sharding *layout, MlirValue **values) {
  int64_t num = ts_sharding_run_time(layout, NULL);
  int64_t *numbers = TS_NEW(model->arena, int64_t, num);
  ts_sharding_run_time(layout, numbers);
  *values = TS_NEW(model->arena, MlirValue, num);
  for (int64_t i = 0; i < num; ++i)
    (*values)[i] = ts_number_value(&model->grids.numbers, numbers[i]);
  return num;
}

bool ts_layout_known_before(ts_model *model, const ts_sharding *layout, MlirOperation op) {
  MlirValue *values;
  int64_t num = values_of(model, layout, &values);
  for (int64_t i = 0; i < num; ++i)
    if (mlirValueIsNull(values[i]) || !ts_known_before(values[i], op))
      return false;
  return true;
}

bool ts_layout_known_in(ts_model *model, const ts_sharding *layout, MlirBlock block) {
  MlirValue *values;
  int64_t num = values_of(model, layout, &values);
  for (int64_t i = 0; i < num; ++i)
    if (mlirValueIsNull(values[i]) || !mlirBlockEqual(block_of(values[i]), block))
      return false;
  return true;
}

/* ---- at calls -----------------------------------------------------------------------------------
 */

/* The caller's number for one of the callee's: what it passes for it. False if it passes none. */
static bool number_at_call(ts_model *model, const ts_op *call, int64_t *number) {
  if (!ts_is_run_time(*number))
    return true;
  MlirValue value = ts_number_value(&model->grids.numbers, *number);
  MlirBlock entry = mlirRegionGetFirstBlock(mlirOperationGetRegion(call->callee->handle, 0));
  if (mlirValueIsNull(value) || !mlirValueIsABlockArgument(value) ||
      !mlirBlockEqual(mlirBlockArgumentGetOwner(value), entry))
    return false;
  *number = ts_number_of_operand(&model->grids.numbers, call->handle,
                                 mlirBlockArgumentGetArgNumber(value));
  return true;
}

static bool dim_at_call(ts_model *model, const ts_op *call, const ts_grid *grid, ts_dim *dim) {
  for (int side = 0; side < 2; ++side)
    if (!number_at_call(model, call, &dim->halo[side]))
      return false;
  if (!dim->offsets)
    return true;
  int64_t num = ts_dim_shards(grid, dim) + 1;
  int64_t *offsets = ts_arena_copy(model->arena, dim->offsets, sizeof(*offsets) * (size_t)num);
  for (int64_t i = 0; i < num; ++i)
    if (!number_at_call(model, call, &offsets[i]))
      return false;
  dim->offsets = offsets;
  return true;
}

const ts_sharding *ts_layout_at_call(ts_model *model, const ts_op *call,
                                     const ts_sharding *layout) {
  if (!ts_sharding_run_time(layout, NULL))
    return layout;
  for (int d = 0; d < layout->rank; ++d) {
    ts_dim dim = layout->dims[d];
    if (!dim_at_call(model, call, layout->grid, &dim)) {
      ts_error(call->handle,
               "call of @%s, whose arguments or results have halo sizes or shard offsets that it "
               "computes itself: expected them to be among its arguments; pass them to it",
               call->callee->name);
      return NULL;
    }
    layout = ts_sharding_with_dim(model->arena, layout, d, dim);
  }
  return layout;
}
