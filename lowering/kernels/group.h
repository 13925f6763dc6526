/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Which nests become one kernel: those that can go through their outer loops together. It knows
 * nests and memory; it must not know functions or code. */
#ifndef TESSERA_LOWERING_KERNELS_GROUP_H
#define TESSERA_LOWERING_KERNELS_GROUP_H

#include "lowering/kernels/kernel.h"

/* Starts a kernel with one nest. */
ts_kernel *ts_group_start(const ts_kernel_target *target, ts_buffers *memories, ts_nest *nest);

/* Adds a nest that comes behind those of the kernel, if the two work on common memory, every step
 * of their common outer loops needs of it only what the same step has made, and that is so little
 * as the target says. Else false, and the kernel is as before. */
bool ts_group_add(ts_kernel *kernel, ts_nest *nest);

/* Ends it: finds its pointers, and gives memory that nobody else looks at to the kernel. */
void ts_group_end(ts_kernel *kernel);

/* Whether any nest of the kernel works on this memory, or on what may be the same. */
bool ts_group_touches(const ts_kernel *kernel, const ts_buffer *memory);

#endif /* TESSERA_LOWERING_KERNELS_GROUP_H */
