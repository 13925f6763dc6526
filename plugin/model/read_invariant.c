/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Ops that are the same in each trip of the loops around them: what they give is moved once, before
 * the loop (optimize/invariant.c). What that might leave where it is counts as often as it runs:
 * pieces of sizes that the compiler does not know, and what reads ranges or at places of the run.
 * It knows scopes; it must not know layouts. */
#include <string.h>

#include "mlir-c/BuiltinTypes.h"

#include "capi/capi.h"
#include "model/dealt.h"
#include "model/reader.h"
#include "regions/regions.h"
#include "support/ir.h"

/* Of ops that are not read themselves, one behind the other. */
enum { MOST_OPS = 8 };

/* All devices have as much of it, however it is split. */
static bool is_even(const ts_reader *r, MlirType type) {
  int64_t devices = ts_grid_devices(r->function->grid);
  if (!mlirTypeIsARankedTensor(type))
    return true;
  for (int d = 0; d < mlirShapedTypeGetRank(type); d++) {
    int64_t extent = mlirShapedTypeGetDimSize(type, d);
    if (devices == TS_DYNAMIC || mlirShapedTypeIsDynamicDim(type, d) ||
        (extent != 1 && extent % devices != 0))
      return false;
  }
  return true;
}

/* Computes each element from given ones, reshapes, or says a layout. */
static bool may_move(const ts_reader *r, MlirOperation op) {
  static const char *const moved[] = {"tensor.expand_shape",
                                      "tensor.collapse_shape",
                                      "tensor.empty",
                                      "tensor.splat",
                                      "shard.shard",
                                      "shard.sharding",
                                      NULL};
  bool known = ts_op_is_linalg(op) || strncmp(ts_op_name(op), "arith.", 6) == 0 ||
               strncmp(ts_op_name(op), "math.", 5) == 0 || ts_op_is_any(op, moved);
  if (!known || !ts_op_is_pure(op) || ts_captured_tensor(op).ptr)
    return false;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); i++)
    if (!is_even(r, mlirValueGetType(mlirOperationGetResult(op, i))))
      return false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++)
    if (!is_even(r, mlirValueGetType(mlirOperationGetOperand(op, i))))
      return false;
  return true;
}

typedef struct check {
  const ts_reader *r;
  MlirOperation op, loop;
  int most;
} check;

static bool could_leave(const ts_reader *r, MlirOperation op, MlirOperation loop, int most);

/* Is the value there before the loop, or could it be? An op may use what is its own. */
static bool is_there(MlirValue value, void *user) {
  const check *c = user;
  MlirOperation owner = ts_owner_of(value);
  if (!ts_is_inside(owner, c->loop) || ts_is_inside(owner, c->op))
    return true;
  return mlirValueIsAOpResult(value) && could_leave(c->r, owner, c->loop, c->most - 1);
}

/* Whether the op could stand before `loop`, which it is in. */
static bool could_leave(const ts_reader *r, MlirOperation op, MlirOperation loop, int most) {
  MlirOperation known = {ts_map_get(&r->left, op.ptr)};
  if (known.ptr)
    return ts_is_inside(loop, known);
  if (most == 0 || !may_move(r, op))
    return false;
  return ts_all_operands(op, is_there, &(check){r, op, loop, most});
}

static bool is_loop(MlirOperation op) {
  return ts_op_is(op, "scf.for") || ts_op_is(op, "scf.while");
}

double ts_weight_of_op(ts_reader *r, MlirOperation op) {
  double weight = r->weight;
  MlirOperation loop = mlirOperationGetParentOperation(op), left = {NULL};
  while (loop.ptr && is_loop(loop) && mlirAttributeIsNull(ts_attribute(loop, TS_DEALT)) &&
         ts_region_trips(loop) > 0 && could_leave(r, op, loop, MOST_OPS)) {
    weight /= ts_region_trips(loop);
    left = loop;
    loop = mlirOperationGetParentOperation(loop);
  }
  if (left.ptr)
    ts_map_set(&r->left, r->model->arena, op.ptr, left.ptr);
  return weight;
}
