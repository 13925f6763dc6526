/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Ops of tosa that have no rule become linalg, which has them: all of a module, or, where some
 * extents are known only to the run, each such op alone. It knows which ops have rules; it must not
 * know layouts. */
#include "propagate/tosa.h"

#include <string.h>

#include "ir/build.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "propagate/unused_annotations.h"
#include "rules/rows.h"
#include "support/ir.h"
#include "workarounds/constant_folds.h"

/* Without canonicalization, which would change the program around them. */
#define PASSES                                                                                     \
  "func.func(tosa-to-scf,tosa-optional-decompositions,tosa-make-broadcastable,"                    \
  "tosa-to-linalg-named,tosa-layerwise-constant-fold,tosa-make-broadcastable,tosa-to-linalg,"      \
  "tosa-to-tensor,tosa-to-arith{include-apply-rescale=1})"
static const char passes[] = PASSES;
/* Control flow of tosa, whatever the extents in it. */
static const char passes_of_regions[] = "func.func(tosa-to-scf)";
/* In the modules inside of the one that they are run on. */
static const char passes_inside[] = "builtin.module(" PASSES ")";

/* ---- which ----------------------------------------------------------------------------------- */

typedef struct finding {
  bool is_annotated, lacks_rule, is_dynamic, has_modules;
} finding;

static bool is_dynamic(MlirValue value) {
  MlirType type = mlirValueGetType(value);
  return mlirTypeIsAShaped(type) &&
         (!mlirShapedTypeHasRank(type) || !mlirShapedTypeHasStaticShape(type));
}

static bool is_any_dynamic(MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++)
    if (is_dynamic(mlirOperationGetOperand(op, i)))
      return true;
  for (intptr_t r = 0; r < mlirOperationGetNumResults(op); r++)
    if (is_dynamic(mlirOperationGetResult(op, r)))
      return true;
  return false;
}

/* What says a shape or ends a block goes with the op that it is for. */
static bool stands_alone(MlirOperation op) {
  static const char *const parts[] = {"tosa.const_shape", "tosa.yield"};
  for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
    if (ts_op_is(op, parts[i]))
      return false;
  return true;
}

static bool is_tosa(MlirOperation op) {
  return strncmp(ts_op_name(op), "tosa.", 5) == 0;
}

static bool lacks_rule(MlirOperation op) {
  return is_tosa(op) && stands_alone(op) && !ts_rule_named(op) && !ts_rule_find(op);
}

/* What upstream writes for these follows dimensions of unknown extents as it does others. */
static bool takes_unknown_extents(MlirOperation op) {
  static const char *const names[] = {
      "tosa.argmax",           "tosa.avg_pool2d", "tosa.concat",     "tosa.conv2d",
      "tosa.conv3d",           "tosa.gather",     "tosa.matmul",     "tosa.max_pool2d",
      "tosa.depthwise_conv2d", "tosa.pad",        "tosa.rescale",    "tosa.reduce_all",
      "tosa.reduce_any",       "tosa.reduce_max", "tosa.reduce_min", "tosa.reduce_sum",
      "tosa.reduce_product",   "tosa.table",      "tosa.transpose"};
  for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
    if (ts_op_is(op, names[i]))
      return true;
  return false;
}

static void look_at(MlirOperation op, void *user) {
  finding *f = user;
  f->is_annotated |= ts_op_is(op, "shard.shard");
  f->has_modules |=
      ts_op_is(op, "builtin.module") && mlirOperationGetParentOperation(op).ptr != NULL;
  f->lacks_rule |= lacks_rule(op);
  f->is_dynamic |= is_tosa(op) && is_any_dynamic(op);
}

/* ---- constants ----------------------------------------------------------------------------------
 */

/* The constant that annotations in between say something of; `value` itself if there is none. */
static MlirValue annotated_constant(MlirValue value) {
  MlirValue source = value;
  MlirOperation made = ts_defining_op(value);
  while (made.ptr && ts_op_is(made, "shard.shard")) {
    source = mlirOperationGetOperand(made, 0);
    made = ts_defining_op(source);
  }
  bool is_constant = made.ptr && (ts_op_is(made, "tosa.const") || ts_op_is(made, "arith.constant"));
  return is_constant ? source : value;
}

/* Zero points, multipliers and the like have to be seen as constants. They have one dimension at
 * most, and are built in place for each use, whatever annotations say. */
static void show_constants(MlirOperation op, void *user) {
  (void)user;
  if (!lacks_rule(op) || mlirOperationGetNumRegions(op) != 0)
    return;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
    MlirValue operand = mlirOperationGetOperand(op, i);
    MlirType type = mlirValueGetType(operand);
    if (mlirTypeIsARankedTensor(type) && mlirShapedTypeGetRank(type) <= 1)
      mlirOperationSetOperand(op, i, annotated_constant(operand));
  }
}

/* ---- each op alone --------------------------------------------------------------------------- */

/* Functions of one op each, in a module of their own, in the order of the ops. */
typedef struct outlined {
  MlirOperation inside;
  MlirOperation *ops; /* what the functions stand for */
  int num, max;
  ts_arena *arena;
} outlined;

/* Of a reshape, a pad and the like: extents that a constant beside the op says. */
static bool is_part(MlirValue value) {
  MlirOperation made = ts_defining_op(value);
  return made.ptr && (ts_op_is(made, "tosa.const_shape") || ts_op_is(made, "tosa.const"));
}

static void note(MlirOperation op, void *user) {
  outlined *o = user;
  if (!lacks_rule(op) || mlirOperationGetNumRegions(op) != 0 ||
      (is_any_dynamic(op) && !takes_unknown_extents(op)))
    return;
  o->ops = ts_arena_grow(o->arena, o->ops, o->num, &o->max, sizeof(*o->ops));
  o->ops[o->num++] = op;
}

static MlirBlock body_of(MlirOperation module) {
  return mlirRegionGetFirstBlock(mlirOperationGetRegion(module, 0));
}

/* A function with a copy of `op`, of constants that it takes, and arguments for its other operands.
 */
static void outline(const outlined *o, int number) {
  MlirOperation op = o->ops[number];
  MlirContext context = mlirOperationGetContext(op);
  intptr_t num = mlirOperationGetNumOperands(op), num_results = mlirOperationGetNumResults(op);
  MlirType *inputs = TS_NEW(o->arena, MlirType, num),
           *results = TS_NEW(o->arena, MlirType, num_results);
  MlirOperation copy = mlirOperationClone(op);
  MlirBlock block = mlirBlockCreate(0, NULL, NULL);
  int num_inputs = 0;
  for (intptr_t i = 0; i < num; i++) {
    MlirValue operand = mlirOperationGetOperand(op, i);
    if (is_part(operand)) {
      MlirOperation part = mlirOperationClone(ts_defining_op(operand));
      mlirBlockAppendOwnedOperation(block, part);
      mlirOperationSetOperand(copy, i, mlirOperationGetResult(part, 0));
      continue;
    }
    inputs[num_inputs++] = mlirValueGetType(operand);
    mlirOperationSetOperand(
        copy, i,
        mlirBlockAddArgument(block, mlirValueGetType(operand), mlirOperationGetLocation(op)));
  }
  mlirBlockAppendOwnedOperation(block, copy);
  MlirValue *values = TS_NEW(o->arena, MlirValue, num_results);
  for (intptr_t r = 0; r < num_results; r++) {
    values[r] = mlirOperationGetResult(copy, r);
    results[r] = mlirValueGetType(values[r]);
  }
  ts_maker end = ts_make_at_end(block, mlirOperationGetLocation(op));
  ts_make_op(&end,
             &(ts_new_op){.name = "func.return", .num_operands = num_results, .operands = values});
  MlirRegion region = mlirRegionCreate();
  mlirRegionAppendOwnedBlock(region, block);
  MlirType type = mlirFunctionTypeGet(context, num_inputs, inputs, num_results, results);
  MlirNamedAttribute attributes[] = {
      ts_named(context, "sym_name",
               ts_text_attribute(context, ts_arena_format(o->arena, "op%d", number))),
      ts_named(context, "function_type", mlirTypeAttrGet(type))};
  ts_maker last = ts_make_at_end(body_of(o->inside), mlirOperationGetLocation(op));
  ts_make_op(&last, &(ts_new_op){.name = "func.func",
                                 .num_attributes = 2,
                                 .attributes = attributes,
                                 .region = region});
}

/* Moves what became of the op in `function` to where the op was. */
static void put_back(MlirOperation op, MlirOperation function) {
  MlirBlock block = ts_function_entry(function);
  int next = 0;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++)
    if (!is_part(mlirOperationGetOperand(op, i)))
      mlirValueReplaceAllUsesOfWith(mlirBlockGetArgument(block, next++),
                                    mlirOperationGetOperand(op, i));
  MlirOperation end = mlirBlockGetTerminator(block);
  for (MlirOperation made = mlirBlockGetFirstOperation(block), after;
       !mlirOperationEqual(made, end); made = after) {
    after = mlirOperationGetNextInBlock(made);
    mlirOperationMoveBefore(made, op);
  }
  for (intptr_t r = 0; r < mlirOperationGetNumResults(op); r++)
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, r), mlirOperationGetOperand(end, r));
  mlirOperationDestroy(op);
}

static bool convert_all(ts_active_pass *step, void *user) {
  (void)user;
  return ts_run_pipeline(step, passes);
}

static bool convert_regions(ts_active_pass *step, void *user) {
  (void)user;
  return ts_run_pipeline(step, passes_of_regions);
}

static bool convert_inside(ts_active_pass *step, void *user) {
  (void)user;
  return ts_run_pipeline(step, passes_inside);
}

static bool convert_each(ts_active_pass *pass, MlirOperation module, ts_arena *arena) {
  outlined o = {.arena = arena};
  ts_each_op(module, note, &o);
  if (o.num == 0)
    return true;
  ts_maker end = ts_make_at_end(body_of(module), mlirOperationGetLocation(module));
  MlirRegion region = mlirRegionCreate();
  mlirRegionAppendOwnedBlock(region, mlirBlockCreate(0, NULL, NULL));
  o.inside = ts_make_op(&end, &(ts_new_op){.name = "builtin.module", .region = region});
  for (int i = 0; i < o.num; i++)
    outline(&o, i);
  bool ok = ts_run_step(pass, "tessera-propagate-tosa", convert_inside, NULL);
  MlirOperation function = mlirBlockGetFirstOperation(body_of(o.inside));
  for (int i = 0; ok && i < o.num; i++) {
    put_back(o.ops[i], function);
    function = mlirOperationGetNextInBlock(function);
  }
  mlirOperationDestroy(o.inside);
  return ok;
}

/* ---- all ------------------------------------------------------------------------------------- */

static bool convert(ts_active_pass *pass, MlirOperation module, const finding *f, ts_arena *arena) {
  if (!f->is_dynamic)
    return ts_run_step(pass, "tessera-propagate-tosa", convert_all, NULL);
  return ts_run_step(pass, "tessera-propagate-tosa-regions", convert_regions, NULL) &&
         convert_each(pass, module, arena);
}

bool ts_tosa_to_linalg(ts_active_pass *pass, MlirOperation module) {
  finding f = {0};
  ts_each_op(module, look_at, &f);
  if (!f.is_annotated || !f.lacks_rule || (f.is_dynamic && f.has_modules))
    return true;
  ts_arena arena = {0};
  ts_keep_unused_annotations(&arena, module);
  ts_folds_to_loops(module); /* these passes fold */
  ts_each_op(module, show_constants, NULL);
  bool ok = convert(pass, module, &f, &arena);
  ts_let_unused_annotations_go(module);
  ts_arena_free(&arena);
  return ok;
}

void ts_tosa_insert_dialects(MlirDialectRegistry registry) {
  ts_insert_pipeline_dialects(passes, registry);
}
