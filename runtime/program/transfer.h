/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* What putting tensors together needs from the runtime: bytes between ranks, sizes of all ranks,
 * sums over axes. It must not know layouts or programs. */
#ifndef TESSERA_RUNTIME_PROGRAM_TRANSFER_H
#define TESSERA_RUNTIME_PROGRAM_TRANSFER_H

#include "tessera/program.h"

/* From this rank to `rank`, and the other way round, of memory of the context's device. Both sides
 * name the same number of bytes. */
tessera_status tr_send_bytes(tessera_context *context, int32_t rank, const void *data,
                             size_t bytes);
tessera_status tr_receive_bytes(tessera_context *context, int32_t rank, void *data, size_t bytes);
/* The same of memory of the host. */
tessera_status tr_send_from_host(tessera_context *context, int32_t rank, const void *data,
                                 size_t bytes);
tessera_status tr_receive_to_host(tessera_context *context, int32_t rank, void *data, size_t bytes);

/* Collective over all ranks: `all` becomes the ranks' `count` numbers, in rank order. */
tessera_status tr_collect_sizes(tessera_context *context, int64_t count, const int64_t *mine,
                                int64_t *all);

/* Collective over all ranks: reduces a dense tensor in place over axes of a grid. */
tessera_status tr_reduce_axes(tessera_context *context, const tessera_grid *grid, int32_t num_axes,
                              const int32_t *axes, tessera_reduction reduction,
                              tessera_tensor *tensor);

#endif /* TESSERA_RUNTIME_PROGRAM_TRANSFER_H */
