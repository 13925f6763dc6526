/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The `mesh` dialect for C: its registration and the attributes that the C API cannot read. The
 * reduction kinds have the numbers of `shard`. It must not know the ops. */
#ifndef TESSERA_PLUGIN_MESH_MESH_H
#define TESSERA_PLUGIN_MESH_MESH_H

#include "capi/capi.h"

#if defined(__cplusplus)
extern "C" {
#endif

/* Inserts the mesh dialect into the registry. */
void ts_register_mesh_dialect(MlirDialectRegistry registry);

bool ts_attr_is_mesh_partial(MlirAttribute attribute); /* #mesh.partial<...> */
int32_t ts_mesh_partial_get(MlirAttribute attribute);
bool ts_attr_is_mesh_axis_array(MlirAttribute attribute); /* #mesh<axisarray...> */
intptr_t ts_mesh_axis_array_size(MlirAttribute attribute);
/* The i-th list: its length, and its axes through `axes`, valid as long as the context. */
intptr_t ts_mesh_axis_array_get(MlirAttribute attribute, intptr_t i, const int16_t **axes);
bool ts_type_is_mesh_sharding(MlirType type); /* !mesh.sharding */

#if defined(__cplusplus)
}
#endif
#endif /* TESSERA_PLUGIN_MESH_MESH_H */
