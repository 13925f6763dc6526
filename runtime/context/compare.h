/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* What a rank calls is noted, and compared with what other members of the group call.
 * It must not know what a call does. */
#ifndef TESSERA_RUNTIME_CONTEXT_COMPARE_H
#define TESSERA_RUNTIME_CONTEXT_COMPARE_H

#include "context/context.h"

/* Of a group in which something is called for the first time. False if there is no memory. */
bool tr_book_open(tessera_context *context, const tr_group *group);

/* A call begins that has `common`, with its hash, in common with those of other members. Collective
 * over these, now and then. */
static inline tessera_status tr_compare(tessera_context *context, const tr_group *group,
                                        const tr_common *common) {
  tr_world *world = &context->world;
  tr_book *book = group->book;
  if (!book->page && !tr_book_open(context, group))
    return TESSERA_ERROR_OUT_OF_MEMORY;
  tr_book_enter(book, common, world->program_calls);
  return world->control->compare ? world->control->compare(world, group) : TESSERA_OK;
}

#endif /* TESSERA_RUNTIME_CONTEXT_COMPARE_H */
