/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Nothing waits in vain between processes either: two of them, each with a GPU, add up by NCCL what
 * was started and what blocks, on a driver that does its work late, and each wait of the host or of
 * a stream that is left out gives a wrong answer. It must not include anything of the runtime's
 * inside.
 */
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tessera/device.h"
#include "tessera/program.h"

enum { RANKS = 2, ELEMENTS = 24, MOST_MEETINGS = 64, MOST_BYTES = 1024, PATIENCE = 300000 };

void standin_leave_out(int number);
int standin_waits(void);

/* ---- two processes --------------------------------------------------------------------------- */

/* Memory of both. */
typedef struct board {
  _Atomic int arrived[MOST_MEETINGS];
  char said[MOST_MEETINGS][RANKS][MOST_BYTES];
  _Atomic int waits; /* that a rank counts */
} board;

typedef struct seat {
  board *board;
  int rank, meetings;
} seat;

static tessera_status gather(void *data, const void *mine, void *all, size_t bytes) {
  seat *self = data;
  int meeting = self->meetings++;
  if (meeting == MOST_MEETINGS || bytes > MOST_BYTES)
    return TESSERA_ERROR_UNSUPPORTED;
  memcpy(self->board->said[meeting][self->rank], mine, bytes);
  atomic_fetch_add(&self->board->arrived[meeting], 1);
  for (int i = 0; i < PATIENCE && atomic_load(&self->board->arrived[meeting]) < RANKS; i++)
    usleep(100);
  for (int i = 0; i < RANKS; i++)
    memcpy((char *)all + bytes * (size_t)i, self->board->said[meeting][i], bytes);
  return TESSERA_OK;
}

/* ---- sums ------------------------------------------------------------------------------------ */

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
/* NCCL has no such reduction: its messages, and a kernel. */
static const tessera_site max_site = {SITE(TESSERA_SITE_ALL_REDUCE, "max"), .grid = &grid,
                                      .axes = axes, .num_axes = 1, .reduction = TESSERA_MAX};

typedef struct vector {
  void *allocated;
  char *aligned;
  int64_t offset, size, stride;
} vector;

static vector make(void) {
  void *memory = tessera_rt_device_allocate(ELEMENTS * sizeof(float));
  return (vector){memory, memory, 0, ELEMENTS, 1};
}

static vector copy_of(const vector *from) {
  vector to = make();
  tessera_rt_device_copy(&copy_site, NULL, from, &to);
  return to;
}

/* *y = the sum over ranks of the maximum over ranks of x. */
static void add_up(void *data) {
  tessera_tensor *const *tensors = data;
  vector x = {tensors[0]->data, tensors[0]->data, 0, ELEMENTS, 1};
  vector y = {tensors[1]->data, tensors[1]->data, 0, ELEMENTS, 1};
  vector a = copy_of(&x), b = make(), c, d = make();
  tessera_rt_all_reduce(&max_site, NULL, &a, &b);
  c = copy_of(&b);
  tessera_operation *operation = tessera_rt_start(&sum_site, NULL, &c, &d, NULL);
  vector between = copy_of(&x);
  tessera_rt_wait(&sum_site, operation);
  tessera_rt_device_copy(&copy_site, NULL, &d, &y);
  tessera_rt_device_free(between.allocated);
  tessera_rt_device_free(a.allocated);
  tessera_rt_device_free(b.allocated);
  tessera_rt_device_free(c.allocated);
  tessera_rt_device_free(d.allocated);
}

static float element(int rank, int i) {
  return (float)(3 * i + 7 * rank);
}

static int make_tensor(tessera_context *context, float (*value)(int rank, int i), int rank,
                       tessera_tensor *made) {
  const int64_t shape = ELEMENTS;
  if (tessera_tensor_create(TESSERA_F32, 1, &shape, made))
    return 0;
  for (int i = 0; i < ELEMENTS; i++)
    ((float *)made->data)[i] = value(rank, i);
  return tessera_tensor_to_device(context, made) == TESSERA_OK;
}

/* True if the answer is right without wait number `missing`. Groups are there before: the first
 * call makes them. */
static int is_right(const seat *self, tessera_context *context, int missing) {
  tessera_tensor x, y;
  tessera_tensor *tensors[] = {&x, &y};
  if (!make_tensor(context, element, self->rank, &x) ||
      !make_tensor(context, element, self->rank, &y) || tessera_attempt(context, add_up, tensors) ||
      tessera_synchronize(context))
    return 0;
  standin_leave_out(missing);
  int right = tessera_attempt(context, add_up, tensors) == TESSERA_OK &&
              tessera_tensor_to_host(&y) == TESSERA_OK;
  int waits = standin_waits();
  standin_leave_out(0);
  if (waits > atomic_load(&self->board->waits))
    atomic_store(&self->board->waits, waits);
  for (int i = 0; right && i < ELEMENTS; i++)
    right = ((const float *)y.data)[i] == RANKS * element(RANKS - 1, i);
  return right;
}

static int run(seat *self, int missing) {
  tessera_context *context;
  const tessera_rendezvous rendezvous = {.struct_size = sizeof(rendezvous),
                                         .rank = self->rank,
                                         .size = RANKS,
                                         .gather = gather,
                                         .data = self};
  if (tessera_bootstrap(&rendezvous) || tessera_default_context(&context)) {
    fprintf(stderr, "%s\n", tessera_last_error());
    return 2;
  }
  return is_right(self, context, missing) ? 0 : 1;
}

/* In processes of their own, which end without the other: errors of the driver stay. 1: both are
 * right; 0: one is not; -1: they could not begin. */
static int try(int missing, int seed, board *board) {
  int result = 1;
  pid_t children[RANKS];
  char text[16];
  memset(board, 0, sizeof(*board));
  snprintf(text, sizeof(text), "%d", seed + 1);
  setenv("STANDIN_SEED", text, 1);
  if (seed & 1)
    setenv("STANDIN_LATE", "1", 1);
  else
    unsetenv("STANDIN_LATE");
  fflush(stderr);
  for (int rank = 0; rank < RANKS; rank++) {
    children[rank] = fork();
    if (children[rank] == 0) {
      seat self = {board, rank, 0};
      int status = run(&self, missing);
      gather(&self, &status, (int[RANKS]){0}, sizeof(status)); /* neither ends before the other */
      _exit(status);
    }
  }
  for (int rank = 0; rank < RANKS; rank++) {
    int status = 0;
    waitpid(children[rank], &status, 0);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 2)
      result = -1;
    else if (status && result > 0)
      result = 0;
  }
  return result;
}

int main(void) {
  enum { ALWAYS = 6, SEEDS = 60 };
  int failed = 0, most = 0;
  board *board =
      mmap(NULL, sizeof(*board), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  for (int i = 0; i < ALWAYS && !failed; i++) {
    failed = try(0, i, board) != 1;
    if (failed)
      fprintf(stderr, "seed %d: a wrong answer, though nothing is left out\n", i);
    most = board->waits > most ? board->waits : most;
  }
  for (int missing = 1; !failed && missing <= most; missing++) {
    int i = 0;
    while (i < SEEDS && try(missing, i, board) == 1)
      i++;
    if (i == SEEDS) {
      fprintf(stderr, "nobody sees that wait %d of %d is left out\n", missing, most);
      failed = 1;
    }
  }
  printf("%d waits\n", most);
  return failed || most == 0;
}
