/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* What ops of an annotated function may not do, alone or inside an op that runs whole: touch
 * memory, communicate, call what does. It knows ops and calls; it must not know layouts. */
#include <stdio.h>
#include <string.h>

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include "capi/capi.h"
#include "collectives/collectives.h"
#include "ir/memory_views.h"
#include "model/effects.h"
#include "support/diagnostics.h"

static bool refuse_collective(MlirOperation op) {
  ts_error(op, "explicit collective in a function that has sharding annotations: expected "
               "either annotations or the program of one device");
  return false;
}

/* ---- calls ----------------------------------------------------------------------------------- */

static bool passes_pointers(MlirOperation op) {
  intptr_t num_operands = mlirOperationGetNumOperands(op);
  intptr_t num = num_operands + mlirOperationGetNumResults(op);
  for (intptr_t i = 0; i < num; i++)
    if (ts_type_has_pointer(mlirValueGetType(i < num_operands
                                                 ? mlirOperationGetOperand(op, i)
                                                 : mlirOperationGetResult(op, i - num_operands))))
      return true;
  return false;
}

static void refuse_callee_effect(MlirOperation call, const ts_function *callee) {
  char note[512];
  bool calls = ts_op_is(callee->effect, "func.call");
  snprintf(note, sizeof(note),
           calls ? "here it calls a function that is not in the module; mark that `tessera.pure` "
                   "if it has no side effects"
                 : "'%s' has side effects that outlive the call",
           ts_op_name(callee->effect));
  ts_error_with_note(call, callee->effect, note,
                     "call of @%s, which has side effects that every device would repeat: expected "
                     "a function that "
                     "reads and writes only tensors and memory that it allocates",
                     callee->name);
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
  if (!callee->is_active && callee->effect.ptr) {
    refuse_callee_effect(call, callee);
    return false;
  }
  if (!callee->is_active && callee->has_collectives) {
    ts_error(call,
             "call of @%s, which has explicit collectives, from a function that has sharding "
             "annotations: expected either annotations or the program of one device",
             callee->name);
    return false;
  }
  if (passes_pointers(call)) {
    ts_error(call,
             "call that passes memrefs or pointers in an annotated function: expected tensors "
             "and scalars only");
    return false;
  }
  return true;
}

/* ---- ops ------------------------------------------------------------------------------------- */

static bool has_tensors_and_scalars_only(MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++)
    if (ts_type_has_pointer(mlirValueGetType(mlirOperationGetOperand(op, i))))
      return false;
  return true;
}

/* An op whose tessera.rule says all that it does. */
static bool has_rule(MlirOperation op) {
  return !mlirAttributeIsNull(ts_attribute(op, TS_RULE)) && mlirOperationGetNumResults(op) > 0 &&
         mlirOperationGetNumRegions(op) == 0 && has_tensors_and_scalars_only(op);
}

/* Upstream does not say of the ops that end a parallel loop (tensor.parallel_insert_slice) that
 * they have no effects; on tensors they only say what the loop yields. An assertion that fails ends
 * the program, on however many devices. */
static bool has_own_effects(MlirOperation op) {
  if (!ts_op_has_effects_of_its_own(op) || ts_op_is_terminator(op) || ts_op_is(op, "cf.assert") ||
      has_rule(op))
    return false;
  return !(ts_op_is_parallel_combining(op) && has_tensors_and_scalars_only(op));
}

typedef struct inside {
  ts_model *model;
  ts_function *function;
  MlirOperation whole;
  bool ok;
} inside;

static void refuse_effects(MlirOperation op, MlirOperation whole) {
  const char *wanted = "expected ops on tensors and scalars without side effects";
  if (ts_op_is(op, "tessera.manual"))
    ts_error(op,
             "'tessera.manual' inside '%s', which runs whole on every device: the program of one "
             "device is given pieces; move it out, or into an op whose inside is partitioned",
             ts_op_name(whole));
  else if (op.ptr == whole.ptr)
    ts_error(op, "'%s' may read or write memory in an annotated function: %s", ts_op_name(op),
             wanted);
  else
    ts_error(op, "'%s' may read or write memory, inside '%s' in an annotated function: %s",
             ts_op_name(op), ts_op_name(whole), wanted);
}

/* References and questions are known once everything is read. */
static void note(const inside *in, MlirOperation op) {
  if (ts_op_is(op, "func.constant"))
    ts_add_op(in->model, &in->function->references, op);
  else if (ts_op_is(op, "shard.get_sharding"))
    in->model->is_asked = true;
}

static MlirWalkResult note_inside(MlirOperation op, void *user) {
  note(user, op);
  return MlirWalkResultAdvance;
}

/* `op` is the one that is asked about, or inside it. What has no effects of its own is judged by
 * what is in its regions. */
static MlirWalkResult check_inside(MlirOperation op, void *user) {
  inside *in = user;
  if (ts_collective_of(op)) {
    in->ok = refuse_collective(op);
  } else if (ts_op_is(op, "func.call")) {
    bool ok = ts_check_call(in->model, op);
    in->ok &= ok;
    in->model->calls_inside |= ok && ts_callee(in->model, op)->is_active;
    ts_add_op(in->model, &in->function->calls, op);
  } else if (!has_own_effects(op)) {
    note(in, op);
    return MlirWalkResultAdvance;
  } else {
    refuse_effects(op, in->whole);
    in->ok = false;
  }
  return MlirWalkResultSkip;
}

/* Structured ops on tensors, of which there are many, have nothing but scalar code in them as long
 * as they are free of effects. */
bool ts_check_effects(ts_model *model, ts_function *function, MlirOperation op) {
  if (ts_collective_of(op))
    return refuse_collective(op);
  inside in = {.model = model, .function = function, .whole = op, .ok = true};
  if (!ts_op_is_memory_effect_free(op) ||
      (mlirOperationGetNumRegions(op) != 0 && !ts_op_is_linalg(op)))
    mlirOperationWalk(op, check_inside, &in, MlirWalkPreOrder);
  else if (mlirOperationGetNumRegions(op) != 0)
    mlirOperationWalk(op, note_inside, &in, MlirWalkPreOrder);
  else
    note(&in, op);
  return in.ok;
}

/* ---- functions without annotations ----------------------------------------------------------- */

/* A memref.get_global of what is not constant. */
static bool is_variable(const ts_model *model, MlirOperation op) {
  MlirOperation global =
      ts_model_symbol(model, mlirFlatSymbolRefAttrGetValue(ts_attribute(op, "name")));
  return mlirOperationIsNull(global) || mlirAttributeIsNull(ts_attribute(global, "constant"));
}

typedef struct allocation {
  MlirValue value;
  bool found;
} allocation;

static void find_allocation(ts_effect_kind kind, MlirValue on, void *user) {
  allocation *a = user;
  a->found |= kind == TS_EFFECT_ALLOCATE && mlirValueEqual(on, a->value);
}

/* Memrefs are of memory that was allocated, as what makes them of pointers and variables is itself
 * refused, and so is passing them from annotated functions. Other pointers must be seen to be. */
static bool is_allocated(MlirValue value) {
  value = ts_view_root(value);
  MlirType type = mlirValueGetType(value);
  if (mlirTypeIsAMemRef(type) || mlirTypeIsAUnrankedMemRef(type) || !ts_type_has_pointer(type))
    return true;
  allocation a = {.value = value};
  if (mlirValueIsAOpResult(value))
    ts_op_effects(mlirOpResultGetOwner(value), find_allocation, &a);
  return a.found;
}

static void find_lasting(ts_effect_kind kind, MlirValue on, void *user) {
  bool *lasting = user;
  *lasting |= kind != TS_EFFECT_ALLOCATE && (mlirValueIsNull(on) || !is_allocated(on));
}

/* A memref of a pointer, which may point anywhere. */
static bool makes_memref(MlirOperation op) {
  bool makes = false, pointers = false;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); i++) {
    MlirType type = mlirValueGetType(mlirOperationGetResult(op, i));
    makes |= mlirTypeIsAMemRef(type) || mlirTypeIsAUnrankedMemRef(type);
  }
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op) && makes; i++) {
    MlirType type = mlirValueGetType(mlirOperationGetOperand(op, i));
    pointers |=
        ts_type_has_pointer(type) && !mlirTypeIsAMemRef(type) && !mlirTypeIsAUnrankedMemRef(type);
  }
  return makes && pointers;
}

bool ts_has_lasting_effect(const ts_model *model, MlirOperation op) {
  if (ts_op_is(op, "func.func") || ts_op_is(op, "func.call") || ts_collective_of(op))
    return false;
  if (ts_op_is(op, "memref.get_global"))
    return is_variable(model, op);
  if (makes_memref(op))
    return true;
  if (!has_own_effects(op))
    return false;
  bool lasting = false;
  if (ts_op_effects(op, find_lasting, &lasting))
    return lasting;
  /* What the memref dialect says nothing about (atomic updates, prefetches) acts on its operands.
   */
  return strncmp(ts_op_name(op), "memref.", 7) != 0;
}

typedef struct plain_walk {
  const ts_model *model;
  bool is_plain;
} plain_walk;

static MlirWalkResult check_plain(MlirOperation op, void *user) {
  plain_walk *walk = user;
  if (ts_op_is(op, "func.func"))
    return MlirWalkResultAdvance;
  bool is_call = ts_op_is(op, "func.call");
  bool is_plain = !passes_pointers(op) && !ts_collective_of(op) &&
                  strncmp(ts_op_name(op), "shard.", 6) != 0 && !ts_op_is(op, "func.constant") &&
                  (is_call ? ts_callee(walk->model, op) != NULL : !has_own_effects(op));
  walk->is_plain &= is_plain;
  return is_plain ? MlirWalkResultAdvance : MlirWalkResultInterrupt;
}

bool ts_is_plain(const ts_model *model, ts_function *function) {
  if (function->is_judged)
    return function->is_plain;
  plain_walk walk = {model, function->has_body && !function->is_active && !function->is_recursive &&
                                !function->effect.ptr};
  if (walk.is_plain)
    mlirOperationWalk(function->handle, check_plain, &walk, MlirWalkPreOrder);
  function->is_judged = true;
  function->is_plain = walk.is_plain;
  return walk.is_plain;
}
