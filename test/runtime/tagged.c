/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* A device whose memory is the host's under other addresses: what follows one of them without the
 * device faults, and what gives the device another one ends the process. It must not know what is
 * done with it. */
#include <stdio.h>
#include <stdlib.h>

#include "planes/device.h"
#include "tag.h"

static const tr_device *host; /* which does the work, on addresses without the tag */

static char *untag(const void *memory) {
  if ((uintptr_t)memory & DEVICE_TAG)
    return (char *)((uintptr_t)memory & ~DEVICE_TAG);
  fprintf(stderr, "%p is no address of the tagged device\n", memory);
  abort();
}

static const char *check_host(const char *memory) {
  if (!((uintptr_t)memory & DEVICE_TAG))
    return memory;
  fprintf(stderr, "%p is no address of the host\n", (const void *)memory);
  abort();
}

/* ---- memory ---------------------------------------------------------------------------------- */

static void *allocate(const tr_device *device, size_t bytes, tr_blocks *ring) {
  (void)device;
  void *memory = host->allocate(host, bytes, ring);
  return memory ? (void *)((uintptr_t)memory | DEVICE_TAG) : NULL;
}

static void release(const tr_device *device, void *memory) {
  (void)device;
  host->release(host, untag(memory));
}

static void release_all(const tr_device *device, tr_blocks *ring) {
  (void)device;
  host->release_all(host, ring);
}

static void end_call(const tr_device *device, int32_t window) {
  (void)device;
  host->end_call(host, window);
}

static void drop(const tr_device *device) {
  (void)device;
  host->drop(host);
}

/* ---- bytes ----------------------------------------------------------------------------------- */

static void copy(const tr_device *device, tessera_stream *stream, const tr_copy *copy,
                 const char *from, char *to) {
  (void)device;
  if (copy->run > 0)
    host->copy(host, stream, copy, untag(from), untag(to));
}

static void fill(const tr_device *device, tessera_stream *stream, const void *element, size_t size,
                 int64_t count, char *to) {
  (void)device;
  host->fill(host, stream, check_host(element), size, count, untag(to));
}

static void convert(const tr_device *device, tessera_stream *stream, tessera_dtype from_type,
                    const char *from, tessera_dtype to_type, char *to, int64_t count) {
  (void)device;
  host->convert(host, stream, from_type, untag(from), to_type, untag(to), count);
}

static void combine(const tr_device *device, tessera_stream *stream,
                    const tr_combination *combination, char *const *pieces, char *output) {
  enum { MOST = 4096 };
  char *here[MOST];
  (void)device;
  if (combination->members > MOST)
    abort();
  for (int32_t i = 0; i < combination->members; i++)
    here[i] = untag(pieces[i]);
  host->combine(host, stream, combination, here, untag(output));
}

static void upload(const tr_device *device, tessera_stream *stream, const tr_copy *copy,
                   const char *from, char *to) {
  (void)device;
  if (copy->run > 0)
    host->upload(host, stream, copy, check_host(from), untag(to));
}

static void download(const tr_device *device, tessera_stream *stream, const tr_copy *copy,
                     const char *from, char *to) {
  (void)device;
  if (copy->run > 0)
    host->download(host, stream, copy, untag(from), (char *)check_host(to));
}

/* ---- products -------------------------------------------------------------------------------- */

static tr_view untagged(const tr_view *view) {
  tr_view result = *view;
  if (tr_view_elements(view) > 0)
    result.data = untag(view->data);
  return result;
}

static tessera_status gemm(const tr_device *device, tessera_stream *stream, tr_workspace *workspace,
                           const tr_product *product) {
  (void)device;
  tr_product here = *product;
  here.a = untagged(&product->a);
  here.b = untagged(&product->b);
  here.c = untagged(&product->c);
  return host->gemm(host, stream, workspace, &here);
}

static tessera_status conv(const tr_device *device, tessera_stream *stream, tr_workspace *workspace,
                           const tr_conv *conv) {
  (void)device;
  tr_conv here = *conv;
  here.input = untagged(&conv->input);
  here.filter = untagged(&conv->filter);
  here.output = untagged(&conv->output);
  return host->conv(host, stream, workspace, &here);
}

static tr_workspace *open_workspace(const tr_device *device, int32_t threads, tr_pool *pool) {
  (void)device;
  return host->open_workspace(host, threads, pool);
}

static void trim_workspace(const tr_device *device, tr_workspace *workspace, tr_trim what) {
  (void)device;
  host->trim_workspace(host, workspace, what);
}

static void close_workspace(const tr_device *device, tr_workspace *workspace) {
  (void)device;
  host->close_workspace(host, workspace);
}

/* ---- streams --------------------------------------------------------------------------------- */

/* Work that is not waited for is an event that is not awaited. */
struct tr_event {
  int unused;
};

static tr_event *record(const tr_device *device, tessera_stream *stream) {
  (void)device;
  (void)stream;
  return calloc(1, sizeof(tr_event));
}

static void await(const tr_device *device, tr_event *event) {
  (void)device;
  free(event);
}

static void follow(const tr_device *device, tessera_stream *stream, const tr_event *event) {
  (void)device;
  (void)stream;
  (void)event;
}

/* ---- addresses ------------------------------------------------------------------------------- */

static char *reach(const tr_device *device, char *memory) {
  (void)device;
  return untag(memory);
}

static char *regain(const tr_device *device, char *memory) {
  (void)device;
  return (char *)((uintptr_t)memory | DEVICE_TAG);
}

static const tr_device tagged = {.version = TR_DEVICE_VERSION,
                                 .name = "tagged",
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
                                 .upload = upload,
                                 .download = download,
                                 .gemm = gemm,
                                 .conv = conv,
                                 .open_workspace = open_workspace,
                                 .trim_workspace = trim_workspace,
                                 .close_workspace = close_workspace,
                                 .record = record,
                                 .await = await,
                                 .follow = follow,
                                 .forget = await,
                                 .reach = reach,
                                 .regain = regain};

__attribute__((visibility("default"))) tessera_status tessera_device_open(
    const tr_device_host *given, const tr_device_seat *seat, const tr_device **device) {
  (void)seat;
  if (given->version != TR_DEVICE_VERSION)
    return given->fail(TESSERA_ERROR_MISMATCH,
                       "the tagged device was built for another version of libtessera");
  host = given->device;
  *device = &tagged;
  return TESSERA_OK;
}
