/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Queries of op interfaces and traits. Knows which question upstream can answer, not why it is
 * asked. */
#include "capi.h"

#include "mlir/CAPI/AffineMap.h"
#include "mlir/CAPI/IR.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/Dialect/Utils/StructuredOpsUtils.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

static linalg::LinalgOp linalg_op(MlirOperation op) {
  return cast<linalg::LinalgOp>(unwrap(op));
}

bool ts_op_is_linalg(MlirOperation op) {
  return isa<linalg::LinalgOp>(unwrap(op));
}

intptr_t ts_linalg_num_inputs(MlirOperation op) {
  return linalg_op(op).getNumDpsInputs();
}

intptr_t ts_linalg_num_inits(MlirOperation op) {
  return linalg_op(op).getNumDpsInits();
}

intptr_t ts_linalg_num_loops(MlirOperation op) {
  return static_cast<intptr_t>(linalg_op(op).getNumLoops());
}

int ts_linalg_iterator(MlirOperation op, intptr_t loop) {
  switch (linalg_op(op).getIteratorTypesArray()[loop]) {
  case utils::IteratorType::parallel:
    return 0;
  case utils::IteratorType::reduction:
    return 1;
  }
  return 2;
}

MlirAffineMap ts_linalg_map(MlirOperation op, intptr_t i) {
  return wrap(linalg_op(op).getIndexingMapsArray()[i]);
}

MlirBlock ts_linalg_body(MlirOperation op) {
  return wrap(linalg_op(op).getBlock());
}

bool ts_op_is_elementwise(MlirOperation op) {
  Operation *o = unwrap(op);
  return o->hasTrait<OpTrait::Elementwise>() ||
         o->hasTrait<OpTrait::tosa::TosaElementwiseOperator>();
}

bool ts_op_is_pure(MlirOperation op) {
  return isPure(unwrap(op));
}

bool ts_op_is_memory_effect_free(MlirOperation op) {
  return isMemoryEffectFree(unwrap(op));
}

bool ts_op_has_effects_of_its_own(MlirOperation op) {
  Operation *o = unwrap(op);
  if (auto effects = dyn_cast<MemoryEffectOpInterface>(o))
    return !effects.hasNoEffect();
  return !o->hasTrait<OpTrait::HasRecursiveMemoryEffects>();
}

bool ts_op_is_terminator(MlirOperation op) {
  return unwrap(op)->hasTrait<OpTrait::IsTerminator>();
}

bool ts_op_is_constant_like(MlirOperation op) {
  return unwrap(op)->hasTrait<OpTrait::ConstantLike>();
}

bool ts_op_is_return_like(MlirOperation op) {
  return unwrap(op)->hasTrait<OpTrait::ReturnLike>();
}
