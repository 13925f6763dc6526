/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* How a device on a GPU fails, and what it waits for.
 * It must not know what is done on a device. */
#include <stdio.h>
#include <string.h>

#include "devices/cuda/cuda.h"

bool tr_cuda_enter(tr_cuda *cuda) {
  return !atomic_load_explicit(&cuda->has_failed, memory_order_acquire) &&
         tr_cuda_ok(cuda, cuda->driver->set_context(cuda->gpu->context), "cuCtxSetCurrent");
}

static void copy_text(char *to, size_t capacity, const char *from) {
  if (!memccpy(to, from, '\0', capacity))
    to[capacity - 1] = '\0';
}

/* Each launch comes here: nothing is formatted before a failure. */
void tr_cuda_note_launch(tr_cuda *cuda, const char *location, const char *label, const char *name) {
  copy_text(cuda->last.location, sizeof(cuda->last.location), location);
  copy_text(cuda->last.label, sizeof(cuda->last.label), label);
  copy_text(cuda->last.name, sizeof(cuda->last.name), name);
}

static const char *describe_last(const tr_cuda_last *last, char *text, size_t capacity) {
  text[0] = '\0';
  if (last->name[0])
    snprintf(text, capacity, "; the last launch before it was %s%s'%s' (kernel %s)", last->location,
             last->location[0] ? ": " : "", last->label, last->name);
  return text;
}

/* Work fails later than it is given: what was launched last is the best that is known. */
static void note_failure(tr_cuda *cuda, cuda_result result, const char *what) {
  char text[256], last[320];
  cuda->failure = result == CUDA_NO_MEMORY ? TESSERA_ERROR_OUT_OF_MEMORY : TESSERA_ERROR_BACKEND;
  snprintf(cuda->failure_text, sizeof(cuda->failure_text), "GPU %d: %s in %s%s", cuda->gpu->ordinal,
           tr_cuda_error(cuda->driver, result, text, sizeof(text)), what,
           describe_last(&cuda->last, last, sizeof(last)));
}

bool tr_cuda_ok(tr_cuda *cuda, cuda_result result, const char *what) {
  if (result == CUDA_OK)
    return true;
  pthread_mutex_lock(&cuda->lock);
  if (!atomic_load_explicit(&cuda->has_failed, memory_order_relaxed))
    note_failure(cuda, result, what);
  atomic_store_explicit(&cuda->has_failed, true, memory_order_release);
  pthread_mutex_unlock(&cuda->lock);
  return false;
}

void tr_cuda_fail(const tr_device *device, tessera_status status, const char *message) {
  tr_cuda *cuda = tr_cuda_of(device);
  pthread_mutex_lock(&cuda->lock);
  if (!atomic_load_explicit(&cuda->has_failed, memory_order_relaxed)) {
    cuda->failure = status;
    snprintf(cuda->failure_text, sizeof(cuda->failure_text), "%s", message);
  }
  atomic_store_explicit(&cuda->has_failed, true, memory_order_release);
  pthread_mutex_unlock(&cuda->lock);
}

tessera_status tr_cuda_check(const tr_device *device) {
  tr_cuda *cuda = tr_cuda_of(device);
  if (!atomic_load_explicit(&cuda->has_failed, memory_order_acquire))
    return TESSERA_OK;
  return cuda->host->fail(cuda->failure, "%s", cuda->failure_text);
}

bool tr_cuda_synchronize(tr_cuda *cuda) {
  return tr_cuda_enter(cuda) &&
         (!cuda->aside ||
          tr_cuda_ok(cuda, cuda->driver->synchronize(cuda->aside), "cuStreamSynchronize")) &&
         tr_cuda_ok(cuda, cuda->driver->synchronize(cuda->stream), "cuStreamSynchronize");
}
