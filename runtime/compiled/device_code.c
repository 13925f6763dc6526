/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* What code of programs for accelerators calls: memory, constants, launches, copies.
 * It must not know which device it is. */
#include "compiled/compiled_memory.h"
#include "compiled/site_call.h"
#include "context/guard.h"
#include "memory/allocation.h"
#include "support/error.h"

#include <stdio.h>

/* ---- calls without a site -------------------------------------------------------------------- */

static const tr_device *accelerator_of(const tessera_context *context) {
  const tr_device *device = context->world.device;
  if (device->target)
    return device;
  tr_fail(TESSERA_ERROR_MISMATCH,
          "code for an accelerator runs on the device '%s'; tessera_program_attach finds the right "
          "one",
          device->name);
  return NULL;
}

static _Noreturn void fail_at(tessera_context *context, const char *name, const char *location,
                              tessera_status status) {
  char message[4096];
  snprintf(message, sizeof(message), "%s%serror: '%s' on rank %d: %s", location,
           location[0] ? ": " : "", name, context->world.rank, tessera_last_error());
  tr_context_raise(context, status, message);
}

/* Begins a call that has a name and a place in the source. */
static tr_held hold(const char *name, const char *location) {
  const tessera_site site = {.name = name, .location = location};
  return tr_context_hold(&site);
}

static void end(const tr_held *held, const char *name, const char *location,
                tessera_status status) {
  if (status)
    fail_at(held->context, name, location, status);
  if (held->must_leave)
    tr_context_leave(held->context);
}

/* ---- memory ---------------------------------------------------------------------------------- */

void *tessera_rt_device_allocate(int64_t bytes) {
  static const char name[] = "allocation";
  tr_held held = hold(name, "");
  const tr_device *device = accelerator_of(held.context);
  if (!device)
    fail_at(held.context, name, "", TESSERA_ERROR_MISMATCH);
  tr_allocations *made = tr_allocation_tracked();
  void *memory =
      device->allocate(device, bytes > 0 ? (size_t)bytes : 1, made ? &made->accelerator : NULL);
  tessera_status status = memory ? TESSERA_OK : tr_device_check(device);
  if (!memory && !status)
    tr_compiled_memory_fail((size_t)bytes);
  tr_compiled_memory_done();
  end(&held, name, "", status);
  return memory;
}

void tessera_rt_device_free(void *memory) {
  tessera_context *context = tessera_context_current();
  if (memory && context)
    context->world.device->release(context->world.device, memory);
}

void *tessera_rt_device_constant(const tessera_constant *constant) {
  static const char name[] = "constant";
  tr_held held = hold(name, "");
  const tr_device *device = accelerator_of(held.context);
  void *memory = device ? device->constant(device, constant) : NULL;
  end(&held, name, "", memory ? TESSERA_OK : TESSERA_ERROR_NOT_FOUND);
  return memory;
}

/* ---- work ------------------------------------------------------------------------------------ */

void tessera_rt_launch(const tessera_kernel *kernel, tessera_stream *stream, const int64_t *blocks,
                       void *const *arguments) {
  tr_held held = hold(kernel->label, kernel->location);
  const tr_device *device = accelerator_of(held.context);
  tessera_status status = device ? tr_device_check(device) : TESSERA_ERROR_MISMATCH;
  if (!status && blocks[0] > 0 && blocks[1] > 0 && blocks[2] > 0)
    status = device->launch(device, stream, kernel, blocks, arguments);
  end(&held, kernel->label, kernel->location, status);
}

/* Sides, and whether the host waits: what is on the host is the device's as long as it works. */
static tessera_status copy(const tr_call *call, tessera_stream *stream, const tr_view *from,
                           const tr_view *to) {
  enum { BOTH = TESSERA_SITE_FROM_HOST | TESSERA_SITE_TO_HOST };
  const tr_device *device = call->context->world.device;
  uint32_t sides = call->site->flags & BOTH;
  tr_copy copy;
  if (sides == BOTH)
    return tr_fail(TESSERA_ERROR_INVALID_ARGUMENT, "a copy from the host to the host");
  if (call->site->input_type != call->site->output_type || !tr_view_same_shape(from, to))
    return tr_fail(TESSERA_ERROR_MISMATCH, "a copy between different types or shapes");
  tr_view_plan_copy(from, to, &copy);
  if (copy.run == 0)
    return TESSERA_OK;
  if (!sides)
    device->copy(device, stream, &copy, from->data, to->data);
  else if (sides == TESSERA_SITE_FROM_HOST)
    device->upload(device, stream, &copy, from->data, to->data);
  else
    device->download(device, stream, &copy, from->data, to->data);
  return sides ? tr_device_settle(device, stream) : TESSERA_OK;
}

void tessera_rt_device_copy(const tessera_site *site, tessera_stream *stream, const void *from,
                            const void *to) {
  tr_call call;
  tr_view source, target;
  tr_call_begin_alone(site, &call);
  tessera_status status = accelerator_of(call.context) ? TESSERA_OK : TESSERA_ERROR_MISMATCH;
  if (!status)
    status = tr_call_input(&call, from, &source);
  if (!status)
    status = tr_call_output(&call, to, &target);
  if (!status)
    status = copy(&call, stream, &source, &target);
  tr_call_end(&call, status, 0);
}

/* ---- waiting --------------------------------------------------------------------------------- */

tessera_status tessera_synchronize(tessera_context *context) {
  bool is_outermost;
  tessera_status status = tr_context_enter(context, &is_outermost);
  if (status)
    return status;
  status = tr_device_settle(context->world.device, NULL);
  if (status)
    status = tr_context_fail(context, status, tessera_last_error());
  if (is_outermost)
    tr_context_leave(context);
  return status;
}
