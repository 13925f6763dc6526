/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* MPI hangs after a rank has failed: the job ends all the same, with the failure. It stands between
 * libtessera and MPI. Rank 1 fails while rank 0 waits for it.
 * usage: hanging word|abort|stuck|end, two ranks; begin, four
 * word: what the watch of rank 0 asks the other host before that (TESSERA_MPI_HOST=1) never leaves.
 * abort: rank 0 computes instead, so that rank 1 ends the job; MPI_Abort does not return.
 * stuck: likewise, of a rank that has nowhere to return to, while rank 0 is inside a collective of
 * MPI's own (TESSERA_MPI_COLLECTIVES=native), where it hears of nothing.
 * end: rank 0 never comes to the end of its context.
 * begin: of two collectives that rank 0 begins at once MPI refuses the second one. The first is
 * under way, in memory that must not serve anything else. */
#include <mpi.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness.h"

enum { LONG = 5, FOR_EVER = 1000 }; /* seconds */

static const char *what;
static pthread_t main_thread;

static _Noreturn void hang(void) {
  for (;;)
    pause();
}

/* Words are the messenger's, which is a thread of its own. */
int MPI_Isend(const void *data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
              MPI_Request *request) {
  if (strcmp(what, "word") == 0 && !pthread_equal(pthread_self(), main_thread))
    hang();
  return PMPI_Isend(data, count, type, to, tag, comm, request);
}

int MPI_Abort(MPI_Comm comm, int code) {
  if (strcmp(what, "abort") == 0 || strcmp(what, "stuck") == 0)
    hang();
  return PMPI_Abort(comm, code);
}

static uintptr_t under_way; /* memory of the first collective that was begun */

int MPI_Iallreduce(const void *in, void *out, int count, MPI_Datatype type, MPI_Op operation,
                   MPI_Comm comm, MPI_Request *request) {
  if (strcmp(what, "begin") == 0 && under_way)
    return MPI_ERR_OTHER;
  if (strcmp(what, "begin") == 0 && tessera_context_rank(tessera_context_current()) == 0)
    under_way = (uintptr_t)out;
  return PMPI_Iallreduce(in, out, count, type, operation, comm, request);
}

static const int64_t any_extent = -1, rows_of_two[] = {-1, 2};
static const int32_t first_axis = 0, second_axis = 1;
static const tessera_grid all_ranks = {sizeof(all_ranks), 1, "all", &any_extent};
static const tessera_grid rows = {sizeof(rows), 2, "rows", rows_of_two};

static void sum_over(const tessera_grid *grid, const int32_t *axis) {
  const tessera_site site = {.struct_size = sizeof(site),
                             .kind = TESSERA_SITE_ALL_REDUCE,
                             .name = "reduce",
                             .location = "h.mlir:1:1",
                             .grid = grid,
                             .axes = axis,
                             .num_axes = 1,
                             .index = -1,
                             .input_rank = 1,
                             .output_rank = 1,
                             .input_type = TESSERA_I64,
                             .output_type = TESSERA_I64,
                             .reduction = TESSERA_SUM};
  int64_t value = 1;
  memref in = {&value, (char *)&value, 0, {1, 1}};
  tessera_rt_all_reduce(&site, NULL, &in, &in);
}

static void sum(void *data) {
  (void)data;
  sum_over(&all_ranks, &first_axis);
}

/* A group beside that of all, so that both are compared at once. */
static void sum_row(void *data) {
  (void)data;
  sum_over(&rows, &second_axis);
}

static void fail_here(void *data) {
  static const tessera_site site = {.struct_size = sizeof(site),
                                    .kind = TESSERA_SITE_CHECK,
                                    .name = "cf.assert",
                                    .location = "h.mlir:2:1",
                                    .index = -1};
  (void)data;
  tessera_rt_fail(&site, "x is negative");
}

/* Whether memory that is asked for now is that of what is under way. */
static bool is_given_again(void) {
  enum { MOST = 4096, STEP = 16, OF_EACH = 16 };
  for (size_t bytes = STEP; bytes <= MOST; bytes += STEP)
    for (int i = 0; i < OF_EACH; i++) {
      uintptr_t memory = (uintptr_t)malloc(bytes); /* kept: the process ends with it */
      if (memory <= under_way && under_way < memory + bytes)
        return true;
    }
  return false;
}

static void begin(int32_t rank) {
  enum { LATE = 2 };
  caught caught;
  attempt(&caught, sum_row, NULL);
  if (rank == 1)
    sleep(LATE);
  tessera_status status = tessera_settle(tessera_context_current());
  if (rank == 0 && (status != TESSERA_ERROR_BACKEND || !under_way || is_given_again())) {
    fprintf(stderr, "rank 0: memory of a collective that is under way was given back\n");
    _exit(3);
  }
}

/* After so many calls MPI is not asked for each whether others make it, too. */
static void get_stuck(int32_t rank) {
  enum { COMPARED_AT_FIRST = 64 };
  for (int i = 0; i < COMPARED_AT_FIRST; i++)
    sum(NULL);
  if (rank == 1)
    fail_here(NULL);
  sum(NULL);
}

static void run_rank(int32_t rank, int32_t size, void *data) {
  caught caught;
  (void)size;
  (void)data;
  if (strcmp(what, "begin") == 0) {
    begin(rank);
    return;
  }
  if (strcmp(what, "stuck") == 0)
    get_stuck(rank);
  if (strcmp(what, "abort") == 0 && rank == 0)
    sleep(FOR_EVER);
  if (strcmp(what, "word") == 0 && rank == 1)
    sleep(LONG);
  attempt(&caught, rank == 1 ? fail_here : sum, NULL);
  if (strcmp(what, "end") == 0 && rank == 0)
    sleep(FOR_EVER);
}

int main(int argc, char **argv) {
  main_thread = pthread_self();
  what = argc > 1 ? argv[1] : "";
  run_here(run_rank, NULL);
  if (tessera_finalize() != TESSERA_OK)
    fprintf(stderr, "%s\n", tessera_last_error());
  return 0;
}
