/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* How calls are noted and found again.
 * It must not know how ranks compare calls. */
#include "planes/ledger.h"

#include <stdio.h>
#include <string.h>

/* The end of what is too long: the line is there. */
static const char *tail(const char *text, size_t capacity) {
  size_t length = strlen(text);
  return length < capacity ? text : text + length - (capacity - 1);
}

/* Whoever reads the note meanwhile sees that it is none. */
__attribute__((noinline)) void tr_note_call(const tr_common *common, tr_call_note *note) {
  const tr_view *view = common->view;
  int32_t rank = view ? view->rank : -1;
  atomic_store_explicit(&note->hash, 0, memory_order_relaxed);
  atomic_thread_fence(memory_order_release);
  note->where = common->site->location;
  note->site = *common->site;
  snprintf(note->name, sizeof(note->name), "%s", common->site->name);
  snprintf(note->location, sizeof(note->location), "%s",
           tail(common->site->location, sizeof(note->location)));
  note->root = common->root;
  note->rank = rank < TR_LEDGER_DIMS ? rank : TR_LEDGER_DIMS;
  note->except = common->except;
  for (int32_t i = 0; i < note->rank; i++)
    note->sizes[i] = view->sizes[i];
  atomic_store_explicit(&note->hash, common->hash, memory_order_release);
}

const tr_entry *tr_page_entry(const tr_page *page, uint64_t call) {
  uint64_t calls = tr_page_calls(page);
  return call < calls && calls - call <= TR_LEDGER_CALLS
             ? &page->entries[call & (TR_LEDGER_CALLS - 1)]
             : NULL;
}

/* A copy that its writer does not change; false: it is another call's now. */
static bool copy_note(const tr_call_note *note, uint64_t hash, tr_call_note *copy) {
  if (atomic_load_explicit(&note->hash, memory_order_acquire) != hash)
    return false;
  memcpy(copy, note, sizeof(*copy));
  atomic_thread_fence(memory_order_acquire);
  if (atomic_load_explicit(&note->hash, memory_order_relaxed) != hash)
    return false;
  copy->site.name = copy->name;
  copy->site.location = copy->location;
  copy->site.grid = NULL;
  copy->site.axes = NULL;
  return true;
}

static void account_of_note(const tr_call_note *note, const tr_entry *entry, int32_t rank,
                            tr_account *account) {
  tr_call_note copy;
  *account = (tr_account){.rank = rank, .root = -1};
  if (!entry) {
    snprintf(account->place, sizeof(account->place), "no further call");
    return;
  }
  if (note && copy_note(note, entry->hash, &copy)) {
    tr_view view = {.rank = copy.rank < 0 ? 0 : copy.rank};
    tr_common common = {.site = &copy.site,
                        .view = copy.rank < 0 ? NULL : &view,
                        .except = copy.except,
                        .root = copy.root};
    memcpy(view.sizes, copy.sizes, sizeof(int64_t) * (size_t)view.rank);
    tr_account_of_call(&common, rank, entry->program_call, account);
  } else {
    snprintf(account->place, sizeof(account->place), "a call that is no longer known");
    account->site = entry->hash;
  }
  account->pieces = entry->hash;
  account->program_call = entry->program_call;
}

void tr_ledger_account(const tr_ledger *ledger, const tr_entry *entry, int32_t rank,
                       tr_account *account) {
  const tr_call_note *note = NULL;
  if (ledger && entry)
    note = &ledger->notes[entry->hash & (TR_LEDGER_NOTES - 1)];
  account_of_note(note, entry, rank, account);
}

/* ---- what travels ---------------------------------------------------------------------------- */

static const tr_call_note *find_note(const tr_recent *recent, uint64_t hash) {
  for (int32_t i = 0; i < TR_RECENT_NOTES; i++)
    if (recent->notes[i].hash == hash)
      return &recent->notes[i];
  return NULL;
}

void tr_recent_write(const tr_ledger *ledger, tr_recent *recent) {
  int32_t last = atomic_load_explicit(&ledger->last_page, memory_order_relaxed);
  memset(recent, 0, sizeof(*recent));
  if (last < 0 || last >= atomic_load_explicit(&ledger->num_pages, memory_order_acquire))
    return;
  const tr_page *page = &ledger->pages[last];
  recent->members = page->members;
  recent->calls = tr_page_calls(page);
  int32_t notes = 0;
  for (uint64_t back = 1; back <= TR_RECENT_CALLS && back <= recent->calls; back++) {
    const tr_entry *entry = &page->entries[(recent->calls - back) & (TR_LEDGER_CALLS - 1)];
    const tr_call_note *note = &ledger->notes[entry->hash & (TR_LEDGER_NOTES - 1)];
    recent->entries[(recent->calls - back) & (TR_RECENT_CALLS - 1)] = *entry;
    if (notes < TR_RECENT_NOTES && !find_note(recent, entry->hash))
      notes += copy_note(note, entry->hash, &recent->notes[notes]);
  }
}

const tr_entry *tr_recent_entry(const tr_recent *recent, uint64_t call) {
  return call < recent->calls && recent->calls - call <= TR_RECENT_CALLS
             ? &recent->entries[call & (TR_RECENT_CALLS - 1)]
             : NULL;
}

void tr_recent_account(const tr_recent *recent, const tr_entry *entry, int32_t rank,
                       tr_account *account) {
  account_of_note(entry ? find_note(recent, entry->hash) : NULL, entry, rank, account);
}
