/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Copies between a global tensor on the host and a piece of it on a device.
 * It must not know layouts, programs or contexts. */
#ifndef TESSERA_RUNTIME_PROGRAM_CUT_H
#define TESSERA_RUNTIME_PROGRAM_CUT_H

#include "layout/pieces.h"
#include "planes/device.h"

/* Copies the runs of a piece out of a strided global tensor into a dense local one, or back.
 * Strides count elements. The host's memory is the caller's again when they return. */
tessera_status tr_piece_take(const tr_piece *piece, size_t element, const void *global,
                             const int64_t *global_strides, const tr_device *device, void *local);
tessera_status tr_piece_put(const tr_piece *piece, size_t element, const tr_device *device,
                            const void *local, void *global, const int64_t *global_strides);

#endif /* TESSERA_RUNTIME_PROGRAM_CUT_H */
