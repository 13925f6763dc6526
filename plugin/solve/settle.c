/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* After propagation, in program order: each op's final loop sharding, the layouts it requires of
 * its operands and gives to its results, and which values stay partial. It knows loops and
 * terms; it must not know what ops compute. */
#include "model/signature.h"
#include "model/sums.h"
#include "sharding/known.h"
#include "solve/explicit_offsets.h"
#include "solve/fixpoint.h"
#include "solve/improve.h"
#include "solve/partial.h"
#include "solve/passages.h"
#include "solve/price.h"
#include "solve/returned.h"
#include "solve/solve.h"
#include "solve/summary.h"
#include "support/diagnostics.h"

/* ---- small helpers --------------------------------------------------------------------------- */

static void make_complete(ts_model *model, ts_value *value) {
  if (value && !value->is_fixed && !value->is_free && !value->pending.stays)
    value->layout = ts_completed(model->arena, value->layout);
}

/* A reduction's initial value counts once over the devices that share it, not once on each. */
static void require_init(ts_model *model, ts_op *op, int r) {
  int i = op->loops->result_init[r];
  ts_axes axes = ts_loops_partial_axes(op->loops, op->sharding);
  ts_reduction kind = op->loops->result_reduction[r];
  if (i < 0 || !op->operands[i] || !op->loops->init_is_read[r] || !axes || !kind ||
      ts_is_neutral_operand(op, i, kind))
    return;
  op->required[i] = ts_add_partial(model->arena, op->required[i], axes, kind);
}

/* ---- ops ------------------------------------------------------------------------------------- */

/* Of a dimension that is read through a window the layout that it has: which part of it a device
 * needs is found when the program is partitioned. Where that cannot be, it is whole. */
static const ts_sharding *required_of(ts_arena *arena, const ts_op *op, int i) {
  const ts_value *value = op->operands[i];
  const ts_port *port = &op->loops->operands[i];
  const ts_sharding *layout = ts_loops_project(arena, op->loops, op->sharding, port, value->shape);
  for (int d = 0; d < port->rank; d++) {
    if (!port->dims[d].window || !port->dims[d].window->leader)
      continue;
    const ts_dim *own = value->is_free ? NULL : &value->layout->dims[d], *read = &layout->dims[d];
    ts_dim dim =
        ts_dim_plain(arena, value->shape[d], read->factors[0].num_axes, read->factors[0].axes);
    bool plain = own && own->num_factors == 1 && !own->offsets && !ts_dim_has_halo(own) &&
                 ts_grid_devices(op->sharding->grid) != TS_DYNAMIC;
    bool stays =
        plain && (!ts_dim_is_split(own) ||
                  (!ts_dim_is_split(read) && !(ts_dim_axes(own) & ts_sharding_split_axes(layout))));
    layout = ts_sharding_with_dim(arena, layout, d, stays ? *own : dim);
  }
  return layout;
}

/* The layouts of an op under its loops, before anything partial passes through it. */
static void lay_out(ts_model *model, ts_op *op) {
  ts_arena *scratch = &model->scratch;
  ts_axes axes = ts_loops_partial_axes(op->loops, op->sharding);
  for (int i = 0; i < op->num_operands; i++)
    if (op->operands[i])
      op->required[i] = ts_intern_layout(&model->interned, required_of(scratch, op, i));
  for (int r = 0; r < op->num_results; r++)
    if (op->results[r]) {
      const ts_sharding *natural = ts_loops_project(scratch, op->loops, op->sharding,
                                                    &op->loops->results[r], op->results[r]->shape);
      if (op->loops->result_reduction[r])
        natural = ts_add_partial(scratch, natural, axes, op->loops->result_reduction[r]);
      op->natural[r] = ts_intern_layout(&model->interned, natural);
    }
  ts_run_on_offsets(model, op);
}

static void lay_out_all(ts_model *model, ts_function *function) {
  for (int i = 0; i < function->num_ops; i++) {
    ts_arena_reset(&model->scratch);
    if (function->ops[i]->kind == TS_OP_RULE)
      lay_out(model, function->ops[i]);
  }
}

/* Leaves the value partial as it is made. */
static void leave_partial(ts_model *model, ts_value *value, const ts_sharding *natural) {
  bool apart = !(ts_sharding_partial_axes(natural) & ts_sharding_split_axes(value->layout));
  value->layout = ts_sharding_with_partial(model->arena, apart ? value->layout : natural,
                                           natural->num_partial, natural->partial);
}

static void settle_rule(ts_model *model, ts_op *op) {
  ts_pass_partial(model, op);
  for (int r = 0; r < op->num_results; r++)
    if (op->results[r])
      require_init(model, op, r);
  for (int i = 0; i < op->num_operands; i++)
    if (op->operands[i] && !op->required[i]->num_partial)
      make_complete(model, op->operands[i]);
  for (int r = 0; r < op->num_results; r++)
    if (op->results[r] && op->results[r]->pending.stays && op->natural[r]->num_partial)
      leave_partial(model, op->results[r], op->natural[r]);
}

static const ts_sharding *replicated(ts_model *model, const ts_function *function,
                                     const ts_value *value) {
  return ts_sharding_replicated(model->arena, function->grid, value->rank, value->shape);
}

/* How an operand or result passes a call or a loop: as the callee or the loop has it. Between
 * functions on different grids tensors pass whole, which means the same on every grid. NULL after a
 * located error. */
static const ts_sharding *passed(ts_model *model, const ts_function *function, const ts_op *op,
                                 const ts_value *value) {
  const ts_sharding *layout = op->callee ? ts_layout_at_call(&model->grids.numbers, op->handle,
                                                             op->callee->handle, value->layout)
                                         : value->layout;
  const ts_sharding *own = layout ? ts_sharding_on(model->arena, layout, function->grid) : NULL;
  if (!layout || own)
    return own;
  if (!ts_sharding_run_time(value->layout, NULL))
    return replicated(model, function, value);
  ts_error(op->handle,
           "call of @%s on grid @%s, whose arguments or results have run-time halo sizes or shard "
           "offsets, from a function on grid @%s: expected one grid",
           op->callee->name, value->layout->grid->name, function->grid->name);
  return NULL;
}

/* What is carried partial is so before what gives it is looked at. */
static void carry_partial(ts_model *model, ts_op *op) {
  for (int r = 0; op->ties && r < op->num_results; r++) {
    ts_value *value = ts_carried_for(op, r);
    if (value && value->pending.stays)
      value->layout = ts_add_partial(
          model->arena, ts_sharding_without(model->arena, value->layout, value->pending.axes),
          value->pending.axes, value->pending.kind);
  }
}

/* A loop has carried it partial, and all that is done with it behind the loop is to return it. */
static bool is_returned_partial(const ts_value *value) {
  const ts_op *loop = value->definition;
  if (!loop || !loop->ties || !value->layout->num_partial)
    return false;
  for (int u = 0; u < value->num_users; u++) {
    const ts_op *user = value->users[u];
    if (ts_is_behind(user, loop) && (user->kind != TS_OP_FIXED || user->callee || user->ties))
      return false;
  }
  return true;
}

/* A function's result is laid out as the first returned value is, or as that was before a loop
 * carried it otherwise; what is partial there, as it costs least to complete it. */
static const ts_sharding *returned_layout(ts_model *model, const ts_value *value,
                                          const ts_value *target) {
  const ts_sharding *best =
      value->returned ? value->returned : ts_completed(model->arena, value->layout);
  for (int i = 0; i < target->num_choices && is_returned_partial(value); i++)
    if (ts_bytes_moved(&model->scratch, value, value->layout, target->choices[i]) <
        ts_bytes_moved(&model->scratch, value, value->layout, best))
      best = target->choices[i];
  return best;
}

/* Of trips that are dealt out each device has its own part of a sum; what that starts from counts
 * once. */
static void settle_sums(ts_model *model, ts_op *op) {
  int first = op->num_operands - op->num_results;
  for (int r = 0; r < op->num_results; r++) {
    ts_reduction kind = op->deals->sums[r];
    int i = first + r;
    if (!kind)
      continue;
    op->natural[r] = ts_add_partial(model->arena, op->targets[i]->layout, op->deals->axes, kind);
    if (!ts_is_neutral_operand(op, i, kind))
      op->required[i] = ts_add_partial(model->arena, op->required[i], op->deals->axes, kind);
  }
}

static bool settle_fixed(ts_model *model, ts_function *function, ts_op *op) {
  carry_partial(model, op);
  for (int i = 0; i < op->num_operands; i++) {
    ts_value *value = op->operands[i], *target = op->targets[i];
    if (!value || !target)
      continue;
    make_complete(model, value);
    if (!target->definition && !target->handle.ptr && !target->is_fixed) {
      if (!value->is_free)
        target->layout = value->is_fixed ? value->layout : returned_layout(model, value, target);
      target->is_fixed = true;
    }
    op->required[i] = passed(model, function, op, target);
    if (!op->required[i])
      return false;
  }
  for (int r = 0; r < op->num_results; r++) {
    if (!op->results[r])
      continue;
    op->natural[r] =
        passed(model, function, op, op->callee ? op->callee->results[r] : op->results[r]);
    if (!op->natural[r])
      return false;
  }
  if (op->deals)
    settle_sums(model, op);
  return true;
}

static void settle_whole(ts_model *model, ts_function *function, ts_op *op) {
  for (int i = 0; i < op->num_operands; i++)
    if (op->operands[i]) {
      make_complete(model, op->operands[i]);
      op->required[i] = replicated(model, function, op->operands[i]);
    }
  for (int r = 0; r < op->num_results; r++)
    if (op->results[r])
      op->natural[r] = replicated(model, function, op->results[r]);
}

/* As the callee takes and gives it, solved for the final layouts. */
static bool settle_call(ts_model *model, ts_function *function, ts_op *op) {
  op->summary = ts_summary_of_call(model, function->grid, op);
  if (!op->summary)
    return false;
  if (op->summary->is_whole) {
    settle_whole(model, function, op);
    return true;
  }
  for (int i = 0; i < op->num_operands; i++) {
    make_complete(model, op->operands[i]);
    op->required[i] = op->summary->taken[i];
  }
  for (int r = 0; r < op->num_results; r++)
    op->natural[r] = op->summary->results[r];
  return true;
}

/* What stays partial, and layouts that cost fewer bytes with that; what is propagated already says
 * everything. */
static void plan(ts_model *model, ts_function *function) {
  bool *refused = TS_NEW(model->arena, bool, function->num_ops);
  lay_out_all(model, function);
  ts_plan_partial(model, function);
  if (ts_is_propagated(function->handle))
    return;
  if (model->carries_less && ts_carries_partial(function))
    ts_refuse_dear(model, function, refused);
  if (ts_improve(model, function)) {
    lay_out_all(model, function);
    ts_plan_without(model, function, refused);
  }
}

static bool settle(ts_model *model, ts_function *function) {
  bool ok = true;
  plan(model, function);
  for (int i = 0; i < function->num_ops; i++) {
    ts_op *op = function->ops[i];
    ts_arena_reset(&model->scratch);
    if (op->kind == TS_OP_RULE)
      settle_rule(model, op);
    else if (op->kind == TS_OP_FIXED)
      ok &= settle_fixed(model, function, op);
    else if (op->kind == TS_OP_CALL)
      ok &= settle_call(model, function, op);
    else if (op->kind == TS_OP_WHOLE)
      settle_whole(model, function, op);
  }
  return ok;
}

/* What callers see does not change any more. */
static void freeze_signature(ts_function *function) {
  for (int i = 0; i < function->num_arguments; i++)
    if (function->arguments[i])
      function->arguments[i]->is_fixed = true;
  for (int i = 0; i < function->num_results; i++)
    if (function->results[i])
      function->results[i]->is_fixed = true;
}

/* What a caller passes in pieces lies so: it does not come in other pieces for nothing. */
static void hold_arguments(ts_function *function, const ts_sharding *const *passed) {
  for (int i = 0; i < function->num_arguments; i++)
    if (passed[i] && ts_sharding_split_axes(passed[i]) &&
        ts_sharding_equal(passed[i], function->arguments[i]->layout))
      function->arguments[i]->is_fixed = true;
}

static const ts_sharding **layouts_passed(ts_model *model, const ts_function *function) {
  const ts_sharding **passed = TS_NEW(model->arena, const ts_sharding *, function->num_arguments);
  for (int i = 0; i < function->num_arguments && function->is_solved_for_calls; i++)
    passed[i] = function->arguments[i] ? function->arguments[i]->layout : NULL;
  return passed;
}

/* Its active callees have been solved. */
static bool solve_function(ts_model *model, ts_function *function) {
  const ts_sharding **passed = layouts_passed(model, function);
  ts_find_returned(model, function);
  ts_fixpoint(model, function);
  hold_arguments(function, passed);
  bool ok = settle(model, function);
  freeze_signature(function);
  return ok;
}

bool ts_model_solve(ts_model *model) {
  bool ok = true;
  model->solve_function = solve_function;
  for (int i = 0; i < model->num_functions; i++)
    if (model->order[i]->is_active)
      ok &= solve_function(model, model->order[i]);
  ts_arena_free(&model->scratch);
  return ok;
}
