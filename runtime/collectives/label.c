/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Messages that say what they are: a label of fixed size travels before their elements, as a
 * message of its own, so that it is read whatever their length is. It must not know how messages
 * travel. */
#include "collectives/label.h"

#include <stdio.h>
#include <string.h>

#include "support/error.h"
#include "tensors/dtype.h"

typedef struct label {
  int32_t type, rank; /* of the sender */
  int32_t member;     /* the sender in the group */
  char shape[52];
} label;

static void describe(const tr_call *call, int32_t type, const tr_view *view, label *label) {
  *label =
      (struct label){.type = type, .rank = call->context->world.rank, .member = call->group->self};
  tr_view_text(view, label->shape, sizeof(label->shape));
}

/* Memory of the device for a label, as a view and as the copy from or to the host. */
typedef struct travelling {
  tr_view view;
  tr_copy copy;
} travelling;

static tessera_status open_travelling(const tr_device *device, travelling *made) {
  char *memory = device->allocate(device, sizeof(label), NULL);
  if (!memory)
    return tr_fail(TESSERA_ERROR_OUT_OF_MEMORY, "no memory for a message of %zu bytes",
                   sizeof(label));
  tr_view_flat(memory, 1, sizeof(label), &made->view);
  tr_view_plan_copy(&made->view, &made->view, &made->copy);
  return TESSERA_OK;
}

tessera_status tr_label_send(const tr_call *call, int32_t member, const tr_view *from) {
  tr_world *world = &call->context->world;
  const tr_device *device = world->device;
  travelling made;
  label own;
  tessera_status status = open_travelling(device, &made);
  if (status)
    return status;
  describe(call, call->site->input_type, from, &own);
  device->upload(device, NULL, &made.copy, (const char *)&own, made.view.data);
  status = tr_device_settle(device, NULL); /* the label is this function's own */
  if (!status)
    status = world->backend->send(world, call->group, call->site, member, &made.view);
  device->release(device, made.view.data);
  return status ? status : world->backend->send(world, call->group, call->site, member, from);
}

/* Signs are a matter of what is done with the numbers. */
static bool is_same_type(int32_t a, int32_t b) {
  return tr_unsigned_of((tessera_dtype)a) == tr_unsigned_of((tessera_dtype)b);
}

static tessera_status compare(const label *own, const label *sent) {
  if (is_same_type(own->type, sent->type) && strcmp(own->shape, sent->shape) == 0)
    return TESSERA_OK;
  return tr_fail(TESSERA_ERROR_MISMATCH, "rank %d sent %s of %s, and rank %d receives %s of %s",
                 sent->rank, sent->shape, tr_dtype_name((tessera_dtype)sent->type), own->rank,
                 own->shape, tr_dtype_name((tessera_dtype)own->type));
}

tessera_status tr_label_receive(const tr_call *call, int32_t member, const tr_view *to) {
  tr_world *world = &call->context->world;
  const tr_device *device = world->device;
  travelling made;
  label own, sent;
  tessera_status status = open_travelling(device, &made);
  if (status)
    return status;
  describe(call, call->site->output_type, to, &own);
  status = world->backend->receive(world, call->group, call->site, member, &made.view);
  if (!status) {
    device->download(device, NULL, &made.copy, made.view.data, (char *)&sent);
    status = tr_device_settle(device, NULL);
  }
  device->release(device, made.view.data);
  if (!status)
    status = compare(&own, &sent);
  /* Whoever it was, if it could be anybody. */
  return status ? status : world->backend->receive(world, call->group, call->site, sent.member, to);
}
