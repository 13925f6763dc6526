/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Collectives of ranks in several processes on GPUs, and how they fail. usage:
 *   ranks sums: sums that block, that are started, and in groups
 *   ranks fails WORD: fails with a message that has the word, or because another rank has
 *   ranks asserts: rank 1 fails while the others' devices wait for it
 * It must not include anything of the runtime's inside. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tessera/device.h"
#include "tessera/program.h"

static int failed;
static bool is_to_fail; /* wherever it is found */

#define EXPECT(condition)                                                                          \
  do {                                                                                             \
    if (!(condition)) {                                                                            \
      fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #condition, tessera_last_error());    \
      failed = 1;                                                                                  \
    }                                                                                              \
  } while (0)

enum { ELEMENTS = 5000, CALLS = 12 };

static const int64_t open_extents[2] = {-1, -1};
static const tessera_grid line = {sizeof(line), 1, "line", open_extents};
static const tessera_grid plane = {sizeof(plane), 2, "plane", open_extents};
static const int32_t axes[] = {0, 1};

#define SITE(grid_of, axis, number, at)                                                            \
  {.struct_size = sizeof(tessera_site),                                                            \
   .kind = TESSERA_SITE_ALL_REDUCE,                                                                \
   .name = "reduce",                                                                               \
   .location = at,                                                                                 \
   .grid = grid_of,                                                                                \
   .axes = axis,                                                                                   \
   .num_axes = 1,                                                                                  \
   .index = number,                                                                                \
   .input_rank = 1,                                                                                \
   .output_rank = 1,                                                                               \
   .input_type = TESSERA_F32,                                                                      \
   .output_type = TESSERA_F32,                                                                     \
   .reduction = TESSERA_SUM}
static const tessera_site over_all = SITE(&line, &axes[0], 0, "s.mlir:1:1");
static const tessera_site over_rows = SITE(&plane, &axes[0], 1, "s.mlir:2:1");
static const tessera_site over_columns = SITE(&plane, &axes[1], 2, "s.mlir:3:1");
static const tessera_site assertion = {.struct_size = sizeof(assertion),
                                       .kind = TESSERA_SITE_QUERY,
                                       .name = "cf.assert",
                                       .location = "s.mlir:4:1",
                                       .index = -1};

typedef struct vector {
  void *allocated;
  char *aligned;
  int64_t offset, size, stride;
} vector;

static vector vector_of(const tessera_tensor *tensor) {
  return (vector){tensor->data, tensor->data, 0, ELEMENTS, 1};
}

static tessera_tensor create(tessera_context *context, float value) {
  tessera_tensor made;
  int64_t shape = ELEMENTS;
  EXPECT(tessera_tensor_create(TESSERA_F32, 1, &shape, &made) == TESSERA_OK);
  for (int i = 0; i < ELEMENTS; i++)
    ((float *)made.data)[i] = value + (float)(i % 7);
  EXPECT(tessera_tensor_to_device(context, &made) == TESSERA_OK || is_to_fail);
  return made;
}

static void expect(tessera_tensor *tensor, float value, float times) {
  EXPECT(tessera_tensor_to_host(tensor) == TESSERA_OK);
  for (int i = 0; i < ELEMENTS && !failed; i++)
    EXPECT(((float *)tensor->data)[i] == value + times * (float)(i % 7));
  tessera_tensor_destroy(tensor);
}

typedef struct asked {
  const tessera_site *site;
  tessera_tensor *in, *out;
  int calls;
} asked;

/* Each call reads what the one before it wrote, but for the input. */
static void reduce(void *data) {
  const asked *asked = data;
  vector in = vector_of(asked->in), out = vector_of(asked->out);
  for (int i = 0; i < asked->calls; i++)
    tessera_rt_all_reduce(asked->site, NULL, &in, &out);
}

static void reduce_by_halves(void *data) {
  const asked *asked = data;
  vector in = vector_of(asked->in), out = vector_of(asked->out);
  tessera_operation *first = tessera_rt_start(asked->site, NULL, &in, &out, NULL);
  tessera_rt_wait(asked->site, first);
  tessera_operation *second = tessera_rt_start(asked->site, NULL, &out, &out, NULL);
  tessera_rt_wait(asked->site, second);
}

static void refuse(void *data) {
  (void)data;
  tessera_rt_fail(&assertion, "x is negative");
}

/* ---- what works ------------------------------------------------------------------------------ */

static void sum(tessera_context *context, const tessera_site *site, void (*function)(void *),
                float members, int rounds) {
  float sums = members;
  tessera_tensor in = create(context, 0), out = create(context, -1);
  asked asked = {site, &in, &out, 1};
  EXPECT(tessera_attempt(context, function, &asked) == TESSERA_OK);
  for (int i = 1; i < rounds; i++)
    sums *= members;
  expect(&out, 0, sums);
  tessera_tensor_destroy(&in);
}

static void sums(tessera_context *context) {
  float size = (float)tessera_context_size(context), other = size;
  for (int32_t i = 2; i * i <= (int32_t)size; i++)
    if ((int32_t)size % i == 0)
      other = size / (float)i;
  sum(context, &over_all, reduce, size, 1);
  sum(context, &over_all, reduce_by_halves, size, 2);
  sum(context, &over_rows, reduce, other, 1);
  sum(context, &over_columns, reduce, size / other, 1);
  sum(context, &over_columns, reduce_by_halves, size / other, 2);
}

/* ---- what fails ------------------------------------------------------------------------------ */

static void expect_failure(tessera_context *context, const char *word) {
  tessera_tensor in = create(context, 1), out = create(context, 0);
  asked asked = {&over_all, &in, &out, CALLS};
  tessera_status status = tessera_attempt(context, reduce, &asked);
  if (!status)
    status = tessera_tensor_to_host(&out);
  fprintf(stderr, "rank %d: %s\n", tessera_context_rank(context), tessera_last_error());
  EXPECT(status == TESSERA_ERROR_PEER || (status && strstr(tessera_last_error(), word)));
  EXPECT(tessera_attempt(context, reduce, &asked) == status);
}

/* The host of the others is through its calls before rank 1 fails, and waits for the device. */
static void one_asserts(tessera_context *context) {
  tessera_tensor in = create(context, 1), out = create(context, 0);
  asked asked = {&over_all, &in, &out, 200};
  EXPECT(tessera_attempt(context, reduce, &asked) == TESSERA_OK);
  EXPECT(tessera_synchronize(context) == TESSERA_OK);
  asked.calls = 1;
  bool is_first = tessera_context_rank(context) == 1;
  if (is_first)
    sleep(1);
  tessera_status status = tessera_attempt(context, is_first ? refuse : reduce, &asked);
  if (!status)
    status = tessera_synchronize(context);
  fprintf(stderr, "rank %d: %s\n", tessera_context_rank(context), tessera_last_error());
  EXPECT(status == (is_first ? TESSERA_ERROR_CHECK : TESSERA_ERROR_PEER));
  EXPECT(strstr(tessera_last_error(), "x is negative"));
}

int main(int argc, char **argv) {
  tessera_context *context;
  const char *what = argc > 1 ? argv[1] : "sums";
  is_to_fail = strcmp(what, "sums") != 0;
  if (tessera_default_context(&context) != TESSERA_OK) {
    fprintf(stderr, "%s\n", tessera_last_error());
    return argc > 2 && strstr(tessera_last_error(), argv[2]) ? 0 : 1;
  }
  EXPECT(strcmp(tessera_context_backend(context), "nccl") == 0);
  if (strcmp(what, "fails") == 0)
    expect_failure(context, argc > 2 ? argv[2] : "");
  else if (strcmp(what, "asserts") == 0)
    one_asserts(context);
  else
    sums(context);
  tessera_status status = tessera_finalize();
  EXPECT(is_to_fail || status == TESSERA_OK);
  return failed;
}
