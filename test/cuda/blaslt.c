/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The functions of cuBLASLt that are used, under their names: plain loops, on the streams of the
 * driver beside it. STANDIN_PRODUCTS names a file in which each product leaves a line. It must not
 * know Tessera. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ptx.h"
#include "standin.h"
#include "tensors/float16.h"

#define EXPORTED __attribute__((visibility("default")))

enum { DONE = 0, INVALID = 7, UNSUPPORTED = 15 };
enum { F32 = 0, F64 = 1, F16 = 2, BF16 = 14 };
enum { TRANSPOSES_FIRST = 3, TRANSPOSES_SECOND = 4, EPILOGUE = 7, BIAS_POINTER = 8 };
enum { RELU = 2, ADD_BIAS = 4, GELU = 32 }; /* epilogues, and sums of the second with another */

typedef struct description {
  int compute, scale;
  int32_t transposes[2], epilogue;
  uint64_t bias;
} description;

typedef struct layout {
  int type;
  uint64_t rows, columns;
  int64_t leading, batch_stride;
  int32_t batch;
} layout;

typedef struct found {
  uint64_t algorithm[8];
  size_t workspace;
  int state;
  float waves;
  int reserved[4];
} found;

enum { WORKSPACE = 1 << 20, ALGORITHM = 0x5ea1 };

EXPORTED size_t cublasLtGetVersion(void) {
  return 120400;
}

static int make(void **made, size_t bytes) {
  *made = calloc(1, bytes);
  return *made ? DONE : INVALID;
}

EXPORTED int cublasLtCreate(void **handle) {
  return make(handle, 1);
}

EXPORTED int cublasLtDestroy(void *handle) {
  free(handle);
  return DONE;
}

EXPORTED int cublasLtMatmulDescCreate(void **made, int compute, int scale) {
  int result = make(made, sizeof(description));
  *(description *)*made = (description){.compute = compute, .scale = scale};
  return result;
}

EXPORTED int cublasLtMatmulDescSetAttribute(void *set, int attribute, const void *value,
                                            size_t bytes) {
  description *description = set;
  void *into = attribute == TRANSPOSES_FIRST    ? (void *)&description->transposes[0]
               : attribute == TRANSPOSES_SECOND ? (void *)&description->transposes[1]
               : attribute == EPILOGUE          ? (void *)&description->epilogue
               : attribute == BIAS_POINTER      ? (void *)&description->bias
                                                : NULL;
  if (!into || bytes != (attribute == BIAS_POINTER ? sizeof(uint64_t) : sizeof(int32_t)))
    return INVALID;
  memcpy(into, value, bytes);
  return DONE;
}

EXPORTED int cublasLtMatmulDescDestroy(void *made) {
  free(made);
  return DONE;
}

EXPORTED int cublasLtMatrixLayoutCreate(void **made, int type, uint64_t rows, uint64_t columns,
                                        int64_t leading) {
  int result = make(made, sizeof(layout));
  *(layout *)*made = (layout){type, rows, columns, leading, 0, 1};
  return leading >= (int64_t)rows ? result : INVALID;
}

EXPORTED int cublasLtMatrixLayoutSetAttribute(void *set, int attribute, const void *value,
                                              size_t bytes) {
  layout *layout = set;
  if (attribute == 5 && bytes == sizeof(layout->batch))
    memcpy(&layout->batch, value, bytes);
  else if (attribute == 6 && bytes == sizeof(layout->batch_stride))
    memcpy(&layout->batch_stride, value, bytes);
  else
    return INVALID;
  return DONE;
}

EXPORTED int cublasLtMatrixLayoutDestroy(void *made) {
  free(made);
  return DONE;
}

EXPORTED int cublasLtMatmulPreferenceCreate(void **made) {
  return make(made, 1);
}

EXPORTED int cublasLtMatmulPreferenceSetAttribute(void *set, int attribute, const void *value,
                                                  size_t bytes) {
  (void)value;
  return set && (attribute == 1 ? bytes == 8 : attribute >= 5 && attribute <= 8 && bytes == 4)
             ? DONE
             : INVALID;
}

EXPORTED int cublasLtMatmulPreferenceDestroy(void *made) {
  free(made);
  return DONE;
}

/* Sizes that do not belong together are an error of the caller's. */
static int check(const description *how, const layout *a, const layout *b, const layout *c) {
  uint64_t m = how->transposes[0] ? a->columns : a->rows;
  uint64_t k = how->transposes[0] ? a->rows : a->columns;
  uint64_t other_k = how->transposes[1] ? b->columns : b->rows;
  uint64_t n = how->transposes[1] ? b->rows : b->columns;
  bool fits = m == c->rows && n == c->columns && k == other_k && a->batch == c->batch &&
              b->batch == c->batch && a->type == b->type;
  return fits ? DONE : INVALID;
}

/* What is too large for the library's kernels is left to others: more rows than STANDIN_ROWS. */
static uint64_t most_rows(void) {
  const char *given = getenv("STANDIN_ROWS");
  return given ? strtoull(given, NULL, 10) : 128;
}

EXPORTED int cublasLtMatmulAlgoGetHeuristic(void *handle, void *how, void *a, void *b, void *c,
                                            void *d, void *preference, int wanted, found *found,
                                            int *count) {
  const description *description = how;
  *count = 0;
  if (!handle || !preference || wanted < 1 || check(how, a, b, d) || check(how, a, b, c))
    return INVALID;
  if (((const layout *)d)->rows > most_rows())
    return UNSUPPORTED;
  int activation = description->epilogue & ~ADD_BIAS;
  if ((activation && activation != RELU && activation != GELU) ||
      (description->epilogue & ADD_BIAS && !description->bias))
    return INVALID;
  /* As a library would that lacks one: of batches there is no gelu. */
  if (activation == GELU && ((const layout *)d)->batch > 1)
    return UNSUPPORTED;
  if (description->epilogue && description->scale == F64)
    return UNSUPPORTED;
  memset(found, 0, sizeof(*found));
  found->algorithm[0] = ALGORITHM;
  found->workspace = WORKSPACE;
  *count = 1;
  return DONE;
}

/* ---- products -------------------------------------------------------------------------------- */

typedef struct product {
  work work;
  description how;
  layout a, b, c, d;
  uint64_t first, second, added, result, workspace;
  double beta;
} product;

static size_t bytes_of(int type) {
  return type == F64 ? 8 : type == F32 ? 4 : 2;
}

static char *element(const layout *layout, uint64_t address, int32_t batch, uint64_t row,
                     uint64_t column) {
  int64_t index = batch * layout->batch_stride + (int64_t)column * layout->leading + (int64_t)row;
  size_t bytes = bytes_of(layout->type);
  return device_memory(address + (uint64_t)index * bytes, bytes);
}

static bool read(const layout *layout, const char *from, double *value) {
  uint16_t half;
  float single;
  if (!from)
    return false;
  memcpy(&half, from, sizeof(half));
  if (layout->type == F32)
    memcpy(&single, from, sizeof(single));
  if (layout->type == F64)
    memcpy(value, from, sizeof(*value));
  else
    *value = layout->type == F32   ? single
             : layout->type == F16 ? float_of_f16(half)
                                   : float_of_bf16(half);
  return true;
}

static void write(const layout *layout, char *to, double value) {
  float single = (float)value;
  uint16_t half = layout->type == F16 ? f16_of_float(single) : bf16_of_float(single);
  if (layout->type == F64)
    memcpy(to, &value, sizeof(value));
  else if (layout->type == F32)
    memcpy(to, &single, sizeof(single));
  else
    memcpy(to, &half, sizeof(half));
}

/* Relu keeps a NaN, as the library's does on an H200. */
static double activate(int epilogue, double x) {
  if (epilogue & GELU)
    return 0.5 * x * (1 + tanh(0.79788456080286535588 * (x + 0.044715 * x * x * x)));
  return !(epilogue & RELU) || x > 0 || isnan(x) ? x : 0;
}

static bool sum_up(const product *p, int32_t batch, uint64_t i, uint64_t j) {
  uint64_t terms = p->how.transposes[0] ? p->a.rows : p->a.columns;
  double sum = 0, x, y, old = 0;
  for (uint64_t k = 0; k < terms; k++) {
    bool first = p->how.transposes[0], second = p->how.transposes[1];
    if (!read(&p->a, element(&p->a, p->first, batch, first ? k : i, first ? i : k), &x) ||
        !read(&p->b, element(&p->b, p->second, batch, second ? j : k, second ? k : j), &y))
      return false;
    sum += x * y;
  }
  char *to = element(&p->d, p->result, batch, i, j);
  if (!to || (p->beta != 0 && !read(&p->c, element(&p->c, p->added, batch, i, j), &old)))
    return false;
  layout along = {.type = p->d.type};
  double bias = 0;
  if (p->how.epilogue & ADD_BIAS && !read(&along, element(&along, p->how.bias, 0, i, 0), &bias))
    return false;
  write(&p->d, to, activate(p->how.epilogue, sum + p->beta * old + bias));
  return true;
}

static int run(work *self) {
  product p = *(product *)self;
  free(self);
  if (stream_error)
    return OK;
  bool done = device_memory(p.workspace, WORKSPACE);
  for (int32_t batch = 0; batch < p.d.batch; batch++)
    for (uint64_t j = 0; j < p.d.columns; j++)
      for (uint64_t i = 0; done && i < p.d.rows; i++)
        done = sum_up(&p, batch, i, j);
  return done ? OK : ILLEGAL_ADDRESS;
}

static void note(const description *description, bool adds) {
  const char *path = getenv("STANDIN_PRODUCTS");
  FILE *file = path ? fopen(path, "a") : NULL;
  if (!file)
    return;
  int epilogue = description->epilogue;
  fprintf(file, "product compute %d%s%s%s\n", description->compute, adds ? " residual" : "",
          epilogue & ADD_BIAS ? " bias" : "",
          epilogue & RELU   ? " relu"
          : epilogue & GELU ? " gelu"
                            : "");
  fclose(file);
}

EXPORTED int cublasLtMatmul(void *handle, void *how, const void *alpha, const void *a,
                            void *a_layout, const void *b, void *b_layout, const void *beta,
                            const void *c, void *c_layout, void *d, void *d_layout,
                            const uint64_t *algorithm, void *workspace, size_t bytes,
                            void *stream) {
  const description *description = how;
  bool is_double = description->scale == F64;
  double one = is_double ? *(const double *)alpha : *(const float *)alpha;
  const layout *from = c_layout, *to = d_layout;
  /* In place, it has to be the very same matrix. */
  bool same = from->leading == to->leading && from->batch_stride == to->batch_stride;
  if (!handle || one != 1 || (c == d && !same) || algorithm[0] != ALGORITHM || bytes < WORKSPACE)
    return INVALID;
  product *given = calloc(1, sizeof(*given));
  if (!given)
    return INVALID;
  *given = (product){.work = {.run = run},
                     .how = *description,
                     .a = *(layout *)a_layout,
                     .b = *(layout *)b_layout,
                     .c = *from,
                     .d = *to,
                     .first = (uintptr_t)a,
                     .second = (uintptr_t)b,
                     .added = (uintptr_t)c,
                     .result = (uintptr_t)d,
                     .workspace = (uintptr_t)workspace,
                     .beta = is_double ? *(const double *)beta : *(const float *)beta};
  note(description, c != d);
  standin_give(stream, &given->work);
  return DONE;
}
