/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* tessera-import-mesh: programs in `mesh` become programs in `shard`. It knows both notations. */
#ifndef TESSERA_PLUGIN_MESH_IMPORT_H
#define TESSERA_PLUGIN_MESH_IMPORT_H

#include "capi/capi.h"

/* Runs the pass on a builtin.module; false after diagnostics. It has no options. */
bool ts_import_mesh_run(MlirOperation module, const ts_option_value *options);

#endif /* TESSERA_PLUGIN_MESH_IMPORT_H */
