/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The `tessera` dialect and the verifiers of its group collectives. It knows shapes, groups and
 * axes; it must not know layouts (layout.cpp). */
#include "dialect/tessera_dialect.h"

#include <limits>

#include "mlir/CAPI/IR.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#include "capi/capi.h"
#include "collectives/collectives.h"
#include "dialect/layout.h"

#include "dialect/TesseraDialect.cpp.inc"
#define GET_OP_CLASSES
#include "dialect/TesseraOps.cpp.inc"

using namespace mlir;

namespace tessera {

void TesseraDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "dialect/TesseraOps.cpp.inc"
      >();
}

static LogicalResult verify_sizes(Operation *op, RankedTensorType type, size_t given,
                                  StringRef name, StringRef what) {
  size_t needed = static_cast<size_t>(type.getNumDynamicDims());
  if (given == needed)
    return success();
  return op->emitOpError() << "needs one operand in '" << name << "' for each '?' of " << what
                           << " " << type << ": " << needed << ", not " << given;
}

/* ---- collectives over a group ---------------------------------------------------------------- */

namespace {

/* No dimension. */
constexpr int64_t none = std::numeric_limits<int64_t>::min();

/* How a dimension changes. */
enum class Change { Same, Joined, Cut };

/* What the group collectives have in common. */
struct GroupOp {
  Operation *op;
  RankedTensorType input, result;
  FlatSymbolRefAttr grid;
  ArrayRef<int16_t> axes;
  size_t num_sizes;
  bool reduces;
  int64_t joined; /* the dimension along which pieces are concatenated, or none */
  int64_t cut;    /* the dimension that is split, or none */

  Change change(int64_t dim) const {
    /* One dimension that is cut and joined keeps its size. */
    if (joined == cut)
      return Change::Same;
    return dim == joined ? Change::Joined : dim == cut ? Change::Cut : Change::Same;
  }

  LogicalResult verify() const;
  LogicalResult verify_on(SymbolTableCollection &symbols) const;

private:
  LogicalResult verify_axes() const;
  LogicalResult verify_shapes() const;
  LogicalResult verify_extent(int64_t whole, int64_t piece, int64_t devices) const;
};

LogicalResult GroupOp::verify_axes() const {
  for (size_t i = 0; i < axes.size(); i++) {
    if (axes[i] < 0)
      return op->emitOpError() << "has the negative grid axis " << axes[i];
    if (llvm::is_contained(axes.take_front(i), axes[i]))
      return op->emitOpError() << "names grid axis " << axes[i] << " twice";
  }
  return success();
}

LogicalResult GroupOp::verify_shapes() const {
  if (input.getRank() != result.getRank())
    return op->emitOpError() << "has operand and result of different ranks: " << input << " and "
                             << result;
  for (int64_t axis : {joined, cut})
    if (axis != none && (axis < 0 || axis >= input.getRank()))
      return op->emitOpError() << "names dimension " << axis << " of " << input;
  for (int64_t d = 0; d < input.getRank(); d++) {
    if (change(d) != Change::Same || input.isDynamicDim(d) || result.isDynamicDim(d) ||
        input.getDimSize(d) == result.getDimSize(d))
      continue;
    return op->emitOpError() << "must not change the size of dimension " << d << ": " << input
                             << " and " << result;
  }
  return success();
}

LogicalResult GroupOp::verify() const {
  /* A reduction may accumulate in a wider type. */
  if (!reduces && input.getElementType() != result.getElementType())
    return op->emitOpError() << "must not change the element type: " << input << " and " << result;
  if (failed(verify_axes()) || failed(verify_shapes()))
    return failure();
  return verify_sizes(op, result, num_sizes, "sizes", "the result type");
}

/* A static piece is one that every device has, so the whole is as many times as large. */
LogicalResult GroupOp::verify_extent(int64_t whole, int64_t piece, int64_t devices) const {
  if (ShapedType::isDynamic(piece) || ShapedType::isDynamic(devices) ||
      ShapedType::isDynamic(whole) || whole == piece * devices)
    return success();
  return op->emitOpError() << "cannot have pieces of " << piece << " on each of " << devices
                           << " devices of " << whole << "; make the uneven extent '?'";
}

/* The devices in a group of these axes, or kDynamic. */
int64_t group_size(shard::GridOp grid, ArrayRef<int16_t> axes) {
  int64_t devices = 1;
  for (int16_t axis : axes) {
    int64_t extent = grid.getShape()[axis];
    if (ShapedType::isDynamic(extent))
      return ShapedType::kDynamic;
    devices *= extent;
  }
  return devices;
}

LogicalResult GroupOp::verify_on(SymbolTableCollection &symbols) const {
  auto target = symbols.lookupNearestSymbolFrom<shard::GridOp>(op, grid);
  if (!target)
    return op->emitOpError() << "refers to " << grid << ", which is no shard.grid";
  for (int16_t axis : axes)
    if (axis >= target.getRank())
      return op->emitOpError() << "names grid axis " << axis << ", but " << grid << " has "
                               << target.getRank();
  int64_t devices = group_size(target, axes);
  for (int64_t d = 0; d < input.getRank(); d++) {
    int64_t in = input.getDimSize(d), out = result.getDimSize(d);
    if (change(d) == Change::Joined && failed(verify_extent(out, in, devices)))
      return failure();
    if (change(d) == Change::Cut && failed(verify_extent(in, out, devices)))
      return failure();
  }
  return success();
}

/* The dimension that attribute `name` of `op` says, or none. */
int64_t dimension_in(Operation *op, const char *name) {
  return name ? op->getAttrOfType<IntegerAttr>(name).getValue().getSExtValue() : none;
}

GroupOp describe(Operation *op) {
  const ts_collective *row = ts_collective_of(wrap(op));
  auto axes = op->getAttrOfType<DenseI16ArrayAttr>("grid_axes");
  return GroupOp{op,
                 cast<RankedTensorType>(op->getOperand(0).getType()),
                 cast<RankedTensorType>(op->getResult(0).getType()),
                 op->getAttrOfType<FlatSymbolRefAttr>("grid"),
                 axes ? axes.asArrayRef() : ArrayRef<int16_t>(),
                 op->getNumOperands() - 1,
                 row->reduces,
                 dimension_in(op, row->joins),
                 dimension_in(op, row->cuts)};
}

} // namespace

LogicalResult verify_group(Operation *op) {
  return describe(op).verify();
}

LogicalResult verify_group_on_grid(Operation *op, SymbolTableCollection &symbols) {
  return describe(op).verify_on(symbols);
}

/* ---- exchange -------------------------------------------------------------------------------- */

LogicalResult ExchangeOp::verify() {
  RankedTensorType global;
  FlatSymbolRefAttr grid;
  if (failed(verify_layout(*this, "from", getFrom(), getInput().getType(), global, grid)))
    return failure();
  RankedTensorType target;
  FlatSymbolRefAttr target_grid;
  if (failed(verify_layout(*this, "to", getTo(), getResult().getType(), target, target_grid)))
    return failure();
  if (global != target || grid != target_grid)
    return emitOpError() << "has layouts of different tensors or grids: " << global << " on "
                         << grid << " and " << target << " on " << target_grid;
  if (failed(verify_sizes(*this, getResult().getType(), getSizes().size(), "sizes",
                          "the result type")))
    return failure();
  if (failed(
          verify_sizes(*this, global, getGlobalSizes().size(), "global_sizes", "the global type")))
    return failure();
  int64_t needed = num_run_time_numbers(getFrom()) + num_run_time_numbers(getTo());
  if (needed == static_cast<int64_t>(getNumbers().size()))
    return success();
  return emitOpError() << "needs one operand in 'numbers' for each halo size and offset of 'from' "
                          "and 'to' that is known only at run time: "
                       << needed << ", not " << getNumbers().size();
}

/* Tensors become pieces, whose types follow from layouts; all else passes as it is. */
static LogicalResult verify_passed(ManualOp op, StringRef what, TypeRange here,
                                   ArrayRef<Type> there) {
  for (size_t i = 0; i < here.size(); i++)
    if (here[i] != there[i] && !(isa<RankedTensorType>(here[i]) && isa<RankedTensorType>(there[i])))
      return op.emitOpError() << what << " " << i << " of " << op.getCalleeAttr() << " is a "
                              << there[i] << ", but a " << here[i]
                              << " here: expected one type, or ranked tensors";
  return success();
}

LogicalResult ManualOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto callee = symbols.lookupNearestSymbolFrom<FunctionOpInterface>(*this, getCalleeAttr());
  if (!callee)
    return emitOpError() << "names " << getCalleeAttr() << ": expected a function of the module";
  size_t inputs = callee.getNumArguments(), outputs = callee.getNumResults();
  if (inputs == getNumOperands() && outputs == getNumResults())
    return failed(verify_passed(*this, "argument", getOperandTypes(), callee.getArgumentTypes()))
               ? failure()
               : verify_passed(*this, "result", getResultTypes(), callee.getResultTypes());
  return emitOpError() << "passes " << getNumOperands() << " values to " << getCalleeAttr()
                       << " and takes " << getNumResults() << ": expected " << inputs << " and "
                       << outputs << ", as the function has";
}

LogicalResult ExchangeOp::verifySymbolUses(SymbolTableCollection &symbols) {
  if (failed(verify_layout_grid(*this, symbols, "from", getFrom(), getInput().getType())))
    return failure();
  return verify_layout_grid(*this, symbols, "to", getTo(), getResult().getType());
}

} // namespace tessera

void ts_register_tessera_dialect(MlirDialectRegistry registry) {
  unwrap(registry)
      ->insert<tessera::TesseraDialect, mlir::shard::ShardDialect, mlir::tensor::TensorDialect>();
}
