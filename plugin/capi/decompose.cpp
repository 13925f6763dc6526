/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Ops that upstream can only take apart by a transform script, such as linalg.softmax. It knows
 * upstream's functions that do it. */
#include "capi.h"

#include "mlir/CAPI/IR.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;

/* Upstream gives all that it makes of a softmax the type of the input, also where that of the
 * result knows other extents. */
static linalg::SoftmaxOp with_input_type(IRRewriter &rewriter, linalg::SoftmaxOp softmax) {
  auto input = dyn_cast<RankedTensorType>(softmax.getInput().getType());
  if (!input || input == softmax.getOutput().getType())
    return softmax;
  Location loc = softmax.getLoc();
  Type type = softmax.getResult()[0].getType();
  Value init = tensor::CastOp::create(rewriter, loc, input, softmax.getOutput());
  auto like_input = linalg::SoftmaxOp::create(rewriter, loc, TypeRange{input}, softmax.getInput(),
                                              init, softmax.getDimension());
  Value result = tensor::CastOp::create(rewriter, loc, type, like_input.getResult()[0]);
  rewriter.replaceOp(softmax, result);
  rewriter.setInsertionPoint(like_input);
  return like_input;
}

static LogicalResult take_apart(IRRewriter &rewriter, Operation *op) {
  if (auto pack = dyn_cast<linalg::PackOp>(op))
    return linalg::lowerPack(rewriter, pack);
  if (auto unpack = dyn_cast<linalg::UnPackOp>(op))
    return linalg::lowerUnPack(rewriter, unpack);
  if (auto filter = dyn_cast<linalg::WinogradFilterTransformOp>(op))
    return linalg::decomposeWinogradFilterTransformOp(rewriter, filter);
  if (auto input = dyn_cast<linalg::WinogradInputTransformOp>(op))
    return linalg::decomposeWinogradInputTransformOp(rewriter, input);
  if (auto output = dyn_cast<linalg::WinogradOutputTransformOp>(op))
    return linalg::decomposeWinogradOutputTransformOp(rewriter, output);
  if (auto softmax = dyn_cast<linalg::SoftmaxOp>(op))
    op = with_input_type(rewriter, softmax);
  auto aggregate = cast<linalg::AggregatedOpInterface>(op);
  FailureOr<SmallVector<Value>> values = aggregate.decomposeOperation(rewriter);
  if (failed(values))
    return failure();
  rewriter.replaceOp(op, *values);
  return success();
}

bool ts_decompose_aggregate(MlirOperation op) {
  Operation *inner = unwrap(op);
  IRRewriter rewriter(inner);
  return succeeded(take_apart(rewriter, inner));
}

void ts_decompose_register_dialects(MlirDialectRegistry registry) {
  unwrap(registry)->insert<affine::AffineDialect>();
}

bool ts_decompose_aggregates(MlirOperation op) {
  SmallVector<Operation *> found;
  unwrap(op)->walk([&](Operation *inner) {
    if (isa<linalg::AggregatedOpInterface, linalg::PackOp, linalg::UnPackOp,
            linalg::WinogradFilterTransformOp, linalg::WinogradInputTransformOp,
            linalg::WinogradOutputTransformOp>(inner))
      found.push_back(inner);
  });
  for (Operation *inner : found) {
    IRRewriter rewriter(inner);
    if (failed(take_apart(rewriter, inner))) {
      inner->emitOpError("cannot be taken apart into structured ops")
          << (isa<linalg::PackOp, linalg::UnPackOp>(inner)
                  ? ": expected inner tiles whose sizes are constants"
                  : "");
      return false;
    }
  }
  return true;
}
