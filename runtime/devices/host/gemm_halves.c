/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Products of 16-bit floats as products of f32, in which their sums are made anyway: BLAS has those
 * alone. It must not know sites, groups or messages, nor how f32 is multiplied. */
#include "devices/host/host.h"
#include "devices/host/products.h"

/* One matrix as rows of f32. */
typedef struct wide {
  tessera_dtype type; /* of the program's */
  void *staging;      /* the matrix without strides, in that type */
  tr_view view;       /* of f32 */
} wide;

static bool is_half(tessera_dtype type) {
  return type == TESSERA_F16 || type == TESSERA_BF16;
}

static tr_view dense(const tr_view *matrix, tessera_dtype type, void *data) {
  tr_view view = *matrix;
  view.element = (int32_t)tessera_dtype_size(type);
  tr_view_dense(data, &view, &view);
  return view;
}

/* Room for a matrix of a batch, the same for each. */
static bool make_room(tr_workspace *workspace, const tr_view *matrix, tessera_dtype type,
                      wide *wide) {
  size_t elements = (size_t)tr_view_elements(matrix);
  void *data = tr_host_inner_room(workspace, elements * sizeof(float));
  wide->type = type;
  wide->staging = tr_host_inner_room(workspace, elements * tessera_dtype_size(type));
  wide->view = dense(matrix, TESSERA_F32, data);
  return data && wide->staging;
}

static void widen(const wide *wide, const tr_view *matrix) {
  tr_view rows = dense(matrix, wide->type, wide->staging);
  tr_host_copy_view(matrix, &rows);
  tr_host_convert(wide->type, wide->staging, TESSERA_F32, wide->view.data,
                  tr_view_elements(matrix));
}

static void narrow(const wide *wide, const tr_view *matrix) {
  tr_view rows = dense(matrix, wide->type, wide->staging);
  tr_host_convert(TESSERA_F32, wide->view.data, wide->type, wide->staging,
                  tr_view_elements(matrix));
  tr_host_copy_view(&rows, matrix);
}

bool tr_host_gemm_has_halves(const tr_workspace *workspace, const tr_product *product) {
  tr_product wide = *product;
  wide.input = wide.output = TESSERA_F32;
  return is_half(product->input) && (is_half(product->output) || product->output == TESSERA_F32) &&
         tr_host_gemm_has_blas(workspace, &wide);
}

tessera_status tr_host_gemm_by_halves(tr_workspace *workspace, const tr_product *product) {
  int64_t batch = product->c.rank == 3 ? product->c.sizes[0] : 1;
  tr_view a = tr_host_matrix(&product->a, 0), b = tr_host_matrix(&product->b, 0);
  tr_view c = tr_host_matrix(&product->c, 0);
  wide left, right, result;
  if (!make_room(workspace, &a, product->input, &left) ||
      !make_room(workspace, &b, product->input, &right) ||
      !make_room(workspace, &c, product->output, &result))
    return TESSERA_ERROR_OUT_OF_MEMORY;
  tr_product one = {.input = TESSERA_F32,
                    .output = TESSERA_F32,
                    .overwrite = product->overwrite,
                    .a = left.view,
                    .b = right.view,
                    .c = result.view};
  tessera_status status = TESSERA_OK;
  for (int64_t i = 0; !status && i < batch; i++) {
    a = tr_host_matrix(&product->a, i);
    b = tr_host_matrix(&product->b, i);
    c = tr_host_matrix(&product->c, i);
    widen(&left, &a);
    widen(&right, &b);
    if (!product->overwrite)
      widen(&result, &c);
    status = tr_host_gemm_by_blas(workspace, &one);
    if (!status)
      narrow(&result, &c);
  }
  return status;
}
