/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Verifying layout dictionaries on ops of `tessera`. It must not know which op has one. */
#ifndef TESSERA_PLUGIN_DIALECT_LAYOUT_H
#define TESSERA_PLUGIN_DIALECT_LAYOUT_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"
#include "mlir/IR/SymbolTable.h"

namespace tessera {

/* Checks all of `layout` that does not need its grid; `local` is the type of a device's piece.
 * Gives the global type and the grid's name. `name` is the attribute's, for messages. */
mlir::LogicalResult verify_layout(mlir::Operation *op, llvm::StringRef name,
                                  mlir::DictionaryAttr layout, mlir::RankedTensorType local,
                                  mlir::RankedTensorType &global, mlir::FlatSymbolRefAttr &grid);

/* How many halo sizes and offsets of a layout, which has passed the above, only the launch knows.
 */
int64_t num_run_time_numbers(mlir::DictionaryAttr layout);

/* Checks a layout that has passed the above against its grid. */
mlir::LogicalResult verify_layout_grid(mlir::Operation *op, mlir::SymbolTableCollection &symbols,
                                       llvm::StringRef name, mlir::DictionaryAttr layout,
                                       mlir::RankedTensorType local);

} // namespace tessera

#endif /* TESSERA_PLUGIN_DIALECT_LAYOUT_H */
