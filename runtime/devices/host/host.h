/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The host as a device: its memory is the process's, its work is done when a function returns.
 * It must not know groups or ranks. */
#ifndef TESSERA_RUNTIME_DEVICES_HOST_H
#define TESSERA_RUNTIME_DEVICES_HOST_H

#include "planes/device.h"

extern const tr_device tr_host_device;

/* What its rows do, for each other. */
void tr_host_copy(const tr_copy *copy, const char *from, char *to);
void tr_host_fill(const void *element, size_t size, int64_t count, char *to);
void tr_host_convert(tessera_dtype from_type, const void *from, tessera_dtype to_type, void *to,
                     int64_t count);
void tr_host_combine(const tr_combination *combination, char *const *pieces, char *output);
tessera_status tr_host_multiply(const tr_device *device, tessera_stream *stream,
                                tr_workspace *workspace, const tr_product *product);
tessera_status tr_host_convolve(const tr_device *device, tessera_stream *stream,
                                tr_workspace *workspace, const tr_conv *conv);
tr_workspace *tr_host_open_workspace(const tr_device *device, int32_t threads, tr_pool *pool);
void tr_host_trim_workspace(const tr_device *device, tr_workspace *workspace, tr_trim what);
void tr_host_close_workspace(const tr_device *device, tr_workspace *workspace);

/* An error where a variable asks for what the host's libraries are not. */
tessera_status tr_host_check_wishes(void);

/* Copies all elements between two views of one shape, of the host's memory. */
void tr_host_copy_view(const tr_view *from, const tr_view *to);

#endif /* TESSERA_RUNTIME_DEVICES_HOST_H */
