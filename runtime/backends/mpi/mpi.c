/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The MPI backend: one loadable module for each MPI, all compiled from the files of this folder.
 * Here its life and its groups; it must not know grids, collectives or MLIR. */
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "backends/mpi/state.h"
#include "support/wishes.h"
#include "watch/board.h"

/* ---- groups ---------------------------------------------------------------------------------- */

static known_comm *find_comm(const mpi_state *state, const tr_group *group) {
  for (known_comm *known = state->comms; known; known = known->next)
    if (known->size == group->size &&
        memcmp(known->members, group->members, sizeof(int32_t) * (size_t)group->size) == 0)
      return known;
  return NULL;
}

/* Tells apart communicators that ranks with several groups make at the same time. */
static int creation_tag(const tr_group *group) {
  uint32_t hash = 2166136261u;
  for (int32_t i = 0; i < group->size; i++)
    hash = (hash ^ (uint32_t)group->members[i]) * 16777619u;
  return (int)(hash % 32749);
}

/* Only the members take part, so no call stops the whole world. */
static tessera_status make_comm(const mpi_state *state, const tr_group *group, MPI_Comm *comm) {
  MPI_Group all, chosen;
  int code = MPI_Comm_group(state->world, &all);
  if (code != MPI_SUCCESS)
    return check(state, code, "MPI_Comm_group");
  code = MPI_Group_incl(all, group->size, group->members, &chosen);
  if (code == MPI_SUCCESS) {
    code = MPI_Comm_create_group(state->world, chosen, creation_tag(group), comm);
    MPI_Group_free(&chosen);
  }
  MPI_Group_free(&all);
  if (code == MPI_SUCCESS)
    MPI_Comm_set_errhandler(*comm, MPI_ERRORS_RETURN);
  return check(state, code, "MPI_Comm_create_group");
}

static tessera_status mpi_create_group(tr_world *world, tr_group *group) {
  mpi_state *state = world->state;
  known_comm *known = find_comm(state, group);
  if (!known) {
    size_t bytes = sizeof(int32_t) * (size_t)group->size;
    known = malloc(sizeof(*known) + bytes);
    if (!known)
      return no_memory(state, bytes);
    tessera_status status = make_comm(state, group, &known->comm);
    if (status) {
      free(known);
      return status;
    }
    known->book = NULL;
    known->due = known->compared = 0;
    known->history = 0;
    known->room = NULL;
    known->size = group->size;
    memcpy(known->members, group->members, bytes);
    known->next = state->comms;
    state->comms = known;
    status = open_room(world, known);
    if (status)
      return status;
  }
  if (!known->book)
    known->book = group->book;
  group->handle = known;
  return TESSERA_OK;
}

/* Communicators are shared by groups with the same members and live as long as the backend. */
static void mpi_destroy_group(tr_world *world, tr_group *group) {
  (void)world;
  group->handle = NULL;
}

/* ---- open and close -------------------------------------------------------------------------- */

static void mpi_close(tr_world *world) {
  mpi_state *state = world->state;
  int finalized = 0;
  MPI_Finalized(&finalized);
  if (!finalized && state->failure)
    end_failed(state);
  if (!finalized) {
    drop_words(state);
    mpi_ignore_end(state);
    free_types(state);
    /* After a failure messages may still arrive, which no other communicator is to receive. */
    for (known_comm *known = state->comms; known && !state->failure; known = known->next)
      MPI_Comm_free(&known->comm);
    if (!state->failure)
      MPI_Comm_free(&state->world);
    if (state->initialized_here)
      MPI_Finalize();
  }
  for (known_comm *known = state->comms, *next; known; known = next) {
    next = known->next;
    close_room(known);
    free(known);
  }
  forget_types(state);
  /* An MPI of the host program's goes on, and may still use what it has not sent, and what it was
   * lent: that stays with it. */
  if (finalized || state->initialized_here) {
    forget_words(state);
    forget_lent(state);
  }
  pthread_mutex_destroy(&state->hearing);
  pthread_mutex_destroy(&state->speaking);
  free(state->failure);
  free(state->hosts);
  free(state);
  world->backend = NULL;
}

static const tr_backend mpi_backend = {
    .version = TR_BACKEND_VERSION,
#if defined(OPEN_MPI)
    .name = "mpi-openmpi",
#elif defined(MPICH_VERSION)
    .name = "mpi-mpich",
#else
    .name = "mpi",
#endif
    .create_group = mpi_create_group,
    .destroy_group = mpi_destroy_group,
    .plan_transfer = mpi_plan_transfer,
    .plan_collective = mpi_plan_collective,
    .plan_reduction = mpi_plan_reduction,
    .send = mpi_send,
    .receive = mpi_receive,
    .fail = mpi_fail,
    .abort = mpi_abort,
    .close = mpi_close,
};

/* Which ranks are on which host. */
static int find_hosts(mpi_state *state, MPI_Comm host, tr_world *world) {
  int32_t first = state->rank, pretended = state->host_ranks;
  int code = MPI_Bcast(&first, 1, MPI_INT32_T, 0, host);
  if (pretended > 0 && first < state->rank / pretended * pretended)
    first = state->rank / pretended * pretended;
  if (code == MPI_SUCCESS)
    code = MPI_Allgather(&first, 1, MPI_INT32_T, state->hosts, 1, MPI_INT32_T, state->world);
  for (int32_t i = 0; i < state->ranks; i++)
    if (state->hosts[i] != state->hosts[0])
      world->hosts = state->hosts;
  return code;
}

/* Of the ranks that are taken for those of a host. */
static int open_board(mpi_state *state, tr_world *world) {
  MPI_Comm together;
  int code = MPI_Comm_split(state->world, state->hosts[state->rank], state->rank, &together);
  if (code != MPI_SUCCESS)
    return code;
  int descriptor;
  code = share_board(together, world, &descriptor);
  if (code == MPI_SUCCESS)
    code = leave_after(state, world, together, descriptor);
  if (descriptor >= 0)
    close(descriptor);
  MPI_Comm_free(&together);
  state->board = world->board;
  state->seat = world->board ? &world->board->seats[world->seat] : NULL;
  return code;
}

/* Ranks of one host may be pinned to different cores: what counts is all of them together. */
static int measure_host(MPI_Comm world_comm, tr_world *world) {
  MPI_Comm host;
  int code =
      MPI_Comm_split_type(world_comm, MPI_COMM_TYPE_SHARED, world->rank, MPI_INFO_NULL, &host);
  if (code != MPI_SUCCESS)
    return code;
  cpu_set_t cores;
  CPU_ZERO(&cores);
  sched_getaffinity(0, sizeof(cores), &cores);
  MPI_Comm_size(host, &world->host_ranks);
  MPI_Comm_rank(host, &world->host_rank);
  code = MPI_Allreduce(MPI_IN_PLACE, &cores, sizeof(cores), MPI_BYTE, MPI_BOR, host);
  world->host_cores = CPU_COUNT(&cores) > 0 ? CPU_COUNT(&cores) : 1;
  mpi_state *state = world->state;
  int crowded = state->is_crowded = world->host_ranks > world->host_cores;
  if (code == MPI_SUCCESS)
    code = MPI_Allreduce(MPI_IN_PLACE, &crowded, 1, MPI_INT, MPI_MAX, world_comm);
  state->any_is_crowded = crowded;
  if (code == MPI_SUCCESS)
    code = find_hosts(state, host, world);
  if (code == MPI_SUCCESS)
    code = open_board(state, world);
  MPI_Comm_free(&host);
  return code;
}

static tessera_status read_host_ranks(mpi_state *state) {
  const char *wish = getenv("TESSERA_MPI_HOST");
  if (!wish || !wish[0])
    return TESSERA_OK;
  char *end;
  long ranks = strtol(wish, &end, 10);
  if (end == wish || *end || ranks < 1 || ranks >= INT32_MAX)
    return state->host->fail(TESSERA_ERROR_INVALID_ARGUMENT,
                             "TESSERA_MPI_HOST is '%s'; it can be a number of ranks", wish);
  state->host_ranks = (int32_t)ranks;
  return TESSERA_OK;
}

static tessera_status read_ways(mpi_state *state) {
  static const char *const strided[] = {[STRIDED_PACKED] = "pack", [STRIDED_TYPED] = "types"};
  static const char *const collectives[] = {[COLLECTIVES_NATIVE] = "native",
                                            [COLLECTIVES_MESSAGES] = "messages",
                                            [COLLECTIVES_SHARED] = "shared",
                                            [COLLECTIVES_DIRECT] = "direct"};
  const char *name = "TESSERA_MPI_STRIDED";
  int way = tr_wished_word(name, sizeof(strided) / sizeof(strided[0]), strided);
  if (way < 0)
    return state->host->fail(TESSERA_ERROR_INVALID_ARGUMENT, "%s is '%s'; it can be pack or types",
                             name, getenv(name));
  state->strided = (strided_way)way;
  name = "TESSERA_MPI_COLLECTIVES";
  way = tr_wished_word(name, sizeof(collectives) / sizeof(collectives[0]), collectives);
  if (way < 0)
    return state->host->fail(TESSERA_ERROR_INVALID_ARGUMENT,
                             "%s is '%s'; it can be native, messages, shared or direct", name,
                             getenv(name));
  state->collectives = (collective_way)way;
  return TESSERA_OK;
}

static uint64_t read_check_every(void) {
  return tr_is_switched_on("TESSERA_CHECK") ? 1 : TR_LEDGER_CALLS;
}

/* An MPI that is ours returns its errors wherever they arise; the host program's stays as it is. */
static int initialize(mpi_state *state) {
  int provided, code = MPI_Init_thread(NULL, NULL, MPI_THREAD_MULTIPLE, &provided);
  state->initialized_here = code == MPI_SUCCESS;
  if (code == MPI_SUCCESS)
    code = MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  if (code == MPI_SUCCESS)
    code = MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  return code;
}

static tessera_status start_mpi(mpi_state *state) {
  int initialized = 0, finalized = 0;
  MPI_Finalized(&finalized);
  if (finalized)
    return state->host->fail(TESSERA_ERROR_UNSUPPORTED,
                             "MPI has been finalised, and cannot be started a second time");
  int code = MPI_Initialized(&initialized);
  if (code == MPI_SUCCESS && !initialized)
    code = initialize(state);
  int level = MPI_THREAD_SINGLE;
  if (code == MPI_SUCCESS)
    code = MPI_Query_thread(&level);
  state->hears = level == MPI_THREAD_MULTIPLE;
  if (code == MPI_SUCCESS)
    code = MPI_Comm_dup(MPI_COMM_WORLD, &state->world);
  if (code == MPI_SUCCESS)
    code = MPI_Comm_set_errhandler(state->world, MPI_ERRORS_RETURN);
  if (code == MPI_SUCCESS)
    code = mpi_notice_end(state);
  return check(state, code, "starting MPI");
}

__attribute__((visibility("default"))) tessera_status
tessera_backend_open(const tr_backend_host *host, tr_world *world) {
  if (host->version != TR_BACKEND_VERSION)
    return host->fail(TESSERA_ERROR_MISMATCH,
                      "the MPI backend was built for another version of libtessera");
  mpi_state *state = calloc(1, sizeof(*state));
  if (!state)
    return host->fail(TESSERA_ERROR_OUT_OF_MEMORY, "no memory for the MPI backend");
  state->host = host;
  state->end_key = MPI_KEYVAL_INVALID;
  state->check_every = read_check_every();
  pthread_mutex_init(&state->hearing, NULL);
  pthread_mutex_init(&state->speaking, NULL);
  tessera_status status = read_ways(state);
  if (!status)
    status = read_host_ranks(state);
  if (!status)
    status = start_mpi(state);
  if (status) {
    free(state);
    return status;
  }
  MPI_Comm_rank(state->world, &world->rank);
  MPI_Comm_size(state->world, &world->size);
  state->rank = world->rank;
  state->ranks = world->size;
  world->backend = &mpi_backend;
  world->control = &mpi_control;
  world->state = state;
  state->hosts = calloc((size_t)state->ranks, sizeof(*state->hosts));
  if (!state->hosts)
    return no_memory(state, sizeof(*state->hosts) * (size_t)state->ranks);
  status = check(state, measure_host(state->world, world), "counting the ranks of this host");
  return status;
}
