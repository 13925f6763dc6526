/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Queries of op interfaces and traits. It knows which question upstream can answer; it must not
 * know why it is asked. */
#include "capi.h"

#include "mlir/CAPI/AffineMap.h"
#include "mlir/CAPI/IR.h"
#include "mlir/Dialect/LLVMIR/LLVMTypes.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Ptr/IR/PtrTypes.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/Dialect/Utils/StructuredOpsUtils.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/ParallelCombiningOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;

static linalg::LinalgOp linalg_op(MlirOperation op) {
  return cast<linalg::LinalgOp>(unwrap(op));
}

bool ts_op_is_linalg(MlirOperation op) {
  return isa<linalg::LinalgOp>(unwrap(op));
}

intptr_t ts_linalg_num_inputs(MlirOperation op) {
  return unwrap(op)->getNumOperands() - ts_linalg_num_inits(op);
}

intptr_t ts_linalg_num_inits(MlirOperation op) {
  // Of tensors there are as many as results; upstream's answer makes an attribute each time.
  Operation *o = unwrap(op);
  if (o->getNumResults() && llvm::none_of(o->getOperandTypes(), llvm::IsaPred<BaseMemRefType>))
    return o->getNumResults();
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

bool ts_op_effects(MlirOperation op, void (*visit)(ts_effect_kind kind, MlirValue on, void *user),
                   void *user) {
  auto effects = dyn_cast<MemoryEffectOpInterface>(unwrap(op));
  if (!effects)
    return false;
  SmallVector<MemoryEffects::EffectInstance> instances;
  effects.getEffects(instances);
  for (const MemoryEffects::EffectInstance &instance : instances) {
    MemoryEffects::Effect *effect = instance.getEffect();
    ts_effect_kind kind = isa<MemoryEffects::Allocate>(effect) ? TS_EFFECT_ALLOCATE
                          : isa<MemoryEffects::Free>(effect)   ? TS_EFFECT_FREE
                          : isa<MemoryEffects::Read>(effect)   ? TS_EFFECT_READ
                                                               : TS_EFFECT_WRITE;
    visit(kind, wrap(instance.getValue()), user);
  }
  return true;
}

MlirValue ts_op_view_source(MlirOperation op) {
  auto view = dyn_cast<ViewLikeOpInterface>(unwrap(op));
  return wrap(view ? view.getViewSource() : Value());
}

bool ts_op_is_parallel_combining(MlirOperation op) {
  return isa<ParallelCombiningOpInterface>(unwrap(op));
}

bool ts_op_is_terminator(MlirOperation op) {
  return unwrap(op)->hasTrait<OpTrait::IsTerminator>();
}

bool ts_op_is_constant_like(MlirOperation op) {
  return unwrap(op)->hasTrait<OpTrait::ConstantLike>();
}

intptr_t ts_successor_operand(MlirOperation op, intptr_t successor, intptr_t argument) {
  auto branch = dyn_cast<BranchOpInterface>(unwrap(op));
  if (!branch)
    return -1;
  SuccessorOperands operands = branch.getSuccessorOperands(static_cast<unsigned>(successor));
  unsigned i = static_cast<unsigned>(argument);
  return operands.isOperandProduced(i) ? -1 : operands.getOperandIndex(i);
}

bool ts_type_has_pointer(MlirType type) {
  return unwrap(type)
      .walk([](Type inner) {
        return isa<PtrLikeTypeInterface, LLVM::LLVMPointerType, ptr::PtrType>(inner)
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

void ts_dialect_ops(MlirContext context, const char *dialect,
                    void (*visit)(const char *op, intptr_t num, const MlirIdentifier *attributes,
                                  void *user),
                    void *user) {
  for (RegisteredOperationName op : unwrap(context)->getRegisteredOperations()) {
    if (op.getDialectNamespace() != dialect)
      continue;
    SmallVector<MlirIdentifier> attributes;
    for (StringAttr name : op.getAttributeNames())
      attributes.push_back(wrap(name));
    visit(op.getStringRef().data(), static_cast<intptr_t>(attributes.size()), attributes.data(),
          user);
  }
}
