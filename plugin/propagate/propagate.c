/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The pass tessera-propagate: writes the solver's layouts as annotations in upstream's form.
 * Every tensor has one defining shard.shard, and every use one for it. Running it again changes
 * nothing. It knows annotations; it must not know how layouts were chosen. */
#include "mlir-c/BuiltinAttributes.h"

#include "calls/specialise.h"
#include "ir/ranks.h"
#include "model/causes.h"
#include "model/read.h"
#include "model/resolver.h"
#include "model/restore.h"
#include "model/signature.h"
#include "passes.h"
#include "propagate/answers.h"
#include "propagate/foldable.h"
#include "propagate/tosa.h"
#include "propagate/transposed_products.h"
#include "propagate/trials.h"
#include "propagate/unused_annotations.h"
#include "sharding/known.h"
#include "solve/solve.h"
#include "solve/told.h"
#include "structured/structured.h"
#include "support/blocks.h"
#include "workarounds/expanded_types.h"

const ts_option_spec ts_propagate_options[] = {
    {"remarks", "Remark on ops that run whole on every device", TS_OPTION_BOOL, "true"},
    {"refine-grids", "Cut axes that reshapes need a part of, where that moves fewer bytes",
     TS_OPTION_BOOL, "true"}};
const int ts_propagate_num_options = sizeof(ts_propagate_options) / sizeof(*ts_propagate_options);

/* ---- definitions ----------------------------------------------------------------------------- */

static bool is_for_users(MlirOperation annotation) {
  return !mlirAttributeIsNull(mlirOperationGetAttributeByName(
      annotation, mlirStringRefCreateFromCString("annotate_for_users")));
}

static bool uses(const ts_op *op, MlirValue handle) {
  for (int i = 0; i < op->num_operands; i++)
    if (mlirValueEqual(ts_op_operand(op, i), handle))
      return true;
  return false;
}

/* The first op that has `handle` as an operand; NULL if there is none. */
static const ts_op *first_use(const ts_value *value, MlirValue handle) {
  const ts_op *first = NULL;
  for (int i = 0; i < value->num_users; i++)
    if ((!first || value->users[i]->position < first->position) && uses(value->users[i], handle))
      first = value->users[i];
  return first;
}

/* The annotation that can stay the definition of `handle`: its first use, beside it in `block`, and
 * saying just the value's layout. Null if there is none. */
static MlirOperation definition_in_place(const ts_value *value, const ts_op *first,
                                         MlirBlock block) {
  bool stays = first && first->kind == TS_OP_LINK &&
               mlirBlockEqual(mlirOperationGetBlock(first->handle), block) &&
               ts_sharding_equal(first->results[0]->layout, value->layout);
  return stays ? first->handle : (MlirOperation){NULL};
}

/* Numbers of the layout may be known no sooner than where the value is used first. */
static MlirOperation place_of_definition(const ts_value *value, const ts_op *first, MlirBlock block,
                                         MlirOperation before) {
  if (!first || ts_layout_known_before(value->layout, before))
    return before;
  MlirOperation around = ts_ancestor_in(block, first->handle);
  return around.ptr && ts_layout_known_before(value->layout, around) ? around : before;
}

static void annotate_definition(ts_model *model, ts_annotation_writer *writer,
                                const ts_value *value, MlirValue handle, MlirBlock block,
                                MlirOperation before, MlirLocation location) {
  if (!value || value->is_free ||
      (!mlirBlockEqual(block, writer->entry) && ts_folds_to_constant(handle)))
    return;
  const ts_op *first = first_use(value, handle);
  MlirOperation definition = definition_in_place(value, first, block);
  if (definition.ptr) {
    if (is_for_users(definition))
      mlirOperationRemoveAttributeByName(definition,
                                         mlirStringRefCreateFromCString("annotate_for_users"));
    ts_use_annotated(writer->arena, handle, mlirOperationGetResult(definition, 0));
    return;
  }
  ts_arena_reset(&model->scratch);
  MlirOperation place = place_of_definition(value, first, block, before);
  MlirValue annotated = ts_annotation_write(
      writer, block, place, ts_with_origins(model, location, value, NULL, value->layout), handle,
      value->layout, TS_FOR_DEFINITION);
  MlirOperation annotation = mlirOpResultGetOwner(annotated);
  /* Nobody is before what stands beside the definition: to ask would number the block anew for each
   * of many arguments. */
  if (mlirOperationEqual(place, before))
    mlirValueReplaceAllUsesExcept(handle, annotated, 1, &annotation);
  else
    ts_use_annotated(writer->arena, handle, annotated);
}

static void annotate_block_arguments(ts_model *model, ts_annotation_writer *writer,
                                     MlirBlock block) {
  MlirOperation first = mlirBlockGetFirstOperation(block);
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(block); i++) {
    MlirValue argument = mlirBlockGetArgument(block, i);
    annotate_definition(model, writer, ts_model_value(model, argument), argument, block, first,
                        mlirOperationGetLocation(first));
  }
}

static void annotate_region(ts_model *model, ts_annotation_writer *writer, MlirRegion region) {
  for (MlirBlock block = mlirRegionGetFirstBlock(region); block.ptr;
       block = mlirBlockGetNextInRegion(block))
    annotate_block_arguments(model, writer, block);
}

static void annotate_results(ts_model *model, ts_annotation_writer *writer, const ts_op *op) {
  if (op->kind == TS_OP_LINK || op->kind == TS_OP_IGNORE || op->kind == TS_OP_SHAPE)
    return;
  MlirBlock block = mlirOperationGetBlock(op->handle);
  MlirOperation before = mlirOperationGetNextInBlock(op->handle);
  for (int r = 0; r < op->num_results; r++)
    annotate_definition(model, writer, op->results[r], mlirOperationGetResult(op->handle, r), block,
                        before, mlirOperationGetLocation(op->handle));
  for (intptr_t i = 0; op->ties && i < mlirOperationGetNumRegions(op->handle); i++)
    annotate_region(model, writer, mlirOperationGetRegion(op->handle, i));
}

/* ---- uses ------------------------------------------------------------------------------------ */

/* The operand already comes through an annotation for users that says `required`. */
static bool is_annotated_use(const ts_value *value, const ts_sharding *required) {
  const ts_op *definition = value->definition;
  return definition && definition->kind == TS_OP_LINK && is_for_users(definition->handle) &&
         ts_sharding_equal(value->layout, required);
}

/* Upstream's canonicalization merges annotations of one plain value even where neither's block
 * dominates the other's; constants move to the entry block, and an op that it folds leaves its
 * annotation to its operand. So free values, which have no one definition, are annotated where they
 * are used in the entry block alone, and nowhere if they are used or annotated elsewhere; and what
 * becomes a constant not in other blocks. Partition finds layouts for these by itself. */
typedef struct free_annotations {
  MlirBlock entry;  /* of the function */
  MlirBlock block;  /* this one; null: none in this function */
  ts_map elsewhere; /* free values that are used in other blocks */
} free_annotations;

static bool may_annotate(const ts_value *value, MlirBlock block, const free_annotations *free) {
  if (!value->is_free)
    return mlirBlockEqual(block, free->entry) || !ts_folds_to_constant(value->handle);
  return mlirBlockEqual(block, free->block) && !ts_map_get(&free->elsewhere, value->handle.ptr);
}

/* Upstream's canonicalization cuts a block in two to put blocks of an scf.execute_region between.
 */
static bool may_be_cut(MlirBlock block) {
  for (MlirOperation op = mlirBlockGetFirstOperation(block); op.ptr;
       op = mlirOperationGetNextInBlock(op))
    if (ts_op_is(op, "scf.execute_region") &&
        mlirBlockGetNextInRegion(mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 0))).ptr)
      return true;
  return false;
}

static free_annotations find_free_annotations(ts_arena *arena, const ts_function *function,
                                              MlirBlock entry) {
  const free_annotations none = {.entry = entry};
  free_annotations free = {.entry = entry, .block = entry};
  if (may_be_cut(entry))
    return none;
  for (int i = 0; i < function->num_ops; i++) {
    const ts_op *op = function->ops[i];
    if (mlirBlockEqual(mlirOperationGetBlock(op->handle), entry))
      continue;
    if (op->kind == TS_OP_LINK && op->operands[0]->is_free)
      return none;
    for (int o = 0; o < op->num_operands; o++)
      if (op->operands[o] && op->operands[o]->is_free)
        ts_map_set(&free.elsewhere, arena, op->operands[o]->handle.ptr, op->operands[o]);
  }
  return free;
}

static void annotate_uses(ts_model *model, ts_annotation_writer *writer, const ts_op *op,
                          const free_annotations *free) {
  if (!op->required)
    return;
  for (int i = 0; i < op->num_operands; i++) {
    if (!op->operands[i] || !op->required[i] ||
        is_annotated_use(op->operands[i], op->required[i]) ||
        !may_annotate(op->operands[i], mlirOperationGetBlock(op->handle), free))
      continue;
    MlirValue operand = ts_op_operand(op, i);
    ts_arena_reset(&model->scratch);
    MlirLocation location = ts_with_origins(model, mlirOperationGetLocation(op->handle),
                                            op->operands[i], op, op->required[i]);
    MlirValue annotated = ts_annotation_write(writer, mlirOperationGetBlock(op->handle), op->handle,
                                              location, operand, op->required[i], TS_FOR_USERS);
    ts_op_set_operand(op, i, annotated);
  }
}

/* Annotations that leave something open say from here on what was decided. */
static void hold_annotations(ts_annotation_writer *writer, const ts_function *function) {
  for (int i = 0; i < function->num_ops; i++)
    if (function->ops[i]->kind == TS_OP_LINK)
      ts_annotation_hold(writer, function->ops[i]->handle, function->ops[i]->results[0]->layout);
}

/* Annotations of a free value in other blocks than its own, which upstream's canonicalization would
 * merge with each other, go to where the value is, if their sharding is known there. */
static void gather_free_annotations(const ts_function *function) {
  for (int i = 0; i < function->num_ops; i++) {
    const ts_op *op = function->ops[i];
    if (op->kind != TS_OP_LINK || !op->operands[0]->is_free)
      continue;
    MlirOperation made = ts_defining_op(mlirOperationGetOperand(op->handle, 0));
    MlirOperation sharding = ts_defining_op(mlirOperationGetOperand(op->handle, 1));
    if (mlirBlockEqual(mlirOperationGetBlock(made), mlirOperationGetBlock(op->handle)) ||
        mlirOperationGetNumOperands(sharding) > 0)
      continue;
    MlirOperation clone = mlirOperationClone(sharding);
    mlirBlockInsertOwnedOperationAfter(mlirOperationGetBlock(made), made, clone);
    mlirOperationSetOperand(op->handle, 1, mlirOperationGetResult(clone, 0));
    mlirOperationMoveAfter(op->handle, clone);
  }
}

/* ---- the pass -------------------------------------------------------------------------------- */

static void annotate_function(ts_model *model, ts_function *function) {
  MlirRegion region = mlirOperationGetRegion(function->handle, 0);
  ts_drop_unreached(model, function);
  ts_annotation_writer writer = {.arena = model->arena, .entry = mlirRegionGetFirstBlock(region)};
  const free_annotations free =
      find_free_annotations(model->arena, function, mlirRegionGetFirstBlock(region));
  annotate_region(model, &writer, region);
  hold_annotations(&writer, function);
  gather_free_annotations(function);
  for (int i = 0; i < function->num_ops; i++) {
    annotate_uses(model, &writer, function->ops[i], &free);
    annotate_results(model, &writer, function->ops[i]);
  }
  ts_record_signature(model, function);
  ts_set_propagated(function->handle);
}

/* The model of the module once its questions are answered and its grids are chosen. */
static bool read(ts_model *model, ts_arena *arena, MlirOperation module, bool refines) {
  bool ok =
      ts_restore_annotations(module) && ts_model_read(model, arena, module, TS_CALLS_BY_LAYOUT);
  if (ok && model->is_asked) {
    ts_arena_reset(arena);
    ok = ts_answer_get_sharding(module) &&
         ts_model_read(model, arena, module, TS_CALLS_BY_LAYOUT) && ts_refuse_open(model);
  }
  ok = ok && ts_try_solutions(model, arena, module, refines);
  return ok && ts_specialise_calls(model, arena, module);
}

bool ts_propagate_run(ts_active_pass *pass, MlirOperation module, const ts_option_value *options) {
  ts_arena arena = {0};
  ts_model model = {0};
  if (!ts_check_ranks(module))
    return false;
  ts_expanded_types_say(module);
  ts_structure_negative_pads(module); /* before anything is folded, which upstream does wrongly */
  ts_structure_copied_diagonals(module); /* so, too */
  ts_structure_tosa_scatters(module);
  if (!ts_tosa_to_linalg(pass, module))
    return false;
  ts_structure(module);
  ts_transpose_products(module);
  bool ok = read(&model, &arena, module, options[1].boolean);
  ok = ok && ts_model_solve(&model);
  if (ok && options[0].boolean)
    ts_tell_notes(&model);
  ok = ok && ts_make_resolvers(&model, TS_FOR_PASSES);
  bool annotates = false;
  for (int i = 0; ok && i < model.num_functions; i++)
    if (model.order[i]->is_active) {
      annotate_function(&model, model.order[i]);
      annotates = true;
    }
  if (annotates) /* what annotations no longer take their numbers from, and would not again */
    ts_erase_unused_results(module);
  ts_arena_free(&model.scratch);
  ts_arena_free(&arena);
  return ok;
}
