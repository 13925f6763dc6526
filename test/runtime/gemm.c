/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Matrix products: element types, strides, batches, empty sizes, with and without BLAS
 * (TESSERA_BLAS=none) and oneDNN (TESSERA_DNNL=none), against three plain loops. */
#include <dlfcn.h>
#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"
#include "tessera/program.h"
#include "values.h"

typedef struct sizes {
  int64_t batch, m, n, k;
} sizes;

static memref random_matrix(tessera_dtype type, int32_t rank, const int64_t *shape, uint64_t seed) {
  size_t element = tessera_dtype_size(type);
  memref result =
      memref_create(rank, shape, element, (arrangement)(mix(seed, 1) % NUM_ARRANGEMENTS));
  for (int64_t i = 0; i < memref_elements(&result, rank); i++) {
    value drawn = random_value(type, TESSERA_SUM, mix(seed, (uint64_t)i + 2));
    store_value(type, drawn, memref_at(&result, rank, element, i));
  }
  return result;
}

static value load(const memref *matrix, tessera_dtype type, int32_t rank, int64_t index) {
  return load_value(type, memref_at(matrix, rank, tessera_dtype_size(type), index));
}

static value product_at(const memref *a, const memref *b, tessera_dtype input, tessera_dtype output,
                        int32_t rank, const sizes *sizes, int64_t batch, int64_t i, int64_t j) {
  value sum = {0, 0, 0};
  for (int64_t p = 0; p < sizes->k; p++) {
    value x = load(a, input, rank, (batch * sizes->m + i) * sizes->k + p);
    value y = load(b, input, rank, (batch * sizes->k + p) * sizes->n + j);
    x = convert_value(input, output, false, x);
    y = convert_value(input, output, false, y);
    sum.integer = (int64_t)((uint64_t)sum.integer + (uint64_t)x.integer * (uint64_t)y.integer);
    sum.real += x.real * y.real - x.imaginary * y.imaginary;
    sum.imaginary += x.real * y.imaginary + x.imaginary * y.real;
  }
  return sum;
}

static bool agrees(tessera_dtype type, value found, value sum, value old, bool overwrite) {
  char element[16];
  if (!overwrite) {
    sum.integer = (int64_t)((uint64_t)sum.integer + (uint64_t)old.integer);
    sum.real += old.real;
    sum.imaginary += old.imaginary;
  }
  store_value(type, sum, element); /* rounds and wraps as the type does */
  value expected = load_value(type, element);
  if (kind_of(type) == KIND_BOOLEAN)
    return found.integer == (sum.integer & 1);
  if (kind_of(type) < KIND_FLOAT)
    return found.integer == expected.integer;
  return fabs(found.real - expected.real) <= 1e-5 * (1 + fabs(expected.real)) &&
         fabs(found.imaginary - expected.imaginary) <= 1e-5 * (1 + fabs(expected.imaginary));
}

static tessera_site site_of(int32_t rank, tessera_dtype input, tessera_dtype output,
                            uint32_t flags) {
  return (tessera_site){.struct_size = sizeof(tessera_site),
                        .kind = TESSERA_SITE_GEMM,
                        .name = "gemm",
                        .location = "",
                        .index = -1,
                        .input_rank = rank,
                        .output_rank = rank,
                        .input_type = (int32_t)input,
                        .output_type = (int32_t)output,
                        .flags = flags};
}

enum { ADDS = TESSERA_SITE_RESIDUAL | TESSERA_SITE_BIAS };
enum { ACTIVATIONS = TESSERA_SITE_RELU | TESSERA_SITE_GELU };

static double activation_of(uint32_t flags, double x) {
  if (flags & TESSERA_SITE_RELU)
    return x > 0 ? x : 0;
  if (flags & TESSERA_SITE_GELU)
    return 0.5 * x * (1 + tanh(0.79788456080286535588 * (x + 0.044715 * x * x * x)));
  return x;
}

static void run_case(tessera_dtype input, tessera_dtype output, int32_t rank, const sizes *sizes,
                     uint32_t flags, uint64_t seed) {
  int64_t shapes[3][3] = {{sizes->batch, sizes->m, sizes->k},
                          {sizes->batch, sizes->k, sizes->n},
                          {sizes->batch, sizes->m, sizes->n}};
  int32_t skip = 3 - rank;
  memref a = random_matrix(input, rank, shapes[0] + skip, mix(seed, 100));
  memref b = random_matrix(input, rank, shapes[1] + skip, mix(seed, 200));
  memref c = random_matrix(output, rank, shapes[2] + skip, mix(seed, 300));
  memref residual = random_matrix(output, rank, shapes[2] + skip, mix(seed, 400));
  memref bias = random_matrix(output, 1, &sizes->n, mix(seed, 500));
  int64_t elements = memref_elements(&c, rank);
  value *old = calloc((size_t)elements + 1, sizeof(*old));
  for (int64_t i = 0; i < elements; i++)
    old[i] = load(&c, output, rank, i);
  tessera_site site = site_of(rank, input, output, flags);
  memref x = on_device(&a), y = on_device(&b), z = on_device(&c);
  memref r = on_device(&residual), s = on_device(&bias);
  if (flags & (ADDS | ACTIVATIONS))
    tessera_rt_gemm_plus(&site, NULL, &x, &y, &z, flags & TESSERA_SITE_RESIDUAL ? &r : NULL,
                         flags & TESSERA_SITE_BIAS ? &s : NULL);
  else
    tessera_rt_gemm(&site, NULL, &x, &y, &z);
  await_device();
  for (int64_t i = 0; i < elements; i++) {
    int64_t column = i % sizes->n, row = i / sizes->n % sizes->m, batch = i / sizes->n / sizes->m;
    value sum = product_at(&a, &b, input, output, rank, sizes, batch, row, column);
    if (flags & TESSERA_SITE_RESIDUAL)
      sum.real += load(&residual, output, rank, i).real;
    if (flags & TESSERA_SITE_BIAS)
      sum.real += load(&bias, output, 1, column).real;
    bool is_whole = flags & (TESSERA_SITE_OVERWRITE | TESSERA_SITE_RELU | TESSERA_SITE_GELU);
    if (is_whole && !(flags & TESSERA_SITE_OVERWRITE))
      sum.real += old[i].real;
    sum.real = activation_of(flags, sum.real);
    if (agrees(output, load(&c, output, rank, i), sum, old[i], is_whole))
      continue;
    fail_test("types %d %d rank %d sizes %d x %dx%dx%d flags %u: element %d", input, output, rank,
              (int)sizes->batch, (int)sizes->m, (int)sizes->n, (int)sizes->k, flags, (int)i);
    break;
  }
  free(old);
  memref_destroy(&a);
  memref_destroy(&b);
  memref_destroy(&c);
  memref_destroy(&residual);
  memref_destroy(&bias);
}

/* Of all types, or of so many. */
static void run_all(int32_t rank, int32_t size, void *data) {
  static const tessera_dtype types[][2] = {
      {TESSERA_F32, TESSERA_F32},   {TESSERA_F64, TESSERA_F64},     {TESSERA_C64, TESSERA_C64},
      {TESSERA_C128, TESSERA_C128}, {TESSERA_F16, TESSERA_F16},     {TESSERA_BF16, TESSERA_BF16},
      {TESSERA_BF16, TESSERA_F32},  {TESSERA_F32, TESSERA_F64},     {TESSERA_I8, TESSERA_I32},
      {TESSERA_I32, TESSERA_I32},   {TESSERA_I64, TESSERA_I64},     {TESSERA_U8, TESSERA_U8},
      {TESSERA_I16, TESSERA_I16},   {TESSERA_INDEX, TESSERA_INDEX}, {TESSERA_I1, TESSERA_I1},
  };
  static const sizes all[] = {{1, 1, 1, 1}, {2, 3, 4, 5},  {3, 70, 9, 11}, {1, 5, 300, 4},
                              {2, 4, 6, 0}, {1, 0, 3, 2},  {2, 3, 0, 2},   {1, 7, 5, 150},
                              {0, 2, 2, 2}, {1, 1, 17, 8}, {1, 17, 1, 8}};
  size_t num = data ? *(const size_t *)data : sizeof(types) / sizeof(types[0]);
  (void)size;
  for (size_t t = 0; t < num; t++)
    for (size_t s = 0; s < sizeof(all) / sizeof(all[0]); s++)
      for (uint64_t seed = 0; seed < 6; seed++)
        for (uint32_t flags = 0; flags <= TESSERA_SITE_OVERWRITE; flags += TESSERA_SITE_OVERWRITE) {
          uint64_t mixed = mix(mix(t, s), seed + (uint64_t)rank);
          run_case(types[t][0], types[t][1], 3, &all[s], flags, mixed);
          if (all[s].batch == 1)
            run_case(types[t][0], types[t][1], 2, &all[s], flags, mixed);
        }
}

/* Products that all threads of a rank share: by libraries, and in tiles. */
static void run_large(int32_t rank, int32_t size, void *data) {
  static const tessera_dtype types[][2] = {
      {TESSERA_I8, TESSERA_I32}, {TESSERA_BF16, TESSERA_BF16}, {TESSERA_U16, TESSERA_U16}};
  static const sizes large[] = {{1, 130, 301, 70}, {1, 2000, 33, 40}};
  static const sizes tiled[] = {{1, 40, 301, 90}, {1, 300, 33, 110}, {9, 35, 40, 85}};
  (void)size;
  (void)data;
  for (uint64_t seed = 0; seed < 4; seed++)
    for (uint32_t flags = 0; flags <= TESSERA_SITE_OVERWRITE; flags += TESSERA_SITE_OVERWRITE) {
      for (size_t s = 0; s < sizeof(large) / sizeof(large[0]); s++)
        run_case(TESSERA_F32, TESSERA_F32, 2, &large[s], flags, mix(s, seed + (uint64_t)rank));
      for (size_t s = 0; s < sizeof(tiled) / sizeof(tiled[0]); s++) {
        const tessera_dtype *type = types[(s + seed) % 3];
        run_case(type[0], type[1], tiled[s].batch > 1 ? 3 : 2, &tiled[s], flags, mix(s, seed));
      }
    }
}

/* Sums of 8 bits that neither 16 bits for two products nor f32 for all of them hold. */
static void large_sums(int32_t rank, int32_t size, void *data) {
  enum { M = 5, N = 7, K = 2049 };
  static const int64_t shapes[3][2] = {{M, K}, {K, N}, {M, N}};
  memref operands[3];
  (void)rank;
  (void)size;
  (void)data;
  for (int i = 0; i < 3; i++)
    operands[i] = memref_create(2, shapes[i], i < 2 ? 1 : sizeof(int32_t), DENSE);
  for (int64_t i = 0; i < (int64_t)M * K; i++)
    *(int8_t *)memref_at(&operands[0], 2, 1, i) = i / K == 1 ? -128 : 127;
  for (int64_t i = 0; i < (int64_t)K * N; i++)
    *(int8_t *)memref_at(&operands[1], 2, 1, i) = i % N == 2 ? -128 : 127;
  tessera_site site = site_of(2, TESSERA_I8, TESSERA_I32, TESSERA_SITE_OVERWRITE);
  memref used[] = {on_device(&operands[0]), on_device(&operands[1]), on_device(&operands[2])};
  tessera_rt_gemm(&site, NULL, &used[0], &used[1], &used[2]);
  await_device();
  for (int64_t i = 0; i < (int64_t)M * N; i++) {
    int32_t expected = (i / N == 1 ? -128 : 127) * (i % N == 2 ? -128 : 127) * K;
    int32_t found = *(int32_t *)memref_at(&operands[2], 2, sizeof(int32_t), i);
    if (found != expected)
      fail_test("element %d of a sum of %d products is %d, not %d", (int)i, K, found, expected);
  }
  for (int i = 0; i < 3; i++)
    memref_destroy(&operands[i]);
}

/* A product communicates nothing: it is not among what is counted as traffic. */
static void no_traffic(int32_t rank, int32_t size, void *data) {
  static const int64_t shape[2] = {4, 4};
  memref operands[3];
  tessera_context *context = tessera_context_current();
  tessera_site_traffic traffic;
  (void)rank;
  (void)size;
  (void)data;
  for (int i = 0; i < 3; i++) {
    operands[i] = memref_create(2, shape, sizeof(float), DENSE);
    memset(operands[i].aligned, 0, 16 * sizeof(float));
  }
  tessera_site site = site_of(2, TESSERA_F32, TESSERA_F32, TESSERA_SITE_OVERWRITE);
  site.index = 0;
  memref used[] = {on_device(&operands[0]), on_device(&operands[1]), on_device(&operands[2])};
  tessera_traffic_start(context);
  tessera_rt_gemm(&site, NULL, &used[0], &used[1], &used[2]);
  await_device();
  if (tessera_traffic_read(context, &site, &traffic) != TESSERA_OK || traffic.calls != 0)
    fail_test("a product is counted as traffic");
  for (int i = 0; i < 3; i++)
    memref_destroy(&operands[i]);
}

/* ---- sums behind products -------------------------------------------------------------------- */

static bool device_adds(void) {
  const char *device = getenv("TESSERA_DEVICE");
  return device && strcmp(device, "cuda") == 0;
}

/* All that may be added behind a product, with these activations in turn. */
static void run_plus(const tessera_dtype types[2], const sizes *shape,
                     const uint32_t activations[2], uint64_t start, int32_t rank) {
  for (uint32_t adds = 0; adds <= ADDS; adds += TESSERA_SITE_RESIDUAL)
    for (uint64_t seed = 0; seed < 6; seed++) {
      uint64_t mixed = mix(start, seed + (uint64_t)rank);
      uint32_t flags = TESSERA_SITE_OVERWRITE | adds | activations[seed % 2];
      if (!(adds & TESSERA_SITE_RESIDUAL) && seed > 3)
        flags &= ~(uint32_t)TESSERA_SITE_OVERWRITE;
      run_case(types[0], types[1], 3, shape, flags, mixed);
      run_case(types[0], types[1], 2, shape, flags, mixed);
    }
}

static void run_sums(int32_t rank, int32_t size, void *data) {
  static const tessera_dtype types[][2] = {{TESSERA_F32, TESSERA_F32},
                                           {TESSERA_F64, TESSERA_F64},
                                           {TESSERA_F16, TESSERA_F16},
                                           {TESSERA_BF16, TESSERA_F32}};
  static const sizes all[] = {{2, 3, 4, 5}, {3, 40, 9, 11}, {2, 4, 6, 0},
                              {2, 3, 0, 2}, {1, 1, 17, 8},  {1, 17, 1, 8}};
  static const uint32_t none[2] = {0, 0};
  size_t num = data ? *(const size_t *)data : sizeof(types) / sizeof(types[0]);
  (void)size;
  for (size_t t = 0; t < num; t++)
    for (size_t s = 0; s < sizeof(all) / sizeof(all[0]); s++)
      run_plus(types[t], &all[s], none, mix(t, s), rank);
}

/* Behind what is added, or alone. */
static void run_activations(int32_t rank, int32_t size, void *data) {
  static const tessera_dtype types[][2] = {
      {TESSERA_F32, TESSERA_F32}, {TESSERA_F64, TESSERA_F64},   {TESSERA_F16, TESSERA_F16},
      {TESSERA_F16, TESSERA_F32}, {TESSERA_BF16, TESSERA_BF16}, {TESSERA_BF16, TESSERA_F32}};
  static const sizes all[] = {{2, 3, 4, 5}, {2, 4, 6, 0}, {1, 30, 17, 8}, {1, 150, 3, 2}};
  static const uint32_t activations[] = {TESSERA_SITE_RELU, TESSERA_SITE_GELU};
  size_t num = data ? *(const size_t *)data : sizeof(types) / sizeof(types[0]);
  (void)size;
  for (size_t t = 0; t < num; t++)
    for (size_t s = 0; s < sizeof(all) / sizeof(all[0]); s++)
      run_plus(types[t], &all[s], activations, mix(t, s + 10), rank);
}

/* Whatever computes it: relu is a NaN or 0 for a NaN, gelu a NaN. */
static void activate_nan(int32_t rank, int32_t size, void *data) {
  static const int64_t shapes[][2] = {{1, 1}, {1, 150}};
  (void)rank;
  (void)size;
  (void)data;
  for (int i = 0; i < 4; i++) {
    bool is_gelu = i % 2;
    const int64_t *shape = shapes[i / 2], one[2] = {1, 1};
    memref a = memref_create(2, one, sizeof(float), DENSE);
    memref b = memref_create(2, shape, sizeof(float), DENSE);
    memref c = memref_create(2, shape, sizeof(float), DENSE);
    *(float *)a.aligned = NAN;
    for (int64_t j = 0; j < shape[1]; j++)
      *(float *)memref_at(&b, 2, sizeof(float), j) = 1;
    tessera_site site = site_of(2, TESSERA_F32, TESSERA_F32,
                                (uint32_t)TESSERA_SITE_OVERWRITE |
                                    (is_gelu ? TESSERA_SITE_GELU : TESSERA_SITE_RELU));
    memref used[] = {on_device(&a), on_device(&b), on_device(&c)};
    tessera_rt_gemm_plus(&site, NULL, &used[0], &used[1], &used[2], NULL, NULL);
    await_device();
    float found = *(float *)c.aligned;
    if (!isnan(found) && (is_gelu || found != 0))
      fail_test("%s of a NaN is %g", is_gelu ? "gelu" : "relu", found);
    memref_destroy(&a);
    memref_destroy(&b);
    memref_destroy(&c);
  }
}

static void activate_integers(void *data) {
  const memref *operands = data;
  tessera_site site =
      site_of(2, TESSERA_I32, TESSERA_I32, TESSERA_SITE_OVERWRITE | TESSERA_SITE_RELU);
  tessera_rt_gemm_plus(&site, NULL, &operands[0], &operands[1], &operands[2], NULL, NULL);
}

static void refuse_activations(int32_t rank, int32_t size, void *data) {
  const int64_t shape[2] = {2, 2};
  memref operands[3], used[3];
  (void)rank;
  (void)size;
  (void)data;
  for (int i = 0; i < 3; i++) {
    operands[i] = memref_create(2, shape, sizeof(int32_t), DENSE);
    used[i] = on_device(&operands[i]);
  }
  if (tessera_attempt(tessera_context_current(), activate_integers, used) !=
          TESSERA_ERROR_UNSUPPORTED ||
      !strstr(tessera_last_error(), "no activation of products of i32"))
    fail_test("an activation of integers: %s", tessera_last_error());
  for (int i = 0; i < 3; i++)
    memref_destroy(&operands[i]);
}

static void add_to_product(void *data) {
  const memref *operands = data;
  tessera_site site =
      site_of(2, TESSERA_F32, TESSERA_F32, TESSERA_SITE_OVERWRITE | TESSERA_SITE_RESIDUAL);
  tessera_rt_gemm_plus(&site, NULL, &operands[0], &operands[1], &operands[2], &operands[3], NULL);
}

static void refuse_sums(int32_t rank, int32_t size, void *data) {
  const int64_t shape[2] = {2, 2};
  memref operands[4];
  (void)rank;
  (void)size;
  (void)data;
  for (int i = 0; i < 4; i++)
    operands[i] = memref_create(2, shape, sizeof(float), DENSE);
  if (tessera_attempt(tessera_context_current(), add_to_product, operands) !=
          TESSERA_ERROR_UNSUPPORTED ||
      !strstr(tessera_last_error(), "sums and activations behind products are for GPUs alone"))
    fail_test("a residual on the host: %s", tessera_last_error());
  for (int i = 0; i < 4; i++)
    memref_destroy(&operands[i]);
}

/* ---- threads and memory ---------------------------------------------------------------------- */

static void multiply_once(int32_t rank, int32_t size, void *data) {
  static const sizes one = {1, 4, 4, 4};
  (void)size;
  (void)data;
  run_case(TESSERA_F32, TESSERA_F32, 2, &one, 0, (uint64_t)rank);
}

/* Cores over ranks, in a process that has one grid after another. */
static void expect_threads(int32_t ranks) {
  union {
    void *symbol;
    int (*call)(void);
  } threads;
  run_local(ranks, multiply_once, NULL);
  void *library = dlopen("libopenblas.so.0", RTLD_LAZY | RTLD_NOLOAD);
  if (!library)
    return;
  threads.symbol = dlsym(library, "openblas_get_num_threads");
  cpu_set_t cores;
  CPU_ZERO(&cores);
  if (threads.symbol && sched_getaffinity(0, sizeof(cores), &cores) == 0) {
    int expected = CPU_COUNT(&cores) / ranks > 1 ? CPU_COUNT(&cores) / ranks : 1;
    if (threads.call() != expected)
      fail_test("%d ranks: %d BLAS threads, not %d", ranks, threads.call(), expected);
  }
  dlclose(library);
}

static void count_threads(void) {
  if (getenv("OPENBLAS_NUM_THREADS") || getenv("OMP_NUM_THREADS"))
    return;
  expect_threads(1);
  expect_threads(2);
  expect_threads(1);
}

/* However many matrices there are, copies are of one. */
static void batch_memory(int32_t rank, int32_t size, void *data) {
  enum { BATCH = 64, SIDE = 64, MATRIX = SIDE * SIDE * (int)sizeof(float) };
  int64_t shape[3] = {BATCH, SIDE, SIDE};
  memref operands[3];
  (void)rank;
  (void)size;
  (void)data;
  static const sizes one = {1, SIDE, SIDE, SIDE};
  run_case(TESSERA_F32, TESSERA_F32, 2, &one, 0, 0); /* loads libraries */
  for (int i = 0; i < 3; i++) {
    operands[i] = memref_create(3, shape, sizeof(float), TRANSPOSED);
    memset(operands[i].aligned, 0, (size_t)BATCH * MATRIX);
  }
  tessera_site site = site_of(3, TESSERA_F32, TESSERA_F32, 0);
  memref used[] = {on_device(&operands[0]), on_device(&operands[1]), on_device(&operands[2])};
  int64_t before = bytes_in_use();
  tessera_rt_gemm(&site, NULL, &used[0], &used[1], &used[2]);
  await_device();
  int64_t grown = bytes_in_use() - before;
  if (grown > 8 * MATRIX)
    fail_test("a batch of %d takes the memory of %d matrices", BATCH, (int)(grown / MATRIX));
  for (int i = 0; i < 3; i++)
    memref_destroy(&operands[i]);
}

/* usage: runtime-gemm [f32]: everything, or small products of f32. */
int main(int argc, char **argv) {
  count_threads();
  if (argc > 1 && strcmp(argv[1], "f32") == 0) {
    size_t first = 1;
    run_local(2, run_all, &first);
    return finish_tests();
  }
  if (!getenv("TESSERA_BLAS"))
    run_local(1, batch_memory, NULL);
  run_local(1, large_sums, NULL);
  run_local(1, no_traffic, NULL);
  run_local(1, run_large, NULL);
  run_local(2, run_all, NULL);
  run_local(1, device_adds() ? run_sums : refuse_sums, NULL);
  if (device_adds()) {
    run_local(1, run_activations, NULL);
    run_local(1, activate_nan, NULL);
    run_local(1, refuse_activations, NULL);
  }
  return finish_tests();
}
