/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Which axes are too long for a reshape, and whether the module is cheaper with them cut. It knows
 * loops and grids; it must not know how layouts are chosen. */
#include "propagate/finer_grids.h"

#include <string.h>

#include "mlir-c/BuiltinAttributes.h"

#include "model/read.h"
#include "model/signature.h"
#include "solve/solve.h"
#include "solve/total.h"

/* ---- where axes are cut ---------------------------------------------------------------------- */

/* Of one axis: the devices of its outer parts, each a multiple of the one before. */
typedef struct cuts {
  int num;
  int64_t outer[TS_MAX_AXES];
} cuts;

typedef struct grid_cuts {
  const ts_grid *grid;
  MlirOperation op;
  cuts axes[TS_MAX_AXES];
  MlirOperation finer; /* once it is written */
} grid_cuts;

/* Each divides the next one, or a cut would have to be between two parts of another one. */
static void add_cut(cuts *cuts, int64_t outer) {
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
static void cut_axes(grid_cuts *found, int64_t outer) {
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
static void cut_at_loops(grid_cuts *found, const ts_op_loops *loops, const ts_dim_loops *dim) {
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

static void cut_at_port(grid_cuts *found, const ts_op_loops *loops, const ts_port *port) {
  for (int d = 0; d < port->rank; d++)
    if (port->dims[d].num_loops > 1)
      cut_at_loops(found, loops, &port->dims[d]);
}

static void cut_at_op(grid_cuts *found, const ts_op *op) {
  if (op->kind != TS_OP_RULE)
    return;
  for (int i = 0; i < op->num_operands; i++)
    if (op->operands[i] && !op->operands[i]->is_free)
      cut_at_port(found, op->loops, &op->loops->operands[i]);
  for (int r = 0; r < op->num_results; r++)
    if (op->results[r])
      cut_at_port(found, op->loops, &op->loops->results[r]);
}

static bool is_cut(const grid_cuts *found) {
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

/* Whether some axis is too long somewhere: of the one grid that all functions are on, as nothing is
 * decided yet and the launch does not decide either. */
static bool find_cuts(const ts_model *model, grid_cuts *found) {
  for (int f = 0; f < model->num_functions; f++) {
    const ts_function *function = model->order[f];
    if (!function->is_active)
      continue;
    if (!found->grid)
      *found = (grid_cuts){.grid = function->grid, .op = op_of_grid(&model->grids, function->grid)};
    if (function->grid != found->grid || ts_is_propagated(function->handle) ||
        ts_grid_devices(found->grid) == TS_DYNAMIC)
      return false;
    for (int i = 0; i < function->num_ops; i++)
      cut_at_op(found, function->ops[i]);
  }
  return found->grid && is_cut(found);
}

/* ---- finer grids ----------------------------------------------------------------------------- */

/* Of so many axes that a grid can have. */
static int finer_shape(const grid_cuts *found, int64_t *shape) {
  int rank = 0, left = TS_MAX_AXES - found->grid->rank;
  for (int a = 0; a < found->grid->rank; a++) {
    int64_t before = 1;
    const cuts *cuts = &found->axes[a];
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

static void write_finer(const ts_model *model, grid_cuts *found) {
  int64_t shape[TS_MAX_AXES];
  int rank = finer_shape(found, shape);
  MlirStringRef name = mlirStringRefCreateFromCString(finer_name(model, found->grid, rank, shape));
  found->finer = mlirOperationClone(found->op);
  set(found->finer, "sym_name", mlirStringAttrGet(model->context, name));
  set(found->finer, "shape", mlirDenseI64ArrayGet(model->context, rank, shape));
  mlirBlockInsertOwnedOperationAfter(mlirOperationGetBlock(found->op), found->op, found->finer);
  set(found->op, TS_REFINED, mlirFlatSymbolRefAttrGet(model->context, name));
}

static void take_back(grid_cuts *found) {
  mlirOperationRemoveAttributeByName(found->op, mlirStringRefCreateFromCString(TS_REFINED));
  mlirOperationDestroy(found->finer);
}

/* ---- the trial ------------------------------------------------------------------------------- */

static bool solve(ts_model *model, ts_total *total) {
  bool ok = ts_model_solve(model);
  if (ok)
    *total = ts_total_of(model);
  return ok;
}

static bool solve_anew(MlirOperation module, ts_total *total) {
  ts_arena arena = {0};
  ts_model model;
  bool ok = ts_model_read(&model, &arena, module, TS_CALLS_BY_LAYOUT) && solve(&model, total);
  ts_arena_free(&model.scratch);
  ts_arena_free(&arena);
  return ok;
}

static bool try_finer(ts_model *model, MlirOperation module, grid_cuts *found) {
  ts_total coarse, fine;
  if (!solve(model, &coarse))
    return false;
  if (coarse.price <= 0)
    return true;
  write_finer(model, found);
  bool ok = solve_anew(module, &fine);
  if (!ok || fine.price >= coarse.price || fine.work > coarse.work)
    take_back(found);
  return ok;
}

bool ts_refine_grids(ts_model *model, ts_arena *arena, MlirOperation module) {
  grid_cuts found = {0};
  if (!find_cuts(model, &found))
    return true;
  bool ok = try_finer(model, module, &found);
  ts_arena_reset(arena);
  return ok && ts_model_read(model, arena, module, TS_CALLS_BY_LAYOUT);
}
