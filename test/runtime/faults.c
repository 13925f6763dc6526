/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* One rank does something else than a collective that the others call: the job ends, with one
 * message, and nothing is left of it. usage: faults COLLECTIVE FAULT [CALLS-BEFORE [VICTIM]];
 * without VICTIM it befalls the last rank */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness.h"

#define TESSERA_NO_PLACES /* they are set here */
#include "tessera/mesh.h"

enum { ROWS = 4, MOST = 64 };

static int64_t open_extent = -1;
static int32_t first_axis = 0;
static const tessera_grid all = {sizeof(all), 1, "all", &open_extent};

typedef struct buffers {
  int64_t in[MOST], out[MOST];
} buffers;

typedef struct asked {
  tessera_site site;
  int64_t rows, root;
  int32_t rank, size;
} asked;

typedef void call(const asked *asked, const void *in, const void *out);

/* ---- collectives ----------------------------------------------------------------------------- */

static void all_gather(const asked *asked, const void *in, const void *out) {
  tessera_rt_all_gather(&asked->site, NULL, in, out);
}
static void all_reduce(const asked *asked, const void *in, const void *out) {
  tessera_rt_all_reduce(&asked->site, NULL, in, out);
}
static void all_to_all(const asked *asked, const void *in, const void *out) {
  tessera_rt_all_to_all(&asked->site, NULL, in, out);
}
static void reduce_scatter(const asked *asked, const void *in, const void *out) {
  tessera_rt_reduce_scatter(&asked->site, NULL, in, out);
}
static void broadcast(const asked *asked, const void *in, const void *out) {
  tessera_rt_broadcast(&asked->site, NULL, in, out, &asked->root);
}
static void gather(const asked *asked, const void *in, const void *out) {
  tessera_rt_gather(&asked->site, NULL, in, out, &asked->root);
}
static void scatter(const asked *asked, const void *in, const void *out) {
  tessera_rt_scatter(&asked->site, NULL, in, out, &asked->root);
}
static void reduce(const asked *asked, const void *in, const void *out) {
  tessera_rt_reduce(&asked->site, NULL, in, out, &asked->root);
}
static void shift(const asked *asked, const void *in, const void *out) {
  tessera_rt_shift(&asked->site, NULL, in, out);
}
static void sum_size(const asked *asked, const void *in, const void *out) {
  (void)in;
  (void)out;
  tessera_rt_sum_size(&asked->site, asked->rows);
}
/* By hand. A failure is the context's, and so the next call's. */
static void barrier(const asked *asked, const void *in, const void *out) {
  const int64_t shape[] = {asked->size};
  tessera_mesh *mesh;
  (void)in;
  (void)out;
  if (tessera_mesh_create(tessera_context_current(), 1, shape, NULL, &mesh) != TESSERA_OK)
    return;
  tessera_at("f.mlir:1", 1);
  tessera_mesh_barrier(mesh);
  tessera_mesh_destroy(mesh);
}
static void send_on(const asked *asked, const void *in, const void *out) {
  int64_t next = (asked->rank + 1) % asked->size,
          previous = (asked->rank + asked->size - 1) % asked->size;
  tessera_rt_send(&asked->site, NULL, in, &next);
  tessera_rt_recv(&asked->site, NULL, out, &previous);
}

static void all_slice(const asked *asked, const void *in, const void *out) {
  tessera_rt_all_slice(&asked->site, NULL, in, out);
}
static void update_halo(const asked *asked, const void *in, const void *out) {
  static const int64_t halos[] = {1, 1};
  (void)out;
  tessera_rt_update_halo(&asked->site, NULL, in, halos);
}
static void exchange(const asked *asked, const void *in, const void *out) {
  int64_t sizes[] = {asked->rows * asked->size};
  tessera_rt_exchange(&asked->site, NULL, in, out, sizes);
}
static void start_and_wait(const asked *asked, const void *in, const void *out) {
  tessera_rt_wait(&asked->site, tessera_rt_start(&asked->site, NULL, in, out, NULL));
}

/* Layouts of an exchange: split along the grid's axis, and whole; the axes of a halo. */
static const int64_t split_words[] = {1, -1, 1, -1, 1, 0, 0, 0, 0};
static const int64_t whole_words[] = {1, -1, 1, -1, 0, 0, 0, 0};
static const int64_t halo_words[] = {1, 1, 0};

/* Extents of the two sides: as many rows, as many for each member, or as many of each. */
typedef enum extent { SAME, TIMES, PART } extent;

static const struct collective {
  const char *name;
  tessera_site_kind kind;
  call *call;
  extent in, out;
  uint32_t flags;
  const int64_t *from, *to;
} collectives[] = {
    {"all_gather", TESSERA_SITE_ALL_GATHER, all_gather, SAME, TIMES, 0, NULL, NULL},
    {"all_reduce", TESSERA_SITE_ALL_REDUCE, all_reduce, SAME, SAME, 0, NULL, NULL},
    {"all_to_all", TESSERA_SITE_ALL_TO_ALL, all_to_all, SAME, SAME, 0, NULL, NULL},
    {"broadcast", TESSERA_SITE_BROADCAST, broadcast, SAME, SAME, 0, NULL, NULL},
    {"gather", TESSERA_SITE_GATHER, gather, SAME, TIMES, 0, NULL, NULL},
    {"recv", TESSERA_SITE_RECV, send_on, SAME, SAME, 0, NULL, NULL},
    {"reduce", TESSERA_SITE_REDUCE, reduce, SAME, SAME, 0, NULL, NULL},
    {"reduce_scatter", TESSERA_SITE_REDUCE_SCATTER, reduce_scatter, TIMES, SAME, 0, NULL, NULL},
    {"scatter", TESSERA_SITE_SCATTER, scatter, TIMES, SAME, 0, NULL, NULL},
    {"shift", TESSERA_SITE_SHIFT, shift, SAME, SAME, TESSERA_SITE_ROTATE, NULL, NULL},
    {"sum_size", TESSERA_SITE_QUERY, sum_size, SAME, SAME, 0, NULL, NULL},
    {"all_slice", TESSERA_SITE_ALL_SLICE, all_slice, TIMES, SAME, TESSERA_SITE_LOCAL_SIZES, NULL,
     NULL},
    {"update_halo", TESSERA_SITE_UPDATE_HALO, update_halo, SAME, SAME, 0, halo_words, NULL},
    {"exchange", TESSERA_SITE_EXCHANGE, exchange, SAME, TIMES, 0, split_words, whole_words},
    {"started", TESSERA_SITE_ALL_REDUCE, start_and_wait, SAME, SAME, 0, NULL, NULL},
    {"barrier", TESSERA_SITE_QUERY, barrier, SAME, SAME, 0, NULL, NULL},
};
enum { NUM_COLLECTIVES = sizeof(collectives) / sizeof(collectives[0]) };

static asked ask(const struct collective *what, int32_t rank, int32_t size, const char *location) {
  return (asked){.site = {.struct_size = sizeof(tessera_site),
                          .kind = what->kind,
                          .name = what->name,
                          .location = location,
                          .grid = &all,
                          .axes = &first_axis,
                          .num_axes = 1,
                          .index = -1,
                          .input_rank = 1,
                          .output_rank = 1,
                          .input_type = TESSERA_I64,
                          .output_type = TESSERA_I64,
                          .reduction = TESSERA_SUM,
                          .flags = what->flags,
                          .offset = what->kind == TESSERA_SITE_SHIFT,
                          .from = what->from,
                          .to = what->to},
                 .rows = 2 * size,
                 .rank = rank,
                 .size = size};
}

static void do_call(const struct collective *what, const asked *asked) {
  buffers buffers = {{0}, {0}};
  int64_t times = asked->rows * asked->size;
  memref in = {buffers.in, (char *)buffers.in, 0, {what->in == TIMES ? times : asked->rows, 1}};
  memref out = {buffers.out, (char *)buffers.out, 0, {what->out == TIMES ? times : asked->rows, 1}};
  what->call(asked, &in, &out);
}

/* ---- faults ---------------------------------------------------------------------------------- */

typedef void fault(const struct collective *what, asked *asked);

static void be_killed(const struct collective *what, asked *asked) {
  (void)what;
  (void)asked;
  raise(SIGKILL);
}
static void be_stopped(const struct collective *what, asked *asked) {
  (void)what;
  (void)asked;
  raise(SIGSTOP);
  for (;;) /* a launcher that ends the job lets it go on before */
    pause();
}
static void leave(const struct collective *what, asked *asked) {
  (void)what;
  (void)asked;
  exit(0);
}
static void leave_later(const struct collective *what, asked *asked) {
  usleep(500000);
  leave(what, asked);
}
static void skip(const struct collective *what, asked *asked) {
  (void)what;
  (void)asked;
}
static void compute(const struct collective *what, asked *asked) {
  (void)what;
  (void)asked;
  const char *patience = getenv("TESSERA_TIMEOUT");
  sleep(3 * (patience ? (unsigned)strtoul(patience, NULL, 10) : 2));
}
static void call_longer(const struct collective *what, asked *asked) {
  asked->rows += asked->size;
  do_call(what, asked);
}
static void call_other_type(const struct collective *what, asked *asked) {
  asked->site.input_type = asked->site.output_type = TESSERA_I32;
  do_call(what, asked);
}
static void call_other_root(const struct collective *what, asked *asked) {
  asked->root = 1;
  do_call(what, asked);
}
/* The call behind this one comes first. */
static void call_other_first(const struct collective *what, asked *asked) {
  struct asked other = ask(&collectives[1], asked->rank, asked->size, "f.mlir:2:1");
  do_call(&collectives[1], &other);
  do_call(what, asked);
}

/* What is left lives longer than the job, with all that no program closes. */
static void leave_child(const struct collective *what, asked *asked) {
  enum { LONG = 30, USUAL = 256 };
  if (fork() == 0) {
    setsid();
    for (int i = 0; i < USUAL; i++)
      close(i);
    sleep(LONG);
    _exit(0);
  }
  do_call(what, asked);
}

static const struct {
  const char *name;
  fault *fault;
  fault *others; /* what these do instead of the call; NULL: it */
} faults[] = {{"kill", be_killed, NULL},
              {"stop", be_stopped, NULL},
              {"exit", leave, NULL},
              {"skip", skip, NULL},
              {"size", call_longer, NULL},
              {"type", call_other_type, NULL},
              {"root", call_other_root, NULL},
              {"order", call_other_first, NULL},
              {"compute", compute, NULL},
              {"leave", leave, compute},
              {"together", leave, leave_later},
              {"fork", leave_child, leave_child}};
enum { NUM_FAULTS = sizeof(faults) / sizeof(faults[0]) };

/* ---- the job --------------------------------------------------------------------------------- */

typedef struct job {
  const struct collective *what;
  fault *fault, *others;
  int calls_before;
  int32_t victim; /* -1: the last rank */
} job;

static void run_attempt(void *data) {
  const job *job = data;
  tessera_context *context = tessera_context_current();
  int32_t rank = tessera_context_rank(context), size = tessera_context_size(context);
  asked asked = ask(job->what, rank, size, "f.mlir:1:1");
  struct asked next = ask(&collectives[1], rank, size, "f.mlir:2:1");
  for (int i = 0; i < job->calls_before; i++)
    do_call(job->what, &asked);
  int32_t victim = job->victim < 0 ? size - 1 : job->victim;
  fault *own = rank == victim ? job->fault : job->others;
  if (own)
    own(job->what, &asked);
  else
    do_call(job->what, &asked);
  do_call(&collectives[1], &next);
}

/* A thread that fails says so by itself; a process through the handler outside of all attempts. */
static void run_rank(int32_t rank, int32_t size, void *data) {
  caught caught;
  (void)size;
  if (under_mpi()) {
    run_attempt(data);
    return;
  }
  tessera_status status = attempt(&caught, run_attempt, data);
  if (status && rank == 0)
    fprintf(stderr, "%s\n", caught.message);
  if (status)
    fail_test("rank %d: %s", rank, tessera_status_name(status));
}

int main(int argc, char **argv) {
  enum { RANKS = 3, LONG = 100, HEARD = 3, AHEAD = 1 }; /* seconds */
  job job = {0};
  for (int i = 0; argc > 2 && i < NUM_COLLECTIVES; i++)
    if (strcmp(argv[1], collectives[i].name) == 0)
      job.what = &collectives[i];
  for (int i = 0; argc > 2 && i < NUM_FAULTS; i++)
    if (strcmp(argv[2], faults[i].name) == 0)
      job = (struct job){job.what, faults[i].fault, faults[i].others, 0, -1};
  const char *rank = getenv("OMPI_COMM_WORLD_RANK");
  rank = rank ? rank : getenv("PMI_RANK");
  bool is_absent = argc > 2 && strcmp(argv[2], "absent") == 0;
  bool is_missing = argc > 2 && strcmp(argv[2], "missing") == 0;
  bool is_late = argc > 2 && strcmp(argv[2], "late") == 0;
  bool is_last = rank && atoi(rank) == RANKS - 1;
  if (is_absent && is_last)
    raise(SIGSTOP); /* before it is a rank */
  if (is_missing && is_last)
    return 0;
  if (is_missing) /* Open MPI's launcher ends a job without a word of ours if others were there
                     before */
    sleep(AHEAD);
  if (is_late && is_last)
    sleep(LONG);
  bool is_before = is_absent || is_missing || is_late;
  bool is_other = argc > 2 && (strcmp(argv[2], "none") == 0 || strcmp(argv[2], "behind") == 0);
  if (!job.what || (!is_before && !job.fault && !is_other))
    return 2;
  job.calls_before = argc > 3 ? atoi(argv[3]) : 3;
  job.victim = argc > 4 ? atoi(argv[4]) : -1;
  if (under_mpi())
    run_here(run_rank, &job);
  else
    run_local(RANKS, run_rank, &job);
  tessera_status status = tessera_finalize();
  if (argc > 2 && strcmp(argv[2], "behind") == 0 && is_last)
    raise(SIGKILL);
  if (status == TESSERA_ERROR_MISMATCH && rank && atoi(rank) > 0)
    sleep(HEARD); /* all are told what settling finds, and the first one says it */
  else if (status)
    fprintf(stderr, "error: rank %s: %s\n", rank ? rank : "0", tessera_last_error());
  if (status)
    return 1;
  return failed_here() ? 1 : 0;
}
