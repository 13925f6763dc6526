/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The host's row in the table of devices.
 * It must not know groups or ranks. */
#include "devices/host/host.h"

#include "memory/host_memory.h"
#include "support/error.h"
#include "support/wishes.h"

static void *allocate(const tr_device *device, size_t bytes, tr_blocks *ring) {
  (void)device;
  return tr_memory_allocate(bytes, ring);
}

static void release(const tr_device *device, void *memory) {
  (void)device;
  tessera_free(memory);
}

static void release_all(const tr_device *device, tr_blocks *ring) {
  (void)device;
  tr_memory_give_back(ring);
}

static void end_call(const tr_device *device, int32_t window) {
  (void)device;
  tr_memory_end_call(window);
}

static void drop(const tr_device *device) {
  (void)device;
  tr_memory_drop();
}

static void copy(const tr_device *device, tessera_stream *stream, const tr_copy *copy,
                 const char *from, char *to) {
  (void)device;
  (void)stream;
  tr_host_copy(copy, from, to);
}

static void fill(const tr_device *device, tessera_stream *stream, const void *element, size_t size,
                 int64_t count, char *to) {
  (void)device;
  (void)stream;
  tr_host_fill(element, size, count, to);
}

static void convert(const tr_device *device, tessera_stream *stream, tessera_dtype from_type,
                    const char *from, tessera_dtype to_type, char *to, int64_t count) {
  (void)device;
  (void)stream;
  tr_host_convert(from_type, from, to_type, to, count);
}

static void combine(const tr_device *device, tessera_stream *stream,
                    const tr_combination *combination, char *const *pieces, char *output) {
  (void)device;
  (void)stream;
  tr_host_combine(combination, pieces, output);
}

static tr_event *record(const tr_device *device, tessera_stream *stream) {
  (void)device;
  (void)stream;
  return NULL;
}

static void await(const tr_device *device, tr_event *event) {
  (void)device;
  (void)event;
}

const tr_device tr_host_device = {
    .version = TR_DEVICE_VERSION,
    .name = "host",
    .ordinal = -1,
    .allocate = allocate,
    .release = release,
    .release_all = release_all,
    .end_call = end_call,
    .drop = drop,
    .copy = copy,
    .fill = fill,
    .convert = convert,
    .combine = combine,
    .upload = copy,
    .download = copy,
    .gemm = tr_host_multiply,
    .conv = tr_host_convolve,
    .open_workspace = tr_host_open_workspace,
    .trim_workspace = tr_host_trim_workspace,
    .close_workspace = tr_host_close_workspace,
    .record = record,
    .await = await,
};

/* Those of blas.c and dnnl.c, which are opened where nobody takes an error. */
tessera_status tr_host_check_wishes(void) {
  static const char *const variables[] = {"TESSERA_BLAS", "TESSERA_DNNL"};
  static const char *const words[] = {NULL, "none"};
  for (size_t i = 0; i < sizeof(variables) / sizeof(variables[0]); i++)
    if (tr_wished_word(variables[i], 2, words) < 0)
      return tr_fail(TESSERA_ERROR_INVALID_ARGUMENT, "%s is '%s'; it can be none", variables[i],
                     getenv(variables[i]));
  return TESSERA_OK;
}
