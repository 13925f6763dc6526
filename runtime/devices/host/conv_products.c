/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Convolutions as products of matrices: one row for each place of the window, which holds what the
 * window sees there. It must not know sites or BLAS. */
#include "devices/host/host.h"
#include "devices/host/products.h"

/* Bytes of rows that are made at a time: a part of the second-level cache. */
enum { ROWS_BYTES = 1 << 20 };

/* ---- matrices -------------------------------------------------------------------------------- */

/* Whether the product takes a side of `size` lines, one every `stride`, of `length` elements that
 * are contiguous if they are `step` apart. */
static bool is_line(int64_t size, int64_t stride, int64_t length, int64_t step) {
  return (step == 1 || length <= 1) && (size <= 1 || stride >= length);
}

/* The first `split` dimensions are rows, the others columns. */
static bool as_matrix(const tr_view *view, int32_t split, tr_view *matrix) {
  *matrix = (tr_view){.data = view->data, .rank = 2, .element = view->element};
  return tr_view_merge(view, 0, split, &matrix->sizes[0], &matrix->strides[0]) &&
         tr_view_merge(view, split, view->rank, &matrix->sizes[1], &matrix->strides[1]) &&
         (is_line(matrix->sizes[0], matrix->strides[0], matrix->sizes[1], matrix->strides[1]) ||
          is_line(matrix->sizes[1], matrix->strides[1], matrix->sizes[0], matrix->strides[0]));
}

/* A view as a matrix in place, or as a dense one in `room`. */
typedef struct sheet {
  tr_view view, dense, matrix;
} sheet;

static void open_sheet(const tr_view *view, int32_t split, void *room, bool counts, sheet *sheet) {
  sheet->view = *view;
  if (as_matrix(view, split, &sheet->matrix)) {
    sheet->dense = *view;
    return;
  }
  tr_view_dense(room, view, &sheet->dense);
  if (counts)
    tr_host_copy_view(view, &sheet->dense);
  as_matrix(&sheet->dense, split, &sheet->matrix);
}

/* ---- views ----------------------------------------------------------------------------------- */

static void append(tr_view *view, int64_t size, int64_t stride) {
  view->sizes[view->rank] = size;
  view->strides[view->rank++] = stride;
}

static char *at(const tr_view *view, int64_t first, int64_t second) {
  return view->data + (first * view->strides[0] + second * view->strides[1]) * view->element;
}

/* What the windows of one image see: places, then input channels and the filter's window. Windows
 * overlap, and so do the view's elements. */
static tr_view windows_of(const tr_conv *conv, int64_t image, int64_t group) {
  const tr_view *in = &conv->input;
  tr_view view = {.data = at(in, image, group), .element = in->element};
  for (int32_t i = 0; i < conv->window; i++)
    append(&view, conv->output.sizes[TR_CONV_WINDOW + i],
           in->strides[TR_CONV_WINDOW + i] * conv->steps[i]);
  for (int32_t i = 0; i < conv->window; i++)
    append(&view, conv->filter.sizes[TR_CONV_WINDOW + i],
           in->strides[TR_CONV_WINDOW + i] * conv->dilations[i]);
  append(&view, in->sizes[TR_CONV_INPUTS], in->strides[TR_CONV_INPUTS]);
  return view;
}

/* The filter's window and input channels, then output channels. */
static tr_view filter_of(const tr_conv *conv, int64_t group) {
  const tr_view *filter = &conv->filter;
  tr_view view = {.data = at(filter, group, 0), .element = filter->element};
  for (int32_t i = TR_CONV_WINDOW; i < filter->rank; i++)
    append(&view, filter->sizes[i], filter->strides[i]);
  append(&view, filter->sizes[TR_FILTER_INPUTS], filter->strides[TR_FILTER_INPUTS]);
  append(&view, filter->sizes[TR_FILTER_OUTPUTS], filter->strides[TR_FILTER_OUTPUTS]);
  return view;
}

/* Places, then output channels. */
static tr_view output_of(const tr_conv *conv, int64_t image, int64_t group) {
  const tr_view *out = &conv->output;
  tr_view view = {.data = at(out, image, group), .element = out->element};
  for (int32_t i = TR_CONV_WINDOW; i < out->rank; i++)
    append(&view, out->sizes[i], out->strides[i]);
  append(&view, out->sizes[TR_CONV_OUTPUTS], out->strides[TR_CONV_OUTPUTS]);
  return view;
}

/* ---- products -------------------------------------------------------------------------------- */

typedef struct rooms {
  void *rows, *filter, *output;
} rooms;

/* How many indices of the outermost place are done at a time. */
static int64_t slice_of(const tr_view *windows, int32_t split) {
  tr_view matrix;
  int64_t all = windows->sizes[0];
  if (as_matrix(windows, split, &matrix))
    return all;
  int64_t bytes = (int64_t)tr_view_bytes(windows) / all;
  int64_t slice = bytes > 0 ? ROWS_BYTES / bytes : all;
  return slice < 1 ? 1 : slice < all ? slice : all;
}

static tessera_status take(tr_workspace *workspace, const tr_view *view, int32_t split,
                           void **room) {
  tr_view matrix;
  *room = NULL;
  if (as_matrix(view, split, &matrix) || tr_view_bytes(view) == 0)
    return TESSERA_OK;
  *room = tr_host_room(workspace, tr_view_bytes(view));
  return *room ? TESSERA_OK : TESSERA_ERROR_OUT_OF_MEMORY;
}

/* Room for one slice of one image and group: all are laid out alike, but the last may be smaller
 * and then fit where the others do not. */
static tessera_status take_rooms(tr_workspace *workspace, const tr_conv *conv, rooms *rooms) {
  tr_view windows = windows_of(conv, 0, 0), filter = filter_of(conv, 0);
  tr_view output = output_of(conv, 0, 0);
  int64_t slice = slice_of(&windows, conv->window);
  tr_view_narrow(&windows, 0, 0, slice);
  tr_view_narrow(&output, 0, 0, slice);
  tessera_status status = take(workspace, &windows, conv->window, &rooms->rows);
  if (!status)
    status = take(workspace, &filter, filter.rank - 1, &rooms->filter);
  return status ? status : take(workspace, &output, conv->window, &rooms->output);
}

static tessera_status multiply(tr_workspace *workspace, const tr_conv *conv, const tr_view *windows,
                               const tr_view *output, const rooms *rooms, tr_product *product) {
  sheet rows, result;
  open_sheet(windows, conv->window, rooms->rows, true, &rows);
  open_sheet(output, conv->window, rooms->output, !conv->overwrite, &result);
  product->a = rows.matrix;
  product->c = result.matrix;
  tessera_status status = tr_host_gemm(workspace, product);
  if (!status)
    tr_host_copy_view(&result.dense, &result.view);
  return status;
}

tessera_status tr_host_conv_by_products(tr_workspace *workspace, const tr_conv *conv) {
  rooms rooms;
  tr_product product = {
      .input = conv->input_type, .output = conv->output_type, .overwrite = conv->overwrite};
  tessera_status status = take_rooms(workspace, conv, &rooms);
  int64_t images = conv->output.sizes[TR_CONV_BATCH], groups = conv->output.sizes[TR_CONV_GROUP];
  for (int64_t g = 0; !status && g < groups; g++) {
    tr_view taps = filter_of(conv, g);
    sheet filter;
    open_sheet(&taps, taps.rank - 1, rooms.filter, true, &filter);
    product.b = filter.matrix;
    for (int64_t n = 0; !status && n < images; n++) {
      tr_view windows = windows_of(conv, n, g), output = output_of(conv, n, g);
      int64_t places = output.sizes[0], slice = slice_of(&windows, conv->window);
      for (int64_t p = 0; !status && p < places; p += slice) {
        int64_t length = places - p < slice ? places - p : slice;
        tr_view part = windows, target = output;
        tr_view_narrow(&part, 0, p, length);
        tr_view_narrow(&target, 0, p, length);
        status = multiply(workspace, conv, &part, &target, &rooms, &product);
      }
    }
  }
  return status;
}
