/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Values that are built anew in whatever layout a use wants: constants, empty tensors, splats,
 * fills, and what is generated from indices. It knows when an op makes one; it must not know how a
 * piece is built, and not which op is which: its row has its form. */
#include "mlir-c/AffineExpr.h"
#include "mlir-c/AffineMap.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include "capi/capi.h"
#include "rules/constant.h"
#include "rules/free.h"
#include "rules/linalg.h"
#include "support/captured.h"

/* ---- which ----------------------------------------------------------------------------------- */

const ts_free_form *ts_free_form_of(MlirOperation op) {
  const ts_rule *rule = ts_rule_named(op);
  const ts_free_form *form = rule ? rule->free : NULL;
  return form && form->is && !form->is(op) ? NULL : form;
}

/* Whether every loop runs along one dimension of the only result. */
static bool is_pointwise(MlirOperation op) {
  MlirAffineMap map = ts_linalg_map(op, ts_linalg_num_inputs(op));
  intptr_t num_loops = ts_linalg_num_loops(op);
  if (mlirAffineMapGetNumResults(map) != num_loops)
    return false;
  for (intptr_t d = 0; d < num_loops; d++)
    if (ts_linalg_iterator(op, d) != 0)
      return false;
  return mlirAffineMapIsPermutation(map);
}

bool ts_free_has_static_shape(MlirOperation op) {
  return mlirShapedTypeHasStaticShape(mlirValueGetType(mlirOperationGetResult(op, 0)));
}

/* Memory of whatever contents. */
static bool is_empty(const ts_free_form *form) {
  return form && form->kind == TS_FREE_EMPTY;
}

static bool has_tensor_inputs(MlirOperation op) {
  for (intptr_t i = 0; i + 1 < mlirOperationGetNumOperands(op); i++)
    if (mlirTypeIsAShaped(mlirValueGetType(mlirOperationGetOperand(op, i))))
      return true;
  return false;
}

/* Looks at the op that made the destination, never further: what is built for each use must not
 * take a chain of others with it. A destination that is not read counts if it is free whatever it
 * is made from, as one that propagation annotates is another in the next pass. */
static bool has_bare_destination(MlirOperation op) {
  intptr_t init = ts_linalg_num_inputs(op);
  MlirOperation maker = ts_defining_op(mlirOperationGetOperand(op, init));
  const ts_free_form *form = mlirOperationIsNull(maker) ? NULL : ts_free_form_of(maker);
  if (is_empty(form))
    return true;
  if (!ts_free_has_static_shape(op) || !form ||
      !(form->kind == TS_FREE_CONSTANT || form->kind == TS_FREE_SPLAT))
    return false;
  MlirValue read = mlirBlockGetArgument(ts_linalg_body(op), init);
  return mlirOpOperandIsNull(mlirValueGetFirstUse(read));
}

bool ts_free_makes_tensor_of_scalars(MlirOperation op) {
  if (has_tensor_inputs(op) || ts_linalg_num_inits(op) != 1 || mlirOperationGetNumResults(op) != 1)
    return false;
  return has_bare_destination(op);
}

bool ts_free_is_generated(MlirOperation op) {
  return ts_op_is_memory_effect_free(op) && mlirValueIsNull(ts_captured_tensor(op));
}

/* Every value is asked, so what walks the body comes last. */
bool ts_free_is_of_indices(MlirOperation op) {
  return ts_free_makes_tensor_of_scalars(op) && is_pointwise(op) && ts_free_is_generated(op);
}

bool ts_is_constant(MlirOperation op) {
  const ts_free_form *form = ts_free_form_of(op);
  return form && form->kind == TS_FREE_CONSTANT;
}

bool ts_is_free(MlirValue value) {
  MlirOperation op = ts_defining_op(value);
  return !mlirOperationIsNull(op) && mlirTypeIsARankedTensor(mlirValueGetType(value)) &&
         ts_free_form_of(op);
}

/* ---- elements -------------------------------------------------------------------------------- */

MlirAttribute ts_free_element_of_scalar(MlirOperation op) {
  MlirOperation scalar = ts_defining_op(mlirOperationGetOperand(op, 0));
  return mlirOperationIsNull(scalar) || !ts_is_constant(scalar) ? mlirAttributeGetNull()
                                                                : ts_constant_value(scalar);
}

bool ts_free_is_splat(MlirOperation op) {
  return !mlirAttributeIsNull(ts_constant_splat(op));
}

bool ts_free_is_always_same(MlirOperation op) {
  (void)op;
  return true;
}

/* A fill takes its sizes from its destination. */
bool ts_free_is_same_as_destination(MlirOperation op) {
  return ts_free_is_same_anywhere(mlirOperationGetOperand(op, ts_linalg_num_inputs(op)));
}

/* True as well where the value may simply take part on every device, because it counts once anyway.
 */
bool ts_free_is_neutral(MlirValue value, ts_reduction kind) {
  if (!ts_is_free(value))
    return false;
  if (ts_is_idempotent(kind))
    return true;
  MlirOperation op = ts_defining_op(value);
  const ts_free_form *form = ts_free_form_of(op);
  MlirAttribute element = form->element ? form->element(op) : mlirAttributeGetNull();
  return !mlirAttributeIsNull(element) &&
         ts_is_neutral_element(kind, element,
                               mlirShapedTypeGetElementType(mlirValueGetType(value)));
}

bool ts_free_is_same_anywhere(MlirValue value) {
  MlirOperation op = ts_defining_op(value);
  const ts_free_form *form = ts_free_form_of(op);
  return form && form->is_same_anywhere && form->is_same_anywhere(op);
}
