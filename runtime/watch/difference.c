/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* How differences between calls are found in what ranks have noted.
 * It must not know how that is seen, nor why it is asked for. */
#include "watch/difference.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What a witness has noted of a group; all NULL: nothing. */
typedef struct record {
  const tr_page *page;
  const tr_recent *recent;
} record;

static int32_t num_pages(const tr_witness *witness) {
  int32_t pages = witness->ledger ? atomic_load(&witness->ledger->num_pages) : 0;
  return pages < TR_LEDGER_PAGES ? pages : TR_LEDGER_PAGES;
}

static record record_of(const tr_witness *witness, uint64_t members) {
  for (int32_t i = 0; i < num_pages(witness); i++)
    if (witness->ledger->pages[i].members == members)
      return (record){.page = &witness->ledger->pages[i]};
  if (witness->recent && witness->recent->calls > 0 && witness->recent->members == members)
    return (record){.recent = witness->recent};
  return (record){NULL, NULL};
}

static uint64_t calls_of(record record) {
  return record.page ? tr_page_calls(record.page) : record.recent ? record.recent->calls : 0;
}

/* Of a rank that goes on meanwhile: its next call is written before it is counted, over the oldest.
 */
static bool read_entry(record record, uint64_t call, tr_entry *entry) {
  const tr_entry *found = record.page     ? tr_page_entry(record.page, call)
                          : record.recent ? tr_recent_entry(record.recent, call)
                                          : NULL;
  if (!found)
    return false;
  *entry = *found;
  atomic_thread_fence(memory_order_acquire);
  return !record.page || tr_page_calls(record.page) - call < TR_LEDGER_CALLS;
}

/* The first call before `end` that both have noted and that is not the same; `end`: there is none.
 */
static uint64_t first_difference(record a, record b, uint64_t end) {
  uint64_t calls = calls_of(a) < calls_of(b) ? calls_of(a) : calls_of(b);
  uint64_t last = calls < end ? calls : end;
  for (uint64_t call = last > TR_LEDGER_CALLS ? last - TR_LEDGER_CALLS : 0; call < last; call++) {
    tr_entry own, other;
    if (read_entry(a, call, &own) && read_entry(b, call, &other) &&
        tr_entry_hash(&own) != tr_entry_hash(&other))
      return call;
  }
  return end;
}

/* What a message has that says the same already. */
static void write_words(const tr_odd_account *found, char *words, size_t capacity) {
  const tr_account *odd = found->odd, *other = found->other;
  if (odd->site != other->site)
    snprintf(words, capacity, "ranks call different collectives");
  else if (odd->program_call != other->program_call)
    snprintf(words, capacity, "different numbers of collectives");
  else if (odd->root != other->root && strcmp(odd->shape, other->shape) == 0)
    snprintf(words, capacity, "ranks call with different roots");
  else
    snprintf(words, capacity, "one of %s ", odd->shape);
}

/* Of all who have made the call with this number. */
static bool tell(const tr_witness *all, int32_t count, uint64_t members, uint64_t call,
                 tr_difference *difference) {
  tr_account *accounts = malloc(sizeof(*accounts) * (size_t)count);
  int32_t known = 0;
  for (int32_t i = 0; accounts && i < count; i++) {
    record record = record_of(&all[i], members);
    tr_entry entry;
    if (!read_entry(record, call, &entry))
      continue;
    if (record.page)
      tr_ledger_account(all[i].ledger, &entry, all[i].rank, &accounts[known++]);
    else
      tr_recent_account(record.recent, &entry, all[i].rank, &accounts[known++]);
  }
  tr_odd_account found = {.other = NULL};
  if (known > 0)
    found = tr_accounts_find_odd(accounts, known);
  if (found.other) {
    difference->rank = found.odd->rank;
    tr_accounts_tell_alone(&found, difference->verdict, sizeof(difference->verdict));
    write_words(&found, difference->words, sizeof(difference->words));
    tr_accounts_tell_odd(&found, difference->text, sizeof(difference->text));
  }
  free(accounts);
  return found.other;
}

static bool find_in(const tr_witness *all, int32_t count, const tr_witness *self, uint64_t members,
                    tr_difference *difference) {
  record own = record_of(self, members);
  uint64_t calls = calls_of(own), call = calls;
  for (int32_t i = 0; i < count; i++)
    call = first_difference(own, record_of(&all[i], members), call);
  return call < calls && tell(all, count, members, call, difference);
}

bool tr_difference_find(const tr_witness *all, int32_t count, int32_t self,
                        tr_difference *difference) {
  const tr_witness *own = &all[self];
  for (int32_t i = 0; i < num_pages(own); i++)
    if (find_in(all, count, own, own->ledger->pages[i].members, difference))
      return true;
  return own->recent && own->recent->calls > 0 &&
         find_in(all, count, own, own->recent->members, difference);
}
