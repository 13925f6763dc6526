/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* A plan in the making: what the call says is read and compared with what the other members say,
 * then steps are added. Nothing is done but that. It must not know any particular collective. */
#ifndef TESSERA_RUNTIME_PLANS_DRAFT_H
#define TESSERA_RUNTIME_PLANS_DRAFT_H

#include "collectives/table.h"
#include "compiled/site_call.h"
#include "plans/plan.h"

struct tr_draft {
  tr_call call;
  const tr_collective_row *row;
  tr_manner manner;
  const void *in, *out;   /* descriptors, as they came */
  const int64_t *numbers; /* in-group coordinates, sizes */
  tr_view from, to;       /* of the descriptors that count, with places for data */
  int32_t root;           /* of rows with one */
  bool ignores_in, ignores_out;
  /* How many of `numbers`, and of the words of the site's `from` and `to`, the call depends on. */
  int64_t num_numbers, num_from, num_to;
  int64_t *agreed; /* what members have agreed on, in scratch memory */
  int64_t num_agreed;
  tr_plan *plan;
};

/* ---- before the plan ------------------------------------------------------------------------- */

/* Reads root and views as the row has it, and lets its members meet. */
tessera_status tr_draft_describe(tr_draft *draft);

/* Compares the call with the other members', before anything else is done: what tr_common names. */
tessera_status tr_draft_compare(tr_draft *draft, const tr_view *common, int32_t except,
                                int64_t root);
/* Appends every member's number to what is agreed on. */
tessera_status tr_draft_agree(tr_draft *draft, int64_t mine);

/* ---- rows and members ------------------------------------------------------------------------ */

/* Room for the starts of members' parts, size + 1 of them, in scratch memory on the host. */
int64_t *tr_draft_starts(const tr_draft *draft);
/* Where `full` rows are cut for the group. */
void tr_draft_balance(const tr_draft *draft, int64_t full, int64_t *starts);
/* The cut that follows from what each member holds, which is agreed on from number `first` on. */
void tr_draft_add_up(const tr_draft *draft, int64_t first, int64_t *starts);
/* Size + 1 starts of `full` rows: balanced, unless the site says that sizes are agreed on at run
 * time. `mine` is what this rank holds, checked. */
tessera_status tr_draft_shards(const tr_draft *draft, int64_t full, int64_t mine,
                               const int64_t **starts);
/* True if all parts have one size. */
bool tr_draft_is_even(const tr_draft *draft, const int64_t *starts);

/* ---- steps ----------------------------------------------------------------------------------- */

/* A place of the operation's own, on the device. */
char *tr_draft_memory(tr_draft *draft, size_t bytes);
/* From view to view of one shape; nothing from a place to itself. */
tessera_status tr_draft_copy(tr_draft *draft, const tr_view *from, const tr_view *to);
tessera_status tr_draft_convert(tr_draft *draft, tessera_dtype from_type, const char *from,
                                tessera_dtype to_type, char *to, int64_t count);
/* Of what->members pieces. */
tessera_status tr_draft_combine(tr_draft *draft, const tr_combination *what, char *const *pieces,
                                char *output);

/* A view of the same elements that is dense: the view itself, or a copy. */
tessera_status tr_draft_dense(tr_draft *draft, const tr_view *view, tr_view *dense);
/* Dense memory for a view to be written: the view itself, or memory that tr_draft_copy brings to
 * the view afterwards. */
void tr_draft_dense_target(tr_draft *draft, const tr_view *view, tr_view *dense);

/* TESSERA_ERROR_OUT_OF_MEMORY, with its message. */
tessera_status tr_draft_no_memory(void);

#endif /* TESSERA_RUNTIME_PLANS_DRAFT_H */
