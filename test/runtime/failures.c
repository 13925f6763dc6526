/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* What fails inside a program is a status on every rank; nobody hangs, nothing is lost.
 * usage: failures NAME, on threads or under an MPI launcher; failures alone runs all on threads but
 * those that end the process. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness.h"

/* ---- a program ------------------------------------------------------------------------------- */

static const int64_t any_extent = -1;
static const tessera_grid all_ranks = {sizeof(all_ranks), 1, "all", &any_extent};
static const tessera_grid *const grids[] = {&all_ranks};
static const int32_t first_axis = 0;

static tessera_site site_of(tessera_site_kind kind, const char *name, const char *location) {
  return (tessera_site){.struct_size = sizeof(tessera_site),
                        .kind = kind,
                        .name = name,
                        .location = location,
                        .grid = &all_ranks,
                        .axes = &first_axis,
                        .num_axes = 1,
                        .index = (int32_t)kind,
                        .input_rank = 1,
                        .output_rank = 1,
                        .input_type = TESSERA_I64,
                        .output_type = TESSERA_I64,
                        .reduction = kind == TESSERA_SITE_ALL_REDUCE ? TESSERA_SUM : 0};
}

static int64_t sum(int64_t value) {
  tessera_site site = site_of(TESSERA_SITE_ALL_REDUCE, "reduce", "a.mlir:1:1");
  memref in = {&value, (char *)&value, 0, {1, 1}};
  tessera_rt_all_reduce(&site, NULL, &in, &in);
  return value;
}

/* What the calls of this process do: rank -> behaviour. */
typedef enum behaviour {
  SUMS,
  ASSERTS,
  ALLOCATES,
  EXCHANGES,
  STARTS,
  STARTS_AND_ASSERTS,
  WAITS_TWICE,
  WAITS,
} behaviour;

static int64_t calls_before;
static behaviour first_does, others_do; /* rank 1 (or the only one), and the others */
static size_t scratch_bytes;
static int waiting; /* ranks that have begun to wait, and may go on */

static void await(int what) {
  while (__atomic_load_n(&waiting, __ATOMIC_ACQUIRE) != what)
    usleep(1000);
}

static void exchange_much(int32_t rank, int32_t size) {
  tessera_site site = site_of(TESSERA_SITE_ALL_GATHER, "gather", "a.mlir:4:1");
  int64_t rows = 1 << 18, all = rows * size;
  memref in = {.dims = {rows, 1}}, out = {.dims = {all, 1}};
  in.allocated = _mlir_memref_to_llvm_alloc((size_t)rows * 8);
  out.allocated = _mlir_memref_to_llvm_alloc((size_t)all * 8);
  in.aligned = in.allocated;
  out.aligned = out.allocated;
  memset(in.aligned, rank, (size_t)rows * 8);
  tessera_rt_all_gather(&site, NULL, &in, &out);
  _mlir_memref_to_llvm_free(in.allocated);
  _mlir_memref_to_llvm_free(out.allocated);
}

enum { STARTED = 3, STARTED_ROWS = 1 << 16 };

/* Starts a few collectives, whose memory is the call's. */
static void start_much(int32_t rank, int32_t size, const tessera_site *site,
                       tessera_operation **operations) {
  int64_t rows = STARTED_ROWS, all = rows * size;
  for (int i = 0; i < STARTED; i++) {
    memref in = {.dims = {rows, 1}}, out = {.dims = {all, 1}};
    in.allocated = _mlir_memref_to_llvm_alloc((size_t)rows * 8);
    out.allocated = _mlir_memref_to_llvm_alloc((size_t)all * 8);
    in.aligned = in.allocated;
    out.aligned = out.allocated;
    memset(in.aligned, rank, (size_t)rows * 8);
    operations[i] = tessera_rt_start(site, NULL, &in, &out, NULL);
  }
}

/* Calls that begin after the start of others, and end with them under way. */
static void start_and(behaviour behaviour, int32_t rank, int32_t size) {
  static const tessera_site site = {.struct_size = sizeof(site),
                                    .kind = TESSERA_SITE_ALL_GATHER,
                                    .name = "gather",
                                    .location = "a.mlir:5:1",
                                    .grid = &all_ranks,
                                    .axes = &first_axis,
                                    .num_axes = 1,
                                    .index = 7,
                                    .input_rank = 1,
                                    .output_rank = 1,
                                    .input_type = TESSERA_I64,
                                    .output_type = TESSERA_I64};
  tessera_site check = site_of(TESSERA_SITE_CHECK, "cf.assert", "a.mlir:2:1");
  tessera_operation *operations[STARTED];
  start_much(rank, size, &site, operations);
  if (behaviour == STARTS_AND_ASSERTS)
    tessera_rt_fail(&check, "x is negative");
  for (int i = STARTED - 1; i >= 0; i--)
    tessera_rt_wait(&site, operations[i]);
  sum(1); /* the other ranks wait here, if not before */
  if (behaviour == WAITS_TWICE)
    tessera_rt_wait(&site, operations[0]);
  sum(1);
}

static void run_program(void **arguments, void **results) {
  tessera_context *context = tessera_context_current();
  int32_t rank = tessera_context_rank(context), size = tessera_context_size(context);
  tessera_site check = site_of(TESSERA_SITE_CHECK, "cf.assert", "a.mlir:2:1");
  (void)arguments;
  for (int64_t i = 0; i < calls_before; i++)
    sum(i);
  char *temporary = scratch_bytes ? _mlir_memref_to_llvm_alloc(scratch_bytes) : NULL;
  if (temporary)
    memset(temporary, 1, scratch_bytes);
  behaviour behaviour = rank == 1 || size == 1 ? first_does : others_do;
  switch (behaviour) {
  case SUMS:
    for (int64_t i = 0; i < *(int64_t *)arguments[0]; i++)
      sum(i);
    break;
  case ASSERTS:
    tessera_rt_fail(&check, "x is negative");
    break;
  case ALLOCATES:
    _mlir_memref_to_llvm_alloc((size_t)1 << 60);
    break;
  case EXCHANGES:
    exchange_much(rank, size);
    break;
  case STARTS:
  case STARTS_AND_ASSERTS:
  case WAITS_TWICE:
    start_and(behaviour, rank, size);
    break;
  case WAITS:
    __atomic_store_n(&waiting, 1, __ATOMIC_RELEASE);
    await(2);
    break;
  }
  _mlir_memref_to_llvm_free(temporary);
  (void)results;
}

static const tessera_parameter number = {.struct_size = sizeof(number),
                                         .dtype = TESSERA_I64,
                                         .rank = -1,
                                         .grid = -1,
                                         .name = "n",
                                         .element = "i64"};
static const tessera_entry entry = {.struct_size = sizeof(entry),
                                    .name = "main",
                                    .function = run_program,
                                    .num_arguments = 1,
                                    .arguments = &number};
static const tessera_program_record record = {.struct_size = sizeof(record),
                                              .abi_version = TESSERA_ABI_VERSION,
                                              .source = "a.mlir",
                                              .grids = grids,
                                              .num_grids = 1,
                                              .num_entries = 1,
                                              .entries = &entry};

static tessera_status call_program(tessera_context *context, int64_t argument) {
  tessera_program *program;
  tessera_tensor tensor = {.dtype = TESSERA_I64, .data = &argument};
  EXPECT(tessera_program_from_record(&record, &program) == TESSERA_OK);
  tessera_status status = tessera_call(program, &entry, context, &tensor, NULL);
  tessera_program_unload(program);
  return status;
}

static void expect_text(const char *text) {
  if (!strstr(tessera_last_error(), text))
    fail_test("'%s' is not in '%s'", text, tessera_last_error());
}

/* ---- every rank hears ------------------------------------------------------------------------ */

/* The context says the same again, whatever is asked of it. */
static void expect_the_end(tessera_context *context, tessera_status failure) {
  EXPECT(call_program(context, 1) == failure);
  expect_text("rank 1");
  EXPECT(tessera_settle(context) == failure);
  expect_text("rank 1");
}

static void expect_failure_of_first(int32_t rank, tessera_status failure, const char *text) {
  tessera_context *context = tessera_context_current();
  tessera_status status = call_program(context, 3);
  EXPECT(status == (rank == 1 ? failure : TESSERA_ERROR_PEER));
  expect_text(text);
  expect_the_end(context, status);
}

static void assertion(int32_t rank, int32_t size, void *data) {
  (void)size;
  (void)data;
  first_does = ASSERTS;
  expect_failure_of_first(rank, TESSERA_ERROR_CHECK,
                          "a.mlir:2:1: error: 'cf.assert' on rank 1: x is negative");
}

static void no_memory(int32_t rank, int32_t size, void *data) {
  (void)size;
  (void)data;
  first_does = ALLOCATES;
  expect_failure_of_first(rank, TESSERA_ERROR_OUT_OF_MEMORY, "rank 1 has no memory");
}

/* Messages are under way when their receiver has failed, and their memory is given back. */
static void large_messages(int32_t rank, int32_t size, void *data) {
  (void)size;
  (void)data;
  first_does = ASSERTS;
  others_do = EXCHANGES;
  expect_failure_of_first(rank, TESSERA_ERROR_CHECK, "x is negative");
}

/* Collectives are under way, on the rank that fails as well. */
static void started(int32_t rank, int32_t size, void *data) {
  (void)size;
  (void)data;
  first_does = STARTS_AND_ASSERTS;
  others_do = STARTS;
  expect_failure_of_first(rank, TESSERA_ERROR_CHECK, "x is negative");
}

static void waited_for_twice(int32_t rank, int32_t size, void *data) {
  (void)size;
  (void)data;
  first_does = WAITS_TWICE;
  others_do = STARTS;
  expect_failure_of_first(rank, TESSERA_ERROR_INVALID_ARGUMENT, "has been waited for already");
}

/* Ranks in different calls of the program, which make as many collectives together. */
static void other_numbers(int32_t rank, int32_t size, void *data) {
  tessera_context *context = tessera_context_current();
  (void)size;
  (void)data;
  tessera_status status = call_program(context, rank == 1 ? 101 : 100);
  if (!status)
    status = call_program(context, rank == 1 ? 100 : 101);
  if (!status)
    status = tessera_settle(context);
  EXPECT(status == TESSERA_ERROR_MISMATCH || status == TESSERA_ERROR_PEER);
}

/* The same number of collectives in one more call. */
static void other_calls(int32_t rank, int32_t size, void *data) {
  tessera_context *context = tessera_context_current();
  (void)size;
  (void)data;
  tessera_status status = call_program(context, rank == 1 ? 1 : 2);
  if (!status)
    status = call_program(context, rank == 1 ? 2 : 1);
  EXPECT(status == TESSERA_ERROR_MISMATCH || status == TESSERA_ERROR_PEER);
  expect_text("in a call of the program");
}

/* A rank whose peers wait inside MPI, where they cannot be told. */
static void inside_mpi(int32_t rank, int32_t size, void *data) {
  (void)size;
  (void)data;
  calls_before = 70;
  first_does = ASSERTS;
  tessera_status status = call_program(tessera_context_current(), 3);
  EXPECT(status == TESSERA_ERROR_CHECK && rank == 1);
}

/* The same where peers wait in reductions of ours, within a host or over several: all are told. */
static void after_many(int32_t rank, int32_t size, void *data) {
  (void)size;
  (void)data;
  calls_before = 70;
  first_does = ASSERTS;
  tessera_status status = call_program(tessera_context_current(), 3);
  EXPECT(status == (rank == 1 ? TESSERA_ERROR_CHECK : TESSERA_ERROR_PEER));
}

/* ---- threads --------------------------------------------------------------------------------- */

/* All but one have nothing to do, and end. */
static void ended_threads(int32_t rank, int32_t size, void *data) {
  (void)size;
  (void)data;
  if (rank > 0)
    return;
  EXPECT(call_program(tessera_context_current(), 1) == TESSERA_ERROR_MISMATCH);
  expect_text("ranks {1, 2} have ended without a call that others wait for: rank 0 in 'reduce' at "
              "a.mlir:1:1 waits for ranks {1, 2}, rank 1 has ended, rank 2 has ended");
}

static void *use_too(void *context) {
  await(1);
  EXPECT(call_program(context, 1) == TESSERA_ERROR_INVALID_ARGUMENT);
  expect_text("used by another thread");
  EXPECT(tessera_settle(context) == TESSERA_ERROR_INVALID_ARGUMENT);
  __atomic_store_n(&waiting, 2, __ATOMIC_RELEASE);
  return NULL;
}

static void *use_again(void *context) {
  first_does = SUMS;
  EXPECT(call_program(context, 1) == TESSERA_OK);
  return NULL;
}

static void two_threads(int32_t rank, int32_t size, void *data) {
  pthread_t thread;
  tessera_context *context = tessera_context_current();
  (void)rank;
  (void)size;
  (void)data;
  first_does = WAITS;
  EXPECT(pthread_create(&thread, NULL, use_too, context) == 0);
  EXPECT(call_program(context, 1) == TESSERA_OK);
  pthread_join(thread, NULL);
  EXPECT(pthread_create(&thread, NULL, use_again, context) == 0); /* it may move */
  pthread_join(thread, NULL);
}

static void wait_for_nothing(void *data) {
  tessera_site site = site_of(TESSERA_SITE_ALL_GATHER, "gather", "a.mlir:6:1");
  tessera_rt_wait(&site, data);
}

/* Goes on with a context that has failed, until others have tried it too. */
static void fail_and_stay(void *context) {
  EXPECT(tessera_attempt(context, wait_for_nothing, NULL) == TESSERA_ERROR_INVALID_ARGUMENT);
  __atomic_store_n(&waiting, 1, __ATOMIC_RELEASE);
  await(2);
}

static void *attempt_and_stay(void *context) {
  EXPECT(tessera_attempt(context, fail_and_stay, context) == TESSERA_OK);
  return NULL;
}

static void *call_too(void *context) {
  tessera_context_set_current(context);
  await(1);
  sum(1);
  fail_test("a call in the context of another thread has returned");
  return NULL;
}

/* The job ends: this thread has no attempt to go back to, and the other's is not its own. */
static void failed_in_use(int32_t rank, int32_t size, void *data) {
  pthread_t thread;
  tessera_context *context = tessera_context_current();
  (void)rank;
  (void)size;
  (void)data;
  EXPECT(pthread_create(&thread, NULL, call_too, context) == 0);
  attempt_and_stay(context);
  pthread_join(thread, NULL);
}

/* A context ends when nobody uses it, failed or not. */
static void finalize_in_use(int32_t rank, int32_t size, void *data) {
  pthread_t thread;
  tessera_context *context;
  (void)rank;
  (void)size;
  (void)data;
  EXPECT(tessera_default_context(&context) == TESSERA_OK);
  EXPECT(pthread_create(&thread, NULL, attempt_and_stay, context) == 0);
  await(1);
  EXPECT(tessera_finalize() == TESSERA_ERROR_INVALID_ARGUMENT);
  expect_text("used by another thread");
  __atomic_store_n(&waiting, 2, __ATOMIC_RELEASE);
  pthread_join(thread, NULL);
  EXPECT(tessera_finalize() == TESSERA_ERROR_INVALID_ARGUMENT);
  expect_text("a.mlir:6:1: error: 'gather' on rank 0: what is waited for has not been started");
  EXPECT(tessera_finalize() == TESSERA_OK); /* it has ended */
}

/* ---- started and left ------------------------------------------------------------------------ */

enum { LEFT_ROWS = 1 << 14, MOST_RANKS = 8 };

typedef struct left {
  int64_t in[LEFT_ROWS], out[LEFT_ROWS * MOST_RANKS];
  int32_t size;
  bool waits;
} left;

static void start_and_leave(void *data) {
  static const tessera_site site = {.struct_size = sizeof(site),
                                    .kind = TESSERA_SITE_ALL_GATHER,
                                    .name = "gather",
                                    .location = "a.mlir:7:1",
                                    .grid = &all_ranks,
                                    .axes = &first_axis,
                                    .num_axes = 1,
                                    .index = -1,
                                    .input_rank = 1,
                                    .output_rank = 1,
                                    .input_type = TESSERA_I64,
                                    .output_type = TESSERA_I64};
  left *left = data;
  memref in = {left->in, (char *)left->in, 0, {LEFT_ROWS, 1}};
  memref out = {left->out, (char *)left->out, 0, {(int64_t)LEFT_ROWS * left->size, 1}};
  tessera_operation *operation = tessera_rt_start(&site, NULL, &in, &out, NULL);
  if (left->waits)
    tessera_rt_wait(&site, operation);
}

static tessera_status leave_and_settle(int32_t rank, int32_t size, bool waits) {
  static left all[MOST_RANKS];
  tessera_context *context = tessera_context_current();
  left *mine = &all[rank];
  mine->size = size;
  mine->waits = waits;
  tessera_status status = tessera_attempt(context, start_and_leave, mine);
  status = status ? status : tessera_settle(context);
  expect_text("a.mlir:7:1: error: 'gather' on rank");
  expect_text("what was started here was never waited for");
  EXPECT(tessera_settle(context) == status);
  return status;
}

static void never_waited_for(int32_t rank, int32_t size, void *data) {
  (void)data;
  tessera_status status = leave_and_settle(rank, size, false);
  EXPECT(status == TESSERA_ERROR_INVALID_ARGUMENT || status == TESSERA_ERROR_PEER);
}

static void one_never_waits(int32_t rank, int32_t size, void *data) {
  (void)data;
  tessera_status status = leave_and_settle(rank, size, rank != 1);
  EXPECT(status == (rank == 1 ? TESSERA_ERROR_INVALID_ARGUMENT : TESSERA_ERROR_PEER));
}

/* ---- aborted while members use each other's memory ------------------------------------------- */

enum { ABORTED_ROWS = 1 << 15, ABORTED_RANKS = 3, PATTERN = 0x5e };

typedef struct aborted {
  int64_t in[ABORTED_ROWS], sums[ABORTED_ROWS], all[ABORTED_ROWS * ABORTED_RANKS];
} aborted;

static void reduce_for_ever(void *data) {
  tessera_site reduce = site_of(TESSERA_SITE_ALL_REDUCE, "reduce", "a.mlir:9:1");
  tessera_site gather = site_of(TESSERA_SITE_ALL_GATHER, "gather", "a.mlir:9:2");
  aborted *own = data;
  memref in = {own->in, (char *)own->in, 0, {ABORTED_ROWS, 1}};
  memref sums = {own->sums, (char *)own->sums, 0, {ABORTED_ROWS, 1}};
  memref all = {own->all, (char *)own->all, 0, {(int64_t)ABORTED_ROWS * ABORTED_RANKS, 1}};
  for (;;) {
    tessera_rt_all_reduce(&reduce, NULL, &in, &sums);
    tessera_rt_all_gather(&gather, NULL, &sums, &all);
  }
}

static void *abort_soon(void *context) {
  static uint64_t times;
  usleep((useconds_t)(mix(times++, 1) % 2000));
  tessera_context_abort(context, "ended from outside");
  return NULL;
}

/* The memory is the program's again when the failure is told. */
static void reduce_until_aborted(int32_t rank, int32_t size, void *data) {
  pthread_t thread;
  tessera_context *context = tessera_context_current();
  aborted *own = calloc(1, sizeof(*own));
  const char *bytes = (const char *)own;
  (void)size;
  (void)data;
  EXPECT(own && (rank > 0 || pthread_create(&thread, NULL, abort_soon, context) == 0));
  EXPECT(tessera_attempt(context, reduce_for_ever, own) == TESSERA_ERROR_PEER);
  expect_text("ended from outside");
  memset(own, PATTERN, sizeof(*own));
  usleep(500);
  for (size_t i = 0; i < sizeof(*own); i++)
    if (bytes[i] != PATTERN) {
      fail_test("rank %d: byte %zu is written after the failure", rank, i);
      break;
    }
  free(own);
  if (rank == 0)
    pthread_join(thread, NULL);
}

static void aborted_reductions(int32_t rank, int32_t size, void *data) {
  enum { TIMES = 20 };
  for (int i = 0; i < TIMES; i++)
    run_local(ABORTED_RANKS, reduce_until_aborted, NULL);
  (void)rank;
  (void)size;
  (void)data;
}

/* ---- memory ---------------------------------------------------------------------------------- */

static void leave_memory(int32_t rank, int32_t size, void *data) {
  (void)rank;
  (void)size;
  (void)data;
  first_does = ASSERTS;
  scratch_bytes = 100000;
  EXPECT(call_program(tessera_context_current(), 1) == TESSERA_ERROR_CHECK);
}

static void lost_memory(int32_t rank, int32_t size, void *data) {
  enum { TIMES = 100, TOLERATED = 1 << 20 };
  run_local(1, leave_memory, NULL);
  int64_t before = bytes_in_use();
  for (int i = 0; i < TIMES; i++)
    run_local(1, leave_memory, NULL);
  EXPECT(bytes_in_use() - before < TOLERATED);
  (void)rank;
  (void)size;
  (void)data;
}

static void start_too_much(void *data) {
  tessera_site site = site_of(TESSERA_SITE_ALL_REDUCE, "reduce", "a.mlir:8:1");
  int64_t value = 1, rows = INT64_C(1) << 45;
  memref in = {&value, (char *)&value, 0, {rows, 1}};
  (void)data;
  site.index = -1; /* its plan is not kept */
  tessera_rt_start(&site, NULL, &in, &in, NULL);
}

static void leave_plan(int32_t rank, int32_t size, void *data) {
  (void)rank;
  (void)size;
  (void)data;
  tessera_status status = tessera_attempt(tessera_context_current(), start_too_much, NULL);
  EXPECT(status == TESSERA_ERROR_OUT_OF_MEMORY || status == TESSERA_ERROR_PEER);
  expect_text("no memory for");
}

/* An operation for which there is no memory. */
static void lost_plans(int32_t rank, int32_t size, void *data) {
  enum { TIMES = 1000, RANKS = 2, TOLERATED = TIMES * RANKS * 100 };
  run_local(RANKS, leave_plan, NULL);
  int64_t before = bytes_in_use();
  for (int i = 0; i < TIMES; i++)
    run_local(RANKS, leave_plan, NULL);
  EXPECT(bytes_in_use() - before < TOLERATED);
  (void)rank;
  (void)size;
  (void)data;
}

/* ---- all ------------------------------------------------------------------------------------- */

typedef struct test {
  const char *name;
  rank_function function;
  int32_t threads; /* 0: only under MPI */
  bool ends_process;
} test;

static const test tests[] = {
    {"assertion", assertion, 4, false},
    {"no-memory", no_memory, 4, false},
    {"large-messages", large_messages, 4, false},
    {"other-numbers", other_numbers, 2, false},
    {"other-calls", other_calls, 3, false},
    {"inside-mpi", inside_mpi, 0, false},
    {"after-many", after_many, 4, false},
    {"ended-threads", ended_threads, 3, false},
    {"two-threads", two_threads, 1, false},
    {"lost-memory", lost_memory, 1, false},
    {"started", started, 4, false},
    {"waited-for-twice", waited_for_twice, 4, false},
    {"failed-in-use", failed_in_use, 1, true},
    {"finalize-in-use", finalize_in_use, 1, false},
    {"never-waited-for", never_waited_for, 4, false},
    {"one-never-waits", one_never_waits, 4, false},
    {"lost-plans", lost_plans, 1, false},
    {"aborted-reductions", aborted_reductions, 1, false},
};

static void run_test(const test *test) {
  first_does = others_do = SUMS;
  calls_before = 0;
  scratch_bytes = 0;
  waiting = 0;
  if (under_mpi())
    run_here(test->function, NULL);
  else if (test->threads > 0)
    run_local(test->threads, test->function, NULL);
}

int main(int argc, char **argv) {
  for (size_t i = 0; i < sizeof(tests) / sizeof(tests[0]); i++)
    if (argc < 2 ? !tests[i].ends_process : strcmp(argv[1], tests[i].name) == 0)
      run_test(&tests[i]);
  tessera_status ending = tessera_finalize(); /* always ends */
  if (under_mpi())
    EXPECT(ending != TESSERA_OK);
  return failed_here() ? 1 : 0;
}
