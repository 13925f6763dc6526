/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The earlier call in which a verdict has its cause. It must not know how a job ends. */
#include <stdlib.h>

#include "watch/verdict.h"

/* Who has called something else makes others wait for each other later on, unless a process or a
 * host is in no state to go on. */
void tr_verdict_find_difference(const tr_scene *scene, int32_t self, tr_verdict *verdict) {
  tr_witness *all = calloc((size_t)scene->ranks, sizeof(*all));
  if (!all || verdict->fate >= TR_FATE_SILENT) {
    free(all);
    return;
  }
  for (int32_t rank = 0; rank < scene->ranks; rank++) {
    const tr_actor *actor = &scene->actors[rank];
    all[rank] = (tr_witness){rank, actor->is_known ? actor->ledger : NULL,
                             actor->is_known ? actor->recent : NULL};
  }
  if (tr_difference_find(all, scene->ranks, self, &verdict->difference)) {
    verdict->fate = TR_FATE_DIFFERS;
    verdict->rank = verdict->difference.rank;
    verdict->is_circle = false;
  }
  free(all);
}
