/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* A two-layer perceptron by hand on a mesh of data x tensor: a column-parallel layer, a
 * row-parallel one, one all-reduce along the tensor line; the mean over the batch along the data
 * line. usage: mpirun -n 4 perceptron 2 2 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "tessera/mesh.h"

enum { BATCH = 48, INPUTS = 40, HIDDEN = 96, OUTPUTS = 24 };

static void must(tessera_status status) {
  if (status == TESSERA_OK)
    return;
  fprintf(stderr, "error: %s\n", tessera_last_error());
  exit(1);
}

/* Numbers that every rank can make for itself. */
static float number(int which, int64_t row, int64_t column) {
  return sinf((float)(which + 1) * (float)(row * row + 3 * column + 1)) / 4;
}

/* Rows first to last of `which` times columns from to end of the layers; adds to `out`. */
static void layers(int64_t first, int64_t last, int64_t from, int64_t end, float *out) {
  for (int64_t i = first; i < last; i++)
    for (int64_t h = from; h < end; h++) {
      float sum = 0;
      for (int64_t k = 0; k < INPUTS; k++)
        sum += number(0, i, k) * number(1, k, h);
      for (int64_t o = 0; o < OUTPUTS; o++)
        out[(i - first) * OUTPUTS + o] += tanhf(sum) * number(2, h, o);
    }
}

static float mean_square(const float *values, int64_t count) {
  float sum = 0;
  for (int64_t i = 0; i < count; i++)
    sum += values[i] * values[i];
  return sum / (float)count;
}

static tessera_status report(void *data) {
  float *single = calloc(BATCH * OUTPUTS, sizeof(*single)), loss = *(float *)data;
  if (!single)
    return TESSERA_ERROR_OUT_OF_MEMORY;
  layers(0, BATCH, 0, HIDDEN, single);
  float expected = mean_square(single, BATCH * OUTPUTS);
  free(single);
  printf("loss %.6f, on one device %.6f\n", (double)loss, (double)expected);
  return fabsf(loss - expected) <= 1e-4f * expected ? TESSERA_OK : TESSERA_ERROR_CHECK;
}

int main(int argc, char **argv) {
  const int64_t shape[2] = {argc > 1 ? atoi(argv[1]) : 1, argc > 2 ? atoi(argv[2]) : 1};
  tessera_tensor_parallel parallel;
  must(tessera_tensor_parallel_create(NULL, 2, shape, &parallel));
  if (BATCH % shape[0] || HIDDEN % shape[1]) {
    fprintf(stderr, "error: expected extents that divide %d and %d\n", BATCH, HIDDEN);
    return 1;
  }

  const int64_t *own = tessera_mesh_coordinates(parallel.mesh);
  int64_t rows = BATCH / shape[0], columns = HIDDEN / shape[1], count = rows * OUTPUTS;
  float *out = calloc((size_t)count, sizeof(*out));
  if (!out)
    return 1;
  layers(own[0] * rows, (own[0] + 1) * rows, own[1] * columns, (own[1] + 1) * columns, out);
  must(tessera_group_all_reduce(parallel.tensor, out, out, count, TESSERA_F32, TESSERA_SUM));
  float mine = mean_square(out, count), loss;
  must(tessera_group_all_reduce(parallel.data, &mine, &loss, 1, TESSERA_F32, TESSERA_AVERAGE));
  free(out);

  tessera_status status = tessera_mesh_on_master(parallel.mesh, report, &loss);
  must(tessera_mesh_barrier(parallel.mesh));
  tessera_tensor_parallel_destroy(&parallel);
  must(tessera_finalize());
  return status == TESSERA_OK ? 0 : 1;
}
