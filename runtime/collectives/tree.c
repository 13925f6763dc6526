/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Messages along binomial trees.
 * It must not know element types or reductions. */
#include "collectives/tree.h"

enum { MOST_STEPS = 32 };

/* Counted from the root: member k receives from k without its highest bit, and passes on to k + 2^i
 * for every 2^i above k. */
tessera_status tr_tree_broadcast(tr_call *call, const tr_view *view, int32_t root) {
  int32_t size = call->group->size, place = (call->group->self - root + size) % size, reach = 1;
  tr_batch batch;
  tessera_status status = tr_batch_start(call, MOST_STEPS, &batch);
  while (reach <= place)
    reach *= 2;
  if (!status && place > 0) {
    tr_batch_add(&batch, TR_RECEIVE, (place - reach / 2 + root) % size, view);
    status = tr_batch_run(call, &batch);
  }
  for (batch.count = 0; reach < size - place; reach *= 2)
    tr_batch_add(&batch, TR_SEND, (place + reach + root) % size, view);
  return status ? status : tr_batch_run(call, &batch);
}

tessera_status tr_tree_pass(tr_call *call, tr_direction direction, int32_t peer,
                            const tr_view *view) {
  tr_batch batch;
  tessera_status status = tr_batch_start(call, 1, &batch);
  if (status)
    return status;
  tr_batch_add(&batch, direction, peer, view);
  return tr_batch_run(call, &batch);
}

int32_t tr_tree_child(const tr_call *call, int32_t step) {
  int32_t self = call->group->self;
  return (self & step) == 0 && step < call->group->size - self ? self + step : -1;
}

int32_t tr_tree_parent(const tr_call *call) {
  int32_t self = call->group->self;
  return self - (self & -self);
}

/* The numbers of members from `first` on, `members` of them at most. */
static tr_view numbers_of(const tr_call *call, int64_t count, int64_t *all, int32_t first,
                          int32_t members) {
  int32_t rest = call->group->size - first;
  tr_view view;
  tr_view_flat(all + first * count, sizeof(int64_t), count * (members < rest ? members : rest),
               &view);
  return view;
}

tessera_status tr_tree_collect(tr_call *call, int64_t count, int64_t *all) {
  int32_t self = call->group->self, step = 1;
  tessera_status status = TESSERA_OK;
  for (int32_t child; !status && (child = tr_tree_child(call, step)) >= 0; step *= 2) {
    tr_view theirs = numbers_of(call, count, all, child, step);
    status = tr_tree_pass(call, TR_RECEIVE, child, &theirs);
  }
  if (!status && self > 0) {
    tr_view held = numbers_of(call, count, all, self, self & -self);
    status = tr_tree_pass(call, TR_SEND, tr_tree_parent(call), &held);
  }
  tr_view whole = numbers_of(call, count, all, 0, call->group->size);
  return status ? status : tr_tree_broadcast(call, &whole, 0);
}
