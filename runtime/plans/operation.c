/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* How operations get their memory and do their steps.
 * It must not know what a step does. */
#include "plans/operation.h"

#include <stdlib.h>

#include "support/error.h"

/* ---- memory ---------------------------------------------------------------------------------- */

static tessera_operation *take(tessera_context *context, tr_operations *operations) {
  tessera_operation *operation = operations->idle;
  if (operation) {
    operations->idle = operation->next;
    return operation;
  }
  operation = calloc(1, sizeof(*operation));
  if (!operation)
    return NULL;
  operation->context = context;
  operation->older = operations->newest;
  operations->newest = operation;
  return operation;
}

static bool reserve_state(tessera_operation *operation, size_t bytes) {
  free(operation->state);
  operation->state = malloc(bytes);
  operation->state_bytes = operation->state ? bytes : 0;
  return operation->state;
}

static bool reserve_scratch(tessera_operation *operation, size_t bytes) {
  const tr_device *device = operation->context->world.device;
  if (operation->scratch)
    device->release(device, operation->scratch);
  operation->scratch = device->allocate(device, bytes, NULL);
  operation->scratch_bytes = operation->scratch ? bytes : 0;
  return operation->scratch;
}

/* The state first: Open MPI may write a message that is too long past its place in scratch memory.
 */
static inline bool reserve(tessera_operation *operation, const tr_plan *plan) {
  return (plan->state_bytes <= operation->state_bytes ||
          reserve_state(operation, plan->state_bytes)) &&
         (plan->scratch_bytes <= operation->scratch_bytes ||
          reserve_scratch(operation, plan->scratch_bytes));
}

/* ---- lanes ----------------------------------------------------------------------------------- */

/* The lowest lane that is free, the same on all members; 0 if there is none. */
static uint8_t take_lane(tr_group *group) {
  for (uint32_t lane = 1; lane < TR_LANES; lane++)
    if (!(*group->lanes >> lane & 1)) {
      *group->lanes |= UINT32_C(1) << lane;
      return (uint8_t)lane;
    }
  return 0;
}

static void give_lanes_back(const tessera_operation *operation) {
  const tr_plan *plan = operation->plan;
  for (int32_t i = 0; i < plan->num_groups; i++)
    *plan->groups[i]->lanes &= ~(1u << operation->lanes[i]);
}

/* Where no lane is left, members do the operation when they start it. */
static bool has_lanes(const tessera_operation *operation) {
  for (int32_t i = 0; i < operation->plan->num_groups; i++)
    if (operation->lanes[i] == 0)
      return false;
  return true;
}

/* ---- life ------------------------------------------------------------------------------------ */

tessera_operation *tr_operation_begin(tessera_context *context, tr_operations *operations,
                                      tr_plan *plan, const tessera_site *site,
                                      tessera_stream *stream, char *in, char *out) {
  tessera_operation *operation = take(context, operations);
  plan->users++;
  if (!operation || !reserve(operation, plan)) {
    if (operation) {
      operation->next = operations->idle;
      operations->idle = operation;
    }
    tr_fail(TESSERA_ERROR_OUT_OF_MEMORY, "no memory for %zu bytes of messages",
            plan->scratch_bytes + plan->state_bytes);
    tr_plan_leave(plan);
    return NULL;
  }
  if (plan->scratch_bytes > operations->scratch_peak)
    operations->scratch_peak = plan->scratch_bytes;
  operation->plan = plan;
  operation->at = plan->first;
  operation->bases[TR_INPUT] = tr_base(in, TR_INPUT);
  operation->bases[TR_OUTPUT] = tr_base(out, TR_OUTPUT);
  operation->bases[TR_SCRATCH] = tr_base(operation->scratch, TR_SCRATCH);
  operation->run = (tr_job_run){.site = site,
                                .stream = stream,
                                .bases = operation->bases,
                                .state = operation->state,
                                .manner = plan->key.manner};
  for (int32_t i = 0; i < plan->num_groups; i++)
    operation->lanes[i] = plan->key.manner == TR_PENDING ? take_lane(plan->groups[i]) : 0;
  return operation;
}

static tessera_status do_step(tessera_operation *operation, const tr_step *step) {
  tessera_status status = step->start(operation, step);
  return !status && step->finish ? step->finish(operation, step) : status;
}

static tessera_status do_steps(tessera_operation *operation) {
  for (; operation->at; operation->at = operation->at->next) {
    tessera_status status = do_step(operation, operation->at);
    if (status)
      return status;
  }
  return TESSERA_OK;
}

tessera_status tr_operation_start(tessera_operation *operation) {
  if (operation->run.manner == TR_BLOCKING || !has_lanes(operation))
    return do_steps(operation);
  for (; operation->at; operation->at = operation->at->next) {
    tessera_status status = operation->at->start(operation, operation->at);
    if (status || operation->at->finish)
      return status;
  }
  return TESSERA_OK;
}

tessera_status tr_operation_wait(tessera_operation *operation) {
  const tr_step *begun = operation->at;
  if (!begun)
    return TESSERA_OK;
  tessera_status status = begun->finish(operation, begun);
  if (status)
    return status;
  operation->at = begun->next;
  return do_steps(operation);
}

tr_group *tr_operation_group(const tessera_operation *operation) {
  const tr_plan *plan = operation->plan;
  const tr_step *step = operation->at;
  if (plan->num_groups == 0)
    return NULL;
  return plan->groups[step && step->finish ? ((const tr_job_step *)step)->group : 0];
}

void tr_operation_end(tr_operations *operations, tessera_operation *operation) {
  if (operation->run.manner == TR_PENDING)
    give_lanes_back(operation);
  tr_plan_leave(operation->plan);
  operation->plan = NULL;
  operation->next = operations->idle;
  operations->idle = operation;
}

const tessera_operation *tr_operations_find_open(const tr_operations *operations) {
  const tessera_operation *operation = operations->newest;
  while (operation && !operation->plan)
    operation = operation->older;
  return operation;
}

static void drop_larger(tr_operations *operations, const tr_device *device, size_t bytes) {
  for (tessera_operation *operation = operations->idle; operation; operation = operation->next)
    if (operation->scratch_bytes > bytes) {
      device->release(device, operation->scratch);
      operation->scratch = NULL;
      operation->scratch_bytes = 0;
    }
}

void tr_operations_shrink(tr_operations *operations, const tr_device *device) {
  enum { SMALLEST = 1 << 14 };
  size_t peak = operations->scratch_peak > SMALLEST ? operations->scratch_peak : SMALLEST;
  drop_larger(operations, device, 2 * peak);
  operations->scratch_peak = 0;
}

void tr_operations_drop(tr_operations *operations, const tr_device *device) {
  drop_larger(operations, device, 0);
}

void tr_operations_free(tr_operations *operations, const tr_device *device) {
  for (tessera_operation *operation = operations->newest, *older; operation; operation = older) {
    older = operation->older;
    if (operation->plan) /* it was never waited for */
      tr_plan_leave(operation->plan);
    if (operation->scratch)
      device->release(device, operation->scratch);
    free(operation->state);
    free(operation);
  }
}
