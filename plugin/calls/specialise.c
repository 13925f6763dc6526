/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Writing the functions that calls with split tensors need. Calls inside of such a function are
 * treated alike, each function once for each layout. It knows calls and annotations; it must not
 * know how layouts are chosen. */
#include "calls/specialise.h"

#include "mlir-c/BuiltinAttributes.h"

#include "model/read.h"
#include "solve/solve.h"
#include "solve/summary.h"

typedef struct specialiser {
  ts_model *model;
  ts_summary **made; /* in the order in which calls ask for them */
  int num_made, max_made;
  int *num_calls; /* of each function, by position: those that are left, and references */
} specialiser;

/* ---- new functions --------------------------------------------------------------------------- */

static void set_attribute(MlirOperation op, const char *name, MlirAttribute value) {
  mlirOperationSetAttributeByName(op, mlirStringRefCreateFromCString(name), value);
}

static MlirAttribute text(const specialiser *s, const char *words) {
  return mlirStringAttrGet(s->model->context, mlirStringRefCreateFromCString(words));
}

static MlirOperation function_for(specialiser *s, ts_summary *summary) {
  if (summary->made.ptr)
    return summary->made;
  MlirOperation original = summary->callee->handle;
  summary->made = mlirOperationClone(original);
  set_attribute(summary->made, "sym_name",
                text(s, ts_free_symbol(s->model, summary->callee, "split")));
  set_attribute(summary->made, "sym_visibility", text(s, "private"));
  ts_model_add_symbol(s->model, summary->made);
  mlirBlockInsertOwnedOperationAfter(mlirOperationGetBlock(original), original, summary->made);
  s->made = ts_arena_grow(s->model->arena, s->made, s->num_made, &s->max_made, sizeof(*s->made));
  s->made[s->num_made++] = summary;
  return summary->made;
}

static void annotate_arguments(ts_annotation_writer *writer, const ts_summary *summary) {
  MlirOperation first = mlirBlockGetFirstOperation(writer->entry);
  for (int i = 0; i < summary->function.num_arguments; i++) {
    if (!summary->taken[i])
      continue;
    MlirValue argument = mlirBlockGetArgument(writer->entry, i);
    MlirValue annotated =
        ts_annotation_write(writer, writer->entry, first, mlirOperationGetLocation(summary->made),
                            argument, summary->taken[i], TS_FOR_DEFINITION);
    MlirOperation annotation = mlirOpResultGetOwner(annotated);
    mlirValueReplaceAllUsesExcept(argument, annotated, 1, &annotation);
  }
}

/* Annotations of one constant in several blocks are none that upstream's canonicalization keeps
 * apart: such results are left to propagation. */
static void annotate_results(ts_annotation_writer *writer, const ts_summary *summary,
                             MlirBlock block) {
  MlirOperation end = mlirBlockGetTerminator(block);
  for (int i = 0; ts_op_is(end, "func.return") && i < summary->function.num_results; i++) {
    MlirValue value = mlirOperationGetOperand(end, i);
    bool is_free = summary->results[i] && mlirValueIsAOpResult(value) && ts_is_free(value);
    if (!summary->results[i] || (is_free && !mlirBlockEqual(block, writer->entry)))
      continue;
    mlirOperationSetOperand(end, i,
                            ts_annotation_write(writer, block, end, mlirOperationGetLocation(end),
                                                value, summary->results[i], TS_FOR_USERS));
  }
}

static void annotate(specialiser *s, const ts_summary *summary) {
  MlirRegion region = mlirOperationGetRegion(summary->made, 0);
  ts_annotation_writer writer = {.arena = s->model->arena,
                                 .entry = mlirRegionGetFirstBlock(region)};
  annotate_arguments(&writer, summary);
  for (MlirBlock block = writer.entry; block.ptr; block = mlirBlockGetNextInRegion(block))
    annotate_results(&writer, summary, block);
}

/* ---- calls ----------------------------------------------------------------------------------- */

typedef struct calls {
  ts_model *model;
  ts_op_list list;
} calls;

static MlirWalkResult add_call(MlirOperation op, void *user) {
  calls *c = user;
  if (ts_op_is(op, "func.call"))
    ts_add_op(c->model, &c->list, op);
  return MlirWalkResultAdvance;
}

/* In the order of a walk, which is the same for a function and its copy. */
static ts_op_list calls_in(specialiser *s, MlirOperation function) {
  calls c = {.model = s->model};
  mlirOperationWalk(function, add_call, &c, MlirWalkPreOrder);
  return c.list;
}

/* Lets `call` call what was solved for `op`, which it is, or a copy of which it is. */
static void redirect(specialiser *s, MlirOperation call, const ts_op *op) {
  if (!op || !op->summary || op->summary->is_whole)
    return;
  MlirOperation made = function_for(s, op->summary);
  MlirStringRef name = mlirStringAttrGetValue(ts_attribute(made, "sym_name"));
  set_attribute(call, "callee", mlirFlatSymbolRefAttrGet(s->model->context, name));
}

/* What a new function calls are again functions for the layouts that it passes. */
static void finish(specialiser *s, const ts_summary *summary) {
  ts_op_list original = calls_in(s, summary->callee->handle), own = calls_in(s, summary->made);
  for (int i = 0; i < own.num; i++)
    redirect(s, own.ops[i], ts_model_call(&summary->model, original.ops[i]));
  annotate(s, summary);
}

/* ---- what is not called any more ------------------------------------------------------------- */

static void count_calls(specialiser *s, const ts_op_list *list, int by) {
  for (int i = 0; i < list->num; i++) {
    const ts_function *callee = ts_callee(s->model, list->ops[i]);
    if (callee)
      s->num_calls[callee->position] += by;
  }
}

static void count_references(specialiser *s, const ts_op_list *list) {
  for (int i = 0; i < list->num; i++) {
    MlirStringRef name = mlirFlatSymbolRefAttrGetValue(ts_attribute(list->ops[i], "value"));
    const ts_function *function =
        ts_map_get(&s->model->functions, mlirIdentifierGet(s->model->context, name).ptr);
    if (function)
      s->num_calls[function->position]++;
  }
}

static bool is_specialised(const specialiser *s, const ts_function *function) {
  const ts_summary *summary = ts_map_get(s->model->summaries, function);
  for (; summary; summary = summary->next)
    if (summary->made.ptr)
      return true;
  return false;
}

static void drop_uncalled(specialiser *s) {
  ts_model *model = s->model;
  s->num_calls = TS_NEW(model->arena, int, model->num_functions);
  for (int i = 0; i < model->num_functions; i++) {
    count_calls(s, &model->order[i]->calls, 1);
    count_references(s, &model->order[i]->references);
  }
  for (int i = 0; i < s->num_made; i++) {
    ts_op_list own = calls_in(s, s->made[i]->made);
    count_calls(s, &own, 1);
  }
  /* Callers come behind what they call. */
  for (int i = model->num_functions; i-- > 0;) {
    ts_function *function = model->order[i];
    if (s->num_calls[function->position] || ts_is_public(function->handle) ||
        !is_specialised(s, function))
      continue;
    count_calls(s, &function->calls, -1);
    ts_model_drop_symbol(model, function->handle);
  }
}

/* ---- all ------------------------------------------------------------------------------------- */

static void specialise(ts_model *model) {
  specialiser s = {.model = model};
  for (int i = 0; i < model->num_functions; i++)
    for (int k = 0; model->order[i]->is_active && k < model->order[i]->num_ops; k++) {
      const ts_op *op = model->order[i]->ops[k];
      if (op->kind == TS_OP_CALL)
        redirect(&s, op->handle, op);
    }
  for (int i = 0; i < s.num_made; i++)
    finish(&s, s.made[i]);
  if (s.num_made)
    drop_uncalled(&s);
}

bool ts_specialise_calls(ts_model *model, ts_arena *arena, MlirOperation module) {
  if (!model->has_plain_calls)
    return true;
  if (!ts_model_solve(model))
    return false;
  specialise(model);
  bool prices_ranges = model->prices_ranges, moves_borders = model->moves_borders;
  bool carries_less = model->carries_less;
  ts_arena_reset(arena);
  bool ok = ts_model_read(model, arena, module, TS_CALLS_WHOLE);
  model->prices_ranges = prices_ranges;
  model->moves_borders = moves_borders;
  model->carries_less = carries_less;
  return ok;
}
