/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* One compiled pool of f32 beside plain loops and oneDNN called directly: medians of calls in turn.
 * Sizes are macros, so that the C compiler knows them: IMAGES of HEIGHT x WIDTH x CHANNELS, SIDE x
 * SIDE windows every STEP. It knows the public program interface, and oneDNN 2's, only. */
#include <dlfcn.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/timing.h"
#include "tessera/program.h"

enum { MAX_ROUNDS = 1001, OURS = 0, PLAIN = 1, LIBRARY = 2, NUM_WAYS = 3 };
enum { KIND_max, KIND_sum };
enum { ROWS = (HEIGHT - SIDE) / STEP + 1, COLUMNS = (WIDTH - SIDE) / STEP + 1 };
enum { INPUTS = IMAGES * HEIGHT * WIDTH * CHANNELS, OUTPUTS = IMAGES * ROWS * COLUMNS * CHANNELS };

/* ---- plain loops ----------------------------------------------------------------------------- */

static int64_t place(int64_t n, int64_t h, int64_t w, int64_t c, int64_t height, int64_t width) {
  return CHANNELS_FIRST ? ((n * CHANNELS + c) * height + h) * width + w
                        : ((n * height + h) * width + w) * CHANNELS + c;
}

/* A NaN wins, as in arith.maximumf. */
static float combine(float s, float v) {
  if (KIND == KIND_max)
    return s > v || s != s ? s : v;
  return s + v;
}

static void add_window(const float *restrict x, float *restrict y, int64_t n, int64_t h, int64_t w,
                       int64_t c) {
  float s = KIND == KIND_max ? -INFINITY : 0;
  for (int64_t i = 0; i < SIDE; i++)
    for (int64_t j = 0; j < SIDE; j++)
      s = combine(s, x[place(n, h * STEP + i, w * STEP + j, c, HEIGHT, WIDTH)]);
  y[place(n, h, w, c, ROWS, COLUMNS)] = s;
}

__attribute__((noinline)) static void plain(const float *restrict x, float *restrict y) {
  for (int64_t n = 0; n < IMAGES; n++)
    for (int64_t o = 0; o < (CHANNELS_FIRST ? CHANNELS : 1); o++)
      for (int64_t h = 0; h < ROWS; h++)
        for (int64_t w = 0; w < COLUMNS; w++)
          for (int64_t c = 0; c < (CHANNELS_FIRST ? 1 : CHANNELS); c++)
            add_window(x, y, n, h, w, o + c);
}

/* ---- oneDNN ---------------------------------------------------------------------------------- */

/* Its averages are the sums divided. */
typedef struct library {
  void *primitive, *stream;
  struct {
    int number;
    void *memory;
  } arguments[2];
  int (*execute)(const void *, void *, int, const void *);
  int (*wait)(void *);
} library;

static void *find(void *handle, const char *name) {
  void *symbol = handle ? dlsym(handle, name) : NULL;
  return symbol;
}

#define CALL(name, types, ...)                                                                     \
  do {                                                                                             \
    void *symbol = find(handle, name);                                                             \
    int(*function) types;                                                                          \
    memcpy(&function, &symbol, sizeof(symbol));                                                    \
    if (!function || function(__VA_ARGS__) != 0)                                                   \
      return false;                                                                                \
  } while (0)

static bool open_library(library *l, int threads, float *x, float *y) {
  static _Alignas(64) char layouts[2][4096], recipe[64 * 1024];
  enum { CPU = 1, F32 = 3, FORWARD_INFERENCE = 96, MAX = 0x1ff, AVERAGE = 0x2ff };
  const int64_t sizes[2][4] = {{IMAGES, CHANNELS, HEIGHT, WIDTH},
                               {IMAGES, CHANNELS, ROWS, COLUMNS}};
  const int64_t steps[] = {STEP, STEP}, sides[] = {SIDE, SIDE}, none[] = {0, 0};
  float *const data[] = {x, y};
  void *handle = dlopen("libdnnl.so.2", RTLD_NOW), *engine, *description;
  void *set = find(handle, "omp_set_num_threads");
  void (*set_threads)(int);
  memcpy(&set_threads, &set, sizeof(set));
  if (!set_threads)
    return false;
  set_threads(threads);
  CALL("dnnl_engine_create", (void **, int, size_t), &engine, CPU, 0);
  CALL("dnnl_stream_create", (void **, void *, unsigned), &l->stream, engine, 0);
  for (int i = 0; i < 2; i++) {
    int64_t strides[4];
    for (int d = 0; d < 4; d++)
      strides[d] = place(d == 0, d == 2, d == 3, d == 1, sizes[i][2], sizes[i][3]);
    CALL("dnnl_memory_desc_init_by_strides", (void *, int, const int64_t *, int, const int64_t *),
         layouts[i], 4, sizes[i], F32, strides);
    l->arguments[i].number = i == 0 ? 1 : 17;
    CALL("dnnl_memory_create", (void **, const void *, void *, void *), &l->arguments[i].memory,
         layouts[i], engine, data[i]);
  }
  CALL("dnnl_pooling_v2_forward_desc_init",
       (void *, int, int, const void *, const void *, const int64_t *, const int64_t *,
        const int64_t *, const int64_t *, const int64_t *),
       recipe, FORWARD_INFERENCE, KIND == KIND_max ? MAX : AVERAGE, layouts[0], layouts[1], steps,
       sides, none, none, none);
  CALL("dnnl_primitive_desc_create", (void **, const void *, const void *, void *, const void *),
       &description, recipe, NULL, engine, NULL);
  CALL("dnnl_primitive_create", (void **, const void *), &l->primitive, description);
  void *execute = find(handle, "dnnl_primitive_execute"), *wait = find(handle, "dnnl_stream_wait");
  memcpy(&l->execute, &execute, sizeof(execute));
  memcpy(&l->wait, &wait, sizeof(wait));
  return l->execute && l->wait;
}

/* ---- times ----------------------------------------------------------------------------------- */

static void check(tessera_status status) {
  if (status == TESSERA_OK)
    return;
  fprintf(stderr, "pools: %s\n", tessera_last_error());
  exit(1);
}

typedef struct contest {
  tessera_context *context;
  tessera_program *program;
  const tessera_entry *entry;
  tessera_tensor argument, result;
  float *by_hand, *by_library;
  library library;
  bool has_library;
} contest;

static double run(contest *c, int way) {
  double start = bench_now();
  if (way == OURS) {
    tessera_tensor_destroy(&c->result);
    start = bench_now();
    check(tessera_call(c->program, c->entry, c->context, &c->argument, &c->result));
  } else if (way == PLAIN) {
    plain(c->argument.data, c->by_hand);
  } else if (c->has_library) {
    c->library.execute(c->library.primitive, c->library.stream, 2, c->library.arguments);
    c->library.wait(c->library.stream);
  }
  return bench_now() - start;
}

static void compare(const contest *c) {
  for (int i = 0; i < OUTPUTS; i++) {
    float found = ((const float *)c->result.data)[i], wanted = c->by_hand[i];
    if (fabsf(found - wanted) <= 1e-4F * (1 + fabsf(wanted)))
      continue;
    fprintf(stderr, "pools: element %d is %g, and by plain loops %g\n", i, found, wanted);
    exit(1);
  }
}

int main(int argc, char **argv) {
  static double times[NUM_WAYS][MAX_ROUNDS];
  static contest c;
  int rounds = argc == 4 ? atoi(argv[2]) : 0;
  if (rounds < 1 || rounds > MAX_ROUNDS)
    return fprintf(stderr, "usage: pools PROGRAM.so ROUNDS THREADS\n"), 1;
  check(tessera_default_context(&c.context));
  check(tessera_program_load(argv[1], &c.program));
  check(tessera_program_find(c.program, NULL, &c.entry));
  check(tessera_program_attach(c.program, c.context));
  check(tessera_tensor_create(TESSERA_F32, 4, c.entry->arguments[0].shape, &c.argument));
  c.by_hand = tessera_alloc(OUTPUTS * (int64_t)sizeof(float));
  c.by_library = tessera_alloc(OUTPUTS * (int64_t)sizeof(float));
  for (int64_t i = 0; i < INPUTS; i++)
    ((float *)c.argument.data)[i] = (float)(i * 7919 % 1009) / 500 - 1;
  c.has_library = open_library(&c.library, atoi(argv[3]), c.argument.data, c.by_library);
  for (int round = -1; round < rounds; round++)
    for (int way = 0; way < NUM_WAYS; way++) {
      double time = run(&c, (way + round + 1) % NUM_WAYS);
      if (round >= 0)
        times[(way + round + 1) % NUM_WAYS][round] = time;
    }
  compare(&c);
  double median[NUM_WAYS];
  for (int way = 0; way < NUM_WAYS; way++)
    median[way] = bench_median(times[way], rounds);
  printf("%.3f %.3f %.3f %.2f %.2f\n", 1e3 * median[OURS], 1e3 * median[PLAIN],
         1e3 * median[LIBRARY], median[OURS] / median[PLAIN],
         c.has_library ? median[OURS] / median[LIBRARY] : 0.0);
  check(tessera_finalize());
  return 0;
}
