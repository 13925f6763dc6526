/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* What the seats of a board say. It must not know what follows from it. */
#include "watch/sight.h"

#include <stdlib.h>

bool tr_sight_open(tr_sight *sight, tr_board *board, bool are_processes) {
  size_t seats = (size_t)board->num_seats, ranks = (size_t)board->ranks;
  *sight = (tr_sight){.board = board, .are_processes = are_processes};
  sight->seats = calloc(seats, sizeof(*sight->seats));
  sight->seconds = calloc(seats, sizeof(*sight->seconds));
  sight->scene.ranks = board->ranks;
  sight->scene.actors = calloc(ranks, sizeof(*sight->scene.actors));
  return sight->seats && sight->seconds && sight->scene.actors;
}

void tr_sight_close(tr_sight *sight) {
  free(sight->seats);
  free(sight->seconds);
  free(sight->scene.actors);
}

void tr_sight_look(tr_sight *sight) {
  for (int32_t i = 0; i < sight->board->num_seats; i++) {
    tr_seen *seen = &sight->seats[i];
    uint64_t now = atomic_load_explicit(&sight->board->seats[i].now, memory_order_relaxed);
    seen->ticks = now == seen->now ? seen->ticks + 1 : 0;
    seen->now = now;
    sight->seconds[i] = (double)seen->ticks * TR_TICK / 1000;
  }
}

static void show_seat(const tr_sight *sight, int32_t number, tr_actor *actor) {
  const tr_seat *seat = &sight->board->seats[number];
  uint64_t now = atomic_load_explicit(&seat->now, memory_order_acquire);
  *actor = (tr_actor){.is_known = seat->state != TR_SEAT_EMPTY,
                      .state = seat->state,
                      .pid = sight->are_processes ? seat->pid : 0,
                      .born = seat->born,
                      .calls = tr_now_calls(now),
                      .goes_on = tr_now_goes_on(now),
                      .peer = seat->peer,
                      .ledger = &seat->ledger,
                      .place = &seat->places[tr_now_place(now)],
                      .meetings = seat->meetings,
                      .seconds = sight->seconds[number]};
  for (uint64_t back = 1; back <= TR_BOARD_BEFORE && back < actor->calls; back++)
    actor->before[actor->num_before++] =
        &seat->places[seat->last[(actor->calls - back) & (TR_BOARD_LAST - 1)]];
}

void tr_sight_show(tr_sight *sight) {
  for (int32_t i = 0; i < sight->board->num_seats; i++)
    if (sight->board->seats[i].state != TR_SEAT_EMPTY)
      show_seat(sight, i, &sight->scene.actors[sight->board->seats[i].rank]);
}
