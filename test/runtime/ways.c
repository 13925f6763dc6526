/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Strided messages that come again go the faster way, in each direction, also when another way
 * becomes the faster. It stands between libtessera and MPI, and tells the time: what a message
 * takes depends on nothing but its way. */
#include <mpi.h>
#include <stdio.h>

#include "harness.h"

enum { ROWS = 64, COLUMNS = 64, BYTES = ROWS * COLUMNS * 4 };

/* Calls after which the runtime must have noticed, and those that are looked at then: most must go
 * the faster way, for a trial may be among them. */
enum { NOTICED = 500, LOOKED_AT = 200, CHECKED_EACH = 9 };

typedef enum direction { SEND, RECEIVE, NUM_DIRECTIONS } direction;

static struct {
  bool types_are_fast[NUM_DIRECTIONS];
  int typed[NUM_DIRECTIONS], packed[NUM_DIRECTIONS]; /* messages */
} ways;

static double now;

double MPI_Wtime(void) {
  return now;
}

/* Nothing but the messages of the test has a datatype or as many bytes. */
static void pass(direction direction, int count, MPI_Datatype type) {
  static const double fast = 1e-4, slow = 2e-4;
  bool is_typed = type != MPI_BYTE && count == 1, is_packed = type == MPI_BYTE && count == BYTES;
  ways.typed[direction] += is_typed;
  ways.packed[direction] += is_packed;
  if (is_typed || is_packed)
    now += is_typed == ways.types_are_fast[direction] ? fast : slow;
}

int MPI_Isend(const void *data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
              MPI_Request *request) {
  pass(SEND, count, type);
  return PMPI_Isend(data, count, type, to, tag, comm, request);
}

int MPI_Irecv(void *data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
              MPI_Request *request) {
  pass(RECEIVE, count, type);
  return PMPI_Irecv(data, count, type, from, tag, comm, request);
}

int MPI_Sendrecv(const void *out, int out_count, MPI_Datatype out_type, int to, int out_tag,
                 void *in, int in_count, MPI_Datatype in_type, int from, int in_tag, MPI_Comm comm,
                 MPI_Status *status) {
  pass(SEND, out_count, out_type);
  pass(RECEIVE, in_count, in_type);
  return PMPI_Sendrecv(out, out_count, out_type, to, out_tag, in, in_count, in_type, from, in_tag,
                       comm, status);
}

static float value(int64_t call, int64_t rank, int64_t row, int64_t column) {
  return (float)(mix((uint64_t)(call * 31 + rank), (uint64_t)(row * COLUMNS + column)) % 1000);
}

/* A ring: the left halves of wide rows go to the next rank. */
static void shift_checked(const tessera_site *site, int32_t rank, int32_t size, int64_t call,
                          const memref *in, const memref *out) {
  int32_t previous = (rank + size - 1) % size;
  bool right = true;
  for (int64_t i = 0; i < ROWS; i++)
    for (int64_t k = 0; k < COLUMNS; k++)
      ((float *)in->aligned)[i * 2 * COLUMNS + k] = value(call, rank, i, k);
  tessera_rt_shift(site, NULL, in, out);
  for (int64_t i = 0; i < ROWS; i++)
    for (int64_t k = 0; k < COLUMNS; k++)
      right = right && ((float *)out->aligned)[i * 2 * COLUMNS + k] == value(call, previous, i, k);
  EXPECT(right);
}

static memref left_half(void) {
  memref result = memref_create(2, (int64_t[]){ROWS, 2 * COLUMNS}, sizeof(float), DENSE);
  result.dims[1] = COLUMNS;
  return result;
}

static void run(int32_t rank, int32_t size, void *data) {
  (void)data;
  int64_t extents[] = {size};
  tessera_grid grid = {sizeof(grid), 1, "g", extents};
  tessera_site site = {.struct_size = sizeof(site),
                       .kind = TESSERA_SITE_SHIFT,
                       .name = "shift",
                       .location = "",
                       .grid = &grid,
                       .axes = (const int32_t[]){0},
                       .num_axes = 1,
                       .offset = 1,
                       .flags = TESSERA_SITE_ROTATE,
                       .input_rank = 2,
                       .output_rank = 2,
                       .input_type = TESSERA_F32,
                       .output_type = TESSERA_F32};
  memref in = left_half(), out = left_half();
  for (int choice = 0; choice < 8; choice++) {
    for (int way = SEND; way < NUM_DIRECTIONS; way++)
      ways.types_are_fast[way] = (choice >> way & 1) != choice >> 2;
    for (int i = 0; i < NOTICED + LOOKED_AT; i++) {
      if (i == NOTICED)
        for (int way = SEND; way < NUM_DIRECTIONS; way++)
          ways.typed[way] = ways.packed[way] = 0;
      if (i % CHECKED_EACH)
        tessera_rt_shift(&site, NULL, &in, &out);
      else
        shift_checked(&site, rank, size, choice * 10000 + i, &in, &out);
    }
    for (int way = SEND; way < NUM_DIRECTIONS; way++) {
      bool takes_types = ways.typed[way] > ways.packed[way];
      EXPECT(ways.typed[way] + ways.packed[way] == LOOKED_AT);
      if (takes_types != ways.types_are_fast[way])
        fail_test("choice %d: of %s, %d are typed, %d packed", choice,
                  way == SEND ? "messages sent" : "messages received", ways.typed[way],
                  ways.packed[way]);
    }
  }
  memref_destroy(&in);
  memref_destroy(&out);
}

int main(int argc, char **argv) {
  int provided;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  run_here(run, NULL);
  int status = finish_tests(); /* ends the runtime, not MPI */
  MPI_Finalize();
  return status;
}
