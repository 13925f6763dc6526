/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* How long a context takes, on the device's clock where it has one.
 * It must not know what is measured. */
#include <stdlib.h>
#include <time.h>

#include "context/guard.h"
#include "support/error.h"

struct tessera_stopwatch {
  tessera_context *context;
  tr_event *start; /* NULL: the host's clock */
  double begun;
};

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* The device has failed. */
static tessera_status fail(tessera_context *context) {
  tessera_status status = tr_device_check(context->world.device);
  return tr_context_fail(context, status, tessera_last_error());
}

/* An event in the device's own stream, where it has a clock. */
static tessera_status mark(tessera_context *context, tr_event **event) {
  const tr_device *device = context->world.device;
  bool is_outermost;
  *event = NULL;
  if (!device->record_time)
    return TESSERA_OK;
  tessera_status status = tr_context_enter(context, &is_outermost);
  if (status)
    return status;
  *event = device->record_time(device, NULL);
  if (!*event)
    status = fail(context);
  if (is_outermost)
    tr_context_leave(context);
  return status;
}

tessera_status tessera_stopwatch_start(tessera_context *context, tessera_stopwatch **watch) {
  tessera_stopwatch *made = malloc(sizeof(*made));
  *watch = NULL;
  if (!made)
    return tr_fail(TESSERA_ERROR_OUT_OF_MEMORY, "no memory for a stopwatch");
  made->context = context;
  tessera_status status = mark(context, &made->start);
  made->begun = now();
  if (status)
    free(made);
  else
    *watch = made;
  return status;
}

tessera_status tessera_stopwatch_stop(tessera_stopwatch *watch, double *seconds) {
  tessera_context *context = watch->context;
  const tr_device *device = context->world.device;
  tr_event *stop = NULL, *start = watch->start;
  double begun = watch->begun;
  *seconds = now() - begun;
  free(watch);
  if (!start)
    return TESSERA_OK;
  tessera_status status = mark(context, &stop);
  if (!stop) {
    tr_device_forget(device, start);
    return status;
  }
  return device->time_between(device, start, stop, seconds) ? TESSERA_OK : fail(context);
}
