/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Ops that upstream can only take apart by a transform script, such as linalg.softmax. Knows the
 * interface only. */
#include "capi.h"

#include "mlir/CAPI/IR.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;

bool ts_decompose_aggregates(MlirOperation op) {
  SmallVector<linalg::AggregatedOpInterface> aggregates;
  unwrap(op)->walk([&](linalg::AggregatedOpInterface inner) { aggregates.push_back(inner); });
  for (linalg::AggregatedOpInterface aggregate : aggregates) {
    IRRewriter rewriter(aggregate);
    FailureOr<SmallVector<Value>> values = aggregate.decomposeOperation(rewriter);
    if (failed(values)) {
      aggregate->emitOpError("cannot be taken apart into structured ops");
      return false;
    }
    rewriter.replaceOp(aggregate, *values);
  }
  return true;
}
