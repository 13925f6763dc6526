/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Whether the members of a room make the same call, and how that is said where they do not.
 * It must not know what a call does. */
#include "room/account.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "planes/site_hash.h"

uint64_t tr_room_hash_site(const tessera_site *site) {
  uint64_t hash = tr_hash_kind(site);
  return tr_hash_text(tr_hash_text(hash, site->name), site->location);
}

void tr_room_describe_shape(const tr_view *view, tr_room_call *call) {
  char extents[48];
  call->shape = tr_hash_mix((uint64_t)view->element, (uint64_t)view->rank);
  for (int32_t i = 0; i < view->rank; i++)
    call->shape = tr_hash_mix(call->shape, (uint64_t)view->sizes[i]);
  tr_view_text(view, extents, sizeof(extents));
  snprintf(call->extents, sizeof(call->extents), "%s (%d-byte elements)", extents, view->element);
}

/* ---- what differs ---------------------------------------------------------------------------- */

/* What a member tells of its call. */
typedef struct account {
  uint64_t site, shape, program_call;
  int32_t rank;
  char place[256];
  char extents[96];
} account;

_Static_assert(sizeof(account) <= TR_ROOM_INLINE, "an account can be brought along");

static void describe(const tr_room_call *call, const tessera_site *site, uint64_t program_call,
                     int32_t rank, account *account) {
  *account = (struct account){
      .site = call->site, .shape = call->shape, .program_call = program_call, .rank = rank};
  snprintf(account->place, sizeof(account->place), "'%s'%s%s", site->name,
           site->location[0] ? " at " : "", site->location);
  memcpy(account->extents, call->extents, sizeof(account->extents));
}

static bool is_same(const account *a, const account *b) {
  return a->site == b->site && a->shape == b->shape && a->program_call == b->program_call;
}

static void write_difference(const account *a, const account *b, char *text, size_t capacity) {
  if (a->site != b->site)
    snprintf(text, capacity, "ranks call different collectives: rank %d is in %s, rank %d in %s",
             a->rank, a->place, b->rank, b->place);
  else if (a->program_call != b->program_call)
    snprintf(text, capacity,
             "ranks make different numbers of collectives in a call of the program: rank %d is in "
             "%s of its call number %" PRIu64 ", rank %d in %s of its call number %" PRIu64,
             a->rank, a->place, a->program_call, b->rank, b->place, b->program_call);
  else
    snprintf(text, capacity,
             "pieces do not fit: rank %d has one of %s in %s, rank %d one of %s in %s", a->rank,
             a->extents, a->place, b->rank, b->extents, b->place);
}

tessera_status tr_room_find_difference(tr_room *room, const tr_room_call *call,
                                       const tessera_site *site, uint64_t program_call,
                                       int32_t rank, char *text, size_t capacity) {
  account first, other;
  describe(call, site, program_call, rank, &first);
  memcpy(tr_room_bring(room)->data, &first, sizeof(first));
  tr_room_come(room);
  tessera_status status = tr_room_await(room);
  if (status)
    return status;
  memcpy(&first, tr_room_of(room, 0)->data, sizeof(first));
  other = first;
  for (int32_t i = 1; i < room->members && is_same(&first, &other); i++)
    memcpy(&other, tr_room_of(room, i)->data, sizeof(other));
  write_difference(&first, &other, text, capacity);
  return TESSERA_OK;
}
