/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Points in a stream, and waiting for them.
 * It must not know what waits. */
#include <stdlib.h>

#include "devices/cuda/cuda.h"

struct tr_event {
  tr_event *next; /* that waits to be used again */
  cuda_event event;
};

static tr_event *make_event(tr_cuda *cuda) {
  tr_event *made = calloc(1, sizeof(*made));
  if (!made) {
    tr_cuda_ok(cuda, CUDA_NO_MEMORY, "an event");
    return NULL;
  }
  if (tr_cuda_ok(cuda, cuda->driver->create_event(&made->event, CUDA_EVENT_WITHOUT_TIME),
                 "cuEventCreate"))
    return made;
  free(made);
  return NULL;
}

static tr_event *take_event(tr_cuda *cuda) {
  pthread_mutex_lock(&cuda->lock);
  tr_event *event = cuda->events;
  if (event)
    cuda->events = event->next;
  pthread_mutex_unlock(&cuda->lock);
  return event ? event : make_event(cuda);
}

static void keep_event(tr_cuda *cuda, tr_event *event) {
  pthread_mutex_lock(&cuda->lock);
  event->next = cuda->events;
  cuda->events = event;
  pthread_mutex_unlock(&cuda->lock);
}

tr_event *tr_cuda_record(const tr_device *device, tessera_stream *stream) {
  tr_cuda *cuda = tr_cuda_of(device);
  (void)stream;
  tr_event *event = tr_cuda_enter(cuda) ? take_event(cuda) : NULL;
  if (!event)
    return NULL;
  if (tr_cuda_ok(cuda, cuda->driver->record_event(event->event, cuda->stream), "cuEventRecord"))
    return event;
  keep_event(cuda, event);
  return NULL;
}

void tr_cuda_await(const tr_device *device, tr_event *event) {
  tr_cuda *cuda = tr_cuda_of(device);
  if (tr_cuda_enter(cuda))
    tr_cuda_ok(cuda, cuda->driver->await_event(event->event), "cuEventSynchronize");
  keep_event(cuda, event);
}
