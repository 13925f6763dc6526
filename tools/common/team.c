/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The ranks of a running tool as one team, on top of two synthetic sites over all ranks.
 * It must not know what the tools do. */
#include "common/team.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tessera/program.h"

/* ---- failures -------------------------------------------------------------------------------- */

static atomic_flag ended = ATOMIC_FLAG_INIT;

/* Set by the main thread before rank threads start. */
static void (*at_end)(void);

void team_at_end(void (*function)(void)) {
  at_end = function;
}

/* Ranks of one process print once; those of other processes take turns, long enough for the first
 * one's abort to end the rest before theirs comes. A rank that only heard of another's failure
 * comes last. */
static void wait_for_turn(tessera_context *context, tessera_status status) {
  enum { TURN_MICROSECONDS = 300 * 1000, LAST_TURN = 10, LAST_LOCAL_TURN = 2 };
  bool is_local = strcmp(tessera_context_backend(context), "local") == 0;
  int32_t rank = tessera_context_rank(context);
  int32_t last = is_local ? LAST_LOCAL_TURN : LAST_TURN;
  int32_t turn = is_local ? 0 : rank;
  if (status == TESSERA_ERROR_PEER || turn > last)
    turn = last;
  usleep((useconds_t)turn * TURN_MICROSECONDS);
}

/* Failures inside programs begin with the place in the source, like a compiler's. */
static void print_failure(const char *tool, const char *message) {
  static const char word[] = "error: ";
  if (strncmp(message, word, strlen(word)) == 0)
    message += strlen(word);
  bool is_located = strstr(message, ": error: ") != NULL;
  fprintf(stderr, "%s%s%s\n", is_located ? "" : tool, is_located ? "" : ": error: ", message);
  fflush(NULL);
}

static _Noreturn void end_all(const team *team, tessera_status status) {
  const char *message = tessera_last_error();
  wait_for_turn(team->context, status);
  if (!atomic_flag_test_and_set(&ended)) {
    print_failure(team->tool, message);
    if (at_end)
      at_end();
    tessera_context_abort(team->context, message);
    _exit(1);
  }
  for (;;)
    pause();
}

/* ---- collectives ----------------------------------------------------------------------------- */

typedef struct vector {
  void *allocated, *aligned;
  int64_t offset, size, stride;
} vector;

static void fill_site(team *team, tessera_site *site, tessera_dtype type, tessera_reduction kind) {
  *site = (tessera_site){.struct_size = sizeof(*site),
                         .kind = TESSERA_SITE_ALL_REDUCE,
                         .name = team->tool,
                         .location = "",
                         .grid = &team->grid,
                         .axes = &team->axis,
                         .num_axes = 1,
                         .index = -1,
                         .input_rank = 1,
                         .output_rank = 1,
                         .input_type = type,
                         .output_type = type,
                         .reduction = kind};
}

void team_start(team *team, const char *tool, tessera_context *context) {
  team->tool = tool;
  team->context = context;
  team->rank = tessera_context_rank(context);
  team->size = tessera_context_size(context);
  team->extent = team->size;
  team->axis = 0;
  team->grid = (tessera_grid){sizeof(tessera_grid), 1, "all", &team->extent};
  fill_site(team, &team->minimum, TESSERA_I64, TESSERA_MIN);
  fill_site(team, &team->maximum, TESSERA_F64, TESSERA_MAX);
  tessera_context_set_current(context);
}

void team_stop(team *team) {
  (void)team;
  tessera_context_set_current(NULL);
}

int team_finalize(const char *tool, int status) {
  if (tessera_finalize() == TESSERA_OK)
    return status;
  if (status == 0)
    fprintf(stderr, "%s: error: %s\n", tool, tessera_last_error());
  return 1;
}

typedef struct reduction {
  const tessera_site *site;
  vector view;
} reduction;

static void reduce_now(void *data) {
  const reduction *reduction = data;
  tessera_rt_all_reduce(reduction->site, NULL, &reduction->view, &reduction->view);
}

/* Collectives take memory of the context's device: the values, of 8 bytes each, go there and back.
 */
static tessera_status reduce_on_device(const team *team, const tessera_site *site, void *values,
                                       int64_t count) {
  tessera_tensor tensor;
  tessera_status status =
      tessera_tensor_create((tessera_dtype)site->input_type, 1, &count, &tensor);
  if (status)
    return status;
  memcpy(tensor.data, values, (size_t)count * 8);
  status = tessera_tensor_to_device(team->context, &tensor);
  reduction reduction = {site, {tensor.data, tensor.data, 0, count, 1}};
  if (!status)
    status = tessera_attempt(team->context, reduce_now, &reduction);
  if (!status)
    status = tessera_tensor_to_host(&tensor);
  if (!status)
    memcpy(values, tensor.data, (size_t)count * 8);
  tessera_tensor_destroy(&tensor);
  return status;
}

/* After a failure of the context, in a program or here, this is where all ranks end. */
static void reduce(const team *team, const tessera_site *site, void *values, int64_t count) {
  tessera_status status = reduce_on_device(team, site, values, count);
  if (status)
    end_all(team, status);
}

void team_maximum(team *team, double *values, int64_t count) {
  reduce(team, &team->maximum, values, count);
}

int32_t team_first(team *team, bool chosen) {
  int64_t first = chosen ? team->rank : team->size;
  reduce(team, &team->minimum, &first, 1);
  return first < team->size ? (int32_t)first : -1;
}

void team_barrier(team *team) {
  team_first(team, false);
}

bool team_agree(team *team, bool succeeded, const char *message) {
  int32_t first = team_first(team, !succeeded);
  if (first == team->rank)
    fprintf(stderr, "%s: error: %s\n", team->tool, message);
  return first < 0;
}

/* ---- local ranks ----------------------------------------------------------------------------- */

typedef struct local_rank {
  pthread_t thread;
  tessera_context *context;
  team_function function;
  void *data;
  int status;
} local_rank;

static void *run_local_rank(void *argument) {
  local_rank *rank = argument;
  rank->status = rank->function(rank->context, rank->data);
  return NULL;
}

/* Starts a thread for each rank. Without all of them the first collective would wait forever, so a
 * thread that cannot be started ends the process. */
static void start_ranks(const char *tool, int32_t count, local_rank *ranks) {
  for (int32_t i = 0; i < count; i++)
    if (pthread_create(&ranks[i].thread, NULL, run_local_rank, &ranks[i]) != 0) {
      fprintf(stderr, "%s: error: cannot start %d threads\n", tool, count);
      fflush(NULL);
      _exit(1);
    }
}

int team_run_local(const char *tool, int32_t ranks, team_function function, void *data) {
  local_rank *all = calloc((size_t)ranks, sizeof(*all));
  tessera_context **contexts = calloc((size_t)ranks, sizeof(*contexts));
  int status = 1;
  if (!all || !contexts) {
    fprintf(stderr, "%s: error: no memory for %d ranks\n", tool, ranks);
  } else if (tessera_local_create(ranks, contexts) != TESSERA_OK) {
    fprintf(stderr, "%s: error: %s\n", tool, tessera_last_error());
  } else {
    for (int32_t i = 0; i < ranks; i++)
      all[i] = (local_rank){.context = contexts[i], .function = function, .data = data};
    start_ranks(tool, ranks, all);
    status = 0;
    for (int32_t i = 0; i < ranks; i++) {
      pthread_join(all[i].thread, NULL);
      status |= all[i].status;
    }
    tessera_local_destroy(ranks, contexts);
  }
  free(contexts);
  free(all);
  return status;
}
