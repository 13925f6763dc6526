/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Where each memory lies: on the device, or on the host where nobody else looks at it. It knows
 * which values are one memory; it must not know what is done with it. */
#ifndef TESSERA_LOWERING_TARGETS_CUDA_PLACEMENT_H
#define TESSERA_LOWERING_TARGETS_CUDA_PLACEMENT_H

#include "ir/build.h"
#include "support/arena.h"
#include "support/map.h"

/* Marks an allocation of memory of the host. */
#define TS_CUDA_HOST "tessera.host"

typedef struct ts_placement {
  ts_arena *arena;
  ts_map places; /* value -> where it is; values that may be one memory are in one place */
} ts_placement;

/* Reads a module: arguments, results and operands of functions and kernels are on the device, and
 * so is whatever may be the same memory. Code of the device itself does not count. */
void ts_placement_read(ts_placement *placement, MlirOperation module);
/* From now on `made` is where `memref` is. */
void ts_placement_same(ts_placement *placement, MlirValue memref, MlirValue made);
bool ts_placement_is_device(const ts_placement *placement, MlirValue memref);

/* Marks the allocations of the host's memory. */
void ts_placement_mark(MlirOperation module);

#endif /* TESSERA_LOWERING_TARGETS_CUDA_PLACEMENT_H */
