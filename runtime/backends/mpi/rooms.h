/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Rooms of processes, and what reductions within a host and over several have in common.
 * It must not know grids, collectives above the table, or MLIR. */
#ifndef TESSERA_RUNTIME_BACKENDS_MPI_ROOMS_H
#define TESSERA_RUNTIME_BACKENDS_MPI_ROOMS_H

#include "backends/mpi/state.h"
#include "room/account.h"
#include "room/direct.h"
#include "room/stage.h"

/* Of a group: for its members on this host. */
struct mpi_room {
  tr_room room;
  mpi_state *state;
  const known_comm *comm;
  tr_stage *stages; /* by member, behind the room in one memory */
  tr_door *doors;   /* by member, behind that; NULL: some member reaches not all others */
  size_t bytes;
  /* Of a group over several hosts, with as many members on each: in the order of their first
   * members. */
  int32_t hosts, host; /* this one's number */
  int32_t peers[];     /* on each host, the member at this one's place among those there */
};

/* This call, for the members on this host to compare. */
typedef struct room_call {
  tr_room_call call;
  bool is_described; /* its site */
} room_call;

/* Brings the call with what is in the slot, and waits for the others, who make the same one. */
tessera_status meet_in_room(tr_world *world, mpi_room *room, const tr_job_run *run,
                            room_call *call);

/* What ends a call in which members use each other's memory: returns when nobody uses this one's.
 * All fail if one says that it has not reached a member, which is not -1. */
tessera_status leave_memory(mpi_room *room, int32_t unreached);

/* Of an all_reduce of members on several hosts. */
tessera_status plan_over_hosts(tr_world *world, const tr_group *group, mpi_room *room,
                               const tr_collective *what, tr_job **job);

#endif /* TESSERA_RUNTIME_BACKENDS_MPI_ROOMS_H */
