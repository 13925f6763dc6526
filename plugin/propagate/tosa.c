/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Ops of tosa that have no rule become linalg, which has them. It knows which ops have rules; it
 * must not know layouts. */
#include "propagate/tosa.h"

#include <string.h>

#include "mlir-c/BuiltinTypes.h"

#include "rules/rows.h"
#include "support/ir.h"

/* Without canonicalization, which would change the program around them. */
static const char passes[] =
    "func.func(tosa-to-scf,tosa-optional-decompositions,tosa-make-broadcastable,"
    "tosa-to-linalg-named,tosa-layerwise-constant-fold,tosa-make-broadcastable,tosa-to-linalg,"
    "tosa-to-tensor,tosa-to-arith{include-apply-rescale=1})";

typedef struct finding {
  bool is_annotated, lacks_rule, is_dynamic;
} finding;

static bool is_dynamic(MlirValue value) {
  MlirType type = mlirValueGetType(value);
  return mlirTypeIsAShaped(type) &&
         (!mlirShapedTypeHasRank(type) || !mlirShapedTypeHasStaticShape(type));
}

/* What says a shape or ends a block goes with the op that it is for. */
static bool stands_alone(MlirOperation op) {
  static const char *const parts[] = {"tosa.const_shape", "tosa.yield"};
  for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
    if (ts_op_is(op, parts[i]))
      return false;
  return true;
}

static void look_at(MlirOperation op, void *user) {
  finding *f = user;
  f->is_annotated |= ts_op_is(op, "shard.shard");
  if (strncmp(ts_op_name(op), "tosa.", 5) != 0)
    return;
  f->lacks_rule |= stands_alone(op) && !ts_rule_named(op) && !ts_rule_find(op);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++)
    f->is_dynamic |= is_dynamic(mlirOperationGetOperand(op, i));
  for (intptr_t r = 0; r < mlirOperationGetNumResults(op); r++)
    f->is_dynamic |= is_dynamic(mlirOperationGetResult(op, r));
}

static bool convert(ts_active_pass *step, void *user) {
  (void)user;
  return ts_run_pipeline(step, passes);
}

bool ts_tosa_to_linalg(ts_active_pass *pass, MlirOperation module) {
  finding f = {0};
  ts_each_op(module, look_at, &f);
  if (!f.is_annotated || !f.lacks_rule || f.is_dynamic)
    return true;
  return ts_run_step(pass, "tessera-propagate-tosa", convert, NULL);
}

void ts_tosa_insert_dialects(MlirDialectRegistry registry) {
  ts_insert_pipeline_dialects(passes, registry);
}
