/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Memory of a large call goes back to the system when later calls do without it, or at once by
 * tessera_trim; a program that is called again and again keeps what it takes. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "harness.h"

/* AddressSanitizer's allocator keeps what it likes, and nothing is kept beside it. */
#if defined(__SANITIZE_ADDRESS__)
enum { IS_MEASURED = 0 };
#else
enum { IS_MEASURED = 1 };
#endif

enum {
  MIB = 1 << 20,
  BLOCKS = 8,
  SMALL = MIB / 2,
  LARGE = 64 * MIB,
  CALLS = 160,
  MANY_CALLS = 1000
};

/* ---- a program ---------------------------------------------------------------------------------
 * Its entries take a number of bytes: for temporaries, or for a collective's own memory. */

static void take_blocks(void **arguments, void **results) {
  int64_t bytes;
  void *blocks[BLOCKS];
  (void)results;
  memcpy(&bytes, arguments[0], sizeof(bytes));
  for (int i = 0; i < BLOCKS; i++) {
    blocks[i] = tessera_alloc((size_t)bytes);
    EXPECT(blocks[i]);
    memset(blocks[i], i, (size_t)bytes);
  }
  for (int i = 0; i < BLOCKS; i++)
    tessera_free(blocks[i]);
}

/* Numbers are made narrower before they travel, in memory of the context. */
static void reduce(void **arguments, void **results) {
  static const int64_t extent = -1, root = 0;
  static const int32_t axis = 0;
  static const tessera_grid grid = {sizeof(grid), 1, "g", &extent};
  static const tessera_site site = {.struct_size = sizeof(site),
                                    .kind = TESSERA_SITE_REDUCE,
                                    .name = "trim",
                                    .location = "",
                                    .grid = &grid,
                                    .axes = &axis,
                                    .num_axes = 1,
                                    .input_rank = 1,
                                    .output_rank = 1,
                                    .input_type = TESSERA_F64,
                                    .output_type = TESSERA_F32,
                                    .reduction = TESSERA_SUM};
  int64_t bytes;
  (void)results;
  memcpy(&bytes, arguments[0], sizeof(bytes));
  int64_t count = bytes / (int64_t)sizeof(double);
  memref in = memref_create(1, &count, sizeof(double), DENSE);
  memref out = memref_create(1, &count, sizeof(float), DENSE);
  tessera_rt_reduce(&site, NULL, &in, &out, &root);
  memref_destroy(&in);
  memref_destroy(&out);
}

static const tessera_parameter argument = {sizeof(argument), TESSERA_I64, -1,   -1, NULL, NULL,
                                           "bytes",          "i64",       NULL, 0,  0};
static const tessera_entry entries[] = {
    {sizeof(tessera_entry), 0, "blocks", take_blocks, 1, 0, &argument, NULL, NULL, 0, 0},
    {sizeof(tessera_entry), 0, "reduce", reduce, 1, 0, &argument, NULL, NULL, 0, 0}};
static const tessera_program_record record = {.struct_size = sizeof(record),
                                              .abi_version = TESSERA_ABI_VERSION,
                                              .source = "",
                                              .num_entries = 2,
                                              .entries = entries};

typedef struct rank {
  const tessera_program *program;
  const tessera_entry *entry;
  tessera_context *context;
  pthread_barrier_t *together; /* of all ranks */
} rank;

static void call(const rank *rank, int64_t bytes, int count) {
  tessera_tensor tensor = {.dtype = TESSERA_I64, .data = &bytes};
  for (int i = 0; i < count; i++)
    EXPECT(tessera_call(rank->program, rank->entry, rank->context, &tensor, NULL) == TESSERA_OK);
}

/* ---- measures -------------------------------------------------------------------------------- */

/* MiB of memory that the process has; 0 if that is not known. */
static int64_t resident(void) {
  long long pages = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  if (!file || fscanf(file, "%*d %lld", &pages) != 1)
    pages = 0;
  if (file)
    fclose(file);
  return (int64_t)pages * sysconf(_SC_PAGESIZE) / MIB;
}

static int64_t page_faults(void) {
  struct rusage usage;
  return getrusage(RUSAGE_SELF, &usage) == 0 ? usage.ru_minflt : 0;
}

/* The same after `count` calls on all ranks. */
static int64_t resident_after(const rank *rank, int64_t bytes, int count) {
  call(rank, bytes, count);
  pthread_barrier_wait(rank->together);
  int64_t found = resident();
  pthread_barrier_wait(rank->together);
  return found;
}

/* A large call takes `least` MiB more than small ones. */
static void shrinks(const rank *rank, int64_t least) {
  tessera_trim(rank->context);
  int64_t before = resident_after(rank, SMALL, 1);
  int64_t large = resident_after(rank, LARGE, 1);
  int64_t after = resident_after(rank, SMALL, CALLS);
  call(rank, LARGE, 1);
  tessera_trim(rank->context);
  int64_t trimmed = resident_after(rank, SMALL, 1);
  if (!IS_MEASURED || before == 0)
    return;
  if (large - before < least || after - before > least / 4 || trimmed - before > least / 4)
    fail_test("%s: %lld MiB before a large call, %lld after it, %lld after small ones, %lld after "
              "another and tessera_trim",
              rank->entry->name, (long long)before, (long long)large, (long long)after,
              (long long)trimmed);
}

typedef struct job {
  const tessera_program *program;
  const char *entry;
  pthread_barrier_t together;
  int64_t least;
} job;

static rank start(job *job) {
  rank rank = {job->program, NULL, tessera_context_current(), &job->together};
  EXPECT(tessera_program_attach(rank.program, rank.context) == TESSERA_OK);
  EXPECT(tessera_program_find(rank.program, job->entry, &rank.entry) == TESSERA_OK);
  return rank;
}

static void run_large(int32_t number, int32_t size, void *data) {
  rank rank = start(data);
  (void)number;
  (void)size;
  shrinks(&rank, ((job *)data)->least);
}

/* Blocks too small for huge pages, so that each that is given back is a hundred faults. All ranks
 * may have all of theirs at once for the first time here, but not in every window. */
static void run_steadily(int32_t number, int32_t size, void *data) {
  rank rank = start(data);
  (void)number;
  resident_after(&rank, SMALL, CALLS);
  int64_t before = page_faults();
  call(&rank, SMALL, MANY_CALLS);
  int64_t faults = page_faults() - before;
  if (IS_MEASURED && faults > size * BLOCKS * (SMALL / 4096 + 8))
    fail_test("%s: %lld page faults in %d calls like those before", rank.entry->name,
              (long long)faults, MANY_CALLS);
}

/* What blocks of one size gave back serves those of others. */
static void run_sizes(int32_t number, int32_t size, void *data) {
  rank rank = start(data);
  (void)number;
  (void)size;
  tessera_trim(rank.context);
  int64_t before = resident_after(&rank, SMALL, 1);
  int64_t once = resident_after(&rank, LARGE, 1) - before, most = once;
  for (int64_t bytes = LARGE / 8 * 7; bytes > LARGE / 2; bytes -= LARGE / 8 + SMALL) {
    int64_t now = resident_after(&rank, bytes, 1) - before;
    most = now > most ? now : most;
  }
  if (IS_MEASURED && before > 0 && most > once + once / 8)
    fail_test("%s: %lld MiB for large blocks, %lld with smaller ones after them", rank.entry->name,
              (long long)once, (long long)most);
}

static void run(const tessera_program *program, const char *entry, int32_t ranks, int64_t least,
                rank_function function) {
  job job = {.program = program, .entry = entry, .least = least};
  pthread_barrier_init(&job.together, NULL, (unsigned)ranks);
  run_local(ranks, function, &job);
  pthread_barrier_destroy(&job.together);
}

int main(void) {
  tessera_program *program;
  EXPECT(tessera_program_from_record(&record, &program) == TESSERA_OK);
  run(program, "blocks", 1, BLOCKS * LARGE / MIB * 3 / 4, run_large);
  run(program, "reduce", 2, LARGE / MIB, run_large);
  run(program, "blocks", 1, 0, run_sizes);
  for (int32_t ranks = 1; ranks <= 3; ranks += 2) {
    run(program, "blocks", ranks, 0, run_steadily);
    run(program, "reduce", ranks, 0, run_steadily);
  }
  tessera_program_unload(program);
  return finish_tests();
}
