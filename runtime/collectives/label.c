/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Messages that say what they are: a label of fixed size lies before their elements.
 * It must not know how messages travel. */
#include "collectives/label.h"

#include <stdio.h>
#include <string.h>

#include "support/error.h"
#include "tensors/dtype.h"

typedef struct label {
  int32_t type, rank; /* of the sender */
  char shape[56];
} label;

/* A label and the elements behind it, in memory of the device. */
typedef struct labelled {
  char *memory;
  tr_view all, elements; /* both dense */
} labelled;

static tessera_status open_labelled(const tr_device *device, const tr_view *like, labelled *made) {
  int64_t bytes = (int64_t)(sizeof(label) + tr_view_bytes(like));
  made->memory = device->allocate(device, (size_t)bytes, NULL);
  if (!made->memory)
    return tr_fail(TESSERA_ERROR_OUT_OF_MEMORY, "no memory for a message of %lld bytes",
                   (long long)bytes);
  made->all = (tr_view){.element = 1, .rank = 1, .data = made->memory};
  made->all.sizes[0] = bytes;
  made->all.strides[0] = 1;
  tr_view_dense(made->memory + sizeof(label), like, &made->elements);
  return TESSERA_OK;
}

static void describe(const tr_call *call, int32_t type, const tr_view *view, label *label) {
  *label = (struct label){.type = type, .rank = call->context->world.rank};
  tr_view_text(view, label->shape, sizeof(label->shape));
}

static tr_copy copy_of_label(char *memory) {
  tr_view bytes = {.element = 1, .rank = 1, .sizes = {sizeof(label)}, .strides = {1}};
  tr_copy copy;
  bytes.data = memory;
  tr_view_plan_copy(&bytes, &bytes, &copy);
  return copy;
}

tessera_status tr_label_send(const tr_call *call, int32_t member, const tr_view *from) {
  tr_world *world = &call->context->world;
  const tr_device *device = world->device;
  labelled message;
  label own;
  tr_copy copy;
  tessera_status status = open_labelled(device, from, &message);
  if (status)
    return status;
  describe(call, call->site->input_type, from, &own);
  copy = copy_of_label(message.memory);
  device->upload(device, NULL, &copy, (const char *)&own, message.memory);
  tr_view_plan_copy(from, &message.elements, &copy);
  device->copy(device, NULL, &copy, from->data, message.elements.data);
  status = tr_device_settle(device, NULL); /* the label is this function's own */
  if (!status)
    status = world->backend->send(world, call->group, call->site, member, &message.all);
  device->release(device, message.memory);
  return status;
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
  labelled message;
  label own, sent;
  tr_copy copy;
  tessera_status status = open_labelled(device, to, &message);
  if (status)
    return status;
  describe(call, call->site->output_type, to, &own);
  status = world->backend->receive(world, call->group, call->site, member, &message.all);
  if (!status) {
    copy = copy_of_label(message.memory);
    device->download(device, NULL, &copy, message.memory, (char *)&sent);
    status = tr_device_settle(device, NULL);
  }
  if (!status)
    status = compare(&own, &sent);
  if (!status) {
    tr_view_plan_copy(&message.elements, to, &copy);
    device->copy(device, NULL, &copy, message.elements.data, to->data);
    status = tr_device_settle(device, NULL);
  }
  device->release(device, message.memory);
  return status;
}
