/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Loops whose trips could be dealt out along axes that what they read, or build, is split along. It
 * knows what solutions say; it must not know whether that pays. */
#include "propagate/dealt_loops.h"

#include <string.h>

#include "mlir-c/BuiltinAttributes.h"

#include "model/dealt.h"
#include "model/signature.h"
#include "reshard/reshard.h"
#include "solve/improve.h"
#include "solve/views.h"

enum { MOST_WAYS = 3 }; /* of one loop */

/* ---- which loops ----------------------------------------------------------------------------- */

static bool is_open(const ts_function *function) {
  return function->is_active && !ts_is_propagated(function->handle) &&
         ts_grid_devices(function->grid) != TS_DYNAMIC;
}

bool ts_is_dealt(MlirOperation loop) {
  return !mlirAttributeIsNull(ts_attribute(loop, TS_DEALT));
}

bool ts_may_deal(ts_model *model) {
  for (int f = 0; f < model->num_functions; f++)
    for (int i = 0; is_open(model->order[f]) && i < model->order[f]->num_ops; i++) {
      const ts_op *op = model->order[f]->ops[i];
      ts_dealt dealt;
      ts_arena_reset(&model->scratch);
      if (op->kind == TS_OP_FIXED && op->ties && ts_dealt_read(&model->scratch, op->handle, &dealt))
        return true;
    }
  return false;
}

/* ---- along which axes ------------------------------------------------------------------------ */

/* The ways to deal out one loop, of the largest tensor first. */
typedef struct ways {
  int num;
  ts_deal list[MOST_WAYS];
  double bytes[MOST_WAYS];
} ways;

static bool same_axes(const ts_deal *a, const ts_deal *b) {
  return a->num_axes == b->num_axes && memcmp(a->axes, b->axes, (size_t)a->num_axes) == 0;
}

static void add_way(ways *all, const ts_deal *way, double bytes) {
  int at = 0;
  for (; at < all->num; at++)
    if (same_axes(&all->list[at], way))
      break;
  if (at == all->num && at < MOST_WAYS)
    all->num++;
  else if (at == MOST_WAYS || all->bytes[at] >= bytes)
    return;
  for (; at > 0 && all->bytes[at - 1] < bytes; at--) {
    all->list[at] = all->list[at - 1];
    all->bytes[at] = all->bytes[at - 1];
  }
  all->list[at] = *way;
  all->bytes[at] = bytes;
}

/* As dimension `d` of the value is split, if pieces of it are whole trips. */
static void add_value(ways *all, const ts_dealt *dealt, const ts_op *op, const ts_value *value,
                      int d) {
  if (!value || value->is_free)
    return;
  const ts_grid *grid = value->layout->grid;
  const ts_dim *dim = &value->layout->dims[d];
  ts_axes axes = ts_dim_axes(dim);
  if (dim->num_factors != 1 || !ts_dim_is_split(dim) || dim->offsets || ts_dim_has_halo(dim) ||
      (axes & op->apart) ||
      (dealt->step > 1 && dealt->extent % (dealt->step * ts_dim_shards(grid, dim)) != 0))
    return;
  ts_deal way = {.loop = dealt->loop, .num_axes = dim->factors[0].num_axes};
  for (int i = 0; i < way.num_axes; i++)
    way.axes[i] = dim->factors[0].axes[i];
  add_way(all, &way, value->bytes);
}

/* What it reads and builds, as it lies, and as what is built is to lie behind the loop. */
static void find_ways(const ts_model *model, const ts_op *op, const ts_dealt *dealt, ways *all) {
  for (int i = 0; i < dealt->num_slices; i++)
    add_value(all, dealt, op, ts_model_value(model, dealt->slices[i].value), dealt->slices[i].dim);
  for (int r = 0; r < op->num_results; r++) {
    const ts_value *built = op->results[r];
    if (dealt->results[r].sum)
      continue;
    for (int u = 0; u < built->num_users; u++)
      if (built->users[u]->kind == TS_OP_LINK)
        add_value(all, dealt, op, built->users[u]->results[0], dealt->results[r].dim);
  }
}

int ts_find_deals(ts_arena *arena, ts_model *model, const ts_deal **deals) {
  ts_deal *found = TS_NEW(arena, ts_deal, TS_MOST_DEALS);
  int num = 0;
  for (int f = 0; f < model->num_functions; f++)
    for (int i = 0; is_open(model->order[f]) && i < model->order[f]->num_ops; i++) {
      const ts_op *op = model->order[f]->ops[i];
      ts_dealt dealt;
      ts_arena_reset(&model->scratch);
      if (op->kind != TS_OP_FIXED || !op->ties ||
          !ts_dealt_read(&model->scratch, op->handle, &dealt))
        continue;
      ways all = {.num = 0};
      find_ways(model, op, &dealt, &all);
      for (int w = 0; w < all.num && num < TS_MOST_DEALS; w++)
        found[num++] = all.list[w];
    }
  *deals = found;
  return num;
}

/* ---- in the module --------------------------------------------------------------------------- */

void ts_write_deal(const ts_deal *deal) {
  int64_t axes[TS_MAX_AXES];
  for (int i = 0; i < deal->num_axes; i++)
    axes[i] = deal->axes[i];
  mlirOperationSetAttributeByName(
      deal->loop, mlirStringRefCreateFromCString(TS_DEALT),
      mlirDenseI64ArrayGet(mlirOperationGetContext(deal->loop), deal->num_axes, axes));
}

void ts_drop_deal(const ts_deal *deal) {
  mlirOperationRemoveAttributeByName(deal->loop, mlirStringRefCreateFromCString(TS_DEALT));
}

/* ---- whether it holds ------------------------------------------------------------------------ */

/* Whether what brings one layout to the other stays among devices of one trip. An exchange takes
 * what a device lacks from any that has it, of whichever trip. */
static bool stays_apart(ts_arena *arena, const ts_sharding *from, const ts_sharding *to,
                        ts_axes axes) {
  if (from->grid != to->grid)
    return false;
  ts_plan plan = ts_reshard_plan(arena, from, to);
  for (int s = 0; s < plan.num_steps; s++) {
    const ts_step *step = &plan.steps[s];
    for (int i = 0; i < step->num_axes; i++)
      if (axes >> step->axes[i] & 1)
        return false;
    if (step->kind == TS_STEP_EXCHANGE)
      return false;
  }
  return true;
}

/* Axes along which the value lies in another way than as trips have their places in it. */
static ts_axes foreign_axes(const ts_value *value, const ts_sharding *layout) {
  ts_axes axes = ts_sharding_partial_axes(layout);
  for (int d = 0; d < layout->rank; d++)
    if (!(value->dealt_dims >> d & 1))
      axes |= ts_dim_axes(&layout->dims[d]);
  return axes;
}

/* What is defined before the loop is brought to other layouts there, unless these have numbers, or
 * the value extents, that only the launch knows: then where it is used. */
static bool is_brought_late(const ts_value *value, const ts_sharding *from, const ts_sharding *to) {
  if (ts_sharding_run_time(from, NULL) > 0 || ts_sharding_run_time(to, NULL) > 0)
    return true;
  for (int d = 0; d < value->rank; d++)
    if (value->shape[d] == TS_DYNAMIC)
      return true;
  return false;
}

static bool value_holds(ts_model *model, const ts_value *value, ts_axes axes,
                        const ts_sharding *from, const ts_sharding *to) {
  if (!value || value->is_free || !from || !to)
    return true;
  if (!(value->apart & axes))
    return !is_brought_late(value, from, to) || stays_apart(&model->scratch, from, to, axes);
  return !(foreign_axes(value, from) & axes) && !(foreign_axes(value, to) & axes) &&
         stays_apart(&model->scratch, from, to, axes);
}

static bool op_holds(ts_model *model, const ts_op *op, ts_axes axes) {
  ts_arena_reset(&model->scratch);
  if (op->kind == TS_OP_CALL || op->callee)
    return false;
  if (op->kind == TS_OP_RULE && (ts_holds_ranges(op) || ts_reads_ranges(op)))
    return false;
  for (int i = 0; i < op->num_operands; i++) {
    const ts_value *value = op->operands[i];
    const ts_sharding *to = op->required             ? op->required[i]
                            : op->kind == TS_OP_LINK ? op->results[0]->layout
                                                     : NULL;
    if (value && !value_holds(model, value, axes, value->layout, to))
      return false;
  }
  for (int r = 0; op->natural && r < op->num_results; r++)
    if (op->results[r] &&
        !value_holds(model, op->results[r], axes, op->natural[r], op->results[r]->layout))
      return false;
  return true;
}

bool ts_deal_holds(ts_model *model, const ts_deal *deal) {
  ts_axes axes = 0;
  bool found = false;
  for (int i = 0; i < deal->num_axes; i++)
    axes |= (ts_axes)1 << deal->axes[i];
  for (int f = 0; f < model->num_functions; f++)
    for (int i = 0; model->order[f]->is_active && i < model->order[f]->num_ops; i++) {
      const ts_op *op = model->order[f]->ops[i];
      found |= mlirOperationEqual(op->handle, deal->loop) && op->deals;
      if ((op->apart & axes) && !op_holds(model, op, axes))
        return false;
    }
  return found;
}
