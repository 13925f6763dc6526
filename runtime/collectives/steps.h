/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* What a call does, step by step, noted while it is done so that it can be done again on other
 * memory. It must not know any particular collective. */
#ifndef TESSERA_RUNTIME_COLLECTIVES_STEPS_H
#define TESSERA_RUNTIME_COLLECTIVES_STEPS_H

#include "context.h"

/* The memory that a step uses. */
typedef enum tr_memory { TR_NO_MEMORY, TR_INPUT, TR_OUTPUT, TR_SCRATCH, TR_NUM_MEMORIES } tr_memory;

typedef struct tr_place {
  int64_t memory; /* tr_memory */
  int64_t offset; /* in bytes from the element at index 0, ..., 0, or in scratch memory */
} tr_place;

typedef struct tr_step tr_step;

/* Does a step: on `data`, one address for each of its places. */
typedef tessera_status tr_step_run(tessera_context *context, const tessera_site *site,
                                   tr_step *step);

/* A comparison with the other members, and what it takes to say how calls differ. */
typedef struct tr_check {
  const tr_group *group;
  tr_common common;
  tr_view view; /* `common`'s, if it has one */
} tr_check;

/* Each kind of step begins with one of these. */
struct tr_step {
  tr_step *next;
  tr_step_run *run;
  const tr_group *group;
  tr_check *check;  /* what has to be compared first; NULL: nothing */
  void *kept;       /* the backend's; given back with the step */
  tr_place *places; /* in the same memory as the step */
  char **data;      /* likewise; filled in before `run` */
  int64_t num_places;
};

/* One side of a call. */
typedef struct tr_side {
  char *data;
  const char *low, *high; /* what its elements lie between; equal if it has none */
} tr_side;

/* How the two sides lie to each other. */
typedef enum tr_relation { TR_ANYHOW, TR_SAME_ADDRESS, TR_APART } tr_relation;

typedef struct tr_steps {
  tr_step *first, **end;
  int64_t count;
  tr_check *check;                /* of the step to come */
  tr_side sides[TR_NUM_MEMORIES]; /* those of input and output */
  tr_relation relation;
  char *scratch;        /* NULL: not used yet */
  size_t scratch_bytes; /* known when all steps are */
} tr_steps;

/* Calls of more steps, and messages, are not kept. */
enum { TR_MOST_STEPS = 64, TR_MOST_PLACES = 64 };

/* Empty steps of a call between these views; NULL for a side that it does not look at. False if it
 * cannot be told which of them an address belongs to. */
bool tr_steps_start(tr_steps *steps, const tr_view *in, const tr_view *out);
void tr_steps_free(tr_steps *steps);

/* A step of `size` bytes, all zero behind its tr_step, with room for so many places. NULL if there
 * is no memory, or there are too many. */
void *tr_steps_add(tr_steps *steps, size_t size, tr_step_run *run, const tr_group *group,
                   int64_t num_places);
/* The call has compared this with the other members: the step to come begins with that. False if
 * there is no memory. */
bool tr_steps_check(tr_steps *steps, const tr_group *group, const tr_common *common);
/* Says where place `index` of the step is: `bytes` from `data` on, if there are any. False if it is
 * not the call's memory, or scratch memory did not lie in one piece this time. */
bool tr_steps_place(tr_steps *steps, const tessera_context *context, tr_step *step, int64_t index,
                    const char *data, size_t bytes);

/* For the end of a call, before its scratch memory is given back. False if there is no memory. */
bool tr_steps_finish(tr_steps *steps, const tessera_context *context);

/* False if the sides lie to each other as they did not when the steps were noted. */
static inline bool tr_steps_fit(const tr_steps *steps, const char *in, const char *out) {
  const tr_side *from = &steps->sides[TR_INPUT], *to = &steps->sides[TR_OUTPUT];
  if (steps->relation != TR_APART)
    return steps->relation == TR_ANYHOW || in == out;
  return in + (from->high - from->data) <= out + (to->low - to->data) ||
         out + (to->high - to->data) <= in + (from->low - from->data);
}

/* Scratch memory for the steps, from its beginning; NULL with a message if there is none. */
char *tr_steps_memory(const tr_steps *steps, tessera_context *context);

/* Says how calls differ, as the backend has found that they do. */
tessera_status tr_step_report(tr_world *world, const tessera_site *site, const tr_step *step);

static inline tessera_status tr_step_check(tr_world *world, const tessera_site *site,
                                           const tr_step *step) {
  tessera_status status =
      world->backend->check_again(world, step->check->group, step->check->common.hash);
  return status == TESSERA_ERROR_UNSUPPORTED ? tr_step_report(world, site, step) : status;
}

/* Does them all. Returns NULL, or the step that failed. In the header, because small calls take
 * hardly longer than what surrounds them. */
static inline const tr_step *tr_steps_run(const tr_steps *steps, tessera_context *context,
                                          const tessera_site *site, char *in, char *out,
                                          tessera_status *status) {
  /* Whole numbers, because no memory has no address to add to. */
  uintptr_t bases[TR_NUM_MEMORIES] = {[TR_INPUT] = (uintptr_t)in, [TR_OUTPUT] = (uintptr_t)out};
  tr_step *step = steps->first;
  if (steps->scratch) {
    bases[TR_SCRATCH] = (uintptr_t)tr_steps_memory(steps, context);
    *status = bases[TR_SCRATCH] ? TESSERA_OK : TESSERA_ERROR_OUT_OF_MEMORY;
    if (*status)
      return step;
  }
  for (; step; step = step->next) {
    if (step->check && (*status = tr_step_check(&context->world, site, step)))
      break;
    for (int64_t i = 0; i < step->num_places; i++)
      step->data[i] = (char *)(bases[step->places[i].memory] + (uintptr_t)step->places[i].offset);
    *status = step->run(context, site, step);
    if (*status)
      break;
  }
  if (steps->scratch)
    tr_scratch_reset(context);
  return step;
}

#endif /* TESSERA_RUNTIME_COLLECTIVES_STEPS_H */
