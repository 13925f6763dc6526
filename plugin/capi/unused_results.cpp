/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Results of structured ops that nobody uses, taken out by upstream's patterns. It knows these. */
#include "capi.h"

#include "mlir/CAPI/IR.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

/* A body that may fail is left alone: without any result, nobody would run it. */
static bool has_unused_result(linalg::GenericOp op) {
  return op.getNumResults() > 1 && isMemoryEffectFree(op) &&
         llvm::any_of(op.getResults(), [](Value result) { return result.use_empty(); });
}

void ts_erase_unused_results(MlirOperation op) {
  SmallVector<Operation *> found;
  unwrap(op)->walk([&](linalg::GenericOp generic) {
    if (has_unused_result(generic))
      found.push_back(generic);
  });
  if (found.empty())
    return;
  RewritePatternSet patterns(unwrap(op)->getContext());
  linalg::populateEraseUnusedOperandsAndResultsPatterns(patterns);
  GreedyRewriteConfig config;
  config.setStrictness(GreedyRewriteStrictness::ExistingAndNewOps)
      .setRegionSimplificationLevel(GreedySimplifyRegionLevel::Disabled)
      .enableFolding(false)
      .enableConstantCSE(false);
  /* What is left after so many rewrites as one that does not end would make is right as well. */
  (void)applyOpPatternsGreedily(found, std::move(patterns), config);
}
