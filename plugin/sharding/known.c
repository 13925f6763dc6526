/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Where halo sizes and shard offsets that only the launch knows are known, and what those of a
 * function are where it is called. It knows values and calls; it must not know what layouts are
 * for. */
#include "sharding/known.h"

#include "mlir-c/BuiltinAttributes.h"
#include "numbers/program_numbers.h"
#include "support/blocks.h"
#include "support/diagnostics.h"
#include "support/ir.h"

/* ---- where ----------------------------------------------------------------------------------- */

/* Whether `is` says yes to the value behind every run-time number of the layout. */
static bool all_values(const ts_sharding *layout, bool (*is)(MlirValue value, const void *user),
                       const void *user) {
  ts_arena scratch = {0};
  ts_number *numbers = TS_NEW(&scratch, ts_number, ts_sharding_run_time(layout, NULL));
  int64_t num = ts_sharding_run_time(layout, numbers);
  bool all = true;
  for (int64_t i = 0; i < num && all; i++) {
    MlirValue value = ts_number_value(numbers[i]);
    all = !mlirValueIsNull(value) && is(value, user);
  }
  ts_arena_free(&scratch);
  return all;
}

static bool is_before(MlirValue value, const void *op) {
  return ts_known_before(value, *(const MlirOperation *)op);
}

static bool is_in(MlirValue value, const void *block) {
  return mlirBlockEqual(ts_block_of(value), *(const MlirBlock *)block);
}

bool ts_layout_known_before(const ts_sharding *layout, MlirOperation op) {
  return all_values(layout, is_before, &op);
}

bool ts_layout_known_in(const ts_sharding *layout, MlirBlock block) {
  return all_values(layout, is_in, &block);
}

/* ---- at calls -------------------------------------------------------------------------------- */

typedef struct call_numbers {
  ts_numbers *numbers;
  MlirOperation call;
  MlirBlock entry; /* of the callee */
} call_numbers;

/* The caller's number for one of the callee's: what it passes for it. False if it passes none. */
static bool number_at_call(const call_numbers *c, ts_number *number) {
  if (!ts_is_run_time(*number))
    return true;
  MlirValue value = ts_number_value(*number);
  if (mlirValueIsNull(value) || !mlirValueIsABlockArgument(value) ||
      !mlirBlockEqual(mlirBlockArgumentGetOwner(value), c->entry))
    return false;
  *number = ts_number_of_operand(c->numbers, c->call, mlirBlockArgumentGetArgNumber(value));
  return true;
}

static bool dim_at_call(const call_numbers *c, const ts_grid *grid, ts_dim *dim) {
  for (int side = 0; side < 2; side++)
    if (!number_at_call(c, &dim->halo[side]))
      return false;
  if (!dim->offsets)
    return true;
  int64_t num = ts_dim_shards(grid, dim) + 1;
  ts_number *offsets =
      ts_arena_copy(c->numbers->arena, dim->offsets, sizeof(*offsets) * (size_t)num);
  for (int64_t i = 0; i < num; i++)
    if (!number_at_call(c, &offsets[i]))
      return false;
  dim->offsets = offsets;
  return true;
}

const ts_sharding *ts_layout_at_call(ts_numbers *numbers, MlirOperation call, MlirOperation callee,
                                     const ts_sharding *layout) {
  if (!ts_sharding_run_time(layout, NULL))
    return layout;
  call_numbers c = {numbers, call, mlirRegionGetFirstBlock(mlirOperationGetRegion(callee, 0))};
  for (int d = 0; d < layout->rank; d++) {
    ts_dim dim = layout->dims[d];
    if (!dim_at_call(&c, layout->grid, &dim)) {
      MlirStringRef name = mlirStringAttrGetValue(ts_attribute(callee, "sym_name"));
      ts_error(call,
               "call of @%.*s, whose arguments or results have halo sizes or shard offsets that it "
               "computes itself: expected them to be among its arguments; pass them to it",
               (int)name.length, name.data);
      return NULL;
    }
    layout = ts_sharding_with_dim(numbers->arena, layout, d, dim);
  }
  return layout;
}
