/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Copies between the host and a GPU: bytes go in one piece, strides are made on their side.
 * It must not know what the bytes are. */
#include <stdlib.h>

#include "devices/cuda/cuda.h"

typedef enum side { FROM, TO } side;

static int64_t *step_of(tr_copy_dim *dim, side side) {
  return side == FROM ? &dim->from_step : &dim->to_step;
}

static int64_t bytes_of(const tr_copy *copy) {
  int64_t bytes = copy->run;
  for (int32_t i = 0; i < copy->rank; i++)
    bytes *= copy->dims[i].size;
  return bytes;
}

/* *to = *from, without the dimensions that it does not have, but dense on `side`. True if it was so
 * before. */
static bool make_dense(const tr_copy *from, side side, tr_copy *to) {
  int64_t step = from->run;
  bool is_dense = true;
  to->run = from->run;
  to->rank = from->rank;
  for (int32_t i = from->rank - 1; i >= 0; i--) {
    to->dims[i] = from->dims[i];
    is_dense = is_dense && *step_of(&to->dims[i], side) == step;
    *step_of(&to->dims[i], side) = step;
    step *= to->dims[i].size;
  }
  return is_dense;
}

static char *host_room(tr_cuda *cuda, size_t bytes) {
  char *memory = malloc(bytes);
  if (!memory)
    tr_cuda_ok(cuda, CUDA_NO_MEMORY, "a copy on the host");
  return memory;
}

static void wait(tr_cuda *cuda, cuda_stream on) {
  tr_cuda_ok(cuda, cuda->driver->synchronize(on), "cuStreamSynchronize");
}

/* Dense bytes of the host to a strided place. */
static void upload_dense(tr_cuda *cuda, cuda_stream on, const tr_copy *copy, const char *dense,
                         char *to) {
  tr_copy spread;
  size_t bytes = (size_t)bytes_of(copy);
  bool is_dense = make_dense(copy, TO, &spread);
  char *packed = is_dense ? to : tr_cuda_borrow(cuda, on, bytes);
  if (!packed || !tr_cuda_ok(cuda, cuda->driver->upload((uintptr_t)packed, dense, bytes, on),
                             "cuMemcpyHtoDAsync"))
    return;
  if (is_dense)
    return;
  make_dense(copy, FROM, &spread);
  tr_cuda_copy(&cuda->table, (tessera_stream *)(void *)on, &spread, packed, to);
  tr_cuda_return(cuda, on, packed);
}

void tr_cuda_upload(const tr_device *device, tessera_stream *stream, const tr_copy *copy,
                    const char *from, char *to) {
  tr_cuda *cuda = tr_cuda_of(device);
  const tr_device *host = cuda->host->device;
  cuda_stream on = tr_cuda_stream(cuda, stream);
  tr_copy pack;
  if (copy->run == 0 || !tr_cuda_enter(cuda))
    return;
  if (make_dense(copy, FROM, &pack)) {
    upload_dense(cuda, on, copy, from, to);
    return;
  }
  make_dense(copy, TO, &pack);
  char *packed = host_room(cuda, (size_t)bytes_of(copy));
  if (!packed)
    return;
  host->copy(host, NULL, &pack, from, packed);
  upload_dense(cuda, on, copy, packed, to);
  wait(cuda, on);
  free(packed);
}

/* A strided place to dense bytes of the host, which are there when the stream has come so far. */
static void download_dense(tr_cuda *cuda, cuda_stream on, const tr_copy *copy, const char *from,
                           char *dense) {
  tr_copy pack;
  size_t bytes = (size_t)bytes_of(copy);
  bool is_dense = make_dense(copy, FROM, &pack);
  char *packed = is_dense ? NULL : tr_cuda_borrow(cuda, on, bytes);
  if (!is_dense && !packed)
    return;
  make_dense(copy, TO, &pack);
  if (packed)
    tr_cuda_copy(&cuda->table, (tessera_stream *)(void *)on, &pack, from, packed);
  const char *source = packed ? packed : from;
  tr_cuda_ok(cuda, cuda->driver->download(dense, (uintptr_t)source, bytes, on),
             "cuMemcpyDtoHAsync");
  if (packed)
    tr_cuda_return(cuda, on, packed);
}

void tr_cuda_download(const tr_device *device, tessera_stream *stream, const tr_copy *copy,
                      const char *from, char *to) {
  tr_cuda *cuda = tr_cuda_of(device);
  const tr_device *host = cuda->host->device;
  cuda_stream on = tr_cuda_stream(cuda, stream);
  tr_copy spread;
  if (copy->run == 0 || !tr_cuda_enter(cuda))
    return;
  if (make_dense(copy, TO, &spread)) {
    download_dense(cuda, on, copy, from, to);
    return;
  }
  char *packed = host_room(cuda, (size_t)bytes_of(copy));
  if (!packed)
    return;
  download_dense(cuda, on, copy, from, packed);
  wait(cuda, on);
  make_dense(copy, FROM, &spread);
  if (!atomic_load(&cuda->has_failed))
    host->copy(host, NULL, &spread, packed, to);
  free(packed);
}
