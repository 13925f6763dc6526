/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Which axes are too long for a reshape, and the grid that has them cut. It knows loops and grids;
 * it must not know whether that pays. */
#include "propagate/finer_grids.h"

#include "mlir-c/BuiltinAttributes.h"

#include "model/signature.h"

/* ---- where axes are cut ---------------------------------------------------------------------- */

/* Each divides the next one, or a cut would have to be between two parts of another one. */
static void add_cut(ts_cuts *cuts, int64_t outer) {
  int at = 0;
  while (at < cuts->num && cuts->outer[at] < outer)
    at++;
  bool is_known = at < cuts->num && cuts->outer[at] == outer;
  bool nests = (at == 0 || outer % cuts->outer[at - 1] == 0) &&
               (at == cuts->num || cuts->outer[at] % outer == 0);
  if (is_known || !nests || cuts->num == TS_MAX_AXES)
    return;
  for (int i = cuts->num++; i > at; i--)
    cuts->outer[i] = cuts->outer[i - 1];
  cuts->outer[at] = outer;
}

/* Axes that cannot split `outer` indices whole, but a part of which can; also of what another axis
 * leaves of them. */
static void cut_axes(ts_grid_cuts *found, int64_t outer) {
  const ts_grid *grid = found->grid;
  for (int a = 0; a < grid->rank; a++) {
    int64_t part = ts_gcd(outer, grid->shape[a]);
    if (part > 1 && part < grid->shape[a])
      add_cut(&found->axes[a], part);
    for (int other = 0; other < grid->rank; other++) {
      if (other == a || outer % grid->shape[other] != 0)
        continue;
      part = ts_gcd(outer / grid->shape[other], grid->shape[a]);
      if (part > 1 && part < grid->shape[a])
        add_cut(&found->axes[a], part);
    }
  }
}

/* Between all loops that the dimension is of. */
static void cut_at_loops(ts_grid_cuts *found, const ts_op_loops *loops, const ts_dim_loops *dim) {
  int64_t outer = 1, inner = 1;
  for (int l = 0; l < dim->num_loops; l++) {
    int64_t size = loops->loops[dim->loops[l]].size;
    if (size == TS_DYNAMIC || size == 0 || __builtin_mul_overflow(inner, size, &inner))
      return;
  }
  for (int l = 0; l + 1 < dim->num_loops; l++) {
    outer *= loops->loops[dim->loops[l]].size;
    if (outer > 1 && outer < inner)
      cut_axes(found, outer);
  }
}

static void cut_at_port(ts_grid_cuts *found, const ts_op_loops *loops, const ts_port *port) {
  for (int d = 0; d < port->rank; d++)
    if (port->dims[d].num_loops > 1)
      cut_at_loops(found, loops, &port->dims[d]);
}

static void cut_at_op(ts_grid_cuts *found, const ts_op *op) {
  if (op->kind != TS_OP_RULE)
    return;
  for (int i = 0; i < op->num_operands; i++)
    if (op->operands[i] && !op->operands[i]->is_free)
      cut_at_port(found, op->loops, &op->loops->operands[i]);
  for (int r = 0; r < op->num_results; r++)
    if (op->results[r])
      cut_at_port(found, op->loops, &op->loops->results[r]);
}

static bool is_cut(const ts_grid_cuts *found) {
  for (int a = 0; a < found->grid->rank; a++)
    if (found->axes[a].num)
      return true;
  return false;
}

static MlirOperation op_of_grid(const ts_grids *grids, const ts_grid *grid) {
  for (int g = 0; g < grids->num; g++)
    if (grids->grids[g] == grid)
      return grids->ops[g];
  return (MlirOperation){NULL};
}

bool ts_find_cuts(const ts_model *model, ts_grid_cuts *found) {
  for (int f = 0; f < model->num_functions; f++) {
    const ts_function *function = model->order[f];
    if (!function->is_active)
      continue;
    if (!found->grid)
      *found =
          (ts_grid_cuts){.grid = function->grid, .op = op_of_grid(&model->grids, function->grid)};
    if (function->grid != found->grid || ts_is_propagated(function->handle) ||
        ts_grid_devices(found->grid) == TS_DYNAMIC || found->grid->rank == TS_MAX_AXES ||
        !mlirAttributeIsNull(ts_attribute(found->op, TS_REFINED)))
      return false;
    for (int i = 0; i < function->num_ops; i++)
      cut_at_op(found, function->ops[i]);
  }
  return found->grid && is_cut(found);
}

/* ---- finer grids ----------------------------------------------------------------------------- */

/* Of so many axes that a grid can have. */
static int finer_shape(const ts_grid_cuts *found, int64_t *shape) {
  int rank = 0, left = TS_MAX_AXES - found->grid->rank;
  for (int a = 0; a < found->grid->rank; a++) {
    int64_t before = 1;
    const ts_cuts *cuts = &found->axes[a];
    for (int i = 0; i < cuts->num && left > 0; i++, left--) {
      shape[rank++] = cuts->outer[i] / before;
      before = cuts->outer[i];
    }
    shape[rank++] = found->grid->shape[a] / before;
  }
  return rank;
}

/* "grid_4x2", or with more behind it where something is called that. */
static const char *finer_name(const ts_model *model, const ts_grid *grid, int rank,
                              const int64_t *shape) {
  const char *name = ts_arena_format(model->arena, "%s_", grid->name);
  for (int a = 0; a < rank; a++)
    name = ts_arena_format(model->arena, "%s%s%lld", name, a ? "x" : "", (long long)shape[a]);
  while (ts_model_symbol(model, mlirStringRefCreateFromCString(name)).ptr)
    name = ts_arena_format(model->arena, "%s_", name);
  return name;
}

static void set(MlirOperation op, const char *name, MlirAttribute value) {
  mlirOperationSetAttributeByName(op, mlirStringRefCreateFromCString(name), value);
}

void ts_write_finer_grid(const ts_model *model, ts_grid_cuts *found) {
  int64_t shape[TS_MAX_AXES];
  int rank = finer_shape(found, shape);
  MlirStringRef name = mlirStringRefCreateFromCString(finer_name(model, found->grid, rank, shape));
  found->finer = mlirOperationClone(found->op);
  set(found->finer, "sym_name", mlirStringAttrGet(model->context, name));
  set(found->finer, "shape", mlirDenseI64ArrayGet(model->context, rank, shape));
  mlirBlockInsertOwnedOperationAfter(mlirOperationGetBlock(found->op), found->op, found->finer);
  set(found->op, TS_REFINED, mlirFlatSymbolRefAttrGet(model->context, name));
}

void ts_drop_finer_grid(ts_grid_cuts *found) {
  mlirOperationRemoveAttributeByName(found->op, mlirStringRefCreateFromCString(TS_REFINED));
  mlirOperationDestroy(found->finer);
}
