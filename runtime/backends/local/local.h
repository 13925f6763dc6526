/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The local backend: ranks are threads of one process and copy from each other's memory.
 * It knows groups and views; it must not know grids, collectives or MLIR. */
#ifndef TESSERA_RUNTIME_BACKENDS_LOCAL_H
#define TESSERA_RUNTIME_BACKENDS_LOCAL_H

#include "planes/backend.h"

/* Fills `ranks` worlds that belong together. Each is closed by its backend's close; the last one
 * frees what they share. */
tessera_status tr_local_open(int32_t ranks, tr_world *worlds);

#endif /* TESSERA_RUNTIME_BACKENDS_LOCAL_H */
