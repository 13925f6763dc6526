/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Upstream's comparison of ops, which its CSE uses. It must not know any op. */
#include "capi.h"

#include "mlir/CAPI/IR.h"
#include "mlir/IR/OperationSupport.h"

using namespace mlir;

bool ts_ops_are_equal(MlirOperation a, MlirOperation b) {
  return OperationEquivalence::isEquivalentTo(unwrap(a), unwrap(b),
                                              OperationEquivalence::IgnoreLocations);
}

size_t ts_op_content_hash(MlirOperation op) {
  return OperationEquivalence::computeHash(unwrap(op), OperationEquivalence::directHashValue,
                                           OperationEquivalence::ignoreHashValue,
                                           OperationEquivalence::IgnoreLocations);
}
