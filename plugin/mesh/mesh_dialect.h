/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The `mesh` dialect's classes, as TableGen makes them, and what their definitions call. For C++
 * alone; C sees mesh.h. It must not know what ops become. */
#ifndef TESSERA_PLUGIN_MESH_MESH_DIALECT_H
#define TESSERA_PLUGIN_MESH_MESH_DIALECT_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "mesh/MeshDialect.h.inc"
#include "mesh/MeshEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "mesh/MeshAttributes.h.inc"
#define GET_TYPEDEF_CLASSES
#include "mesh/MeshTypes.h.inc"
#define GET_OP_CLASSES
#include "mesh/MeshOps.h.inc"

namespace tessera::mesh {

/* Checks an op that names a mesh: axes, in-group indices, halo sizes, offsets, shapes. */
mlir::LogicalResult verify_mesh_user(mlir::Operation *op, mlir::SymbolTableCollection &symbols);

/* Names the results of `op` after it. */
void name_results(mlir::Operation *op, mlir::OpAsmSetValueNameFn name);

} // namespace tessera::mesh

#endif /* TESSERA_PLUGIN_MESH_MESH_DIALECT_H */
