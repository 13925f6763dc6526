/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Matrix products in tiles: operands are converted to the type of the sum as they are packed, so
 * that one kernel a type serves all strides. It must not know sites, contexts or threads. */
#include "devices/host/tiled.h"

#include <complex.h>
#include <string.h>

#include "devices/host/blas.h"
#include "devices/host/host.h"
#include "devices/host/products.h"
#include "tensors/dtype.h"

/* A tile of b (ROWS_K x COLUMNS) and one of c stay in the second-level cache. */
enum { ROWS = 64, COLUMNS = 256, DEPTH = 128, LARGEST_ELEMENT = 16 };

typedef void (*tile_kernel)(const void *a, const void *b, void *c, int64_t m, int64_t n, int64_t k);

/* a is m x k, b is k x COLUMNS (n of them used), c is m x COLUMNS; all dense. Four rows of b at a
 * time, in their order, so that a row of c goes through registers a fourth as often. */
#define TILE_KERNEL(suffix, target, ctype, wide)                                                   \
  target static void tile_##suffix(const void *a, const void *b, void *c, int64_t m, int64_t n,    \
                                   int64_t k) {                                                    \
    for (int64_t i = 0; i < m; i++) {                                                              \
      ctype *restrict row = (ctype *)c + i * COLUMNS;                                              \
      const ctype *left = (const ctype *)a + i * DEPTH;                                            \
      const ctype *restrict right = b;                                                             \
      int64_t p = 0;                                                                               \
      for (; p + 4 <= k; p += 4, right += 4 * COLUMNS) {                                           \
        wide f0 = left[p], f1 = left[p + 1], f2 = left[p + 2], f3 = left[p + 3];                   \
        for (int64_t j = 0; j < n; j++) {                                                          \
          wide sum = (wide)row[j] + f0 * (wide)right[j];                                           \
          sum += f1 * (wide)right[j + COLUMNS];                                                    \
          sum += f2 * (wide)right[j + 2 * COLUMNS];                                                \
          row[j] = (ctype)(sum + f3 * (wide)right[j + 3 * COLUMNS]);                               \
        }                                                                                          \
      }                                                                                            \
      for (; p < k; p++, right += COLUMNS)                                                         \
        for (int64_t j = 0; j < n; j++)                                                            \
          row[j] = (ctype)((wide)row[j] + (wide)left[p] * (wide)right[j]);                         \
    }                                                                                              \
  }

/* Integers wrap around, signed or not: unsigned arithmetic of at least int's width does that. */
#define INTEGER_KERNELS(suffix, target)                                                            \
  TILE_KERNEL(8##suffix, target, uint8_t, uint32_t)                                                \
  TILE_KERNEL(16##suffix, target, uint16_t, uint32_t)                                              \
  TILE_KERNEL(32##suffix, target, uint32_t, uint32_t)                                              \
  TILE_KERNEL(64##suffix, target, uint64_t, uint64_t)

#define ANY /* what every processor of this kind has */
INTEGER_KERNELS(, ANY)
TILE_KERNEL(f32, ANY, float, float)
TILE_KERNEL(f64, ANY, double, double)
TILE_KERNEL(c64, ANY, float complex, float complex)
TILE_KERNEL(c128, ANY, double complex, double complex)

/* Arithmetic modulo 2. */
static void tile_boolean(const void *a, const void *b, void *c, int64_t m, int64_t n, int64_t k) {
  const uint8_t *left = a, *right = b;
  uint8_t *sum = c;
  for (int64_t i = 0; i < m; i++)
    for (int64_t p = 0; p < k; p++)
      for (int64_t j = 0; j < n; j++)
        sum[i * COLUMNS + j] ^= left[i * DEPTH + p] & right[p * COLUMNS + j];
}

static const tile_kernel kernels[] = {
    [TESSERA_I1] = tile_boolean, [TESSERA_I8] = tile_8,      [TESSERA_I16] = tile_16,
    [TESSERA_I32] = tile_32,     [TESSERA_I64] = tile_64,    [TESSERA_U8] = tile_8,
    [TESSERA_U16] = tile_16,     [TESSERA_U32] = tile_32,    [TESSERA_U64] = tile_64,
    [TESSERA_INDEX] = tile_64,   [TESSERA_F32] = tile_f32,   [TESSERA_F64] = tile_f64,
    [TESSERA_C64] = tile_c64,    [TESSERA_C128] = tile_c128, [TESSERA_F8] = NULL,
};

#ifdef __x86_64__

/* What every x86-64 has multiplies no vectors of integers but those of 16 bits. Floats are BLAS's.
 */
INTEGER_KERNELS(_avx2, __attribute__((target("avx2"))))
INTEGER_KERNELS(_avx512, __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx2"))))

/* By the base-2 logarithm of an integer's bytes. */
static tile_kernel kernel_of(tessera_dtype sum) {
  static const tile_kernel avx2[] = {tile_8_avx2, tile_16_avx2, tile_32_avx2, tile_64_avx2};
  static const tile_kernel avx512[] = {tile_8_avx512, tile_16_avx512, tile_32_avx512,
                                       tile_64_avx512};
  if (!tr_is_integer(sum) || sum == TESSERA_I1)
    return kernels[sum];
  int size = __builtin_ctzl(tessera_dtype_size(sum));
  if (tr_blas_has_avx512())
    return avx512[size];
  return __builtin_cpu_supports("avx2") ? avx2[size] : kernels[sum];
}

#else

static tile_kernel kernel_of(tessera_dtype sum) {
  return kernels[sum];
}

#endif

static tessera_dtype sum_type(tessera_dtype output) {
  return output == TESSERA_F16 || output == TESSERA_BF16 ? TESSERA_F32 : output;
}

/* ---- packing --------------------------------------------------------------------------------- */

/* Rows and columns [row, row + m) x [column, column + n) of a matrix. */
static tr_view block_of(const tr_view *matrix, int64_t row, int64_t column, int64_t m, int64_t n) {
  tr_view block = *matrix;
  tr_view_narrow(&block, 0, row, m);
  tr_view_narrow(&block, 1, column, n);
  return block;
}

/* A block as rows of `width` elements. */
static tr_view panel(void *data, size_t element, int64_t m, int64_t n, int64_t width) {
  tr_view view = {.data = data, .rank = 2, .element = (int32_t)element};
  view.sizes[0] = m;
  view.sizes[1] = n;
  view.strides[0] = width;
  view.strides[1] = 1;
  return view;
}

/* Through `staging`, where the strides are gone but the type is still the old one. */
static void pack(const tr_view *block, tessera_dtype type, tessera_dtype to_type, void *staging,
                 char *packed, int64_t width) {
  int64_t m = block->sizes[0], n = block->sizes[1];
  size_t from_size = tessera_dtype_size(type), to_size = tessera_dtype_size(to_type);
  tr_view rows = panel(type == to_type ? packed : staging, from_size, m, n, width);
  tr_host_copy_view(block, &rows);
  for (int64_t i = 0; type != to_type && i < m; i++)
    tr_host_convert(type, (char *)staging + (size_t)(i * width) * from_size, to_type,
                    packed + (size_t)(i * width) * to_size, n);
}

static void unpack(const char *packed, tessera_dtype type, const tr_view *block,
                   tessera_dtype to_type, void *staging) {
  int64_t m = block->sizes[0], n = block->sizes[1];
  size_t from_size = tessera_dtype_size(type), to_size = tessera_dtype_size(to_type);
  for (int64_t i = 0; type != to_type && i < m; i++)
    tr_host_convert(type, packed + (size_t)(i * COLUMNS) * from_size, to_type,
                    (char *)staging + (size_t)(i * COLUMNS) * to_size, n);
  tr_view rows =
      panel(type == to_type ? (void *)(uintptr_t)packed : staging, to_size, m, n, COLUMNS);
  tr_host_copy_view(&rows, block);
}

/* ---- products -------------------------------------------------------------------------------- */

/* The parts of the memory that one product works in. */
typedef struct workspace {
  char *a, *b, *c, *staging;
} workspace;

static workspace divide_memory(void *memory) {
  workspace space;
  space.a = memory;
  space.b = space.a + (size_t)ROWS * DEPTH * LARGEST_ELEMENT;
  space.c = space.b + (size_t)DEPTH * COLUMNS * LARGEST_ELEMENT;
  space.staging = space.c + (size_t)ROWS * COLUMNS * LARGEST_ELEMENT;
  return space;
}

size_t tr_tiled_memory(void) {
  size_t tiles = (size_t)ROWS * DEPTH + (size_t)DEPTH * COLUMNS + (size_t)ROWS * COLUMNS;
  size_t staging = (size_t)DEPTH * COLUMNS;
  return (tiles + staging) * LARGEST_ELEMENT;
}

static int64_t smaller(int64_t a, int64_t b) {
  return a < b ? a : b;
}

static void multiply_tile(const tr_product *product, const tr_view *a, const tr_view *b,
                          int64_t row, int64_t column, int64_t m, int64_t n,
                          const workspace *space) {
  tessera_dtype input = product->input, sum = sum_type(product->output);
  tile_kernel kernel = kernel_of(sum);
  for (int64_t p = 0; p < a->sizes[1]; p += DEPTH) {
    int64_t k = smaller(DEPTH, a->sizes[1] - p);
    tr_view left = block_of(a, row, p, m, k), right = block_of(b, p, column, k, n);
    pack(&left, input, sum, space->staging, space->a, DEPTH);
    pack(&right, input, sum, space->staging, space->b, COLUMNS);
    kernel(space->a, space->b, space->c, m, n, k);
  }
}

static int64_t parts_of(int64_t size, int64_t most) {
  return (size + most - 1) / most;
}

static int64_t batch_of(const tr_view *view) {
  return view->rank == 3 ? view->sizes[0] : 1;
}

/* Each part packs its columns of b again, which few rows are not worth. */
tr_tiles tr_tiled_share(const tr_product *product, int32_t threads) {
  enum { LEAST_ROWS = 16 };
  const tr_view *c = &product->c;
  int64_t m = c->sizes[c->rank - 2], columns = parts_of(c->sizes[c->rank - 1], COLUMNS);
  tr_tiles tiles = {.rows = ROWS};
  for (;; tiles.rows /= 2) {
    tiles.num = batch_of(c) * parts_of(m, tiles.rows) * columns;
    if (tiles.rows == LEAST_ROWS || tiles.num >= threads)
      return tiles;
  }
}

static void multiply_part(const tr_product *product, const tr_tiles *tiles, int64_t part,
                          const workspace *space) {
  const tr_view *whole = &product->c;
  int64_t columns = parts_of(whole->sizes[whole->rank - 1], COLUMNS);
  int64_t rows = parts_of(whole->sizes[whole->rank - 2], tiles->rows);
  int64_t column = part % columns * COLUMNS, row = part / columns % rows * tiles->rows;
  int64_t index = part / columns / rows;
  tr_view a = tr_host_matrix(&product->a, index), b = tr_host_matrix(&product->b, index);
  tr_view c = tr_host_matrix(whole, index);
  int64_t m = smaller(tiles->rows, c.sizes[0] - row), n = smaller(COLUMNS, c.sizes[1] - column);
  tr_view block = block_of(&c, row, column, m, n);
  tessera_dtype sum = sum_type(product->output);
  if (product->overwrite)
    memset(space->c, 0, (size_t)m * COLUMNS * tessera_dtype_size(sum));
  else
    pack(&block, product->output, sum, space->staging, space->c, COLUMNS);
  multiply_tile(product, &a, &b, row, column, m, n, space);
  unpack(space->c, sum, &block, product->output, space->staging);
}

void tr_tiled_some(const tr_product *product, const tr_tiles *tiles, int64_t from, int64_t to,
                   void *memory) {
  workspace space = divide_memory(memory);
  for (int64_t part = from; part < to; part++)
    multiply_part(product, tiles, part, &space);
}
