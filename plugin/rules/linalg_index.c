/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* What the region of an op sees of the world outside: loop indices, which must stay global, and
 * captured values. Knows offsets of shardings, not what the scalar code computes. */
#include "capi/capi.h"
#include "rules/linalg.h"
#include "rules/ports.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

/* ---- finding ----------------------------------------------------------------------------------
 */

typedef struct finder {
  MlirOperation root;
  MlirOperation *ops; /* linalg.index ops of `root` */
  int num, capacity;
  MlirValue captured; /* the first tensor from outside */
} finder;

static bool is_inside(MlirOperation root, MlirOperation op) {
  while (!mlirOperationIsNull(op) && !mlirOperationEqual(op, root))
    op = mlirOperationGetParentOperation(op);
  return !mlirOperationIsNull(op);
}

static bool defined_inside(MlirOperation root, MlirValue value) {
  if (mlirValueIsABlockArgument(value))
    return is_inside(root, mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value)));
  MlirOperation parent = mlirOperationGetParentOperation(mlirOpResultGetOwner(value));
  return is_inside(root, parent);
}

static MlirWalkResult find_captured(MlirOperation op, void *user) {
  finder *f = user;
  if (mlirOperationEqual(op, f->root))
    return MlirWalkResultAdvance;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue value = mlirOperationGetOperand(op, i);
    if (mlirTypeIsATensor(mlirValueGetType(value)) && !defined_inside(f->root, value)) {
      f->captured = value;
      return MlirWalkResultInterrupt;
    }
  }
  return MlirWalkResultAdvance;
}

MlirValue ts_captured_tensor(MlirOperation op) {
  finder f = {.root = op};
  if (mlirOperationGetNumRegions(op))
    mlirOperationWalk(op, find_captured, &f, MlirWalkPreOrder);
  return f.captured;
}

/* Counts the ops that ask for an index of `root`'s own loops, and stores them where there is room.
 */
static MlirWalkResult find_index(MlirOperation op, void *user) {
  finder *f = user;
  if (!ts_op_is(op, "linalg.index"))
    return MlirWalkResultAdvance;
  MlirOperation owner = mlirOperationGetParentOperation(op);
  while (!mlirOperationIsNull(owner) && !ts_op_is_linalg(owner))
    owner = mlirOperationGetParentOperation(owner);
  if (!mlirOperationEqual(owner, f->root))
    return MlirWalkResultAdvance;
  if (f->num < f->capacity)
    f->ops[f->num] = op;
  ++f->num;
  return MlirWalkResultAdvance;
}

static int find_indices(MlirOperation root, MlirOperation *ops, int capacity) {
  finder f = {.root = root, .ops = ops, .capacity = capacity};
  mlirOperationWalk(root, find_index, &f, MlirWalkPreOrder);
  return f.num;
}

bool ts_linalg_uses_index(MlirOperation op) {
  return find_indices(op, NULL, 0) > 0;
}

/* ---- shifting ---------------------------------------------------------------------------------
 */

MlirValue ts_emit_global_index(ts_emit *emit, const ts_grid *grid, const ts_dim *dim,
                               MlirValue local) {
  const MlirValue own_size = {NULL};
  MlirValue rest = local, global = ts_emit_index(emit, 0);
  int64_t stride = 1;
  for (int f = dim->num_factors - 1; f >= 0; --f) {
    const ts_factor *factor = &dim->factors[f];
    if (factor->size == TS_DYNAMIC && (factor->num_axes || dim->num_factors > 1)) {
      ts_diagnose(emit->location, TS_ERROR,
                  "index of a split loop of dynamic extent: this is not supported yet",
                  emit->location, NULL);
      return (MlirValue){NULL};
    }
    MlirValue digit = rest;
    if (f > 0) {
      MlirValue size = ts_emit_factor_size(emit, grid, factor, own_size);
      digit = ts_emit_rem(emit, rest, size);
      rest = ts_emit_div(emit, rest, size);
    }
    if (factor->num_axes)
      digit = ts_emit_add(emit, digit, ts_emit_factor_offset(emit, grid, factor, own_size));
    MlirValue part = ts_emit_mul(emit, digit, ts_emit_index(emit, stride));
    global = ts_emit_add(emit, part, global);
    stride = factor->size == TS_DYNAMIC ? TS_DYNAMIC : stride * factor->size;
  }
  return global;
}

/* Replaces `index`, the index of a loop of sharding `dim`, by a global one. */
static bool shift(ts_emit *emit, MlirOperation index, const ts_grid *grid, const ts_dim *dim) {
  ts_place back = ts_place_before(emit, index);
  MlirOperation fresh = ts_clone_here(emit, index);
  MlirValue global = ts_emit_global_index(emit, grid, dim, mlirOperationGetResult(fresh, 0));
  ts_place_back(emit, back);
  if (mlirValueIsNull(global))
    return false;
  mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(index, 0), global);
  mlirOperationDestroy(index);
  return true;
}

bool ts_linalg_shift_indices(ts_emit *emit, MlirOperation op, const ts_loop_sharding *sharding) {
  int num = find_indices(op, NULL, 0);
  if (!num)
    return true;
  MlirOperation *ops = TS_NEW(emit->arena, MlirOperation, num);
  find_indices(op, ops, num);
  for (int i = 0; i < num; ++i) {
    int64_t loop = mlirIntegerAttrGetValueInt(ts_attribute(ops[i], "dim"));
    const ts_dim *dim = &sharding->loops[loop];
    if (ts_dim_is_split(dim) && !shift(emit, ops[i], sharding->grid, dim))
      return false;
  }
  return true;
}
