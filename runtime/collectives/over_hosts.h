/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Messages of groups over several hosts, in two steps: what all members of a host need crosses to
 * it once, and what they have for one member elsewhere crosses as one sum. It must not know how
 * messages travel. */
#ifndef TESSERA_RUNTIME_COLLECTIVES_OVER_HOSTS_H
#define TESSERA_RUNTIME_COLLECTIVES_OVER_HOSTS_H

#include "planes/device.h"
#include "plans/draft.h"

/* Both return TESSERA_ERROR_UNSUPPORTED, alike on all members and with nothing added, where the
 * group is on one host, or has one member on each. */

/* `own` to this member's part of `parts` on all members, whose parts have the shape of `own`. */
tessera_status tr_gather_over_hosts(tr_draft *draft, const tr_view *own, const tr_parts *parts);

/* Combines this member's part of what each has, into dense `output`. `reduction` is that of all
 * members: each host's values are combined in the order of members, in the accumulator's type, and
 * then the hosts', in the order of their first members. */
tessera_status tr_scatter_over_hosts(tr_draft *draft, const tr_combination *reduction,
                                     const tr_parts *parts, char *output);

#endif /* TESSERA_RUNTIME_COLLECTIVES_OVER_HOSTS_H */
