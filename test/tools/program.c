/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* A compiled program written by hand, for tessera-run: entries over a grid ROWS x COLS that
 * exercise layouts at the boundary. It stands for what the compiler emits and must not use its
 * code. */
#include "tessera/runtime.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define COUNT(array) ((int32_t)(sizeof(array) / sizeof((array)[0])))
#define PUBLIC __attribute__((visibility("default")))

/* ---- grid and helpers ------------------------------------------------------------------------ */

static const int64_t grid_shape[] = {ROWS, COLS};
static const tessera_grid grid = {sizeof(grid), 2, "g", grid_shape};
static const tessera_grid *const grids[] = {&grid};

typedef struct memref1 {
  char *allocated, *aligned;
  int64_t offset, sizes[1], strides[1];
} memref1;

typedef struct memref2 {
  char *allocated, *aligned;
  int64_t offset, sizes[2], strides[2];
} memref2;

static float *at2(const memref2 *m, int64_t i, int64_t j) {
  return (float *)m->aligned + m->offset + i * m->strides[0] + j * m->strides[1];
}

/* With WRONG_RANK, the first result element of that rank is off: what a checker has to find. */
static void spoil(char *element, size_t size);

static void make1(memref1 *m, int64_t n, size_t element) {
  m->allocated = m->aligned = _mlir_memref_to_llvm_alloc((size_t)n * element);
  m->offset = 0;
  m->sizes[0] = n;
  m->strides[0] = 1;
}

static void make2(memref2 *m, int64_t rows, int64_t cols, size_t element) {
  m->allocated = m->aligned = _mlir_memref_to_llvm_alloc((size_t)(rows * cols) * element);
  m->offset = 0;
  m->sizes[0] = rows;
  m->sizes[1] = cols;
  m->strides[0] = cols;
  m->strides[1] = 1;
}

static void copy1(void **arguments, void **results, size_t element) {
  const memref1 *in = arguments[0];
  memref1 *out = results[0];
  make1(out, in->sizes[0], element);
  if (in->sizes[0] > 0)
    memcpy(out->aligned, in->aligned, (size_t)in->sizes[0] * element);
  if (in->sizes[0] > 0)
    spoil(out->aligned, element);
}

static void copy_bytes1(void **a, void **r) {
  copy1(a, r, 1);
}
static void copy_bytes2(void **a, void **r) {
  copy1(a, r, 2);
}
static void copy_bytes4(void **a, void **r) {
  copy1(a, r, 4);
}
static void copy_bytes8(void **a, void **r) {
  copy1(a, r, 8);
}
static void copy_bytes16(void **a, void **r) {
  copy1(a, r, 16);
}

#define PARAMETER(type, rank_, shape_, layout_, name_)                                             \
  {sizeof(tessera_parameter), type, rank_, 0, shape_, layout_, name_, "", NULL, 0, 0}
#define WHOLE(type, rank_, shape_, name_)                                                          \
  {sizeof(tessera_parameter), type, rank_, -1, shape_, NULL, name_, "", NULL, 0, 0}

/* ---- matmul: rows over axis 0, contraction over axis 1, partial result ----------------------- */

static const int64_t a_shape[] = {10, 7}, b_shape[] = {7, 5}, c_shape[] = {10, 5};
static const int64_t a_layout[] = {2, 10, 1, 10, 1, 0, 0, 0, 7, 1, 7, 1, 1, 0, 0, 0};
static const int64_t b_layout[] = {2, 7, 1, 7, 1, 1, 0, 0, 5, 1, 5, 0, 0, 0, 0};
static const int64_t c_layout[] = {2, 10, 1, 10, 1, 0, 0, 0, 5, 1, 5, 0, 0, 0, 1, 1, TESSERA_SUM};

static void matmul(void **arguments, void **results) {
  const memref2 *a = arguments[0], *b = arguments[1];
  memref2 *c = results[0];
  make2(c, a->sizes[0], b->sizes[1], sizeof(float));
  for (int64_t i = 0; i < c->sizes[0]; i++)
    for (int64_t j = 0; j < c->sizes[1]; j++) {
      float sum = 0;
      for (int64_t k = 0; k < a->sizes[1]; k++)
        sum += *at2(a, i, k) * *at2(b, k, j);
      *at2(c, i, j) = sum;
    }
}

static const tessera_parameter matmul_arguments[] = {
    PARAMETER(TESSERA_F32, 2, a_shape, a_layout, "a"),
    PARAMETER(TESSERA_F32, 2, b_shape, b_layout, "b")};
static const tessera_parameter matmul_results[] = {
    PARAMETER(TESSERA_F32, 2, c_shape, c_layout, "")};

/* ---- all_reduce: the same product with the collective inside --------------------------------- */

static const int32_t axis1[] = {1};
static const tessera_site reduce_site = {.struct_size = sizeof(reduce_site),
                                         .kind = TESSERA_SITE_ALL_REDUCE,
                                         .name = "shard.all_reduce",
                                         .location = "program.mlir:12:8",
                                         .grid = &grid,
                                         .axes = axis1,
                                         .num_axes = 1,
                                         .index = 0,
                                         .input_rank = 2,
                                         .output_rank = 2,
                                         .input_type = TESSERA_F32,
                                         .output_type = TESSERA_F32,
                                         .reduction = TESSERA_SUM,
                                         .cause = "of linalg.matmul (program.mlir:12:8)"};

static const int64_t c_reduced_layout[] = {2, 10, 1, 10, 1, 0, 0, 0, 5, 1, 5, 0, 0, 0, 0};

static void matmul_reduced(void **arguments, void **results) {
  matmul(arguments, results);
  tessera_rt_all_reduce(&reduce_site, NULL, results[0], results[0]);
}

static const tessera_parameter reduced_results[] = {
    PARAMETER(TESSERA_F32, 2, c_shape, c_reduced_layout, "")};

/* ---- a collective that no runtime can do ----------------------------------------------------- */

static const tessera_site bad_site = {.struct_size = sizeof(bad_site),
                                      .kind = TESSERA_SITE_ALL_REDUCE,
                                      .name = "shard.all_reduce",
                                      .location = "program.mlir:20:3",
                                      .grid = &grid,
                                      .axes = axis1,
                                      .num_axes = 1,
                                      .index = 1,
                                      .input_rank = 2,
                                      .output_rank = 2,
                                      .input_type = TESSERA_F32,
                                      .output_type = TESSERA_F32,
                                      .reduction = TESSERA_XOR};

static void fails(void **arguments, void **results) {
  matmul(arguments, results);
  tessera_rt_all_reduce(&bad_site, NULL, results[0], results[0]);
}

/* ---- stencil: rows with a halo of one in, without out ---------------------------------------- */

static const int64_t nine[] = {9};
static const int64_t halo_in[] = {1, 9, 1, 9, 1, 0, 2, 1, 1, 0, 0};
static const int64_t halo_out[] = {1, 9, 1, 9, 1, 0, 0, 0, 0};
static const int64_t halo_wide[] = {1, 9, 1, 9, 1, 0, 2, 1, 2, 0, 0};

static void stencil(void **arguments, void **results) {
  const memref1 *in = arguments[0];
  memref1 *out = results[0];
  make1(out, in->sizes[0] - 2, sizeof(double));
  const double *x = (const double *)in->aligned;
  for (int64_t i = 0; i < out->sizes[0]; i++)
    ((double *)out->aligned)[i] = x[i] + 10 * x[i + 1] + 100 * x[i + 2];
}

static const tessera_parameter stencil_arguments[] = {
    PARAMETER(TESSERA_F64, 1, nine, halo_in, "x")};
static const tessera_parameter stencil_results[] = {PARAMETER(TESSERA_F64, 1, nine, halo_out, "")};
static const tessera_parameter wide[] = {PARAMETER(TESSERA_F64, 1, nine, halo_wide, "x")};

/* ---- explicit offsets ------------------------------------------------------------------------ */

static const int64_t twelve[] = {12};
#if ROWS == 1
#define OFFSETS 2, 0, 12
#elif ROWS == 2
#define OFFSETS 3, 0, 3, 12
#else
#define OFFSETS 4, 0, 1, 1, 12
#endif
static const int64_t offset_layout[] = {1, 12, 1, 12, 1, 0, 0, OFFSETS, 0};
static const tessera_parameter offset_parameter[] = {
    PARAMETER(TESSERA_I32, 1, twelve, offset_layout, "x")};

/* ---- halos and offsets that follow from the arguments ---------------------------------------- */

/* The halo before the rows, both of the result, and the offsets within are not known. */
#if ROWS == 1
#define UNKNOWN 2, 0, 9
#elif ROWS == 2
#define UNKNOWN 3, 0, -1, 9
#else
#define UNKNOWN 4, 0, -1, -1, 9
#endif
static const int64_t resolved_in[] = {1, 9, 1, 9, 1, 0, 2, -1, 0, UNKNOWN, 0};
static const int64_t resolved_out[] = {1, 9, 1, 9, 1, 0, 2, -1, -1, UNKNOWN, 0};

/* Drops the halo before the rows: the result's is `after` rows behind them. */
static void resolved(void **arguments, void **results) {
  const memref1 *in = arguments[0];
  memref1 *out = results[0];
  int64_t before, after = 2;
  memcpy(&before, arguments[1], sizeof(before));
  int64_t rows = in->sizes[0] - before;
  make1(out, rows + after, sizeof(double));
  for (int64_t i = 0; i < rows; i++)
    ((double *)out->aligned)[i] = ((const double *)in->aligned)[before + i];
}

/* The argument's halo is the scalar, the result's 0 and 2; offsets follow from the extent. */
static void resolve(void **arguments, void **results) {
  const memref1 *in = arguments[0];
  int64_t numbers[16], num = 0;
  memcpy(&numbers[num++], arguments[1], sizeof(int64_t));
  for (int i = 1; i < ROWS; i++)
    numbers[num++] = in->sizes[0] / 4;
  numbers[num++] = 0;
  numbers[num++] = 2;
  for (int i = 1; i < ROWS; i++)
    numbers[num++] = in->sizes[0] / 4;
  for (int64_t i = 0; i < num; i++)
    memcpy(results[i], &numbers[i], sizeof(int64_t));
}

/* The same, if the scalar is not 0. */
static void resolve_by_division(void **arguments, void **results) {
  volatile int64_t divisor, quotient;
  memcpy((void *)&divisor, arguments[1], sizeof(divisor));
  quotient = 100 / divisor;
  (void)quotient;
  resolve(arguments, results);
}

enum { NUM_RESOLVED = 1 + 2 + 2 * (ROWS - 1) };

static const tessera_parameter resolved_arguments[] = {
    PARAMETER(TESSERA_F64, 1, nine, resolved_in, "x"), WHOLE(TESSERA_I64, -1, NULL, "halo")};
static const tessera_parameter resolved_results[] = {
    PARAMETER(TESSERA_F64, 1, nine, resolved_out, "")};

/* ---- factors: 20 = 5 x 4, each split on its own ---------------------------------------------- */

static const int64_t factor_shape[] = {3, 20};
static const int64_t factor_layout[] = {2, 3, 1, 3, 0, 0, 0, 20, 2, 5, 1, 0, 4, 1, 1, 0, 0, 0};

static void factors(void **arguments, void **results) {
  const memref2 *in = arguments[0];
  memref2 *out = results[0];
  make2(out, in->sizes[0], in->sizes[1], sizeof(float));
  for (int64_t i = 0; i < in->sizes[0]; i++)
    for (int64_t j = 0; j < in->sizes[1]; j++)
      *at2(out, i, j) = *at2(in, i, j) + 1;
}

static const tessera_parameter factor_parameter[] = {
    PARAMETER(TESSERA_F32, 2, factor_shape, factor_layout, "x")};

/* ---- scalars and 0-d tensors; results whose memory is not the dense start of an allocation --- */

static void scalars(void **arguments, void **results) {
  int32_t count;
  float factor;
  memcpy(&count, arguments[0], sizeof(count));
  memcpy(&factor, arguments[1], sizeof(factor));
  const struct {
    char *allocated, *aligned;
    int64_t offset;
  } *in = arguments[2];
  struct {
    char *allocated, *aligned;
    int64_t offset;
  } *out = results[1];
  float product = (float)count * factor;
  memcpy(results[0], &product, sizeof(product));
  out->allocated = _mlir_memref_to_llvm_alloc(4 * sizeof(double));
  out->aligned = out->allocated + sizeof(double);
  out->offset = 2;
  ((double *)out->aligned)[2] = 2 * *(const double *)in->aligned;
}

static const tessera_parameter scalar_arguments[] = {WHOLE(TESSERA_I32, -1, NULL, "count"),
                                                     WHOLE(TESSERA_F32, -1, NULL, "factor"),
                                                     WHOLE(TESSERA_F64, 0, NULL, "x")};
static const tessera_parameter scalar_results[] = {WHOLE(TESSERA_F32, -1, NULL, ""),
                                                   WHOLE(TESSERA_F64, 0, NULL, "")};

/* ---- element types: seven elements over both axes -------------------------------------------- */

static const int64_t seven[] = {7};
static const int64_t both_layout[] = {1, 7, 1, 7, 2, 0, 1, 0, 0, 0};
#define MOVED(name, type)                                                                          \
  static const tessera_parameter name[] = {PARAMETER(type, 1, seven, both_layout, "x")}
MOVED(moved_i1, TESSERA_I1);
MOVED(moved_i4, TESSERA_I4);
MOVED(moved_i8, TESSERA_I8);
MOVED(moved_i16, TESSERA_I16);
MOVED(moved_i32, TESSERA_I32);
MOVED(moved_u16, TESSERA_U16);
MOVED(moved_i64, TESSERA_I64);
MOVED(moved_index, TESSERA_INDEX);
MOVED(moved_f16, TESSERA_F16);
MOVED(moved_bf16, TESSERA_BF16);
MOVED(moved_f8, TESSERA_F8);
MOVED(moved_c64, TESSERA_C64);
MOVED(moved_c128, TESSERA_C128);

/* ---- a dynamic extent; column-major memory in the result ------------------------------------- */

static const int64_t dynamic_shape[] = {-1, 3};
static const int64_t dynamic_layout[] = {2, -1, 1, -1, 2, 1, 0, 0, 0, 3, 1, 3, 0, 0, 0, 0};

static void dynamic(void **arguments, void **results) {
  const memref2 *in = arguments[0];
  memref2 *out = results[0];
  make2(out, in->sizes[0], in->sizes[1], sizeof(float));
  out->strides[0] = 1;
  out->strides[1] = in->sizes[0];
  for (int64_t i = 0; i < in->sizes[0]; i++)
    for (int64_t j = 0; j < in->sizes[1]; j++)
      *at2(out, i, j) = 2 * *at2(in, i, j);
}

static const tessera_parameter dynamic_parameter[] = {
    PARAMETER(TESSERA_F32, 2, dynamic_shape, dynamic_layout, "x")};

/* ---- partial arguments: what scatter cuts, gather must put together -------------------------- */

#define PARTIAL(name, type, reduction)                                                             \
  static const int64_t name##_layout[] = {1, 7, 1, 7, 1, 1, 0, 0, 1, 0, reduction};                \
  static const tessera_parameter name[] = {PARAMETER(type, 1, seven, name##_layout, "x")}
PARTIAL(partial_sum_f16, TESSERA_F16, TESSERA_SUM);
PARTIAL(partial_average_f32, TESSERA_F32, TESSERA_AVERAGE);
PARTIAL(partial_max_f32, TESSERA_F32, TESSERA_MAX);
PARTIAL(partial_maxnum_f32, TESSERA_F32, TESSERA_MAXNUM);
PARTIAL(partial_min_i8, TESSERA_I8, TESSERA_MIN);
PARTIAL(partial_umin_i32, TESSERA_I32, TESSERA_UMIN);
PARTIAL(partial_product_f64, TESSERA_F64, TESSERA_PRODUCT);
PARTIAL(partial_and_i64, TESSERA_I64, TESSERA_AND);
PARTIAL(partial_xor_i16, TESSERA_I16, TESSERA_XOR);

/* ---- a per-device program: every rank returns its number ------------------------------------- */

static const tessera_site index_site = {.struct_size = sizeof(index_site),
                                        .kind = TESSERA_SITE_QUERY,
                                        .name = "shard.process_linear_index",
                                        .location = "program.mlir:30:3",
                                        .grid = &grid,
                                        .index = 2};

static void spoil(char *element, size_t size) {
#ifdef WRONG_RANK
  if (tessera_rt_process_linear_index(&index_site) == WRONG_RANK)
    element[size - 1] ^= 0x10;
#else
  (void)element;
  (void)size;
#endif
}

static void which(void **arguments, void **results) {
  (void)arguments;
  int64_t index = tessera_rt_process_linear_index(&index_site);
  memcpy(results[0], &index, sizeof(index));
}

static const tessera_parameter which_results[] = {WHOLE(TESSERA_INDEX, -1, NULL, "")};

/* Rank 0 of several divides by zero. */
static void divides(void **arguments, void **results) {
  (void)arguments;
  (void)results;
  volatile int64_t divisor = tessera_rt_process_linear_index(&index_site) + (ROWS * COLS == 1);
  volatile int64_t quotient = 100 / divisor;
  (void)quotient;
}

/* Several ranks take long. */
static void sleeps(void **arguments, void **results) {
  (void)arguments;
  (void)results;
  sleep(ROWS * COLS == 1 ? 0 : 60);
}

/* ---- the record ------------------------------------------------------------------------------ */

static const tessera_site *const sites[] = {&reduce_site, &bad_site, &index_site};
static const tessera_group_record groups[] = {{&grid, axis1, 1, 0}};

#define ENTRY(name, function, arguments, results)                                                  \
  {sizeof(tessera_entry),                                                                          \
   0,                                                                                              \
   name,                                                                                           \
   function,                                                                                       \
   COUNT(arguments),                                                                               \
   COUNT(results),                                                                                 \
   arguments,                                                                                      \
   results,                                                                                        \
   NULL,                                                                                           \
   0,                                                                                              \
   0}
#define COPY(name, function) ENTRY(#name, function, name, name)

static const tessera_entry entries[] = {
    ENTRY("matmul", matmul, matmul_arguments, matmul_results),
    ENTRY("matmul_reduced", matmul_reduced, matmul_arguments, reduced_results),
    ENTRY("fails", fails, matmul_arguments, reduced_results),
    ENTRY("stencil", stencil, stencil_arguments, stencil_results),
    ENTRY("halos", copy_bytes8, wide, wide),
    ENTRY("offsets", copy_bytes4, offset_parameter, offset_parameter),
    ENTRY("factors", factors, factor_parameter, factor_parameter),
    ENTRY("scalars", scalars, scalar_arguments, scalar_results),
    ENTRY("dynamic", dynamic, dynamic_parameter, dynamic_parameter),
    COPY(moved_i1, copy_bytes1),
    COPY(moved_i4, copy_bytes1),
    COPY(moved_i8, copy_bytes1),
    COPY(moved_i16, copy_bytes2),
    COPY(moved_i32, copy_bytes4),
    COPY(moved_u16, copy_bytes2),
    COPY(moved_i64, copy_bytes8),
    COPY(moved_index, copy_bytes8),
    COPY(moved_f16, copy_bytes2),
    COPY(moved_bf16, copy_bytes2),
    COPY(moved_f8, copy_bytes1),
    COPY(moved_c64, copy_bytes8),
    COPY(moved_c128, copy_bytes16),
    COPY(partial_sum_f16, copy_bytes2),
    COPY(partial_average_f32, copy_bytes4),
    COPY(partial_max_f32, copy_bytes4),
    COPY(partial_maxnum_f32, copy_bytes4),
    COPY(partial_min_i8, copy_bytes1),
    COPY(partial_umin_i32, copy_bytes4),
    COPY(partial_product_f64, copy_bytes8),
    COPY(partial_and_i64, copy_bytes8),
    COPY(partial_xor_i16, copy_bytes2),
    {sizeof(tessera_entry), 0, "resolved", resolved, 2, 1, resolved_arguments, resolved_results,
     resolve, NUM_RESOLVED, 0},
    {sizeof(tessera_entry), 0, "miscounted", resolved, 2, 1, resolved_arguments, resolved_results,
     resolve, NUM_RESOLVED + 1, 0},
    {sizeof(tessera_entry), 0, "unresolved", resolved, 2, 1, resolved_arguments, resolved_results,
     NULL, 0, 0},
    {sizeof(tessera_entry), 0, "resolved_by_division", resolved, 2, 1, resolved_arguments,
     resolved_results, resolve_by_division, NUM_RESOLVED, 0},
    {sizeof(tessera_entry), 0, "divides", divides, 0, 0, NULL, NULL, NULL, 0, 0},
    {sizeof(tessera_entry), 0, "sleeps", sleeps, 0, 0, NULL, NULL, NULL, 0, 0},
    {sizeof(tessera_entry), TESSERA_ENTRY_PER_DEVICE, "which", which, 0, 1, NULL, which_results,
     NULL, 0, 0},
};

#ifndef VERSION
#define VERSION TESSERA_ABI_VERSION
#endif

PUBLIC extern const tessera_program_record tessera_program;
const tessera_program_record tessera_program = {.struct_size = sizeof(tessera_program_record),
                                                .abi_version = VERSION,
                                                .source = "program.mlir",
                                                .grids = grids,
                                                .num_grids = COUNT(grids),
                                                .num_groups = COUNT(groups),
                                                .groups = groups,
                                                .sites = sites,
                                                .num_sites = COUNT(sites),
                                                .num_entries = COUNT(entries),
                                                .entries = entries};
