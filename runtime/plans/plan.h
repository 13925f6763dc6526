/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Plans: what a call of a collective does, as a list of steps on places, and for which calls that
 * is right. A plan is made once and only read afterwards. It must not know any particular
 * collective.
 */
#ifndef TESSERA_RUNTIME_PLANS_PLAN_H
#define TESSERA_RUNTIME_PLANS_PLAN_H

#include "context/context.h"

typedef struct tr_plan tr_plan;
typedef struct tr_step tr_step;
typedef struct tr_collective_row tr_collective_row;

/* ---- steps ----------------------------------------------------------------------------------- */

/* Does a step of an operation. */
typedef tessera_status tr_step_do(tessera_operation *operation, const tr_step *step);

/* Each kind of step begins with one of these. */
struct tr_step {
  tr_step *next;
  tr_step_do *start;
  tr_step_do *finish; /* waits for it; NULL: `start` has done it */
};

typedef struct tr_copy_step {
  tr_step step;
  const char *from;
  char *to;
  tr_copy copy; /* last: as much of it as it needs */
} tr_copy_step;

typedef struct tr_convert_step {
  tr_step step;
  tessera_dtype from_type, to_type;
  int64_t count;
  const char *from;
  char *to;
} tr_convert_step;

typedef struct tr_combine_step {
  tr_step step;
  tr_combination what;
  char *output;
  char *pieces[];
} tr_combine_step;

typedef struct tr_job_step {
  tr_step step;
  tr_job *job;
  int32_t group;       /* one of the plan's */
  const char *scratch; /* the job's, a place */
} tr_job_step;

/* ---- plans ----------------------------------------------------------------------------------- */

/* A comparison with the other members of a group, before the steps. */
typedef struct tr_comparison {
  const tr_group *group;
  tr_common common;
  tr_view view; /* `common`'s, if it has one */
} tr_comparison;

/* How input and output lie to each other. */
typedef enum tr_relation { TR_APART, TR_SAME_ADDRESS, TR_OVERLAPPING } tr_relation;

/* What one side of a call has to be. */
typedef struct tr_side_key {
  bool is_used;      /* else the descriptor is not looked at */
  int32_t rank;      /* 0 if not used */
  int32_t element;   /* bytes */
  int64_t low, high; /* bytes from the element at index 0, ..., 0 that the elements lie between */
} tr_side_key;

/* The calls that a plan is for. They are known by the content of their site: another program may
 * have lived at its address. `words` are the sizes and strides of input and output, the grid's
 * extents, the call's numbers, the words of `from` and `to`, and what members agreed on. */
typedef struct tr_key {
  const tr_collective_row *row;
  tr_manner manner;
  tr_relation relation;
  tessera_site site;
  tr_side_key in, out;
  int32_t grid_rank;
  int32_t *axes;
  int64_t *words;
  int64_t num_numbers, num_from, num_to, num_agreed;
} tr_key;

struct tr_plan {
  tr_plan *next; /* on its shelf; NULL if it is on none */
  bool is_kept;
  int32_t users; /* operations under way */
  tr_key key;
  char *label; /* of the site, for messages after its program's end: "a.mlir:1:2: error: 'name'" */
  tr_comparison *comparisons;
  int32_t num_comparisons;
  tr_group **groups; /* of its jobs, each once */
  int32_t num_groups;
  tr_step *first, **end;
  size_t scratch_bytes, state_bytes; /* that an operation takes */
  size_t bytes;                      /* of memory that the plan itself takes */
  uint64_t received;                 /* for the traffic counters */
};

tr_plan *tr_plan_create(void);
void tr_plan_free(tr_plan *plan);

/* For an operation that uses the plan no more: one that is not kept is freed after its last user.
 */
static inline void tr_plan_leave(tr_plan *plan) {
  if (--plan->users == 0 && !plan->is_kept)
    tr_plan_free(plan);
}

/* A step of `size` bytes at the end, all zero behind its functions; NULL if there is no memory. */
void *tr_plan_add(tr_plan *plan, size_t size, tr_step_do *start, tr_step_do *finish);

/* How two sides lie to each other that are both used. */
static inline tr_relation tr_relation_of(const tr_side_key *in, const char *in_data,
                                         const tr_side_key *out, const char *out_data) {
  if (!in->is_used || !out->is_used || in->low == in->high || out->low == out->high)
    return TR_APART;
  uintptr_t from = (uintptr_t)in_data, to = (uintptr_t)out_data;
  if (from == to)
    return TR_SAME_ADDRESS;
  bool is_apart = from + (uintptr_t)in->high <= to + (uintptr_t)out->low ||
                  to + (uintptr_t)out->high <= from + (uintptr_t)in->low;
  return is_apart ? TR_APART : TR_OVERLAPPING;
}

#endif /* TESSERA_RUNTIME_PLANS_PLAN_H */
