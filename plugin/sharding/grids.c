/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* shard.grid, read. It knows the op; it must not know what is laid out on a grid. */
#include "sharding/annotation.h"

#include <string.h>

#include "mlir-c/BuiltinAttributes.h"
#include "support/diagnostics.h"
#include "support/ir.h"

static const char *copy_text(ts_arena *arena, MlirStringRef text) {
  char *copy = ts_arena_alloc(arena, text.length + 1);
  memcpy(copy, text.data, text.length);
  return copy;
}

/* Devices are counted in 32 bits: they are ranks. */
bool ts_grid_read(ts_arena *arena, MlirOperation op, ts_grid *grid) {
  MlirAttribute shape = ts_attribute(op, "shape");
  intptr_t rank = mlirDenseArrayGetNumElements(shape);
  if (rank > TS_MAX_AXES)
    return ts_error(op, "grid of %d axes; at most %d are supported", (int)rank, TS_MAX_AXES);
  grid->name = copy_text(arena, mlirStringAttrGetValue(ts_attribute(op, "sym_name")));
  grid->rank = (int)rank;
  int64_t devices = 1;
  for (intptr_t a = 0; a < rank; a++) {
    int64_t extent = mlirDenseI64ArrayGetElement(shape, a);
    grid->shape[a] = extent;
    if (extent == TS_DYNAMIC)
      continue;
    if (extent < 1)
      return ts_error(op,
                      "axis %d of grid @%s has the extent %lld: expected 1 "
                      "or more, or ? where the launch decides",
                      (int)a, grid->name, (long long)extent);
    if (__builtin_mul_overflow(devices, extent, &devices) || devices > INT32_MAX)
      return ts_error(op,
                      "grid @%s has more devices than ranks can be: "
                      "expected at most %lld",
                      grid->name, (long long)INT32_MAX);
  }
  return true;
}

static bool find_refined(ts_grids *grids, int i) {
  MlirOperation op = grids->ops[i];
  const ts_grid *grid = grids->grids[i];
  grids->refined[i] = grid;
  if (mlirAttributeIsNull(ts_attribute(op, TS_REFINED)))
    return true;
  MlirStringRef name = ts_op_symbol(op, TS_REFINED);
  const ts_grid *finer = ts_grids_find(grids, name);
  if (!finer || (finer != grid && !ts_grid_refines(finer, grid)))
    return ts_error(op,
                    "'" TS_REFINED "' of grid @%s is '%.*s': expected the name of a grid of the "
                    "same devices, each axis as one or several",
                    grid->name, (int)name.length, name.length ? name.data : "");
  grids->refined[i] = finer;
  return true;
}

/* Grids of equal extents could name each other. */
static bool check_circle(const ts_grids *grids, int i) {
  const ts_grid *last = ts_grids_refined(grids, grids->grids[i]);
  for (int k = 0; k < grids->num; k++)
    if (grids->grids[k] == last && grids->refined[k] != last)
      return ts_error(grids->ops[i],
                      "'" TS_REFINED "' of grid @%s leads to no last grid: expected grids that do "
                      "not name each other in a circle",
                      grids->grids[i]->name);
  return true;
}

bool ts_grids_collect(ts_grids *grids, ts_arena *arena, MlirOperation module) {
  *grids = (ts_grids){.arena = arena, .numbers = {.arena = arena}};
  MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(module, 0));
  int num = 0;
  for (MlirOperation op = mlirBlockGetFirstOperation(body); !mlirOperationIsNull(op);
       op = mlirOperationGetNextInBlock(op))
    num += ts_op_is(op, "shard.grid");
  grids->grids = TS_NEW(arena, const ts_grid *, num);
  grids->ops = TS_NEW(arena, MlirOperation, num);
  for (MlirOperation op = mlirBlockGetFirstOperation(body); !mlirOperationIsNull(op);
       op = mlirOperationGetNextInBlock(op)) {
    if (!ts_op_is(op, "shard.grid"))
      continue;
    ts_grid *grid = TS_NEW(arena, ts_grid, 1);
    if (!ts_grid_read(arena, op, grid))
      return false;
    grids->ops[grids->num] = op;
    grids->grids[grids->num++] = grid;
  }
  grids->refined = TS_NEW(arena, const ts_grid *, grids->num);
  bool ok = true;
  for (int i = 0; i < grids->num; i++)
    ok &= find_refined(grids, i);
  for (int i = 0; ok && i < grids->num; i++)
    ok &= check_circle(grids, i);
  return ok;
}

const ts_grid *ts_grids_find(const ts_grids *grids, MlirStringRef name) {
  for (int i = 0; i < grids->num; i++)
    if (mlirStringRefEqual(mlirStringRefCreateFromCString(grids->grids[i]->name), name))
      return grids->grids[i];
  return NULL;
}

const ts_grid *ts_grids_refined(const ts_grids *grids, const ts_grid *grid) {
  for (int step = 0; step < grids->num; step++)
    for (int i = 0; i < grids->num; i++)
      if (grids->grids[i] == grid)
        grid = grids->refined[i];
  return grid;
}
