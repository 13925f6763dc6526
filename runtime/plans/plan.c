/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Plans: their memory.
 * It must not know what any step does. */
#include "plans/plan.h"

#include <stdlib.h>

tr_plan *tr_plan_create(void) {
  tr_plan *plan = calloc(1, sizeof(*plan));
  if (!plan)
    return NULL;
  plan->end = &plan->first;
  plan->bytes = sizeof(*plan);
  return plan;
}

void tr_plan_free(tr_plan *plan) {
  if (!plan)
    return;
  for (tr_step *step = plan->first, *next; step; step = next) {
    next = step->next;
    if (step->finish) /* jobs alone have something to wait for */
      tr_job_free(((tr_job_step *)step)->job);
    free(step);
  }
  free(plan->comparisons);
  free(plan->groups);
  free(plan->label);
  free(plan->key.axes);
  free(plan->key.words);
  free(plan);
}

void *tr_plan_add(tr_plan *plan, size_t size, tr_step_do *start, tr_step_do *finish) {
  tr_step *step = calloc(1, size);
  if (!step)
    return NULL;
  step->start = start;
  step->finish = finish;
  *plan->end = step;
  plan->end = &step->next;
  plan->bytes += size;
  return step;
}
