/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Gathers by messages, also as a part of other collectives.
 * It must not know element types, nor how messages travel. */
#ifndef TESSERA_RUNTIME_COLLECTIVES_GATHER_H
#define TESSERA_RUNTIME_COLLECTIVES_GATHER_H

#include "plans/draft.h"

/* `own`, which has the shape of this member's part, to that part of `parts` on all members. Nothing
 * is copied where it lies there. */
tessera_status tr_gather_by_messages(tr_draft *draft, const tr_view *own, const tr_parts *parts);

#endif /* TESSERA_RUNTIME_COLLECTIVES_GATHER_H */
