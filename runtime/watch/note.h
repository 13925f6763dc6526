/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* What a rank notes of each call: few instructions, and none of the system.
 * It must not know who reads it. */
#ifndef TESSERA_RUNTIME_WATCH_NOTE_H
#define TESSERA_RUNTIME_WATCH_NOTE_H

#include "context/context.h"
#include "planes/members.h"
#include "trace/log.h"
#include "watch/board.h"
#include "watch/note_key.h"

struct tr_notes {
  tr_seat *seat;
  tr_note_key keys[TR_BOARD_PLACES];
};

/* What is called at `site`, and who meets there. */
void tr_note_describe_place(const tessera_context *context, const tessera_site *site,
                            tr_membership members, tr_board_place *place);

/* Writes that to its place in the seat. */
void tr_note_describe(tessera_context *context, const tessera_site *site, tr_membership members,
                      uint32_t place);

static inline uint32_t tr_note_place(const tessera_site *site) {
  uint64_t number = site->index >= 0 ? (uint64_t)site->index : (uintptr_t)site >> 4;
  return (uint32_t)number & (TR_BOARD_PLACES - 1);
}

/* The watch alone is told that a call begins, and ends. */
static inline void tr_seat_begin(tessera_context *context, const tessera_site *site,
                                 tr_membership members) {
  tr_notes *notes = context->notes;
  if (!notes)
    return;
  tr_seat *seat = notes->seat;
  uint32_t place = tr_note_place(site);
  if (!tr_note_knows(&notes->keys[place], site))
    tr_note_describe(context, site, members, place);
  uint64_t calls = tr_now_calls(atomic_load_explicit(&seat->now, memory_order_relaxed)) + 1;
  seat->places[place].calls++;
  seat->meetings[seat->places[place].meeting].calls++;
  seat->last[calls & (TR_BOARD_LAST - 1)] = (uint8_t)place;
  seat->peer = -1;
  atomic_store_explicit(&seat->now, tr_seat_now(calls, place, 1), memory_order_release);
}

static inline void tr_seat_end(tessera_context *context) {
  tr_notes *notes = context->notes;
  if (!notes)
    return;
  uint64_t now = atomic_load_explicit(&notes->seat->now, memory_order_relaxed);
  atomic_store_explicit(&notes->seat->now, now & ~(uint64_t)1, memory_order_release);
}

/* A call begins. */
static inline void tr_note_begin(tessera_context *context, const tessera_site *site,
                                 tr_membership members) {
  if (context->log)
    tr_log_begin(context, context->log, site, members);
  tr_seat_begin(context, site, members);
}

/* The call is a message to or from one rank. */
static inline void tr_note_peer(tessera_context *context, int32_t rank) {
  if (context->notes)
    context->notes->seat->peer = rank;
}

/* The last call has ended, and has received so many bytes. */
static inline void tr_note_end(tessera_context *context, uint64_t received) {
  if (context->log)
    tr_log_end(context->log, received, 1);
  tr_seat_end(context);
}

/* The last call has ended, and what it has started goes on until it is waited for. */
static inline void tr_note_end_start(tessera_context *context) {
  if (context->log)
    tr_log_end(context->log, 0, 0);
  tr_seat_end(context);
}

#endif /* TESSERA_RUNTIME_WATCH_NOTE_H */
