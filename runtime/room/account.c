/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Whether the members of a room make the same call, and how that is said where they do not.
 * It must not know what a call does. */
#include "room/account.h"

#include <stdio.h>
#include <string.h>

#include "planes/call_account.h"
#include "planes/site_hash.h"

void tr_room_describe_shape(const tr_view *view, tr_room_call *call) {
  char extents[48];
  call->shape = tr_hash_mix((uint64_t)view->element, (uint64_t)view->rank);
  for (int32_t i = 0; i < view->rank; i++)
    call->shape = tr_hash_mix(call->shape, (uint64_t)view->sizes[i]);
  tr_view_text(view, extents, sizeof(extents));
  snprintf(call->extents, sizeof(call->extents), "%s (%d-byte elements)", extents, view->element);
}

/* ---- what differs ---------------------------------------------------------------------------- */

_Static_assert(sizeof(tr_account) <= TR_ROOM_INLINE, "an account can be brought along");

static void describe(const tr_room_call *call, const tessera_site *site, uint64_t program_call,
                     int32_t rank, tr_account *account) {
  tr_account_of_site(site, rank, account);
  account->site = call->site;
  account->pieces = call->shape;
  account->program_call = program_call;
  memcpy(account->shape, call->extents, sizeof(account->shape));
}

tessera_status tr_room_find_difference(tr_room *room, const tr_room_call *call,
                                       const tessera_site *site, uint64_t program_call,
                                       int32_t rank, char *text, size_t capacity) {
  tr_account first, other;
  describe(call, site, program_call, rank, &first);
  memcpy(tr_room_bring(room)->data, &first, sizeof(first));
  tr_room_come(room);
  tessera_status status = tr_room_await(room);
  if (status)
    return status;
  memcpy(&first, tr_room_of(room, 0)->data, sizeof(first));
  other = first;
  for (int32_t i = 1; i < room->members && tr_account_same(&first, &other); i++)
    memcpy(&other, tr_room_of(room, i)->data, sizeof(other));
  tr_account_difference(&first, &other, text, capacity);
  return TESSERA_OK;
}
