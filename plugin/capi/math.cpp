/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Upstream's polynomial approximations, which libMLIR has and no pass of mlir-opt applies. It knows
 * the pattern sets only. */
#include "capi.h"

#include "mlir/CAPI/IR.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

bool ts_apply_math_approximations(MlirOperation op, intptr_t num, const char *const *names) {
  auto is_named = [&](StringRef name) {
    return llvm::is_contained(llvm::ArrayRef(names, num), name);
  };
  RewritePatternSet patterns(unwrap(op)->getContext());
  populateMathF32ExpansionPatterns(patterns, is_named);
  populateMathPolynomialApproximationPatterns(patterns, is_named);
  return succeeded(applyPatternsGreedily(unwrap(op), std::move(patterns)));
}
