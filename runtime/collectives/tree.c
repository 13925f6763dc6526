/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Messages along binomial trees.
 * It must not know element types or reductions. */
#include "collectives/tree.h"

#include "plans/jobs.h"

enum { MOST_STEPS = 32 };

/* Counted from the root: member k receives from k without its highest bit, and passes on to k + 2^i
 * for every 2^i above k. */
tessera_status tr_tree_broadcast(tr_draft *draft, const tr_view *view, int32_t root) {
  int32_t size = draft->call.group->size, reach = 1;
  int32_t place = (draft->call.group->self - root + size) % size;
  tr_batch batch;
  tessera_status status = tr_batch_start(draft, MOST_STEPS, &batch);
  while (reach <= place)
    reach *= 2;
  if (!status && place > 0) {
    tr_batch_add(&batch, TR_RECEIVE, (place - reach / 2 + root) % size, view);
    status = tr_batch_end(draft, &batch);
  }
  for (batch.count = 0; !status && reach < size - place; reach *= 2)
    tr_batch_add(&batch, TR_SEND, (place + reach + root) % size, view);
  return status ? status : tr_batch_end(draft, &batch);
}

tessera_status tr_tree_pass(tr_draft *draft, tr_direction direction, int32_t peer,
                            const tr_view *view) {
  tr_batch batch;
  tessera_status status = tr_batch_start(draft, 1, &batch);
  if (status)
    return status;
  tr_batch_add(&batch, direction, peer, view);
  return tr_batch_end(draft, &batch);
}

int32_t tr_tree_child(const tr_group *group, int32_t step) {
  return (group->self & step) == 0 && step < group->size - group->self ? group->self + step : -1;
}

int32_t tr_tree_parent(const tr_group *group) {
  return group->self - (group->self & -group->self);
}
