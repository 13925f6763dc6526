/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Steps that a backend does with the other members: its own collectives, and messages.
 * It must not know any particular collective. */
#ifndef TESSERA_RUNTIME_PLANS_JOBS_H
#define TESSERA_RUNTIME_PLANS_JOBS_H

#include "plans/draft.h"

/* ---- the backend's own collectives ----------------------------------------------------------- */

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

#endif /* TESSERA_RUNTIME_PLANS_JOBS_H */
