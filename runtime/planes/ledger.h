/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* What a rank has called last in each of its groups, and with what, so that it can be told when
 * calls have turned out to differ. It lies where other ranks of the host may read it. It must not
 * know how ranks compare calls. */
#ifndef TESSERA_RUNTIME_PLANES_LEDGER_H
#define TESSERA_RUNTIME_PLANES_LEDGER_H

#include <stdatomic.h>

#include "planes/call_account.h"

enum {
  TR_LEDGER_CALLS = 512, /* of each group: as many as are compared at once; a power of two */
  TR_LEDGER_PAGES = 16,  /* groups that others may read of */
  TR_LEDGER_NOTES = 512, /* a power of two */
  TR_LEDGER_DIMS = 8,
  TR_RECENT_CALLS = 16, /* a power of two */
  TR_RECENT_NOTES = 4
};

/* A call: all that members have alike, and the program's call that it belongs to. */
typedef struct tr_entry {
  uint64_t hash, program_call;
} tr_entry;

/* What a hash stands for. Pointers are its writer's own. */
typedef struct tr_call_note {
  _Atomic uint64_t hash; /* 0: none */
  const char *where;     /* the site's location */
  tessera_site site;
  char name[48], location[112];
  int64_t root;
  int32_t rank; /* of the extents; -1: the call has none */
  int32_t except;
  int64_t sizes[TR_LEDGER_DIMS];
} tr_call_note;

/* Of a group. Its members make the same calls in the same order. */
typedef struct tr_page {
  uint64_t members;       /* a hash of them */
  _Atomic uint64_t calls; /* so far */
  tr_entry entries[TR_LEDGER_CALLS];
} tr_page;

/* Of a rank, which alone writes it. */
typedef struct tr_ledger {
  _Atomic int32_t num_pages;
  _Atomic int32_t last_page; /* that was written to */
  tr_page pages[TR_LEDGER_PAGES];
  tr_call_note notes[TR_LEDGER_NOTES];
} tr_ledger;

/* Where the calls of a group go: shared by groups of the same members. */
typedef struct tr_book {
  tr_ledger *ledger;
  tr_page *page;  /* NULL: there were none yet */
  int32_t number; /* of the page in the ledger; -1: it is not there */
} tr_book;

/* The last calls of a rank in the group that it was in last, as they travel. */
typedef struct tr_recent {
  uint64_t members, calls;
  tr_entry entries[TR_RECENT_CALLS];
  tr_call_note notes[TR_RECENT_NOTES]; /* of different calls, the latest first */
} tr_recent;

void tr_note_call(const tr_common *common, tr_call_note *note);

/* A call begins. */
static inline void tr_book_enter(const tr_book *book, const tr_common *common,
                                 uint64_t program_call) {
  tr_ledger *ledger = book->ledger;
  tr_page *page = book->page;
  tr_call_note *note = &ledger->notes[common->hash & (TR_LEDGER_NOTES - 1)];
  uint64_t calls = atomic_load_explicit(&page->calls, memory_order_relaxed);
  if (atomic_load_explicit(&note->hash, memory_order_relaxed) != common->hash ||
      note->where != common->site->location)
    tr_note_call(common, note);
  atomic_thread_fence(memory_order_release); /* who sees the entry sees all calls before it */
  page->entries[calls & (TR_LEDGER_CALLS - 1)] = (tr_entry){common->hash, program_call};
  atomic_store_explicit(&page->calls, calls + 1, memory_order_release);
  atomic_store_explicit(&ledger->last_page, book->number, memory_order_relaxed);
}

static inline uint64_t tr_page_calls(const tr_page *page) {
  return page ? atomic_load_explicit(&page->calls, memory_order_acquire) : 0;
}

/* What is compared of a call. */
static inline uint64_t tr_entry_hash(const tr_entry *entry) {
  return entry->hash + entry->program_call * 0x9ddfea08eb382d69u;
}

/* Of a page the call with this number, one of its last TR_LEDGER_CALLS; NULL: it was not made. */
const tr_entry *tr_page_entry(const tr_page *page, uint64_t call);

/* The account of a call, as far as its note is there: else with a place that is not known. `entry`
 * NULL: a call that was not made. */
void tr_ledger_account(const tr_ledger *ledger, const tr_entry *entry, int32_t rank,
                       tr_account *account);

/* The same of what has travelled. */
void tr_recent_write(const tr_ledger *ledger, tr_recent *recent);
const tr_entry *tr_recent_entry(const tr_recent *recent, uint64_t call);
void tr_recent_account(const tr_recent *recent, const tr_entry *entry, int32_t rank,
                       tr_account *account);

#endif /* TESSERA_RUNTIME_PLANES_LEDGER_H */
