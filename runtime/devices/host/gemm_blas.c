/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Matrix products by BLAS, or oneDNN in its place: strided views to what these take, or to copies
 * that they take. It must not know sites, groups or messages. */
#include "devices/host/blas.h"
#include "devices/host/host.h"
#include "devices/host/products.h"
#include "devices/host/sgemm.h"

/* ---- matrices -------------------------------------------------------------------------------- */

tr_view tr_host_matrix(const tr_view *view, int64_t index) {
  if (view->rank == 2)
    return *view;
  tr_view matrix = *view;
  matrix.data += index * view->strides[0] * view->element;
  matrix.rank = 2;
  for (int32_t i = 0; i < 2; i++) {
    matrix.sizes[i] = view->sizes[i + 1];
    matrix.strides[i] = view->strides[i + 1];
  }
  return matrix;
}

/* A leading dimension that BLAS takes for `rows` rows of `length` contiguous elements. The stride
 * of a single row says nothing, so any is as good. */
static bool leading_dimension(int64_t rows, int64_t length, int64_t stride, int32_t *leading) {
  int64_t least = length > 1 ? length : 1;
  if (rows <= 1)
    stride = least;
  *leading = (int32_t)stride;
  return stride >= least && stride <= INT32_MAX;
}

static bool is_contiguous(int64_t size, int64_t stride) {
  return stride == 1 || size <= 1;
}

static bool as_blas(const tr_view *view, tr_blas_matrix *matrix) {
  *matrix = (tr_blas_matrix){.data = view->data};
  if (is_contiguous(view->sizes[1], view->strides[1]) &&
      leading_dimension(view->sizes[0], view->sizes[1], view->strides[0], &matrix->leading))
    return true;
  matrix->transposed = true;
  return is_contiguous(view->sizes[0], view->strides[0]) &&
         leading_dimension(view->sizes[1], view->sizes[0], view->strides[1], &matrix->leading);
}

/* Room for a dense copy of one matrix, where BLAS cannot take its strides; every matrix of a batch
 * has the same. NULL where it can. */
static tessera_status copy_room(tr_workspace *workspace, const tr_view *view, void **memory) {
  tr_view matrix = tr_host_matrix(view, 0);
  tr_blas_matrix taken;
  *memory = NULL;
  if (as_blas(&matrix, &taken))
    return TESSERA_OK;
  *memory = tr_host_inner_room(workspace, tr_view_bytes(&matrix));
  return *memory ? TESSERA_OK : TESSERA_ERROR_OUT_OF_MEMORY;
}

typedef enum contents { CONTENTS_COUNT, CONTENTS_OVERWRITTEN } contents;

/* The matrix itself, or its copy in `memory`. */
static void operand(const tr_view *view, void *memory, contents contents, tr_view *used,
                    tr_blas_matrix *matrix) {
  *used = *view;
  if (memory) {
    tr_view_dense(memory, view, used);
    if (contents == CONTENTS_COUNT)
      tr_host_copy_view(view, used);
  }
  as_blas(used, matrix);
}

/* Of smaller ones other libraries make less ado. */
static bool goes_to_sgemm(const tr_product *product) {
  enum { LEAST = 1 << 16 };
  const tr_view *a = &product->a, *c = &product->c;
  double numbers = (double)c->sizes[c->rank - 2] * (double)c->sizes[c->rank - 1];
  return numbers * (double)a->sizes[a->rank - 1] >= LEAST && tr_sgemm_has(product->output);
}

/* c is not transposed. `workspace` is NULL where others of its threads multiply as well. */
static void multiply_plain(const tr_workspace *workspace, const tr_product *product, int32_t m,
                           int32_t n, int32_t k, const tr_blas_matrix *a, const tr_blas_matrix *b,
                           const tr_blas_matrix *c) {
  if (goes_to_sgemm(product))
    tr_sgemm(workspace ? workspace->pool : NULL, workspace ? workspace->threads : 1, m, n, k, a, b,
             c, product->overwrite);
  else
    tr_blas_gemm(product->output, m, n, k, a, b, c, product->overwrite);
}

/* A transposed c is the product of the transposed operands in the other order. */
static void multiply(const tr_workspace *workspace, const tr_product *product, const tr_view *a,
                     const tr_blas_matrix *left, const tr_blas_matrix *right, const tr_view *c,
                     const tr_blas_matrix *result) {
  int32_t m = (int32_t)c->sizes[0], n = (int32_t)c->sizes[1], k = (int32_t)a->sizes[1];
  tr_blas_matrix first = *left, second = *right, target = *result;
  if (!result->transposed) {
    multiply_plain(workspace, product, m, n, k, &first, &second, &target);
    return;
  }
  first.transposed = !first.transposed;
  second.transposed = !second.transposed;
  target.transposed = false;
  multiply_plain(workspace, product, n, m, k, &second, &first, &target);
}

/* A matrix of a batch whose strides BLAS takes. */
static void multiply_one(const tr_product *product, int64_t index) {
  const tr_view *views[] = {&product->a, &product->b, &product->c};
  tr_view used[3];
  tr_blas_matrix matrices[3];
  for (int i = 0; i < 3; i++) {
    used[i] = tr_host_matrix(views[i], index);
    as_blas(&used[i], &matrices[i]);
  }
  multiply(NULL, product, &used[0], &matrices[0], &matrices[1], &used[2], &matrices[2]);
}

static void multiply_some(void *data, int64_t from, int64_t to) {
  for (int64_t i = from; i < to; i++)
    multiply_one(data, i);
}

static bool is_taken(const tr_view *view) {
  tr_view matrix = tr_host_matrix(view, 0);
  tr_blas_matrix taken;
  return as_blas(&matrix, &taken);
}

/* Fewer products of numbers take no longer than it takes to wake threads. */
static bool is_worth_it(const tr_product *product) {
  enum { LEAST = 1 << 21 };
  return (double)tr_view_elements(&product->c) * (double)product->a.sizes[product->a.rank - 1] >=
         LEAST;
}

/* Matrices of a batch by a core each, where there are enough of them: BLAS has its threads meet for
 * each, which small ones are not worth. False: nothing has happened. */
static bool multiply_at_once(const tr_workspace *workspace, const tr_product *product,
                             int64_t batch) {
  if (!workspace->pool || batch < 2 * (int64_t)workspace->threads || !is_worth_it(product) ||
      !is_taken(&product->a) || !is_taken(&product->b) || !is_taken(&product->c) ||
      !(goes_to_sgemm(product) || tr_blas_has_alone(product->output)))
    return false;
  int64_t block = batch / (8 * (int64_t)workspace->threads);
  tr_pool_run(workspace->pool, multiply_some, (void *)(uintptr_t)product, batch,
              block > 1 ? block : 1);
  if (!goes_to_sgemm(product))
    tr_blas_has(product->output, workspace->threads);
  return true;
}

tessera_status tr_host_gemm_by_blas(tr_workspace *workspace, const tr_product *product) {
  int64_t batch = product->c.rank == 3 ? product->c.sizes[0] : 1;
  void *room[3];
  if (multiply_at_once(workspace, product, batch))
    return TESSERA_OK;
  tessera_status status = copy_room(workspace, &product->a, &room[0]);
  if (!status)
    status = copy_room(workspace, &product->b, &room[1]);
  if (!status)
    status = copy_room(workspace, &product->c, &room[2]);
  for (int64_t i = 0; !status && i < batch; i++) {
    tr_view a = tr_host_matrix(&product->a, i), b = tr_host_matrix(&product->b, i);
    tr_view c = tr_host_matrix(&product->c, i), used_a, used_b, used_c;
    tr_blas_matrix left, right, result;
    operand(&a, room[0], CONTENTS_COUNT, &used_a, &left);
    operand(&b, room[1], CONTENTS_COUNT, &used_b, &right);
    operand(&c, room[2], product->overwrite ? CONTENTS_OVERWRITTEN : CONTENTS_COUNT, &used_c,
            &result);
    multiply(workspace, product, &used_a, &left, &right, &used_c, &result);
    tr_host_copy_view(&used_c, &c);
  }
  return status;
}

bool tr_host_gemm_has_blas(const tr_workspace *workspace, const tr_product *product) {
  for (int32_t i = 0; i < product->c.rank; i++)
    if (product->a.sizes[i] > INT32_MAX || product->b.sizes[i] > INT32_MAX)
      return false;
  return product->input == product->output && product->a.sizes[product->a.rank - 1] > 0 &&
         (goes_to_sgemm(product) || tr_blas_has(product->output, workspace->threads));
}
