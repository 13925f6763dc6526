/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Operations: plans on their way. Each has memory of its own, so several can be under way.
 * It must not know any particular collective. */
#ifndef TESSERA_RUNTIME_PLANS_OPERATION_H
#define TESSERA_RUNTIME_PLANS_OPERATION_H

#include "plans/plan.h"

struct tessera_operation {
  tessera_operation *next; /* that is idle too */
  tessera_operation *older;
  tessera_context *context;
  tr_plan *plan;     /* NULL: it is idle */
  const tr_step *at; /* that comes next; NULL: all are done */
  tr_job_run run;    /* of a job */
  uintptr_t bases[TR_NUM_MEMORIES];
  uint8_t lanes[TR_VIEW_RANK]; /* in each group of the plan; 0: they block */
  char *scratch;               /* on the device */
  size_t scratch_bytes;
  void *state; /* on the host */
  size_t state_bytes;
};

/* A context's. */
typedef struct tr_operations {
  tessera_operation *idle;
  tessera_operation *newest; /* of all */
  size_t scratch_peak;       /* the most that one took since tr_operations_shrink */
} tr_operations;

/* An operation for a plan, between the element at index 0, ..., 0 of input and output; NULL with a
 * message if there is no memory. */
tessera_operation *tr_operation_begin(tessera_context *context, tr_operations *operations,
                                      tr_plan *plan, const tessera_site *site,
                                      tessera_stream *stream, char *in, char *out);

/* Does the steps: all of an operation that blocks, else those up to the first that waits. */
tessera_status tr_operation_start(tessera_operation *operation);
/* Does the others. */
tessera_status tr_operation_wait(tessera_operation *operation);

/* The group of the step that comes next, for messages; NULL: of none. */
tr_group *tr_operation_group(const tessera_operation *operation);

/* Its memory stays for the next one. */
void tr_operation_end(tr_operations *operations, tessera_operation *operation);

/* One that was started and has not been waited for; NULL: there is none. */
const tessera_operation *tr_operations_find_open(const tr_operations *operations);

/* Gives back scratch memory of idle operations: what is more than twice the peak, or all. */
void tr_operations_shrink(tr_operations *operations, const tr_device *device);
void tr_operations_drop(tr_operations *operations, const tr_device *device);

void tr_operations_free(tr_operations *operations, const tr_device *device);

#endif /* TESSERA_RUNTIME_PLANS_OPERATION_H */
