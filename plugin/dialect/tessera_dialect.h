/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Classes of the `tessera` dialect, by TableGen, for C++ alone. It must not know lowering. */
#ifndef TESSERA_PLUGIN_DIALECT_TESSERA_DIALECT_H
#define TESSERA_PLUGIN_DIALECT_TESSERA_DIALECT_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Shard/IR/ShardDialect.h"
#include "mlir/Dialect/Shard/IR/ShardOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "dialect/TesseraDialect.h.inc"

namespace tessera {

/* Verifiers of a collective over a group, alone and together with its grid. */
mlir::LogicalResult verify_group(mlir::Operation *op);
mlir::LogicalResult verify_group_on_grid(mlir::Operation *op, mlir::SymbolTableCollection &symbols);

} // namespace tessera

#define GET_OP_CLASSES
#include "dialect/TesseraOps.h.inc"

#endif /* TESSERA_PLUGIN_DIALECT_TESSERA_DIALECT_H */
