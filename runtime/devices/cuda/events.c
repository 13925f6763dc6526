/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Points in a stream, and waiting for them.
 * It must not know what waits. */
#include <stdlib.h>

#include "devices/cuda/cuda.h"

struct tr_event {
  tr_event *next; /* that waits to be used again */
  tr_cuda *owner; /* who recorded it: others may give it back */
  cuda_event event;
  int has_time;
};

static tr_event *make_event(tr_cuda *cuda, int has_time) {
  tr_event *made = calloc(1, sizeof(*made));
  if (!made) {
    tr_cuda_ok(cuda, CUDA_NO_MEMORY, "an event");
    return NULL;
  }
  made->owner = cuda;
  made->has_time = has_time;
  unsigned flags = has_time ? 0 : CUDA_EVENT_WITHOUT_TIME;
  if (tr_cuda_ok(cuda, cuda->driver->create_event(&made->event, flags), "cuEventCreate"))
    return made;
  free(made);
  return NULL;
}

static tr_event *take_event(tr_cuda *cuda, int has_time) {
  pthread_mutex_lock(&cuda->lock);
  tr_event *event = cuda->events[has_time];
  if (event)
    cuda->events[has_time] = event->next;
  pthread_mutex_unlock(&cuda->lock);
  return event ? event : make_event(cuda, has_time);
}

static void keep_event(tr_event *event) {
  tr_cuda *cuda = event->owner;
  pthread_mutex_lock(&cuda->lock);
  event->next = cuda->events[event->has_time];
  cuda->events[event->has_time] = event;
  pthread_mutex_unlock(&cuda->lock);
}

static tr_event *record(const tr_device *device, tessera_stream *stream, int has_time) {
  tr_cuda *cuda = tr_cuda_of(device);
  tr_event *event = tr_cuda_enter(cuda) ? take_event(cuda, has_time) : NULL;
  if (!event)
    return NULL;
  if (tr_cuda_ok(cuda, cuda->driver->record_event(event->event, tr_cuda_stream(cuda, stream)),
                 "cuEventRecord"))
    return event;
  keep_event(event);
  return NULL;
}

tr_event *tr_cuda_record(const tr_device *device, tessera_stream *stream) {
  return record(device, stream, 0);
}

tr_event *tr_cuda_record_time(const tr_device *device, tessera_stream *stream) {
  return record(device, stream, 1);
}

bool tr_cuda_time_between(const tr_device *device, tr_event *from, tr_event *to, double *seconds) {
  tr_cuda *cuda = tr_cuda_of(device);
  float milliseconds = 0;
  bool done = tr_cuda_enter(cuda) &&
              tr_cuda_ok(cuda, cuda->driver->await_event(to->event), "cuEventSynchronize") &&
              tr_cuda_ok(cuda, cuda->driver->elapsed(&milliseconds, from->event, to->event),
                         "cuEventElapsedTime");
  *seconds = 1e-3 * (double)milliseconds;
  keep_event(from);
  keep_event(to);
  return done;
}

void tr_cuda_await(const tr_device *device, tr_event *event) {
  tr_cuda *cuda = tr_cuda_of(device);
  if (tr_cuda_enter(cuda))
    tr_cuda_ok(cuda, cuda->driver->await_event(event->event), "cuEventSynchronize");
  keep_event(event);
}

void tr_cuda_follow(const tr_device *device, tessera_stream *stream, const tr_event *event) {
  tr_cuda *cuda = tr_cuda_of(device);
  if (tr_cuda_enter(cuda))
    tr_cuda_ok(cuda, cuda->driver->follow_event(tr_cuda_stream(cuda, stream), event->event, 0),
               "cuStreamWaitEvent");
}

void tr_cuda_forget(const tr_device *device, tr_event *event) {
  (void)device;
  keep_event(event);
}

bool tr_cuda_has_come(const tr_device *device, const tr_event *event) {
  tr_cuda *cuda = tr_cuda_of(device);
  if (!tr_cuda_enter(cuda))
    return true;
  cuda_result result = cuda->driver->query_event(event->event);
  if (result == CUDA_NOT_READY)
    return false;
  tr_cuda_ok(cuda, result, "cuEventQuery");
  return true;
}

tessera_stream *tr_cuda_find_stream(const tr_device *device, tr_stream_use use) {
  tr_cuda *cuda = tr_cuda_of(device);
  if (!tr_cuda_enter(cuda))
    return NULL;
  if (use == TR_STREAM_OWN)
    return (tessera_stream *)(void *)cuda->stream;
  if (!cuda->aside &&
      !tr_cuda_ok(cuda, cuda->driver->create_stream(&cuda->aside, CUDA_STREAM_NON_BLOCKING),
                  "cuStreamCreate"))
    return NULL;
  return (tessera_stream *)(void *)cuda->aside;
}
