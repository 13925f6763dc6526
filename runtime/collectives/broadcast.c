/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* broadcast: from one member to all.
 * It must not know element types, nor how messages travel. */
#include "collectives/tree.h"
#include "plans/jobs.h"

tessera_status tr_meet_broadcast(tr_draft *draft) {
  return tr_draft_compare(draft, &draft->to, -1, draft->root);
}

/* The output has the values on the root, and takes them elsewhere. */
static tessera_status broadcast_natively(tr_draft *draft) {
  bool is_root = draft->call.group->self == draft->root;
  tr_parts all = {&draft->to, 0, NULL};
  tr_collective native = {.root = draft->root};
  tr_draft_describe_whole(&draft->to, &native);
  tessera_status status =
      tr_draft_natively(draft, is_root ? &all : NULL, is_root ? NULL : &all, &native);
  if (!status && !is_root)
    draft->plan->received = tr_view_bytes(&draft->to);
  return status;
}

tessera_status tr_plan_broadcast(tr_draft *draft) {
  tessera_status status = TESSERA_OK;
  if (draft->call.group->self == draft->root)
    status = tr_draft_copy(draft, &draft->from, &draft->to);
  if (!status)
    status = broadcast_natively(draft);
  return status == TESSERA_ERROR_UNSUPPORTED ? tr_tree_broadcast(draft, &draft->to, draft->root)
                                             : status;
}
