/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Who is at fault when a rank waits, and how that is said.
 * It must not know how a job ends. */
#include "watch/verdict.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static uint64_t now_of(const tr_seat *seat) {
  return atomic_load_explicit(&seat->now, memory_order_acquire);
}

static const tr_board_place *place_of(const tr_seat *seat) {
  return &seat->places[tr_now_place(now_of(seat))];
}

static const tr_seat *seat_of(const tr_board *board, int32_t rank) {
  for (int32_t i = 0; i < board->num_seats; i++)
    if (board->seats[i].rank == rank && board->seats[i].state != TR_SEAT_EMPTY)
      return &board->seats[i];
  return NULL;
}

/* ---- finding --------------------------------------------------------------------------------- */

/* Coordinates are the same on all axes that the group does not go along. */
static bool meet(const tr_board_place *place, int32_t a, int32_t b) {
  for (int32_t i = place->grid_rank - 1; i >= 0; i--) {
    int32_t extent = place->extents[i] > 0 ? place->extents[i] : 1;
    if (!(place->axes >> i & 1) && a % extent != b % extent)
      return false;
    a /= extent;
    b /= extent;
  }
  return true;
}

static tr_fate fate_in_call(const tr_seat *seat, const tr_seat *waiting) {
  const tr_board_place *own = place_of(seat), *other = place_of(waiting);
  if (!tr_now_goes_on(now_of(seat)))
    return TR_FATE_COMPUTES;
  return own->hash == other->hash && own->calls == other->calls ? TR_FATE_WAITS : TR_FATE_ELSEWHERE;
}

static tr_fate fate_of(const tr_seat *seat, const tr_seat *waiting, tr_kinship kinship) {
  tr_process_state process = TR_PROCESS_RUNS;
  if (seat && seat->state != TR_SEAT_ENDED && kinship == TR_PROCESSES)
    process = tr_process_look(seat->pid, seat->born);
  if (!seat)
    return TR_FATE_UNSEEN;
  if (seat->state == TR_SEAT_ENDED)
    return TR_FATE_ENDED;
  if (seat->state == TR_SEAT_LEFT)
    return TR_FATE_LEFT;
  if (process == TR_PROCESS_GONE)
    return TR_FATE_KILLED;
  return process == TR_PROCESS_STOPPED ? TR_FATE_STOPPED : fate_in_call(seat, waiting);
}

typedef struct search {
  const tr_board *board;
  tr_kinship kinship;
  tr_verdict worst;
  bool *is_known; /* by rank */
  int32_t *queue; /* ranks that wait */
  int32_t queued;
} search;

static void visit(search *search, int32_t waiting, int32_t rank) {
  const tr_seat *seat = seat_of(search->board, rank);
  tr_fate fate = fate_of(seat, seat_of(search->board, waiting), search->kinship);
  search->is_known[rank] = true;
  if (fate > search->worst.fate)
    search->worst = (tr_verdict){fate, rank};
  if (fate == TR_FATE_ELSEWHERE)
    search->queue[search->queued++] = rank;
}

/* Of two ranks in different calls none is the worse: with more of them, the one that is alone. */
static int32_t find_odd(const tr_board *board, int32_t waiting, int32_t other) {
  const tr_seat *self = seat_of(board, waiting);
  int32_t same = 0, others = 0;
  for (int32_t rank = 0; rank < board->ranks; rank++) {
    const tr_seat *seat = seat_of(board, rank);
    if (!seat || !meet(place_of(self), waiting, rank))
      continue;
    bool is_same = tr_now_goes_on(now_of(seat)) && place_of(seat)->hash == place_of(self)->hash;
    same += is_same;
    others += !is_same;
  }
  return same < others ? waiting : other;
}

tr_verdict tr_verdict_find(const tr_board *board, int32_t number, tr_kinship kinship) {
  size_t ranks = (size_t)board->ranks;
  search search = {.board = board, .kinship = kinship, .worst = {TR_FATE_WAITS, -1}};
  search.is_known = calloc(ranks, sizeof(bool) + sizeof(int32_t));
  int32_t self = board->seats[number].rank;
  if (!search.is_known)
    return search.worst;
  int32_t *queue = calloc(ranks, sizeof(*queue));
  search.queue = queue;
  if (queue) {
    search.is_known[self] = true;
    queue[search.queued++] = self;
    for (int32_t next = 0; next < search.queued; next++)
      for (int32_t rank = 0; rank < board->ranks; rank++)
        if (!search.is_known[rank] &&
            meet(place_of(seat_of(board, queue[next])), queue[next], rank))
          visit(&search, queue[next], rank);
  }
  if (search.worst.fate == TR_FATE_ELSEWHERE)
    search.worst.rank = find_odd(board, self, search.worst.rank);
  free(queue);
  free(search.is_known);
  return search.worst;
}

/* ---- telling --------------------------------------------------------------------------------- */

typedef struct writer {
  char *text;
  size_t used, capacity;
} writer;

__attribute__((format(printf, 2, 3))) static void put(writer *writer, const char *format, ...) {
  va_list arguments;
  if (writer->used >= writer->capacity)
    return;
  va_start(arguments, format);
  int length =
      vsnprintf(writer->text + writer->used, writer->capacity - writer->used, format, arguments);
  va_end(arguments);
  writer->used += length > 0 ? (size_t)length : 0;
}

static void put_place(writer *writer, const tr_board_place *place) {
  put(writer, "'%s'%s%s", place->name, place->location[0] ? " at " : "", place->location);
}

/* Indexed by fate. */
static const char *const fates[] = {
    "is in the same call, and nobody seems to be missing",
    "is on another host",
    "is in another call",
    "has not come: it computes, or waits for something else",
    "has ended its context",
    "is stopped (SIGSTOP, or a debugger)",
    "has left: its process ended without tessera_finalize",
    "is gone: its process was killed, or has ended at once",
};

static void put_now(writer *writer, const tr_seat *seat) {
  uint64_t now = now_of(seat);
  if (tr_now_calls(now) == 0)
    put(writer, ", before its first call");
  else {
    put(writer, tr_now_goes_on(now) ? ", in " : "; its last call was ");
    put_place(writer, place_of(seat));
  }
}

static void put_fault(writer *writer, const tr_board *board, const tr_verdict *verdict) {
  if (verdict->rank < 0) {
    put(writer, "all ranks that it waits for are in the same call");
    return;
  }
  put(writer, "rank %d %s", verdict->rank, fates[verdict->fate]);
  const tr_seat *seat = seat_of(board, verdict->rank);
  if (seat && verdict->fate != TR_FATE_ENDED)
    put_now(writer, seat);
}

/* The flight recorder: the calls before the last one, the latest first. */
static void put_last(writer *writer, const tr_seat *seat) {
  enum { PRINTED = 3 };
  uint64_t calls = tr_now_calls(now_of(seat));
  for (uint64_t back = 1; back <= PRINTED && back < calls; back++) {
    put(writer, back == 1 ? "; before that " : ", ");
    put_place(writer, &seat->places[seat->last[(calls - back) & (TR_BOARD_LAST - 1)]]);
  }
}

static void put_seat(writer *writer, const tr_seat *seat, double seconds) {
  static const char *const states[] = {
      [TR_SEAT_ENDING] = ", ends", [TR_SEAT_ENDED] = ", has ended", [TR_SEAT_LEFT] = ", has left"};
  uint64_t now = now_of(seat);
  put(writer, "\n  rank %d%s", seat->rank,
      seat->state >= TR_SEAT_ENDING ? states[seat->state] : "");
  put_now(writer, seat);
  if (tr_now_calls(now) > 0)
    put(writer, ", call %" PRIu64 " of the rank, %u of this place, for %.1f s", tr_now_calls(now),
        place_of(seat)->calls, seconds);
  put_last(writer, seat);
}

void tr_verdict_tell(const tr_board *board, int32_t number, const tr_verdict *verdict,
                     const double *seconds, double timeout, char *text, size_t capacity) {
  const tr_seat *self = &board->seats[number];
  const tr_board_place *place = place_of(self);
  writer writer = {text, 0, capacity};
  put(&writer, "%s%serror: '%s' on rank %d%s has waited for %.1f s: ", place->location,
      place->location[0] ? ": " : "", place->name, self->rank, place->group, seconds[number]);
  put_fault(&writer, board, verdict);
  put(&writer,
      "; TESSERA_TIMEOUT is %g s, and 0 would let ranks wait for ever; where they are:", timeout);
  for (int32_t i = 0; i < board->num_seats; i++)
    if (board->seats[i].state != TR_SEAT_EMPTY)
      put_seat(&writer, &board->seats[i], seconds[i]);
}
