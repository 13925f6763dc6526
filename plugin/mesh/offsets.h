/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Shardings with shard offsets in the form that `shard.sharding` takes, where there is one. It
 * knows what its verifier asks for; it must not know what a sharding means to a program. */
#ifndef TESSERA_PLUGIN_MESH_OFFSETS_H
#define TESSERA_PLUGIN_MESH_OFFSETS_H

#include "mlir-c/IR.h"

#include "support/arena.h"

/* The split axes of the verified mesh.sharding `op`, whose mesh has the extents `shape`, as
 * `shard.sharding` takes them beside the same offsets; null after a located error. */
MlirAttribute ts_mesh_split_axes(ts_arena *arena, MlirOperation op, MlirAttribute shape);

#endif /* TESSERA_PLUGIN_MESH_OFFSETS_H */
