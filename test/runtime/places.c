/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Calls that people write by hand: where they are in the source is in messages, and may be another
 * place on each rank; what differs otherwise is said. usage: places [DIFFERENCE] */
#include <stdlib.h>
#include <string.h>

#include "harness.h"
#include "tessera/mesh.h"
#include "tessera/pipeline.h"

enum { COUNT = 6 };

static tessera_group *group_of_all(tessera_mesh **mesh, int32_t size) {
  const int64_t shape[] = {size};
  tessera_group *group = NULL;
  EXPECT(tessera_mesh_create(tessera_context_current(), 1, shape, NULL, mesh) == TESSERA_OK);
  EXPECT(tessera_mesh_global_group(*mesh, &group) == TESSERA_OK);
  return group;
}

/* The root has a branch of its own, as people write it; in many rounds, so that plans and notes of
 * both places are used again. */
static void call_at_several_places(tessera_group *group, int32_t rank) {
  int64_t value[1], sum[1];
  for (int round = 0; round < 100; round++) {
    value[0] = rank == 0 ? round : -1;
    if (rank == 0)
      EXPECT(tessera_group_broadcast(group, value, value, 1, TESSERA_I64, 0) == TESSERA_OK);
    else if (round % 2 == 0)
      EXPECT(tessera_group_broadcast(group, NULL, value, 1, TESSERA_I64, 0) == TESSERA_OK);
    else
      EXPECT(tessera_group_broadcast(group, NULL, value, 1, TESSERA_I64, 0) == TESSERA_OK);
    EXPECT(value[0] == round);
    if (rank == 0)
      EXPECT(tessera_group_barrier(group) == TESSERA_OK);
    else
      EXPECT(tessera_group_barrier(group) == TESSERA_OK);
    EXPECT(tessera_group_all_reduce(group, value, sum, 1, TESSERA_I64, TESSERA_SUM) == TESSERA_OK);
    EXPECT(sum[0] == (int64_t)round * tessera_group_size(group));
  }
}

/* ---- what differs ---------------------------------------------------------------------------- */

static tessera_status reduce_otherwise(tessera_group *group, int32_t rank) {
  float in[COUNT] = {0}, out[COUNT];
  return tessera_group_all_reduce(group, in, out, COUNT, TESSERA_F32,
                                  rank == 0 ? TESSERA_SUM : TESSERA_MAX);
}

static tessera_status reduce_elsewhere(tessera_group *group, int32_t rank) {
  float in[COUNT] = {0}, out[COUNT];
  return rank == 0 ? tessera_group_all_reduce(group, in, out, COUNT, TESSERA_F32, TESSERA_SUM)
                   : tessera_group_all_gather(group, in, out, 1, TESSERA_F32);
}

static tessera_status receive_otherwise(tessera_group *group, int32_t rank) {
  int64_t memory[COUNT] = {0};
  return rank == 0 ? tessera_group_send(group, memory, COUNT, TESSERA_I64, 1)
                   : tessera_group_receive(group, memory, 2 * COUNT, TESSERA_I32, 0);
}

static tessera_status receive_more(tessera_group *group, int32_t rank) {
  int64_t memory[COUNT + 1] = {0};
  return rank == 0 ? tessera_group_send(group, memory, COUNT, TESSERA_I64, 1)
                   : tessera_group_receive(group, memory, COUNT + 1, TESSERA_I64, 0);
}

/* Inside MPI, where calls are compared no more; and on threads, where each place is told. */
static tessera_status gather_more(tessera_group *group, int32_t rank) {
  int64_t in[COUNT + 1] = {0}, out[2 * COUNT + 2];
  return rank == 0 ? tessera_group_all_gather(group, in, out, COUNT, TESSERA_I64)
                   : tessera_group_all_gather(group, in, out, COUNT + 1, TESSERA_I64);
}

/* As many bytes, so that nothing but the comparison at the end tells. */
static tessera_status gather_otherwise(tessera_group *group, int32_t rank) {
  int64_t in[COUNT] = {0}, out[2 * COUNT];
  return tessera_group_all_gather(group, in, out, COUNT, rank == 0 ? TESSERA_I64 : TESSERA_F64);
}

static tessera_status exchange_more(tessera_group *group, int32_t rank) {
  int64_t in[2 * COUNT + 2] = {0}, out[2 * COUNT + 2];
  return rank == 0 ? tessera_group_all_to_all(group, in, out, COUNT, TESSERA_I64)
                   : tessera_group_all_to_all(group, in, out, COUNT + 1, TESSERA_I64);
}

static tessera_status wait_otherwise(tessera_group *group, int32_t rank) {
  int64_t in[COUNT] = {0}, out[COUNT];
  return rank == 0 ? tessera_group_barrier(group)
                   : tessera_group_all_reduce(group, in, out, COUNT, TESSERA_I64, TESSERA_SUM);
}

/* The mesh has gone when it is told. */
static tessera_status send_in_vain(tessera_group *group, int32_t rank) {
  int64_t memory[COUNT] = {0};
  return rank == 0 ? tessera_group_send(group, memory, COUNT, TESSERA_I64, 1) : TESSERA_OK;
}

static tessera_status forward(void *data, int32_t microbatch, const tessera_tensor *in,
                              tessera_tensor *out) {
  (void)data;
  (void)microbatch;
  (void)in;
  const int64_t shape[] = {1};
  return out ? tessera_tensor_create(TESSERA_F32, 1, shape, out) : TESSERA_OK;
}

static tessera_status backward(void *data, int32_t microbatch, const tessera_tensor *in,
                               const tessera_tensor *by_out, tessera_tensor *by_in) {
  (void)by_out;
  return forward(data, microbatch, in, by_in);
}

static tessera_status run_more(tessera_group *group, int32_t rank) {
  static const int64_t one[] = {1};
  const tessera_piece piece = {TESSERA_F32, 1, one};
  const tessera_stage stage = {sizeof(stage), piece, piece, forward, backward, NULL};
  const int64_t shape[] = {tessera_group_size(group)};
  tessera_mesh *mesh;
  EXPECT(tessera_mesh_create(tessera_context_current(), 1, shape, NULL, &mesh) == TESSERA_OK);
  EXPECT(tessera_pipeline_run(mesh, 0, TESSERA_1F1B, 3, &stage) == TESSERA_OK);
  tessera_status status = tessera_pipeline_run(mesh, 0, rank == 0 ? TESSERA_GPIPE : TESSERA_1F1B,
                                               rank == 0 ? 3 : 4, &stage);
  tessera_mesh_destroy(mesh);
  return status;
}

/* In a mesh whose dimensions have names, which messages have too. */
static tessera_status reduce_in_ring(tessera_group *group, int32_t rank) {
  static const char *const names[] = {"ring"};
  const int64_t shape[] = {tessera_group_size(group)};
  tessera_mesh *mesh;
  tessera_group *ring;
  EXPECT(tessera_mesh_create(tessera_context_current(), 1, shape, names, &mesh) == TESSERA_OK);
  EXPECT(tessera_mesh_global_group(mesh, &ring) == TESSERA_OK);
  tessera_status status = reduce_otherwise(ring, rank);
  tessera_mesh_destroy(mesh);
  return status;
}

static const struct {
  const char *name;
  tessera_status (*call)(tessera_group *group, int32_t rank);
} differences[] = {
    {"reduction", reduce_otherwise}, {"named", reduce_in_ring},  {"place", reduce_elsewhere},
    {"type", receive_otherwise},     {"length", receive_more},   {"barrier", wait_otherwise},
    {"unreceived", send_in_vain},    {"pipeline", run_more},     {"gather", gather_more},
    {"exchange", exchange_more},     {"types", gather_otherwise}};
enum { NUM_DIFFERENCES = sizeof(differences) / sizeof(differences[0]) };

static void on_rank(int32_t rank, int32_t size, void *data) {
  tessera_mesh *mesh;
  tessera_group *group = group_of_all(&mesh, size);
  call_at_several_places(group, rank);
  for (int i = 0; data && i < NUM_DIFFERENCES; i++) {
    if (strcmp(data, differences[i].name) != 0)
      continue;
    tessera_status status = differences[i].call(group, rank);
    if (status)
      fail_test("rank %d: %s", rank, tessera_last_error());
  }
  tessera_mesh_destroy(mesh);
  if (tessera_settle(tessera_context_current()) != TESSERA_OK)
    fail_test("rank %d: at the end: %s", rank, tessera_last_error());
}

int main(int argc, char **argv) {
  char *difference = argc > 1 ? argv[1] : NULL;
  if (under_mpi())
    run_here(on_rank, difference);
  else
    run_local(2, on_rank, difference);
  return finish_tests();
}
