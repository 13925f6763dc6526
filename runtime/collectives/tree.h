/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Messages along binomial trees: log2 of the members in steps, one less than them in messages.
 * It must not know element types or reductions. */
#ifndef TESSERA_RUNTIME_COLLECTIVES_TREE_H
#define TESSERA_RUNTIME_COLLECTIVES_TREE_H

#include "plans/draft.h"

/* Up to so many members, small data goes from everyone to everyone: one step. */
enum { TR_TREE_ABOVE = 16 };

/* From member `root` to all others. */
tessera_status tr_tree_broadcast(tr_draft *draft, const tr_view *view, int32_t root);

/* One message to or from a member.
 *
 * On the way to member 0, a member receives from self + 1, self + 2, self + 4, ... what those
 * between hold, as long as that is inside the group and self is a multiple of twice the distance;
 * then it sends what it holds to tr_tree_parent(). */
tessera_status tr_tree_pass(tr_draft *draft, tr_direction direction, int32_t peer,
                            const tr_view *view);
/* The member that comes next in that order, at distance `step`; -1 after the last. */
int32_t tr_tree_child(const tr_group *group, int32_t step);
int32_t tr_tree_parent(const tr_group *group);

#endif /* TESSERA_RUNTIME_COLLECTIVES_TREE_H */
