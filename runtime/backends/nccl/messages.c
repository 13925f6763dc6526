/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Messages between members: sends and receives of NCCL's, all as if at once. Strided memory is
 * packed by the device. It must not know which collective they belong to. */
#include <stdlib.h>

#include "backends/nccl/state.h"
#include "planes/own_copies.h"

enum { PACKED_ALIGNMENT = 64 };

typedef struct planned_message {
  tr_direction direction;
  int32_t peer;
  size_t bytes;
  char *data;    /* a place */
  size_t offset; /* in scratch memory, if packed */
  bool is_packed;
  tr_copy copy; /* to scratch memory, of one that is sent; from there, of one that is received */
} planned_message;

typedef struct transfer {
  tr_job job;
  int64_t num_copies, count;
  tr_own_copy *copies; /* in the same memory */
  planned_message messages[];
} transfer;

/* ---- planning -------------------------------------------------------------------------------- */

static void plan_message(const tr_message *message, transfer *plan) {
  planned_message *planned = &plan->messages[plan->count++];
  bool is_sent = message->direction == TR_SEND;
  *planned = (planned_message){.direction = message->direction,
                               .peer = message->peer,
                               .bytes = tr_view_bytes(&message->view),
                               .data = message->view.data,
                               .offset = plan->job.scratch_bytes,
                               .is_packed = !tr_view_is_dense(&message->view)};
  if (!planned->is_packed)
    return;
  tr_view packed;
  tr_view_dense(NULL, &message->view, &packed);
  tr_view_plan_copy(is_sent ? &message->view : &packed, is_sent ? &packed : &message->view,
                    &planned->copy);
  plan->job.scratch_bytes +=
      (planned->bytes + PACKED_ALIGNMENT - 1) / PACKED_ALIGNMENT * PACKED_ALIGNMENT;
}

/* ---- runs ------------------------------------------------------------------------------------ */

/* Messages of one direction between the tensor and scratch memory. */
static void copy_packed(const tr_world *world, const tr_job_run *run, tr_direction direction) {
  const transfer *plan = (const transfer *)run->job;
  const tr_device *device = world->device;
  for (int64_t i = 0; i < plan->count; i++) {
    const planned_message *message = &plan->messages[i];
    if (message->direction != direction || !message->is_packed)
      continue;
    char *data = tr_resolve(run->bases, message->data), *packed = run->scratch + message->offset;
    device->copy(device, run->stream, &message->copy, direction == TR_SEND ? data : packed,
                 direction == TR_SEND ? packed : data);
  }
}

static nccl_result give_message(const nccl_library *nccl, const tr_job_run *run,
                                const planned_message *message, const work *work) {
  char *data =
      message->is_packed ? run->scratch + message->offset : tr_resolve(run->bases, message->data);
  return message->direction == TR_SEND
             ? nccl->send(data, message->bytes, NCCL_U8, message->peer, work->comm, work->stream)
             : nccl->receive(data, message->bytes, NCCL_U8, message->peer, work->comm,
                             work->stream);
}

/* The group is ended whatever happens in it. */
static nccl_result give_messages(const nccl_library *nccl, const tr_job_run *run,
                                 const work *work) {
  const transfer *plan = (const transfer *)run->job;
  nccl_result result = nccl->start_group();
  if (result != NCCL_OK)
    return result;
  for (int64_t i = 0; result == NCCL_OK && i < plan->count; i++)
    if (plan->messages[i].bytes > 0)
      result = give_message(nccl, run, &plan->messages[i], work);
  nccl_result ended = nccl->end_group();
  return result == NCCL_OK ? ended : result;
}

static tessera_status start_transfer(tr_world *world, const tr_job_run *run) {
  const transfer *plan = (const transfer *)run->job;
  tessera_status status = TESSERA_OK;
  copy_packed(world, run, TR_SEND);
  if (plan->count > 0) {
    work work;
    status = nccl_begin_work(world, run, &work);
    if (status)
      return status;
    nccl_result result = give_messages(work.state->nccl, run, &work);
    status = nccl_end_work(run, &work, result, "an exchange of messages by NCCL");
  }
  tr_own_copies_do(world, run, plan->num_copies, plan->copies);
  return status;
}

static tessera_status finish_transfer(tr_world *world, const tr_job_run *run) {
  const transfer *plan = (const transfer *)run->job;
  tessera_status status = plan->count > 0 ? nccl_finish_work(world, run) : TESSERA_OK;
  if (!status)
    copy_packed(world, run, TR_RECEIVE);
  return status;
}

tessera_status nccl_plan_transfer(tr_world *world, const tr_group *group,
                                  const tr_message *messages, int64_t count, tr_job **job) {
  int64_t copies = tr_own_copies_count(group, messages, count), others = count - 2 * copies;
  transfer *plan = malloc(sizeof(*plan) + sizeof(planned_message) * (size_t)others +
                          sizeof(tr_own_copy) * (size_t)copies);
  if (!plan)
    return nccl_state_of(world)->host->fail(TESSERA_ERROR_OUT_OF_MEMORY,
                                            "no memory for %lld messages", (long long)count);
  *plan = (transfer){.job = {start_transfer, finish_transfer, NCCL_STATE_BYTES, 0, NULL},
                     .num_copies = copies,
                     .copies = (tr_own_copy *)&plan->messages[others]};
  for (int64_t i = 0; i < count; i++)
    if (messages[i].peer != group->self)
      plan_message(&messages[i], plan);
  tr_own_copies_plan(group, messages, copies, plan->copies);
  *job = &plan->job;
  return TESSERA_OK;
}
