/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Nothing waits in vain: two ranks copy, add up, start and wait on a driver that does its work
 * late, and each wait of the host or of a stream that is left out gives a wrong answer. It must not
 * include anything of the runtime's inside. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tessera/device.h"
#include "tessera/program.h"

enum { RANKS = 2, ELEMENTS = 24 };

void standin_leave_out(int number);
int standin_waits(void);
int standin_host_waits(void);

/* ---- the program ----------------------------------------------------------------------------- */

typedef struct vector {
  void *allocated;
  char *aligned;
  int64_t offset, size, stride;
} vector;

static const int64_t extents[] = {RANKS};
static const tessera_grid grid = {sizeof(grid), 1, "g", extents};
static const int32_t axes[] = {0};

#define SITE(site_kind, site_name)                                                                 \
  .struct_size = sizeof(tessera_site), .kind = (site_kind), .name = (site_name), .location = "",   \
  .index = -1, .input_rank = 1, .output_rank = 1, .input_type = TESSERA_F32,                       \
  .output_type = TESSERA_F32

static const tessera_site copy_site = {SITE(TESSERA_SITE_COPY, "memref.copy")};
static const tessera_site sum_site = {SITE(TESSERA_SITE_ALL_REDUCE, "sum"), .grid = &grid,
                                      .axes = axes, .num_axes = 1, .reduction = TESSERA_SUM};
static const tessera_site max_site = {SITE(TESSERA_SITE_ALL_REDUCE, "max"), .grid = &grid,
                                      .axes = axes, .num_axes = 1, .reduction = TESSERA_MAX};

static vector make(void) {
  void *memory = tessera_rt_device_allocate(ELEMENTS * sizeof(float));
  return (vector){memory, memory, 0, ELEMENTS, 1};
}

static vector copy_of(const vector *from) {
  vector to = make();
  tessera_rt_device_copy(&copy_site, NULL, from, &to);
  return to;
}

static _Atomic int arrived[2]; /* ranks, at each place where their order is given */
static int seed;

/* Ranks go through one after the other, as the seed says. */
static void take_turn(int place, int32_t rank) {
  int first = seed >> place & 1;
  while (rank != first && arrived[place] == 0)
    usleep(100);
}

static void leave_turn(int place) {
  arrived[place]++;
}

static int32_t own_rank(void) {
  return tessera_context_rank(tessera_context_current());
}

/* The sum over ranks, of the maximum over ranks in the meantime, of x. */
static void main_function(void **arguments, void **results) {
  const vector *x = arguments[0];
  vector a = copy_of(x), b = make(), c, d = make(), *y = results[0];
  tessera_rt_all_reduce(&max_site, NULL, &a, &b);
  tessera_rt_device_free(a.allocated);
  c = copy_of(&b);
  take_turn(0, own_rank());
  tessera_operation *operation = tessera_rt_start(&sum_site, NULL, &c, &d, NULL);
  leave_turn(0);
  vector between = copy_of(x);
  tessera_rt_wait(&sum_site, operation);
  *y = copy_of(&d);
  tessera_rt_device_free(between.allocated);
  tessera_rt_device_free(b.allocated);
  tessera_rt_device_free(c.allocated);
  tessera_rt_device_free(d.allocated);
}

static const int64_t shape[] = {ELEMENTS};
static const tessera_parameter tensor = {
    sizeof(tensor), TESSERA_F32, 1, -1, shape, NULL, "x", "f32", NULL, TESSERA_F32, 0};
static const tessera_entry entry = {sizeof(entry), 0, "main", main_function, 1, 1, &tensor, &tensor,
                                    NULL,          0, 0};
static const tessera_device_code code = {.struct_size = sizeof(code), .target = "cuda"};
static const tessera_grid *const grids[] = {&grid};
static const tessera_program_record record = {.struct_size = sizeof(record),
                                              .abi_version = TESSERA_ABI_VERSION,
                                              .source = "order.mlir",
                                              .num_grids = 1,
                                              .grids = grids,
                                              .num_entries = 1,
                                              .entries = &entry,
                                              .device_code = &code};

/* ---- ranks ----------------------------------------------------------------------------------- */

typedef struct rank {
  tessera_program *program;
  tessera_context *context;
  tessera_tensor x;
  int is_wrong;
} rank;

static float element(int rank, int i) {
  return (float)(3 * i + 7 * rank);
}

static void *prepare(void *data) {
  rank *self = data;
  int number = tessera_context_rank(self->context);
  self->is_wrong = tessera_program_attach(self->program, self->context) ||
                   tessera_tensor_create(TESSERA_F32, 1, shape, &self->x);
  for (int i = 0; !self->is_wrong && i < ELEMENTS; i++)
    ((float *)self->x.data)[i] = element(number, i);
  self->is_wrong |= tessera_tensor_to_device(self->context, &self->x);
  return NULL;
}

static void *run(void *data) {
  rank *self = data;
  int number = tessera_context_rank(self->context);
  tessera_tensor y;
  self->is_wrong |= tessera_call(self->program, &entry, self->context, &self->x, &y);
  leave_turn(0); /* a call that has failed may not have come there */
  take_turn(1, number);
  self->is_wrong |= !self->is_wrong && tessera_tensor_to_host(&y);
  leave_turn(1);
  for (int i = 0; !self->is_wrong && i < ELEMENTS; i++)
    self->is_wrong = ((const float *)y.data)[i] != RANKS * element(RANKS - 1, i);
  return NULL;
}

static void all_ranks(rank *ranks, void *(*function)(void *)) {
  pthread_t threads[RANKS];
  for (int i = 0; i < RANKS; i++)
    pthread_create(&threads[i], NULL, function, &ranks[i]);
  for (int i = 0; i < RANKS; i++)
    pthread_join(threads[i], NULL);
}

/* True if the answer is right without wait number `missing`, and hosts wait for their results
 * alone. */
static int is_right(int missing, int *waits) {
  tessera_context *contexts[RANKS];
  tessera_program *program;
  rank ranks[RANKS];
  if (tessera_program_from_record(&record, &program) || tessera_local_create(RANKS, contexts)) {
    fprintf(stderr, "%s\n", tessera_last_error());
    exit(1);
  }
  for (int i = 0; i < RANKS; i++)
    ranks[i] = (rank){program, contexts[i], {0}, 0};
  all_ranks(ranks, prepare);
  standin_leave_out(missing);
  all_ranks(ranks, run);
  *waits = standin_waits();
  return standin_host_waits() == RANKS && !ranks[0].is_wrong && !ranks[1].is_wrong;
}

/* In a process of its own, for errors of the driver stay. */
static int try(int missing, int with_seed, int *waits) {
  int status = 0;
  fflush(stderr);
  pid_t child = fork();
  if (child == 0) {
    char text[16];
    seed = with_seed;
    snprintf(text, sizeof(text), "%d", seed + 1);
    setenv("STANDIN_SEED", text, 1);
    if (seed >> 2 & 1)
      setenv("STANDIN_LATE", "1", 1);
    _exit(is_right(missing, waits) ? 0 : 1);
  }
  waitpid(child, &status, 0);
  return status == 0;
}

int main(void) {
  enum { ALWAYS = 16, SEEDS = 400 };
  int failed = 0, most = 0;
  int *waits =
      mmap(NULL, sizeof(*waits), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  for (int i = 0; i < ALWAYS; i++) {
    if (!try(0, i, waits)) {
      fprintf(stderr, "seed %d: a wrong answer, or hosts that wait, though nothing is left out\n",
              i);
      failed = 1;
    }
    most = *waits > most ? *waits : most;
  }
  for (int missing = 1; missing <= most; missing++) {
    int i = 0;
    while (i < SEEDS && try(missing, i, waits))
      i++;
    if (i == SEEDS) {
      fprintf(stderr, "nobody sees that wait %d of %d is left out\n", missing, most);
      failed = 1;
    }
  }
  printf("%d waits\n", most);
  return failed || most == 0;
}
