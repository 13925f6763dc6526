/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Dialects that C code asks for by function. Knows which dialects there are, not their ops. */
#include "capi.h"

#include "mlir/CAPI/IR.h"
#include "mlir/Dialect/Shard/IR/ShardDialect.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

void ts_register_tessera_dialect(MlirDialectRegistry registry) {
  unwrap(registry)->insert<mlir::shard::ShardDialect, mlir::tensor::TensorDialect>();
}
