/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* What the region of an op sees of the world outside: loop indices, which must stay global, and
 * captured values. It knows offsets of shardings; it must not know what the scalar code computes.
 */
#include "capi/capi.h"
#include "rules/build_loops.h"
#include "rules/linalg.h"
#include "sharding/ranges.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

/* ---- finding --------------------------------------------------------------------------------- */

typedef struct finder {
  MlirOperation root;
  MlirOperation *ops; /* linalg.index ops of `root` */
  int num, capacity;
} finder;

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
  f->num++;
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

/* ---- shifting -------------------------------------------------------------------------------- */

/* Some factor's offset or stride depends on the dimension's extent. */
static bool needs_extent(const ts_dim *dim) {
  for (int f = 0; f < dim->num_factors; f++)
    if (dim->factors[f].size == TS_DYNAMIC && (f > 0 || dim->factors[f].num_axes))
      return true;
  return false;
}

/* Of one factor: its extent, and this device's share. Null where nothing depends on them. */
typedef struct share {
  MlirValue extent, size, offset;
} share;

static share share_of(ts_emit *emit, const ts_indexed *indexed, int f, MlirValue extent) {
  const ts_factor *factor = &indexed->dim->factors[f];
  share s = {.extent = {NULL}, .size = {NULL}, .offset = {NULL}};
  if (f > 0 || factor->num_axes)
    s.extent = ts_emit_factor_extent(emit, indexed->dim, f, extent);
  if (f > 0 || factor->num_axes)
    s.size = ts_emit_factor_size(emit, indexed->grid, factor, s.extent);
  if (factor->num_axes)
    s.offset = ts_emit_factor_offset(emit, indexed->grid, factor, s.extent);
  return s;
}

void ts_move_behind(MlirOperation op, MlirValue extent) {
  MlirOperation made = ts_defining_op(extent);
  if (made.ptr && mlirBlockEqual(mlirOperationGetBlock(op), mlirOperationGetBlock(made)) &&
      mlirOperationIsBeforeInBlock(op, made))
    mlirOperationMoveAfter(op, made);
}

/* Pieces that are ranges: where this device's begins, built before the op. */
static MlirValue find_start(ts_emit *emit, const ts_indexed *indexed) {
  ts_ranges held = ts_dim_ranges(emit->arena, indexed->grid, indexed->dim);
  int64_t *starts = TS_NEW(emit->arena, int64_t, held.num);
  for (int64_t i = 0; i < held.num; i++)
    starts[i] = held.of[i].first;
  ts_place back = ts_place_before(emit, indexed->op);
  MlirValue start = ts_emit_by_shard(emit, indexed->grid, indexed->dim, starts);
  ts_place_back(emit, back);
  return start;
}

/* What does not depend on the index, built before the op; false after an error. */
static bool find_shares(ts_emit *emit, const ts_indexed *indexed, share *shares) {
  MlirValue extent = {NULL};
  if (needs_extent(indexed->dim)) {
    extent = indexed->extents->get(indexed->extents->user, indexed->number);
    if (mlirValueIsNull(extent))
      return false;
    ts_move_behind(indexed->op, extent);
  }
  ts_place back = ts_place_before(emit, indexed->op);
  for (int f = 0; f < indexed->dim->num_factors; f++)
    shares[f] = share_of(emit, indexed, f, extent);
  ts_place_back(emit, back);
  return true;
}

MlirValue ts_emit_global_index(ts_emit *emit, const ts_indexed *indexed, MlirValue local) {
  int num = indexed->dim->num_factors;
  share *shares = TS_NEW(emit->arena, share, num);
  if (indexed->dim->offsets)
    return ts_emit_add(emit, local, find_start(emit, indexed));
  if (!find_shares(emit, indexed, shares))
    return (MlirValue){NULL};
  MlirValue rest = local, global = ts_emit_index(emit, 0), stride = ts_emit_index(emit, 1);
  for (int f = num - 1; f >= 0; f--) {
    const share *s = &shares[f];
    MlirValue digit = f > 0 ? ts_emit_rem(emit, rest, s->size) : rest;
    if (!mlirValueIsNull(s->offset))
      digit = ts_emit_add(emit, digit, s->offset);
    global = ts_emit_add(emit, ts_emit_mul(emit, digit, stride), global);
    if (f == 0)
      break;
    rest = ts_emit_div(emit, rest, s->size);
    stride = ts_emit_mul(emit, stride, s->extent);
  }
  return global;
}

static MlirValue compare_below(ts_emit *emit, MlirValue a, MlirValue b) {
  enum { UNSIGNED_LESS = 6 }; /* arith's number: what is negative is large */
  ts_maker place = ts_emit_place(emit);
  return ts_make_compare(&place, "arith.cmpi", UNSIGNED_LESS, a, b);
}

static MlirValue choose(ts_emit *emit, MlirValue condition, MlirValue a, MlirValue b) {
  ts_maker place = ts_emit_place(emit);
  return ts_make_select(&place, condition, a, b);
}

MlirValue ts_emit_piece_index(ts_emit *emit, const ts_indexed *indexed, MlirValue global,
                              MlirValue *is_here) {
  const ts_dim *dim = indexed->dim;
  share *shares = TS_NEW(emit->arena, share, dim->num_factors);
  if (!find_shares(emit, indexed, shares))
    return (MlirValue){NULL};
  MlirValue zero = ts_emit_index(emit, 0), rest = global;
  MlirValue local = zero, stride = ts_emit_index(emit, 1);
  for (int f = dim->num_factors - 1; f >= 0; f--) {
    const share *s = &shares[f];
    MlirValue digit = f > 0 ? ts_emit_rem(emit, rest, s->extent) : rest;
    if (f > 0)
      rest = ts_emit_div(emit, rest, s->extent);
    if (dim->factors[f].num_axes) {
      digit = ts_emit_sub(emit, digit, s->offset);
      MlirValue here = compare_below(emit, digit, s->size);
      digit = choose(emit, here, digit, zero);
      ts_maker place = ts_emit_place(emit);
      *is_here =
          mlirValueIsNull(*is_here) ? here : ts_make_binary(&place, "arith.andi", *is_here, here);
    }
    local = ts_emit_add(emit, local, ts_emit_mul(emit, digit, stride));
    if (f > 0)
      stride = ts_emit_mul(emit, stride, s->size);
  }
  /* The factors that are whole would lead out of a piece that is empty. */
  bool leads_out = dim->num_factors > 1 && ts_may_be_empty(indexed->grid, dim);
  return leads_out ? choose(emit, *is_here, local, zero) : local;
}

/* Replaces `index`, the index of a split loop, by a global one. */
static bool shift(ts_emit *emit, MlirOperation index, const ts_indexed *indexed) {
  ts_place back = ts_place_before(emit, index);
  MlirValue local = mlirOperationGetResult(ts_clone_here(emit, index), 0);
  MlirValue global = ts_emit_global_index(emit, indexed, local);
  ts_place_back(emit, back);
  if (mlirValueIsNull(global))
    return false;
  mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(index, 0), global);
  mlirOperationDestroy(index);
  return true;
}

bool ts_shift_argument(ts_emit *emit, MlirValue argument, const ts_indexed *indexed) {
  int num = 0;
  for (MlirOpOperand use = mlirValueGetFirstUse(argument); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use))
    num++;
  if (num == 0)
    return true;
  MlirOperation *users = TS_NEW(emit->arena, MlirOperation, num);
  intptr_t *positions = TS_NEW(emit->arena, intptr_t, num);
  num = 0;
  for (MlirOpOperand use = mlirValueGetFirstUse(argument); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use), ++num) {
    users[num] = mlirOpOperandGetOwner(use);
    positions[num] = (intptr_t)mlirOpOperandGetOperandNumber(use);
  }
  MlirBlock body = mlirBlockArgumentGetOwner(argument);
  ts_place back = ts_place_before(emit, mlirBlockGetFirstOperation(body));
  MlirValue global = ts_emit_global_index(emit, indexed, argument);
  ts_place_back(emit, back);
  for (int u = 0; u < num && !mlirValueIsNull(global); u++)
    mlirOperationSetOperand(users[u], positions[u], global);
  return !mlirValueIsNull(global);
}

bool ts_linalg_shift_indices(ts_emit *emit, MlirOperation op, const ts_loop_sharding *sharding,
                             const ts_extents *extents) {
  int num = find_indices(op, NULL, 0);
  MlirOperation *ops = TS_NEW(emit->arena, MlirOperation, num);
  find_indices(op, ops, num);
  for (int i = 0; i < num; i++) {
    int loop = (int)mlirIntegerAttrGetValueInt(ts_attribute(ops[i], "dim"));
    ts_indexed indexed = {op, sharding->grid, &sharding->loops[loop], extents, loop};
    if (ts_dim_is_cut(indexed.dim) && !shift(emit, ops[i], &indexed))
      return false;
  }
  return true;
}
