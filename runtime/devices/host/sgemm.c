/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Products of f32 by oneDNN. The pool's threads multiply a block of the result each, and the
 * library by one thread: threads of its own would stand in the way of those that kernels have. It
 * must not know descriptors, sites or contexts. */
#include "devices/host/sgemm.h"

#include "devices/host/dnnl.h"

enum { LEAST = 1 << 21 }; /* products of numbers that take longer than to wake threads */

typedef struct shared {
  const tr_dnnl *dnnl;
  int32_t m, n, k;
  const tr_blas_matrix *a, *b, *c;
  bool overwrite;
  int32_t row_parts, column_parts;
} shared;

bool tr_sgemm_has(tessera_dtype type) {
  return type == TESSERA_F32 && tr_blas_has_avx512() && tr_dnnl_library();
}

/* Where part `i` of `parts` begins: at whole vectors. */
static int32_t edge(int32_t size, int32_t i, int32_t parts) {
  enum { VECTOR = 16 };
  int32_t at = (int32_t)((int64_t)size * i / parts);
  return i == parts ? size : at - at % VECTOR;
}

/* Element (row, column) of a matrix. */
static float *element(const tr_blas_matrix *matrix, int64_t row, int64_t column) {
  return (float *)matrix->data +
         (matrix->transposed ? column * matrix->leading + row : row * matrix->leading + column);
}

static char transposition(const tr_blas_matrix *matrix) {
  return matrix->transposed ? 'T' : 'N';
}

static void multiply_block(const shared *s, int32_t row_part, int32_t column_part) {
  int32_t row = edge(s->m, row_part, s->row_parts);
  int32_t column = edge(s->n, column_part, s->column_parts);
  int32_t rows = edge(s->m, row_part + 1, s->row_parts) - row;
  int32_t columns = edge(s->n, column_part + 1, s->column_parts) - column;
  if (rows > 0 && columns > 0)
    s->dnnl->sgemm(transposition(s->a), transposition(s->b), rows, columns, s->k, 1.0F,
                   element(s->a, row, 0), s->a->leading, element(s->b, 0, column), s->b->leading,
                   s->overwrite ? 0.0F : 1.0F, element(s->c, row, column), s->c->leading);
}

static void multiply_blocks(void *data, int64_t from, int64_t to) {
  const shared *s = data;
  int before = s->dnnl->threads ? s->dnnl->threads() : 0;
  if (before > 0)
    s->dnnl->set_threads(1);
  for (int64_t i = from; i < to; i++)
    multiply_block(s, (int32_t)(i / s->column_parts), (int32_t)(i % s->column_parts));
  if (before > 0)
    s->dnnl->set_threads(before);
}

/* Blocks as square as their number allows: each reads its rows and its columns. */
static void share_out(shared *s, int32_t parts) {
  int64_t least = INT64_MAX;
  for (int32_t rows = 1; rows <= parts; rows++) {
    int64_t reads = s->m / rows + s->n / (parts / rows);
    if (parts % rows == 0 && reads < least) {
      least = reads;
      s->row_parts = rows;
      s->column_parts = parts / rows;
    }
  }
}

void tr_sgemm(tr_pool *pool, int32_t threads, int32_t m, int32_t n, int32_t k,
              const tr_blas_matrix *a, const tr_blas_matrix *b, const tr_blas_matrix *c,
              bool overwrite) {
  shared s = {.dnnl = tr_dnnl_library(),
              .m = m,
              .n = n,
              .k = k,
              .a = a,
              .b = b,
              .c = c,
              .overwrite = overwrite,
              .row_parts = 1,
              .column_parts = 1};
  if (pool && (double)m * n * k >= LEAST) {
    share_out(&s, threads);
    tr_pool_run(pool, multiply_blocks, &s, threads, 1);
  } else {
    multiply_blocks(&s, 0, 1);
  }
}
