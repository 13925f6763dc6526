/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* When memory that waits to be used again is given back: after as many calls of programs as did
 * without it, or at once when the host says so. It must not know where the memory is kept. */
#include <string.h>

#include "context/context.h"
#include "context/launch.h"

/* A program that takes the same memory in each call, or once in so many, pays nothing. One that no
 * longer takes it keeps it for four times as many at most: what a context gives back waits as a
 * freed block does. */
enum { WINDOW = 32 };

/* The ranks whose calls share this process's memory. */
static int32_t ranks_here(const tessera_context *context) {
  return strcmp(context->world.backend->name, "local") == 0 ? context->world.size : 1;
}

void tr_trim_after_call(tessera_context *context) {
  const tr_device *device = context->world.device;
  device->end_call(device, WINDOW * ranks_here(context));
  if (++context->calls < WINDOW)
    return;
  context->calls = 0;
  tr_scratch_shrink(&context->scratch);
  if (context->workspace)
    device->trim_workspace(device, context->workspace, TR_TRIM_UNUSED);
  if (context->engine)
    context->keeping->shrink(context);
}

void tessera_trim(tessera_context *context) {
  const tr_device *device = tr_process_device();
  if (context) {
    tr_scratch_drop(&context->scratch);
    if (context->workspace)
      device->trim_workspace(device, context->workspace, TR_TRIM_ALL);
    if (context->engine)
      context->keeping->drop(context);
  }
  device->drop(device);
}
