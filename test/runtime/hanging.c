/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* MPI hangs after a rank has failed: the job ends all the same, with the failure. It stands between
 * libtessera and MPI. Rank 1 fails while rank 0 waits for it.
 * usage: hanging word|abort|end, two ranks
 * word: what the watch of rank 0 asks the other host before that (TESSERA_MPI_HOST=1) never leaves.
 * abort: rank 0 computes instead, so that rank 1 ends the job; MPI_Abort does not return.
 * end: rank 0 never comes to the end of its context. */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
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
  if (strcmp(what, "abort") == 0)
    hang();
  return PMPI_Abort(comm, code);
}

static const int64_t any_extent = -1;
static const int32_t first_axis = 0;
static const tessera_grid all_ranks = {sizeof(all_ranks), 1, "all", &any_extent};

static void sum(void *data) {
  static const tessera_site site = {.struct_size = sizeof(site),
                                    .kind = TESSERA_SITE_ALL_REDUCE,
                                    .name = "reduce",
                                    .location = "h.mlir:1:1",
                                    .grid = &all_ranks,
                                    .axes = &first_axis,
                                    .num_axes = 1,
                                    .index = -1,
                                    .input_rank = 1,
                                    .output_rank = 1,
                                    .input_type = TESSERA_I64,
                                    .output_type = TESSERA_I64,
                                    .reduction = TESSERA_SUM};
  int64_t value = 1;
  memref in = {&value, (char *)&value, 0, {1, 1}};
  (void)data;
  tessera_rt_all_reduce(&site, NULL, &in, &in);
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

static void run_rank(int32_t rank, int32_t size, void *data) {
  caught caught;
  (void)size;
  (void)data;
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
