/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The driver and cuBLASLt called directly, to compare with. It must not know Tessera. */
#include "direct.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DRIVER(ROW)                                                                                \
  ROW(cuDevicePrimaryCtxRetain, (void **context, int device))                                      \
  ROW(cuDeviceGet, (int *device, int ordinal))                                                     \
  ROW(cuCtxSetCurrent, (void *context))                                                            \
  ROW(cuStreamCreate, (void **stream, unsigned flags))                                             \
  ROW(cuStreamSynchronize, (void *stream))                                                         \
  ROW(cuMemAllocAsync, (uint64_t *memory, size_t bytes, void *stream))                             \
  ROW(cuMemFreeAsync, (uint64_t memory, void *stream))                                             \
  ROW(cuMemsetD8Async, (uint64_t memory, unsigned char value, size_t bytes, void *stream))         \
  ROW(cuMemcpyAsync, (uint64_t to, uint64_t from, size_t bytes, void *stream))                     \
  ROW(cuMemcpyHtoDAsync_v2, (uint64_t to, const void *from, size_t bytes, void *stream))           \
  ROW(cuMemcpyDtoHAsync_v2, (void *to, uint64_t from, size_t bytes, void *stream))

#define BLAS(ROW)                                                                                  \
  ROW(cublasLtCreate, (void **handle))                                                             \
  ROW(cublasLtMatmulDescCreate, (void **description, int compute, int scale))                      \
  ROW(cublasLtMatmulDescDestroy, (void *description))                                              \
  ROW(cublasLtMatmulDescSetAttribute,                                                              \
      (void *description, int attribute, const void *value, size_t bytes))                         \
  ROW(cublasLtMatrixLayoutCreate,                                                                  \
      (void **layout, int type, uint64_t rows, uint64_t columns, int64_t leading))                 \
  ROW(cublasLtMatrixLayoutDestroy, (void *layout))                                                 \
  ROW(cublasLtMatrixLayoutSetAttribute,                                                            \
      (void *layout, int attribute, const void *value, size_t bytes))                              \
  ROW(cublasLtMatmulPreferenceCreate, (void **preference))                                         \
  ROW(cublasLtMatmulPreferenceDestroy, (void *preference))                                         \
  ROW(cublasLtMatmulPreferenceSetAttribute,                                                        \
      (void *preference, int attribute, const void *value, size_t bytes))                          \
  ROW(cublasLtMatmulAlgoGetHeuristic,                                                              \
      (void *handle, void *description, void *a, void *b, void *c, void *d, void *preference,      \
       int wanted, void *found, int *count))                                                       \
  ROW(cublasLtMatmul,                                                                              \
      (void *handle, void *description, const void *alpha, const void *a, void *a_layout,          \
       const void *b, void *b_layout, const void *beta, const void *c, void *c_layout, void *d,    \
       void *d_layout, const void *algorithm, void *workspace, size_t bytes, void *stream))

/* Tables of functions, filled by name. */
#define MEMBER(name, parameters) int(*name) parameters;
static struct driver {
  DRIVER(MEMBER)
} driver;
static struct blas {
  BLAS(MEMBER)
} blas;
#undef MEMBER

#define NAME(name, parameters) #name,
static const char *const driver_names[] = {DRIVER(NAME)};
static const char *const blas_names[] = {BLAS(NAME)};
#undef NAME

static void *stream, *handle;
enum { WORKSPACE = 32 << 20, BF16 = 14, F32 = 0, COMPUTE_F32 = 68 };

static void must(int result, const char *what) {
  if (result == 0)
    return;
  fprintf(stderr, "gpu-bench: %s: error %d\n", what, result);
  exit(1);
}

/* `table` is one of the structs above: pointers to functions alone. */
static bool fill_table(void *library, const char *const *names, size_t count, void *table) {
  for (size_t i = 0; i < count; i++) {
    void *symbol = NULL;
    char versioned[128];
    snprintf(versioned, sizeof(versioned), "%s_v2", names[i]);
    if (library)
      symbol = dlsym(library, names[i]);
    if (library && !symbol)
      symbol = dlsym(library, versioned);
    if (!symbol)
      return false;
    memcpy((char *)table + i * sizeof(symbol), &symbol, sizeof(symbol));
  }
  return true;
}

bool direct_open(int ordinal) {
  void *library = dlopen("libcuda.so.1", RTLD_NOW), *context;
  int device;
  if (!fill_table(library, driver_names, sizeof(driver_names) / sizeof(*driver_names), &driver))
    return false;
  must(driver.cuDeviceGet(&device, ordinal), "cuDeviceGet");
  must(driver.cuDevicePrimaryCtxRetain(&context, device), "cuDevicePrimaryCtxRetain");
  must(driver.cuCtxSetCurrent(context), "cuCtxSetCurrent");
  must(driver.cuStreamCreate(&stream, 1), "cuStreamCreate");
  return true;
}

void direct_wait(void) {
  must(driver.cuStreamSynchronize(stream), "cuStreamSynchronize");
}

/* ---- copies ---------------------------------------------------------------------------------- */

uint64_t direct_take(size_t bytes, unsigned char value) {
  uint64_t memory = 0;
  must(driver.cuMemAllocAsync(&memory, bytes, stream), "cuMemAllocAsync");
  must(driver.cuMemsetD8Async(memory, value, bytes, stream), "cuMemsetD8Async");
  return memory;
}

void direct_give(uint64_t memory) {
  must(driver.cuMemFreeAsync(memory, stream), "cuMemFreeAsync");
}

void *direct_stream(void) {
  return stream;
}

bool direct_is_filled(uint64_t memory, size_t bytes, unsigned char value) {
  unsigned char *seen = malloc(bytes);
  bool is_filled = seen != NULL;
  if (!seen)
    return false;
  must(driver.cuMemcpyDtoHAsync_v2(seen, memory, bytes, stream), "cuMemcpyDtoHAsync");
  direct_wait();
  for (size_t i = 0; is_filled && i < bytes; i++)
    is_filled = seen[i] == value;
  free(seen);
  return is_filled;
}

static uint64_t take(size_t bytes) {
  return direct_take(bytes, 0);
}

void direct_copy_open(size_t bytes, direct_copied *copied) {
  *copied = (direct_copied){take(bytes), take(bytes), bytes};
}

void direct_copy(const direct_copied *copied) {
  must(driver.cuMemcpyAsync(copied->to, copied->from, copied->bytes, stream), "cuMemcpyAsync");
}

void direct_copy_close(direct_copied *copied) {
  driver.cuMemFreeAsync(copied->from, stream);
  driver.cuMemFreeAsync(copied->to, stream);
}

/* ---- products -------------------------------------------------------------------------------- */

/* What TESSERA_CUBLASLT names, else what the loader or an environment of Python's has. */
static void *open_blas(void) {
  static const char *const names[] = {"libcublasLt.so.13", "libcublasLt.so.12", "libcublasLt.so.11",
                                      "/usr/local/cuda/lib64/libcublasLt.so"};
  const char *wish = getenv("TESSERA_CUBLASLT");
  if (wish)
    return dlopen(wish, RTLD_NOW);
  void *library = NULL;
  for (size_t i = 0; !library && i < sizeof(names) / sizeof(*names); i++)
    library = dlopen(names[i], RTLD_NOW);
  return library;
}

/* Small numbers of either sign in bf16: zeros are multiplied faster. */
static uint64_t take_numbers(size_t count) {
  enum { PIECE = 1 << 22 };
  static uint16_t numbers[PIECE];
  uint32_t state = 1;
  uint64_t memory = direct_take(count * sizeof(*numbers), 0);
  for (size_t i = 0; i < PIECE; i++) {
    state = state * 1664525u + 1013904223u;
    float value = (float)(state >> 8) / (float)(1 << 24) - 0.5f;
    uint32_t bits;
    memcpy(&bits, &value, sizeof(bits));
    numbers[i] = (uint16_t)(bits >> 16);
  }
  for (size_t done = 0; done < count; done += PIECE) {
    size_t bytes = (count - done < PIECE ? count - done : PIECE) * sizeof(*numbers);
    must(driver.cuMemcpyHtoDAsync_v2(memory + done * sizeof(*numbers), numbers, bytes, stream),
         "cuMemcpyHtoDAsync");
  }
  return memory;
}

static bool start_blas(void) {
  return handle ||
         (fill_table(open_blas(), blas_names, sizeof(blas_names) / sizeof(*blas_names), &blas) &&
          blas.cublasLtCreate(&handle) == 0);
}

static void lay_out(void **layout, uint64_t rows, uint64_t columns, int64_t batch) {
  enum { BATCH = 5, STRIDE = 6 };
  int32_t count = (int32_t)batch;
  int64_t step = (int64_t)(rows * columns);
  must(blas.cublasLtMatrixLayoutCreate(layout, BF16, rows, columns, (int64_t)rows), "a layout");
  if (batch == 1)
    return;
  must(blas.cublasLtMatrixLayoutSetAttribute(*layout, BATCH, &count, sizeof(count)), "a batch");
  must(blas.cublasLtMatrixLayoutSetAttribute(*layout, STRIDE, &step, sizeof(step)), "a batch");
}

/* Row-major memory is that of the transpose: c^T = b^T a^T. */
static void prepare(direct_product *p) {
  enum { TRANSPOSES_FIRST = 3, MOST_WORKSPACE = 1 };
  struct {
    uint64_t algorithm[8];
    size_t workspace;
    int state;
    float waves;
    int reserved[4];
  } found;
  void *preference;
  uint64_t most = WORKSPACE;
  int32_t transpose = 1;
  int count = 0;
  must(blas.cublasLtMatmulDescCreate(&p->description, COMPUTE_F32, F32), "a description");
  if (p->transposed)
    must(blas.cublasLtMatmulDescSetAttribute(p->description, TRANSPOSES_FIRST, &transpose,
                                             sizeof(transpose)),
         "a transpose");
  lay_out(&p->layouts[0], (uint64_t)(p->transposed ? p->k : p->n),
          (uint64_t)(p->transposed ? p->n : p->k), p->batch);
  lay_out(&p->layouts[1], (uint64_t)p->k, (uint64_t)p->m, p->batch);
  lay_out(&p->layouts[2], (uint64_t)p->n, (uint64_t)p->m, p->batch);
  must(blas.cublasLtMatmulPreferenceCreate(&preference), "a preference");
  must(blas.cublasLtMatmulPreferenceSetAttribute(preference, MOST_WORKSPACE, &most, sizeof(most)),
       "a preference");
  must(blas.cublasLtMatmulAlgoGetHeuristic(handle, p->description, p->layouts[0], p->layouts[1],
                                           p->layouts[2], p->layouts[2], preference, 1, &found,
                                           &count),
       "cublasLtMatmulAlgoGetHeuristic");
  blas.cublasLtMatmulPreferenceDestroy(preference);
  memcpy(p->algorithm, found.algorithm, sizeof(p->algorithm));
  p->a = take_numbers((size_t)(p->batch * p->m * p->k));
  p->b = take_numbers((size_t)(p->batch * p->k * p->n));
  p->c = take_numbers((size_t)(p->batch * p->m * p->n));
}

bool direct_products_open(const char *path, direct_list *list) {
  memset(list, 0, sizeof(*list));
  FILE *file = start_blas() ? fopen(path, "r") : NULL;
  if (!file)
    return false;
  for (; list->num < DIRECT_PRODUCTS; list->num++) {
    direct_product *p = &list->products[list->num];
    long long numbers[5];
    if (fscanf(file, "%lld %lld %lld %lld %lld %d", &numbers[0], &numbers[1], &numbers[2],
               &numbers[3], &numbers[4], &p->transposed) != 6)
      break;
    p->batch = numbers[0];
    p->m = numbers[1];
    p->n = numbers[2];
    p->k = numbers[3];
    p->count = numbers[4];
    prepare(p);
    list->operations +=
        2 * (double)p->batch * (double)p->m * (double)p->n * (double)p->k * (double)p->count;
  }
  fclose(file);
  list->workspace = take(WORKSPACE);
  return true;
}

void direct_products(const direct_list *list) {
  static const float one = 1, zero;
  for (int i = 0; i < list->num; i++) {
    const direct_product *p = &list->products[i];
    void *c = (void *)(uintptr_t)p->c;
    for (int64_t k = 0; k < p->count; k++)
      must(blas.cublasLtMatmul(handle, p->description, &one, (void *)(uintptr_t)p->b, p->layouts[0],
                               (void *)(uintptr_t)p->a, p->layouts[1], &zero, c, p->layouts[2], c,
                               p->layouts[2], p->algorithm, (void *)(uintptr_t)list->workspace,
                               WORKSPACE, stream),
           "cublasLtMatmul");
  }
}

void direct_products_close(direct_list *list) {
  for (int i = 0; i < list->num; i++) {
    const direct_product *p = &list->products[i];
    driver.cuMemFreeAsync(p->a, stream);
    driver.cuMemFreeAsync(p->b, stream);
    driver.cuMemFreeAsync(p->c, stream);
    for (int l = 0; l < 3; l++)
      blas.cublasLtMatrixLayoutDestroy(p->layouts[l]);
    blas.cublasLtMatmulDescDestroy(p->description);
  }
  driver.cuMemFreeAsync(list->workspace, stream);
}
