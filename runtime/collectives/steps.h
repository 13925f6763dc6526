/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* What a call does, step by step, noted while it is done so that it can be done again on other
 * memory. It must not know any particular collective. */
#ifndef TESSERA_RUNTIME_COLLECTIVES_STEPS_H
#define TESSERA_RUNTIME_COLLECTIVES_STEPS_H

#include "context.h"

/* The memory that a step uses. */
typedef enum tr_memory { TR_NO_MEMORY, TR_INPUT, TR_OUTPUT, TR_SCRATCH, TR_NUM_MEMORIES } tr_memory;

typedef struct tr_place {
  tr_memory memory;
  int64_t offset; /* in bytes from the element at index 0, ..., 0, or in scratch memory */
} tr_place;

typedef struct tr_step tr_step;

/* Does a step: on `data`, one address for each of its places. */
typedef tessera_status tr_step_run(tessera_context *context, const tessera_site *site,
                                   tr_step *step);

/* Each kind of step begins with one of these. */
struct tr_step {
  tr_step *next;
  tr_step_run *run;
  const tr_group *group;
  void *kept;       /* the backend's; given back with the step */
  tr_place *places; /* in the same memory as the step */
  char **data;      /* likewise; filled in before `run` */
  int64_t num_places;
};

/* One side of a call. */
typedef struct tr_side {
  bool is_used;
  char *data;
  const char *low, *high; /* what its elements lie between; equal if it has none */
} tr_side;

typedef struct tr_steps {
  tr_step *first, **end;
  int64_t count;
  tr_side sides[TR_NUM_MEMORIES]; /* those of input and output */
  char *scratch;                  /* NULL: not used yet */
  size_t scratch_bytes;           /* known when all steps are */
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
/* Says where place `index` of the step is: `bytes` from `data` on, if there are any. False if it is
 * not the call's memory, or scratch memory did not lie in one piece this time. */
bool tr_steps_place(tr_steps *steps, const tessera_context *context, tr_step *step, int64_t index,
                    const char *data, size_t bytes);

/* For the end of a call, before its scratch memory is given back. */
void tr_steps_finish(tr_steps *steps, const tessera_context *context);

/* False if the sides lie to each other as they did not when the steps were noted. */
static inline bool tr_steps_fit(const tr_steps *steps, const char *in, const char *out) {
  const tr_side *from = &steps->sides[TR_INPUT], *to = &steps->sides[TR_OUTPUT];
  if (!from->is_used || !to->is_used || from->low == from->high || to->low == to->high)
    return true;
  if (from->data == to->data)
    return in == out;
  return in + (from->high - from->data) <= out + (to->low - to->data) ||
         out + (to->high - to->data) <= in + (from->low - from->data);
}

/* Does them all. After a failure `*failed` is the step that failed, if one did. */
tessera_status tr_steps_run(const tr_steps *steps, tessera_context *context,
                            const tessera_site *site, char *in, char *out, const tr_step **failed);

#endif /* TESSERA_RUNTIME_COLLECTIVES_STEPS_H */
