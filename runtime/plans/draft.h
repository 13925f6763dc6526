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

/* The collective by the backend's own means. TESSERA_ERROR_UNSUPPORTED, alike on all members, if it
 * has none or they are slower: then nothing has been added. `in` and `out` are NULL on members that
 * do not send, or do not receive; `what` has no kind and sides yet. */
tessera_status tr_draft_natively(tr_draft *draft, const tr_parts *in, const tr_parts *out,
                                 tr_collective *what);
/* The same of a reduction, of any types and in the order of members; `combination` is what this
 * member's whole input goes through. */
tessera_status tr_draft_in_order(tr_draft *draft, const tr_parts *in, const tr_parts *out,
                                 const tr_combination *combination, tr_collective *what);
/* Fills in how large parts are, from what all members know: those of a side are cut at `starts`
 * into rows of so many bytes. */
void tr_draft_describe_parts(const tr_draft *draft, size_t row, const int64_t *starts,
                             tr_collective *what);
/* The same for a collective that cuts nothing: all members have the view's extents. */
void tr_draft_describe_whole(const tr_view *view, tr_collective *what);

/* ---- messages -------------------------------------------------------------------------------- */

/* A list of messages, in scratch memory on the host. */
typedef struct tr_batch {
  tr_message *messages;
  int64_t count;
} tr_batch;

/* Room for so many messages. */
tessera_status tr_batch_start(const tr_draft *draft, int64_t most, tr_batch *batch);
/* Room for a message to and one from every member. */
tessera_status tr_batch_start_all(const tr_draft *draft, tr_batch *batch);
void tr_batch_add(tr_batch *batch, tr_direction direction, int32_t peer, const tr_view *view);
/* What stays on this rank: copied while messages are under way. */
tessera_status tr_batch_copy(tr_draft *draft, tr_batch *batch, const tr_view *from,
                             const tr_view *to);
/* A step that does them all, and counts what arrives from others. */
tessera_status tr_batch_end(tr_draft *draft, const tr_batch *batch);
/* The same of messages of which all members have such ones at once, one at most in each direction
 * between two of them. */
tessera_status tr_batch_end_together(tr_draft *draft, const tr_batch *batch);

#endif /* TESSERA_RUNTIME_PLANS_DRAFT_H */
