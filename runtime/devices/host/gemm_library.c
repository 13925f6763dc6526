/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Matrix products by oneDNN of types that BLAS does not have: bf16, with sums of f32, and i8, with
 * sums of i32. It must not know sites, groups or messages. */
#include <string.h>

#include "devices/host/host.h"
#include "devices/host/prepared.h"

typedef struct row {
  tessera_dtype input, output;
  int32_t input_type, output_type; /* the library's */
} row;

static const row rows[] = {
    {TESSERA_BF16, TESSERA_F32, TR_DNNL_BF16, TR_DNNL_F32},
    {TESSERA_BF16, TESSERA_BF16, TR_DNNL_BF16, TR_DNNL_BF16},
    {TESSERA_I8, TESSERA_I32, TR_DNNL_S8, TR_DNNL_S32},
};

static const row *row_of(const tr_product *product) {
  for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
    if (rows[i].input == product->input && rows[i].output == product->output)
      return &rows[i];
  return NULL;
}

static bool read_matrix(const tr_view *view, int32_t type, tr_layout *layout) {
  layout->type = type;
  for (int32_t i = 0; i < view->rank; i++)
    tr_layout_append(layout, view->sizes[i], view->strides[i]);
  return tr_view_elements(view) > 0 && tr_layout_settle(layout);
}

/* Matrices without gaps are taken as they lie; with others the library's best ways do not work. */
static bool describe_wish(const tr_dnnl *dnnl, const tr_layout *layout, tr_dnnl_layout *described) {
  const int64_t *sizes = &layout->sizes[layout->rank - 2];
  const int64_t *strides = &layout->strides[layout->rank - 2];
  if ((strides[1] == 1 && strides[0] == sizes[1]) || (strides[0] == 1 && strides[1] == sizes[0]))
    return tr_layout_describe(dnnl, layout, described);
  return tr_layout_describe_any(dnnl, layout, described);
}

/* Products of 8 bits are exact where the processor adds four of them in 32 bits; older ones add two
 * in 16, which may not hold them. */
static bool is_exact(const tr_shape *shape, const char *way) {
  return shape->operands[TR_SOURCE].type != TR_DNNL_S8 || strstr(way, "vnni") || strstr(way, "amx");
}

static void *describe_product(const tr_dnnl *dnnl, const tr_shape *shape) {
  tr_dnnl_layout wishes[TR_NUM_OPERANDS];
  for (int i = 0; i < TR_NUM_OPERANDS; i++)
    if (!describe_wish(dnnl, &shape->operands[i], &wishes[i]))
      return NULL;
  tr_dnnl_recipe recipe;
  const char *way;
  if (dnnl->product(&recipe, &wishes[TR_SOURCE], &wishes[TR_WEIGHTS], NULL, &wishes[TR_RESULT]) !=
      0)
    return NULL;
  void *description = tr_recipe_describe(dnnl, &recipe, shape->overwrite, &way);
  if (!description || is_exact(shape, way))
    return description;
  dnnl->description_destroy(description);
  return NULL;
}

static bool multiply(tr_workspace *workspace, const tr_dnnl *dnnl, const row *row,
                     const tr_product *product) {
  tr_shape shape;
  memset(&shape, 0, sizeof(shape));
  shape.kind = TR_KIND_PRODUCT;
  shape.threads = tr_host_library_threads(workspace);
  shape.overwrite = product->overwrite;
  if (!read_matrix(&product->a, row->input_type, &shape.operands[TR_SOURCE]) ||
      !read_matrix(&product->b, row->input_type, &shape.operands[TR_WEIGHTS]) ||
      !read_matrix(&product->c, row->output_type, &shape.operands[TR_RESULT]))
    return false;
  char *const data[] = {product->a.data, product->b.data, product->c.data};
  return tr_prepared_run(workspace, dnnl, &shape, describe_product, data);
}

/* ---- sums of i32 ----------------------------------------------------------------------------- */

/* The library's sums of i32 go through f32, which holds every one of so many products of 8 bits. */
enum { MOST_PRODUCTS = (1 << 24) >> 14 };

/* Adds up such parts of the sum, and the old value if it counts. */
static bool multiply_in_parts(tr_workspace *workspace, const tr_dnnl *dnnl, const row *row,
                              const tr_product *product) {
  size_t elements = (size_t)tr_view_elements(&product->c);
  int32_t rows = product->c.rank - 2, columns = product->c.rank - 1;
  int64_t depth = product->b.sizes[rows];
  uint32_t *sum = tr_host_inner_room(workspace, elements * sizeof(*sum));
  uint32_t *part = tr_host_inner_room(workspace, elements * sizeof(*part));
  if (!sum || !part)
    return false;
  tr_product one = *product;
  tr_view total;
  one.overwrite = true;
  tr_view_dense(sum, &product->c, &total);
  tr_view_dense(part, &product->c, &one.c);
  if (product->overwrite)
    memset(sum, 0, elements * sizeof(*sum));
  else
    tr_host_copy_view(&product->c, &total);
  for (int64_t start = 0; start < depth; start += MOST_PRODUCTS) {
    int64_t length = depth - start < MOST_PRODUCTS ? depth - start : MOST_PRODUCTS;
    one.a = product->a;
    one.b = product->b;
    tr_view_narrow(&one.a, columns, start, length);
    tr_view_narrow(&one.b, rows, start, length);
    if (!multiply(workspace, dnnl, row, &one))
      return false;
    for (size_t i = 0; i < elements; i++)
      sum[i] += part[i];
  }
  tr_host_copy_view(&total, &product->c);
  return true;
}

static bool is_whole(const tr_product *product) {
  return product->output != TESSERA_I32 ||
         (product->overwrite && product->a.sizes[product->a.rank - 1] <= MOST_PRODUCTS);
}

bool tr_host_gemm_by_library(tr_workspace *workspace, const tr_product *product) {
  const row *row = row_of(product);
  const tr_dnnl *dnnl = row ? tr_dnnl_library() : NULL;
  if (!dnnl)
    return false;
  return is_whole(product) ? multiply(workspace, dnnl, row, product)
                           : multiply_in_parts(workspace, dnnl, row, product);
}
