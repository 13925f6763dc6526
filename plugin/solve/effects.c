/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* What ops of an annotated function may not do, alone or inside an op that runs whole: touch
 * memory, communicate, call what does. Knows ops and calls, not layouts. */
#include <string.h>

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include "capi/capi.h"
#include "solve/model.h"

/* ---- collectives --------------------------------------------------------------------------------
 */

bool ts_is_collective(MlirOperation op) {
  static const char *const others[] = {"shard.shard",
                                       "shard.sharding",
                                       "shard.get_sharding",
                                       "shard.shard_shape",
                                       "shard.grid",
                                       "shard.grid_shape",
                                       "shard.process_multi_index",
                                       "shard.process_linear_index",
                                       "shard.neighbors_linear_indices"};
  const char *name = ts_op_name(op);
  if (!strncmp(name, "tessera.", 8))
    return true;
  if (strncmp(name, "shard.", 6) != 0)
    return false;
  for (size_t i = 0; i < sizeof others / sizeof others[0]; ++i)
    if (!strcmp(name, others[i]))
      return false;
  return true;
}

static bool refuse_collective(MlirOperation op) {
  ts_error(op, "explicit collective in a function that has sharding annotations: expected "
               "either annotations or the program of one device");
  return false;
}

/* ---- calls --------------------------------------------------------------------------------------
 */

ts_function *ts_callee(const ts_model *model, MlirOperation call) {
  MlirStringRef name = mlirFlatSymbolRefAttrGetValue(ts_attribute(call, "callee"));
  return ts_map_get(&model->functions, mlirIdentifierGet(model->context, name).ptr);
}

static bool passes_memrefs(MlirOperation op) {
  intptr_t num_operands = mlirOperationGetNumOperands(op);
  intptr_t num = num_operands + mlirOperationGetNumResults(op);
  for (intptr_t i = 0; i < num; ++i) {
    MlirType type =
        mlirValueGetType(i < num_operands ? mlirOperationGetOperand(op, i)
                                          : mlirOperationGetResult(op, i - num_operands));
    if (mlirTypeIsAMemRef(type) || mlirTypeIsAUnrankedMemRef(type))
      return true;
  }
  return false;
}

bool ts_check_call(const ts_model *model, MlirOperation call) {
  const ts_function *callee = ts_callee(model, call);
  if (!callee || (!callee->has_body && !callee->is_pure)) {
    MlirStringRef name = mlirFlatSymbolRefAttrGetValue(ts_attribute(call, "callee"));
    ts_error(call,
             "call of the external function @%.*s, which may have side effects that every "
             "device would repeat; mark it `tessera.pure` if it has none",
             (int)name.length, name.data);
    return false;
  }
  if (!callee->is_active && callee->has_effects) {
    ts_error(call,
             "call of @%s, which uses a global variable or calls an external function that is not "
             "marked `tessera.pure`: every device would repeat its side effects",
             callee->name);
    return false;
  }
  if (!callee->is_active && callee->has_collectives) {
    ts_error(call,
             "call of @%s, which has explicit collectives, from a function that has sharding "
             "annotations: expected either annotations or the program of one device",
             callee->name);
    return false;
  }
  if (passes_memrefs(call)) {
    ts_error(call, "call that passes memrefs in an annotated function: expected tensors only");
    return false;
  }
  return true;
}

/* ---- ops ----------------------------------------------------------------------------------------
 */

typedef struct inside {
  ts_model *model;
  MlirOperation whole;
  bool ok;
} inside;

static void refuse_effects(MlirOperation op, MlirOperation whole) {
  const char *wanted = "expected ops on tensors and scalars without side effects";
  if (op.ptr == whole.ptr)
    ts_error(op, "'%s' may read or write memory in an annotated function: %s", ts_op_name(op),
             wanted);
  else
    ts_error(op, "'%s' may read or write memory, inside '%s' in an annotated function: %s",
             ts_op_name(op), ts_op_name(whole), wanted);
}

/* `op` is the one that is asked about, or inside it. What has no effects of its own is judged by
 * what is in its regions. */
static MlirWalkResult check_inside(MlirOperation op, void *user) {
  inside *in = user;
  if (ts_is_collective(op)) {
    in->ok = refuse_collective(op);
  } else if (ts_op_is(op, "func.call")) {
    bool ok = ts_check_call(in->model, op);
    in->ok &= ok;
    in->model->calls_inside |= ok && ts_callee(in->model, op)->is_active;
  } else if (!ts_op_has_effects_of_its_own(op) || ts_op_is_terminator(op) ||
             ts_op_is(op, "cf.assert")) {
    return MlirWalkResultAdvance;
  } else {
    refuse_effects(op, in->whole);
    in->ok = false;
  }
  return MlirWalkResultSkip;
}

/* Structured ops on tensors, of which there are many, have nothing but scalar code in them as long
 * as they are free of effects. */
bool ts_check_effects(ts_model *model, MlirOperation op) {
  if (ts_is_collective(op))
    return refuse_collective(op);
  if (ts_op_is_memory_effect_free(op) &&
      (mlirOperationGetNumRegions(op) == 0 || ts_op_is_linalg(op)))
    return true;
  inside in = {.model = model, .whole = op, .ok = true};
  mlirOperationWalk(op, check_inside, &in, MlirWalkPreOrder);
  return in.ok;
}
