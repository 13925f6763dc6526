/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Who outlives the ranks of a host where their launcher ends all at once, and says which one went
 * first. It must not know how that is found out. */
#include <stdlib.h>
#include <unistd.h>

#include "after/beacon.h"
#include "after/pulse.h"
#include "after/start.h"
#include "backends/mpi/state.h"
#include "watch/process.h"

/* What cannot be read is refused later on. */
static bool is_watched(void) {
  const char *timeout = getenv("TESSERA_TIMEOUT");
  return !timeout || !timeout[0] || strtod(timeout, NULL) != 0;
}

/* Where the hosts hear each other. `*socket` is this rank's, if it is the first one of its host. */
static int open_beacons(const mpi_state *state, const tr_world *world, int *socket) {
  tr_beacon own = {0}, *all = calloc((size_t)state->ranks, sizeof(*all));
  int have_all = all != NULL;
  if (state->hosts[state->rank] == state->rank)
    *socket = tr_beacon_open(&own);
  int code = MPI_Allreduce(MPI_IN_PLACE, &have_all, 1, MPI_INT, MPI_MIN, state->world);
  if (code == MPI_SUCCESS && have_all)
    code = MPI_Allgather(&own, sizeof(own), MPI_BYTE, all, sizeof(own), MPI_BYTE, state->world);
  for (int32_t i = 0; code == MPI_SUCCESS && have_all && world->seat == 0 && i < state->ranks; i++)
    tr_board_hosts(world->board)[i].beacon = all[i];
  free(all);
  return code;
}

int leave_after(const mpi_state *state, const tr_world *world, MPI_Comm host, int board) {
  int wished = world->board && world->size > 1 && is_watched() && tr_launcher_find().ends_at_once;
  int socket = -1;
  int code = MPI_Allreduce(MPI_IN_PLACE, &wished, 1, MPI_INT, MPI_MIN, state->world);
  if (code != MPI_SUCCESS || !wished)
    return code;
  tr_seat *seat = &world->board->seats[world->seat];
  seat->rank = world->rank;
  seat->pid = getpid();
  seat->born = tr_process_born(seat->pid);
  tr_pulse_take(seat);
  if (world->hosts)
    code = open_beacons(state, world, &socket);
  if (code == MPI_SUCCESS)
    code = MPI_Barrier(host);
  if (code == MPI_SUCCESS && world->seat == 0)
    tr_after_start(board, socket);
  if (code == MPI_SUCCESS)
    code = MPI_Barrier(host);
  if (socket >= 0)
    close(socket);
  return code;
}
