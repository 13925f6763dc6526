/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Where calls are noted: on the board, if there is one, and else in memory of the rank's own.
 * It must not know what a call does. */
#include "context/compare.h"

#include <stdlib.h>

#include "planes/site_hash.h"
#include "support/error.h"
#include "watch/note.h"

static tr_ledger *ledger_of(tessera_context *context) {
  if (context->notes)
    return &context->notes->seat->ledger;
  if (!context->ledger)
    context->ledger = calloc(1, sizeof(*context->ledger));
  return context->ledger;
}

/* Where the owner of a book keeps its page, if the ledger has no room for it. */
static tr_page **own_page(tessera_context *context, const tr_book *book) {
  tr_named_group *named = context->groups;
  if (book == &context->book)
    return &context->page;
  while (named && &named->book != book)
    named = named->next;
  return named ? &named->page : NULL;
}

static bool take_page(tessera_context *context, tr_book *book) {
  tr_ledger *ledger = book->ledger;
  int32_t number = atomic_load_explicit(&ledger->num_pages, memory_order_relaxed);
  if (number < TR_LEDGER_PAGES) {
    book->page = &ledger->pages[number];
    book->number = number;
    return true;
  }
  tr_page **own = own_page(context, book);
  book->page = own ? *own = calloc(1, sizeof(**own)) : NULL;
  book->number = -1;
  return book->page;
}

__attribute__((noinline)) bool tr_book_open(tessera_context *context, const tr_group *group) {
  tr_book *book = group->book;
  book->ledger = ledger_of(context);
  if (!book->ledger || !take_page(context, book)) {
    tr_fail(TESSERA_ERROR_OUT_OF_MEMORY, "no memory to note calls of a group of %d ranks",
            group->size);
    return false;
  }
  uint64_t hash = (uint64_t)group->size;
  for (int32_t i = 0; i < group->size; i++)
    hash = tr_hash_mix(hash, (uint64_t)group->members[i]);
  book->page->members = hash;
  if (book->number >= 0)
    atomic_store_explicit(&book->ledger->num_pages, book->number + 1, memory_order_release);
  return true;
}
