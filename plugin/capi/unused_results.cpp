/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Ops and results of structured ops that nobody uses, taken out by upstream's patterns and by its
 * notion of dead ops. It knows these. */
#include "capi.h"

#include "mlir/CAPI/IR.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Shard/IR/ShardDialect.h"
#include "mlir/IR/Iterators.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

/* A body that may fail is left alone: without any result, nobody would run it. */
static bool has_unused_result(linalg::GenericOp op) {
  return op.getNumResults() > 1 && isMemoryEffectFree(op) &&
         llvm::any_of(op.getResults(), [](Value result) { return result.use_empty(); });
}

/* An annotation says how its operand lies, whoever uses the result. */
static bool has_annotation(Operation *op) {
  return op
      ->walk([](Operation *inner) {
        return isa_and_nonnull<shard::ShardDialect>(inner->getDialect()) ? WalkResult::interrupt()
                                                                         : WalkResult::advance();
      })
      .wasInterrupted();
}

void ts_erase_unused_results(MlirOperation op) {
  RewritePatternSet patterns(unwrap(op)->getContext());
  linalg::populateEraseUnusedOperandsAndResultsPatterns(patterns);
  FrozenRewritePatternSet frozen(std::move(patterns));
  GreedyRewriteConfig config;
  config.setStrictness(GreedyRewriteStrictness::ExistingAndNewOps)
      .setRegionSimplificationLevel(GreedySimplifyRegionLevel::Disabled)
      .enableFolding(false)
      .enableConstantCSE(false);
  /* Backwards: what only dead ops use is seen behind them. */
  unwrap(op)->walk<WalkOrder::PostOrder, ReverseIterator>([&](Operation *inner) {
    if (isOpTriviallyDead(inner) && !has_annotation(inner)) {
      inner->erase();
      return;
    }
    auto generic = dyn_cast<linalg::GenericOp>(inner);
    /* What is left after so many rewrites as one that does not end would make is right as well. */
    if (generic && has_unused_result(generic))
      (void)applyOpPatternsGreedily({inner}, frozen, config);
  });
}
