/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Steps: work for the device, or a job of the backend's.
 * It must not know which collective they belong to. */
#include "plans/steps.h"

#include "plans/operation.h"

tessera_status tr_step_copy(tessera_operation *operation, const tr_step *step) {
  const tr_copy_step *copy = (const tr_copy_step *)step;
  const tr_device *device = operation->context->world.device;
  device->copy(device, operation->run.stream, &copy->copy, tr_resolve(operation->bases, copy->from),
               tr_resolve(operation->bases, copy->to));
  return TESSERA_OK;
}

tessera_status tr_step_convert(tessera_operation *operation, const tr_step *step) {
  const tr_convert_step *convert = (const tr_convert_step *)step;
  const tr_device *device = operation->context->world.device;
  device->convert(device, operation->run.stream, convert->from_type,
                  tr_resolve(operation->bases, convert->from), convert->to_type,
                  tr_resolve(operation->bases, convert->to), convert->count);
  return TESSERA_OK;
}

tessera_status tr_step_combine(tessera_operation *operation, const tr_step *step) {
  const tr_combine_step *combine = (const tr_combine_step *)step;
  const tr_device *device = operation->context->world.device;
  char **pieces = operation->state;
  for (int32_t i = 0; i < combine->what.members; i++)
    pieces[i] = tr_resolve(operation->bases, combine->pieces[i]);
  device->combine(device, operation->run.stream, &combine->what, pieces,
                  tr_resolve(operation->bases, combine->output));
  return TESSERA_OK;
}

tessera_status tr_step_job(tessera_operation *operation, const tr_step *step) {
  const tr_job_step *job = (const tr_job_step *)step;
  tr_world *world = &operation->context->world;
  tr_job_run *run = &operation->run;
  run->job = job->job;
  run->group = operation->plan->groups[job->group];
  run->lane = operation->lanes[job->group];
  run->scratch = tr_resolve(operation->bases, job->scratch);
  tessera_status status = tr_world_settle(world, run->stream);
  return status ? status : job->job->start(world, run);
}

tessera_status tr_step_finish_job(tessera_operation *operation, const tr_step *step) {
  const tr_job *job = ((const tr_job_step *)step)->job;
  return job->finish ? job->finish(&operation->context->world, &operation->run) : TESSERA_OK;
}
