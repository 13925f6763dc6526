/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* After propagation, in program order: each op's final loop sharding, the layouts it requires of
 * its operands and gives to its results, and which values stay partial. */
#include "numbers/known.h"
#include "solve/explicit_offsets.h"
#include "solve/fixpoint.h"
#include "solve/solve.h"
#include "support/diagnostics.h"

/* ---- small helpers --------------------------------------------------------------------------- */

static const ts_sharding *complete(ts_arena *arena, const ts_sharding *layout) {
  return layout->num_partial ? ts_sharding_with_partial(arena, layout, 0, NULL) : layout;
}

static void make_complete(ts_model *model, ts_value *value) {
  if (value && !value->is_fixed && !value->is_free)
    value->layout = complete(model->arena, value->layout);
}

/* `layout` with partial axes `axes` of `kind` added to those it has. */
static const ts_sharding *add_partial(ts_arena *arena, const ts_sharding *layout, ts_axes axes,
                                      ts_reduction kind) {
  ts_partial partial[TS_MAX_AXES];
  int num = 0;
  for (int i = 0; i < layout->num_partial; i++)
    partial[num++] = layout->partial[i];
  for (int a = 0; a < layout->grid->rank; a++)
    if (axes >> a & 1 && !(ts_sharding_partial_axes(layout) >> a & 1) &&
        layout->grid->shape[a] != 1)
      partial[num++] = (ts_partial){a, kind};
  return num == layout->num_partial ? layout
                                    : ts_sharding_with_partial(arena, layout, num, partial);
}

static ts_axes loop_axes(const ts_loop_sharding *sharding) {
  ts_axes axes = 0;
  for (int l = 0; l < sharding->num_loops; l++)
    axes |= ts_dim_axes(&sharding->loops[l]);
  return axes;
}

/* ---- partial operands
 * ---------------------------------------------------------------------------- */

/* Operand `i` is zero (the kind's neutral element) everywhere: as good as partial. */
static bool is_neutral(const ts_op *op, int i, ts_reduction kind) {
  ts_value *source = op->operands[i] ? ts_free_source(op->operands[i]) : NULL;
  return source && kind != TS_REDUCTION_NONE && ts_free_is_neutral(source->handle, kind);
}

static bool terms_accept(const ts_op *op, const ts_terms *terms, uint32_t partial,
                         ts_reduction kind) {
  if (!terms->num_terms || (terms->must_be_complete & partial))
    return false;
  if (terms->kind != TS_REDUCTION_NONE && terms->kind != kind)
    return false;
  for (int t = 0; t < terms->num_terms; t++) {
    uint32_t shared = terms->sets[t] & partial;
    if (shared && (shared & (shared - 1)))
      return false; /* a product of two partial values */
    if (shared)
      continue;
    bool neutral = false;
    for (int i = 0; i < op->num_operands && i < TS_MAX_TERM_OPERANDS; i++)
      neutral |= (terms->sets[t] >> i & 1) && is_neutral(op, i, kind);
    if (!neutral)
      return false;
  }
  return true;
}

/* The set of operands that share the first partial operand's partial axes, or 0. */
static uint32_t partial_operands(const ts_op *op, const ts_sharding **signature) {
  uint32_t set = 0;
  *signature = NULL;
  for (int i = 0; i < op->num_operands && i < TS_MAX_TERM_OPERANDS; i++) {
    const ts_value *value = op->operands[i];
    if (!value || value->is_free || !value->layout->num_partial)
      continue;
    if (!*signature)
      *signature = value->layout;
    if (ts_partial_equal(*signature, value->layout))
      set |= UINT32_C(1) << i;
  }
  return set;
}

static bool pays(const ts_op *op, uint32_t set) {
  double in = 0, out = 0;
  for (int i = 0; i < op->num_operands && i < TS_MAX_TERM_OPERANDS; i++)
    if (set >> i & 1)
      in += ts_sharding_local_elements(op->required[i]);
  for (int r = 0; r < op->num_results; r++)
    out += ts_sharding_local_elements(op->natural[r]);
  return out <= in;
}

static bool results_accept(const ts_op *op, const ts_sharding *signature, uint32_t set) {
  ts_reduction kind = signature->partial[0].kind;
  for (int i = 1; i < signature->num_partial; i++)
    if (signature->partial[i].kind != kind)
      return false;
  if (ts_sharding_partial_axes(signature) & loop_axes(op->sharding))
    return false;
  for (int r = 0; r < op->num_results; r++) {
    if (!op->results[r] || !terms_accept(op, &op->loops->terms[r], set, kind))
      return false;
    if (op->natural[r]->num_partial && op->natural[r]->partial[0].kind != kind)
      return false;
  }
  return true;
}

/* Lets partial operands pass through a linear op, so that one collective serves a sum of many; or
 * has them completed where they are defined. */
static void pass_partial(ts_model *model, ts_op *op) {
  const ts_sharding *signature;
  uint32_t set = partial_operands(op, &signature);
  if (!set || !results_accept(op, signature, set) || !pays(op, set))
    return;
  for (int i = 0; i < op->num_operands && i < TS_MAX_TERM_OPERANDS; i++)
    if (set >> i & 1)
      op->required[i] =
          add_partial(model->arena, op->required[i], ts_sharding_partial_axes(signature),
                      signature->partial[0].kind);
  for (int r = 0; r < op->num_results; r++)
    op->natural[r] = add_partial(model->arena, op->natural[r], ts_sharding_partial_axes(signature),
                                 signature->partial[0].kind);
}

/* A reduction's initial value counts once over the devices that share it, not once on each. */
static void require_init(ts_model *model, ts_op *op, int r) {
  int i = op->loops->result_init[r];
  ts_axes axes = ts_loops_partial_axes(op->loops, op->sharding);
  ts_reduction kind = op->loops->result_reduction[r];
  if (i < 0 || !op->operands[i] || !op->loops->init_is_read[r] || !axes || !kind ||
      is_neutral(op, i, kind))
    return;
  op->required[i] = add_partial(model->arena, op->required[i], axes, kind);
}

/* ---- ops ------------------------------------------------------------------------------------- */

/* Whether the result may stay partial until its one user, which may pass it on. */
static bool may_stay_partial(const ts_value *value, const ts_sharding *natural) {
  if (value->is_fixed || !natural->num_partial || value->uses != 1)
    return false;
  for (int i = 0; i < value->num_users; i++)
    if (value->users[i]->kind != TS_OP_RULE)
      return false;
  return !(ts_sharding_partial_axes(natural) & ts_sharding_split_axes(value->layout));
}

static void settle_rule(ts_model *model, ts_op *op) {
  ts_arena *scratch = &model->scratch;
  ts_axes axes = ts_loops_partial_axes(op->loops, op->sharding);
  for (int i = 0; i < op->num_operands; i++)
    if (op->operands[i])
      op->required[i] = ts_intern_layout(
          &model->interned,
          ts_loops_project(scratch, op->sharding, &op->loops->operands[i], op->operands[i]->shape));
  for (int r = 0; r < op->num_results; r++)
    if (op->results[r]) {
      const ts_sharding *natural =
          ts_loops_project(scratch, op->sharding, &op->loops->results[r], op->results[r]->shape);
      if (op->loops->result_reduction[r])
        natural = add_partial(scratch, natural, axes, op->loops->result_reduction[r]);
      op->natural[r] = ts_intern_layout(&model->interned, natural);
    }
  ts_run_on_offsets(model, op);
  pass_partial(model, op);
  for (int r = 0; r < op->num_results; r++)
    if (op->results[r])
      require_init(model, op, r);
  for (int i = 0; i < op->num_operands; i++)
    if (op->operands[i] && !op->required[i]->num_partial)
      make_complete(model, op->operands[i]);
  for (int r = 0; r < op->num_results; r++)
    if (op->results[r] && may_stay_partial(op->results[r], op->natural[r]))
      op->results[r]->layout =
          ts_sharding_with_partial(model->arena, op->results[r]->layout,
                                   op->natural[r]->num_partial, op->natural[r]->partial);
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
  if (!layout || layout->grid == function->grid)
    return layout;
  const ts_sharding *refined = ts_sharding_refined(model->arena, layout, function->grid);
  if (refined)
    return refined;
  if (!ts_sharding_run_time(value->layout, NULL))
    return replicated(model, function, value);
  ts_error(op->handle,
           "call of @%s on grid @%s, whose arguments or results have run-time halo sizes or shard "
           "offsets, from a function on grid @%s: expected one grid",
           op->callee->name, value->layout->grid->name, function->grid->name);
  return NULL;
}

static bool settle_fixed(ts_model *model, ts_function *function, ts_op *op) {
  for (int i = 0; i < op->num_operands; i++) {
    ts_value *value = op->operands[i], *target = op->targets[i];
    if (!value || !target)
      continue;
    make_complete(model, value);
    /* A function's result is laid out as the first returned value is. */
    if (!target->definition && !target->handle.ptr && !target->is_fixed) {
      if (!value->is_free)
        target->layout = value->layout;
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

static bool settle(ts_model *model, ts_function *function) {
  bool ok = true;
  for (int i = 0; i < function->num_ops; i++) {
    ts_op *op = function->ops[i];
    ts_arena_reset(&model->scratch);
    if (op->kind == TS_OP_RULE)
      settle_rule(model, op);
    else if (op->kind == TS_OP_FIXED)
      ok &= settle_fixed(model, function, op);
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

bool ts_model_solve(ts_model *model) {
  bool ok = true;
  for (int i = 0; i < model->num_functions; i++) {
    ts_function *function = model->order[i];
    if (!function->is_active)
      continue;
    ts_fixpoint(model, function);
    ok &= settle(model, function);
    freeze_signature(function);
  }
  ts_arena_free(&model->scratch);
  return ok;
}
