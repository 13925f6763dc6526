/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* One rank keeps others waiting in calls of a mesh: the message names it, and none of those that
 * have done their part. usage: blame SCENARIO, which has to fail; blame.sh says what it tells. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness.h"
#include "tessera/mesh.h"

enum { LONG = 7 }; /* seconds, longer than the TESSERA_TIMEOUT of those that wait for it */

static tessera_status make(tessera_context *context, int32_t num_dims, const int64_t *shape,
                           tessera_mesh **mesh) {
  tessera_status status = tessera_mesh_create(context, num_dims, shape, NULL, mesh);
  EXPECT(status == TESSERA_OK);
  return status;
}

static void tell(int32_t rank, tessera_status status) {
  if (status)
    fail_test("rank %d: %s", rank, tessera_last_error());
}

/* ---- who has done its part ------------------------------------------------------------------- */

/* Rank 1 has what rank 0 broadcasts, and computes; the last rank never comes. */
static void broadcast(int32_t rank, int32_t size, int rounds_before) {
  const int64_t shape[] = {size};
  int64_t value[1] = {0};
  tessera_mesh *mesh;
  tessera_group *group;
  if (make(tessera_context_current(), 1, shape, &mesh))
    return;
  tessera_mesh_global_group(mesh, &group);
  for (int i = 0; i < rounds_before; i++)
    tell(rank, tessera_group_broadcast(group, value, value, 1, TESSERA_I64, 0));
  if (rank < size - 1)
    tell(rank, tessera_group_broadcast(group, value, value, 1, TESSERA_I64, 0));
  if (rank > 0)
    sleep(LONG);
  tessera_mesh_destroy(mesh);
}

static void first_broadcast(int32_t rank, int32_t size, void *data) {
  (void)data;
  broadcast(rank, size, 0);
}

static void later_broadcast(int32_t rank, int32_t size, void *data) {
  (void)data;
  broadcast(rank, size, 20);
}

/* ---- groups ---------------------------------------------------------------------------------- */

static tessera_status sum(tessera_group *group) {
  int64_t in[1] = {1}, out[1];
  return tessera_group_all_reduce(group, in, out, 1, TESSERA_I64, TESSERA_SUM);
}

/* Of four ranks two begin with their row and two with their column, at one line. */
static void crossed_groups(int32_t rank, int32_t size, void *data) {
  const int64_t shape[] = {2, size / 2};
  tessera_mesh *mesh;
  tessera_group *groups[2];
  (void)data;
  if (make(tessera_context_current(), 2, shape, &mesh))
    return;
  tessera_mesh_tensor_group(mesh, &groups[0]);
  tessera_mesh_data_group(mesh, &groups[1]);
  tell(rank, sum(groups[0]));
  tell(rank, sum(groups[1]));
  int first = rank == 0 || rank == size - 1;
  for (int i = 0; i < 2; i++)
    tell(rank, sum(groups[first ^ i]));
  tessera_mesh_destroy(mesh);
}

/* Rank 0 has come to the second call of all; the last one waits in a row that rank 1 computes
 * before. */
static void row_first(int32_t rank, int32_t size, void *data) {
  const int64_t shape[] = {2, size / 2}, one[] = {size};
  int64_t value[1] = {0};
  tessera_mesh *mesh, *line;
  tessera_group *column, *all;
  (void)data;
  if (make(tessera_context_current(), 2, shape, &mesh) ||
      make(tessera_context_current(), 1, one, &line))
    return;
  tessera_mesh_data_group(mesh, &column);
  tessera_mesh_global_group(line, &all);
  if (rank == size - 1)
    tell(rank, sum(column));
  tell(rank, tessera_group_broadcast(all, value, value, 1, TESSERA_I64, 1));
  tell(rank, sum(all));
  tessera_mesh_destroy(line);
  tessera_mesh_destroy(mesh);
}

/* In a mesh of more dimensions than people think of, the last rank does not come to its line. */
static void many_dimensions(int32_t rank, int32_t size, void *data) {
  enum { DIMS = 16 };
  static const int32_t last[] = {DIMS - 1};
  int64_t shape[DIMS];
  tessera_mesh *mesh;
  tessera_group *line;
  (void)data;
  for (int d = 0; d < DIMS - 1; d++)
    shape[d] = d == DIMS - 2 ? size / 2 : 1;
  shape[DIMS - 1] = 2;
  if (make(tessera_context_current(), DIMS, shape, &mesh))
    return;
  tessera_mesh_line(mesh, 1, last, &line);
  if (rank < size - 1)
    tell(rank, sum(line));
  if (rank != size - 2)
    sleep(LONG);
  tessera_mesh_destroy(mesh);
}

/* Long after calls are compared no more the root has room for less than all others send, inside
 * MPI's own call. */
static void late_sizes(int32_t rank, int32_t size, void *data) {
  enum { EARLY = 70, FEW = 4, MANY = 20000 };
  const int64_t shape[] = {size};
  int64_t *in = calloc(MANY, sizeof(*in)), *out = calloc((size_t)size * MANY, sizeof(*out));
  tessera_mesh *mesh;
  tessera_group *all;
  (void)data;
  if (!in || !out || make(tessera_context_current(), 1, shape, &mesh))
    return;
  tessera_mesh_global_group(mesh, &all);
  for (int i = 0; i < EARLY; i++)
    tell(rank, tessera_group_gather(all, in, out, FEW, TESSERA_I64, 0));
  tell(rank, tessera_group_gather(all, in, out, rank == 0 ? FEW : MANY, TESSERA_I64, 0));
  if (rank > 0)
    sleep(LONG);
  tessera_mesh_destroy(mesh);
  free(in);
  free(out);
}

/* The last rank leaves out a barrier, when calls are compared no more, and takes the end for it. */
static void left_out(int32_t rank, int32_t size, void *data) {
  enum { EARLY = 70 };
  const int64_t shape[] = {size};
  tessera_mesh *mesh;
  (void)data;
  if (make(tessera_context_current(), 1, shape, &mesh))
    return;
  for (int i = 0; i < EARLY; i++)
    tell(rank, tessera_mesh_barrier(mesh));
  if (rank < size - 1)
    tell(rank, tessera_mesh_barrier(mesh));
  tell(rank, tessera_settle(tessera_context_current()));
  tessera_mesh_destroy(mesh);
}

/* ---- messages -------------------------------------------------------------------------------- */

/* Each rank to the next one. */
static void pass_on(tessera_group *group, int32_t rank, int32_t size) {
  int64_t out[1] = {rank}, in[1];
  tell(rank, tessera_group_send(group, out, 1, TESSERA_I64, (rank + 1) % size));
  tell(rank, tessera_group_receive(group, in, 1, TESSERA_I64, (rank + size - 1) % size));
}

static void messages(int32_t rank, int32_t size, void (*end)(tessera_group *, int32_t, int32_t)) {
  enum { EARLY = 5 };
  const int64_t shape[] = {size};
  tessera_mesh *mesh;
  tessera_group *all;
  if (make(tessera_context_current(), 1, shape, &mesh))
    return;
  tessera_mesh_global_group(mesh, &all);
  for (int i = 0; i < EARLY; i++)
    pass_on(all, rank, size);
  end(all, rank, size);
  tessera_mesh_destroy(mesh);
}

/* The last rank adds up before it passes on, the others after that. */
static void end_late(tessera_group *all, int32_t rank, int32_t size) {
  if (rank < size - 1)
    pass_on(all, rank, size);
  tell(rank, sum(all));
  pass_on(all, rank, size);
}

/* Rank 0 awaits a message that nobody sends. */
static void end_extra(tessera_group *all, int32_t rank, int32_t size) {
  int64_t in[1];
  if (rank == 0)
    tell(rank, tessera_group_receive(all, in, 1, TESSERA_I64, size - 1));
  tell(rank, sum(all));
}

/* All compute but rank 0, which waits for the last one alone. */
static void end_one(tessera_group *all, int32_t rank, int32_t size) {
  int64_t in[1];
  if (rank == 0)
    tell(rank, tessera_group_receive(all, in, 1, TESSERA_I64, size - 1));
  else
    sleep(LONG);
}

static void message_late(int32_t rank, int32_t size, void *data) {
  (void)data;
  messages(rank, size, end_late);
}

static void message_extra(int32_t rank, int32_t size, void *data) {
  (void)data;
  messages(rank, size, end_extra);
}

static void message_of_one(int32_t rank, int32_t size, void *data) {
  (void)data;
  messages(rank, size, end_one);
}

/* ---- threads that end ------------------------------------------------------------------------ */

typedef struct own_rank {
  pthread_t thread;
  tessera_context *context;
} own_rank;

/* By the mesh alone: the context is no thread's current one. Rank 2 ends before its first call. */
static void *end_before_call(void *data) {
  own_rank *own = data;
  const int64_t shape[] = {tessera_context_size(own->context)};
  int32_t rank = tessera_context_rank(own->context);
  tessera_mesh *mesh;
  tessera_group *group;
  if (make(own->context, 1, shape, &mesh))
    return NULL;
  tessera_mesh_global_group(mesh, &group);
  if (rank != 2)
    tell(rank, sum(group));
  tessera_mesh_destroy(mesh);
  return NULL;
}

static void ended_thread(void) {
  enum { RANKS = 3 };
  tessera_context *contexts[RANKS];
  own_rank ranks[RANKS];
  EXPECT(tessera_local_create(RANKS, contexts) == TESSERA_OK);
  for (int i = 0; i < RANKS; i++) {
    ranks[i].context = contexts[i];
    EXPECT(pthread_create(&ranks[i].thread, NULL, end_before_call, &ranks[i]) == 0);
  }
  for (int i = 0; i < RANKS; i++)
    pthread_join(ranks[i].thread, NULL);
  tessera_local_destroy(RANKS, contexts);
}

/* ---- scenarios ------------------------------------------------------------------------------- */

static const struct {
  const char *name;
  rank_function function;
  int32_t ranks; /* on threads */
} scenarios[] = {{"first-broadcast", first_broadcast, 3},
                 {"later-broadcast", later_broadcast, 3},
                 {"crossed-groups", crossed_groups, 4},
                 {"row-first", row_first, 4},
                 {"many-dimensions", many_dimensions, 4},
                 {"late-sizes", late_sizes, 3},
                 {"left-out", left_out, 3},
                 {"message-late", message_late, 3},
                 {"message-extra", message_extra, 3},
                 {"message-of-one", message_of_one, 3}};
enum { NUM_SCENARIOS = sizeof(scenarios) / sizeof(scenarios[0]) };

int main(int argc, char **argv) {
  if (argc > 1 && strcmp(argv[1], "ended-thread") == 0)
    ended_thread();
  for (int i = 0; argc > 1 && i < NUM_SCENARIOS; i++) {
    if (strcmp(argv[1], scenarios[i].name) != 0)
      continue;
    if (under_mpi())
      run_here(scenarios[i].function, NULL);
    else
      run_local(scenarios[i].ranks, scenarios[i].function, NULL);
  }
  return finish_tests();
}
