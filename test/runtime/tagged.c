/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* A device whose memory is the host's under other addresses: what follows one of them without the
 * device faults, and what gives the device another one ends the process. It must not know what is
 * done with it. */
#include <stdio.h>
#include <stdlib.h>

#include "devices/host/host.h"
#include "tag.h"

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

static void *allocate(const tr_device *device, size_t bytes) {
  (void)device;
  void *memory = tessera_alloc(bytes);
  return memory ? (void *)((uintptr_t)memory | DEVICE_TAG) : NULL;
}

static void release(const tr_device *device, void *memory) {
  (void)device;
  tessera_free(untag(memory));
}

static void copy(const tr_device *device, tessera_stream *stream, const tr_copy *copy,
                 const char *from, char *to) {
  (void)device;
  (void)stream;
  if (copy->run > 0)
    tr_host_copy(copy, untag(from), untag(to));
}

static void fill(const tr_device *device, tessera_stream *stream, const void *element, size_t size,
                 int64_t count, char *to) {
  (void)device;
  (void)stream;
  tr_host_fill(check_host(element), size, count, untag(to));
}

static void convert(const tr_device *device, tessera_stream *stream, tessera_dtype from_type,
                    const char *from, tessera_dtype to_type, char *to, int64_t count) {
  (void)device;
  (void)stream;
  tr_host_convert(from_type, untag(from), to_type, untag(to), count);
}

static void combine(const tr_device *device, tessera_stream *stream,
                    const tr_combination *combination, char *const *pieces, char *output) {
  enum { MOST = 4096 };
  char *here[MOST];
  (void)device;
  (void)stream;
  if (combination->members > MOST)
    abort();
  for (int32_t i = 0; i < combination->members; i++)
    here[i] = untag(pieces[i]);
  tr_host_combine(combination, here, untag(output));
}

static void upload(const tr_device *device, tessera_stream *stream, const tr_copy *copy,
                   const char *host, char *to) {
  (void)device;
  (void)stream;
  if (copy->run > 0)
    tr_host_copy(copy, check_host(host), untag(to));
}

static void download(const tr_device *device, tessera_stream *stream, const tr_copy *copy,
                     const char *from, char *host) {
  (void)device;
  (void)stream;
  if (copy->run > 0)
    tr_host_copy(copy, untag(from), (char *)check_host(host));
}

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

static char *reach(const tr_device *device, char *memory) {
  (void)device;
  return untag(memory);
}

static const tr_device tagged = {.version = TR_DEVICE_VERSION,
                                 .name = "tagged",
                                 .allocate = allocate,
                                 .release = release,
                                 .copy = copy,
                                 .fill = fill,
                                 .convert = convert,
                                 .combine = combine,
                                 .upload = upload,
                                 .download = download,
                                 .record = record,
                                 .await = await,
                                 .reach = reach};

__attribute__((visibility("default"))) tessera_status
tessera_device_open(const tr_device_host *host, const tr_device **device) {
  if (host->version != TR_DEVICE_VERSION)
    return host->fail(TESSERA_ERROR_MISMATCH,
                      "the tagged device was built for another version of libtessera");
  *device = &tagged;
  return TESSERA_OK;
}
