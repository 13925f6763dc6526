/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* BufferizableOpInterface models whose callbacks are C. It knows that an op reads its tensors and
 * makes new ones; it must not know which op it is. */
#include "capi.h"

#include <mutex>

#include "mlir/CAPI/IR.h"
#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/DialectRegistry.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace mlir::bufferization;

namespace {

/* Models by op name. A model class carries no state, so it finds its callbacks here; they are
 * constants, so entries are only ever added. */
class ModelTable {
public:
  /* Returns the place of the entry, which is the same for one name. */
  const void *add(StringRef name, const ts_bufferize_model *model) {
    std::lock_guard<std::mutex> guard(lock);
    const ts_bufferize_model *&entry = byName[name];
    entry = model;
    return &entry;
  }

  const ts_bufferize_model *find(Operation *op) {
    std::lock_guard<std::mutex> guard(lock);
    return byName.lookup(op->getName().getStringRef());
  }

private:
  std::mutex lock;
  llvm::StringMap<const ts_bufferize_model *> byName;
};

ModelTable &model_table() {
  static ModelTable table;
  return table;
}

/* What the C callback's `user` points to while one op bufferizes. */
struct Allocator {
  RewriterBase &rewriter;
  const BufferizationOptions &options;
  Location location;
};

MlirValue allocate(void *user, MlirType memref, intptr_t count, const MlirValue *sizes) {
  auto *allocator = static_cast<Allocator *>(user);
  SmallVector<Value> extents;
  for (intptr_t i = 0; i < count; i++)
    extents.push_back(unwrap(sizes[i]));
  FailureOr<Value> buffer = allocator->options.createAlloc(
      allocator->rewriter, allocator->location, cast<MemRefType>(unwrap(memref)), extents);
  return failed(buffer) ? MlirValue{nullptr} : wrap(*buffer);
}

bool may_alias(OpOperand &operand) {
  Operation *op = operand.getOwner();
  const ts_bufferize_model *model = model_table().find(op);
  return model && model->may_alias(wrap(op), operand.getOperandNumber());
}

struct TableModel
    : public BufferizableOpInterface::ExternalModel<TableModel, BufferizableOpInterface> {
  bool bufferizesToMemoryRead(Operation *, OpOperand &, const AnalysisState &) const {
    return true;
  }

  bool bufferizesToMemoryWrite(Operation *, OpOperand &operand, const AnalysisState &) const {
    return may_alias(operand);
  }

  AliasingValueList getAliasingValues(Operation *op, OpOperand &operand,
                                      const AnalysisState &) const {
    if (!may_alias(operand))
      return {};
    return {{op->getResult(0), BufferRelation::Equivalent}};
  }

  bool bufferizesToAllocation(Operation *op, Value value) const {
    for (OpOperand &operand : op->getOpOperands())
      if (isa<TensorType>(operand.get().getType()) && may_alias(operand))
        return false;
    return value.getDefiningOp() == op;
  }

  FailureOr<BufferLikeType> getBufferType(Operation *op, Value value,
                                          const BufferizationOptions &options,
                                          const BufferizationState &state,
                                          SmallVector<Value> &stack) const {
    for (OpOperand &operand : op->getOpOperands())
      if (isa<TensorType>(operand.get().getType()) && may_alias(operand))
        return bufferization::getBufferType(operand.get(), options, state, stack);
    auto tensor = dyn_cast<RankedTensorType>(value.getType());
    if (!tensor)
      return op->emitOpError("cannot make a buffer of this type");
    return cast<BufferLikeType>(
        MemRefType::get(tensor.getShape(), tensor.getElementType(), MemRefLayoutAttrInterface()));
  }

  LogicalResult resolveConflicts(Operation *op, RewriterBase &rewriter,
                                 const AnalysisState &analysis,
                                 const BufferizationState &state) const {
    bool copies = !model_table().find(op)->is_fresh_where_live(wrap(op));
    for (OpOperand &operand : op->getOpOperands())
      if (!copies && isa<TensorType>(operand.get().getType()) && may_alias(operand) &&
          !analysis.isInPlace(operand))
        op->setDiscardableAttr("tessera.fresh", rewriter.getUnitAttr());
    if (!copies)
      return success();
    return cast<BufferizableOpInterface>(op).resolveTensorOpOperandConflicts(rewriter, analysis,
                                                                             state);
  }

  LogicalResult bufferize(Operation *op, RewriterBase &rewriter,
                          const BufferizationOptions &options, BufferizationState &state) const {
    const ts_bufferize_model *model = model_table().find(op);
    SmallVector<MlirValue> buffers;
    for (Value operand : op->getOperands()) {
      if (!isa<TensorType>(operand.getType()))
        continue;
      FailureOr<Value> buffer = getBuffer(rewriter, operand, options, state);
      if (failed(buffer))
        return failure();
      buffers.push_back(wrap(*buffer));
    }
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPoint(op);
    Allocator allocator{rewriter, options, op->getLoc()};
    SmallVector<MlirValue> results(op->getNumResults(), MlirValue{nullptr});
    if (!model->bufferize(wrap(op), buffers.data(), allocate, &allocator, results.data()))
      return failure();
    SmallVector<Value> replacements;
    for (MlirValue result : results)
      replacements.push_back(unwrap(result));
    replaceOpWithBufferizedValues(rewriter, op, replacements);
    return success();
  }
};

/* Applies as soon as the op's dialect is loaded, whether or not others ever are. */
struct AttachModel : public DialectExtensionBase {
  explicit AttachModel(StringRef op) : DialectExtensionBase(ArrayRef(op.split('.').first)), op(op) {
  }

  void apply(MLIRContext *context, MutableArrayRef<Dialect *>) const override {
    std::optional<RegisteredOperationName> name = RegisteredOperationName::lookup(op, context);
    if (name && !name->hasInterface<BufferizableOpInterface>())
      name->attachInterface<TableModel>();
  }

  std::unique_ptr<DialectExtensionBase> clone() const override {
    return std::make_unique<AttachModel>(*this);
  }

  StringRef op;
};

} // namespace

/* An extension's identity is its op's entry, so that adding it twice adds nothing. */
void ts_attach_bufferize_model(MlirDialectRegistry registry, const char *op_name,
                               const ts_bufferize_model *model) {
  const void *entry = model_table().add(op_name, model);
  unwrap(registry)->addExtension(TypeID::getFromOpaquePointer(entry),
                                 std::make_unique<AttachModel>(op_name));
}

bool ts_op_is_bufferizable(MlirOperation op) {
  return isa<BufferizableOpInterface>(unwrap(op));
}
