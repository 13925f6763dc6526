/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Convolutions on a GPU as products of matrices: one row for each place of the window, which holds
 * what the window sees there. It must not know sites or libraries. */
#include "devices/cuda/products.h"

enum {
  MOST_WINDOW = 8,       /* dimensions, so that views have room for places and taps */
  ROWS_BYTES = 256 << 20 /* of rows that are made at a time */
};

/* ---- views: a batch, rows, columns ----------------------------------------------------------- */

/* What is multiplied at once: for each group, or each image where there is one group. Images are
 * rows of a group where that fits the output, else they are done in turn. */
typedef enum batches { GROUPS_OF_IMAGES, GROUPS, IMAGES } batches;

static void append(tr_view *view, int64_t size, int64_t stride) {
  view->sizes[view->rank] = size;
  view->strides[view->rank++] = stride;
}

/* The dimensions in front of the places, of input or output. */
static tr_view begin_view(const tr_view *of, batches batches, int64_t image) {
  tr_view view = {.data = of->data, .element = of->element};
  int32_t batch = batches == IMAGES ? TR_CONV_BATCH : TR_CONV_GROUP;
  append(&view, of->sizes[batch], of->strides[batch]);
  if (batches == GROUPS_OF_IMAGES)
    append(&view, of->sizes[TR_CONV_BATCH], of->strides[TR_CONV_BATCH]);
  else if (batches == GROUPS)
    view.data += image * of->strides[TR_CONV_BATCH] * of->element;
  return view;
}

static int32_t split_of(const tr_conv *conv, batches batches) {
  return 1 + (batches == GROUPS_OF_IMAGES) + conv->window;
}

/* Places, then input channels and taps: in the order in which the filter has them in memory. */
static tr_view windows_of(const tr_conv *conv, batches batches, bool inputs_first, int64_t image) {
  const tr_view *in = &conv->input;
  tr_view view = begin_view(in, batches, image);
  for (int32_t i = 0; i < conv->window; i++)
    append(&view, conv->output.sizes[TR_CONV_WINDOW + i],
           in->strides[TR_CONV_WINDOW + i] * conv->steps[i]);
  if (inputs_first)
    append(&view, in->sizes[TR_CONV_INPUTS], in->strides[TR_CONV_INPUTS]);
  for (int32_t i = 0; i < conv->window; i++)
    append(&view, conv->filter.sizes[TR_CONV_WINDOW + i],
           in->strides[TR_CONV_WINDOW + i] * conv->dilations[i]);
  if (!inputs_first)
    append(&view, in->sizes[TR_CONV_INPUTS], in->strides[TR_CONV_INPUTS]);
  return view;
}

static tr_view filter_of(const tr_conv *conv, batches batches, bool inputs_first) {
  const tr_view *filter = &conv->filter;
  tr_view view = {.data = filter->data, .element = filter->element};
  if (batches == IMAGES)
    append(&view, 1, 0); /* one for all */
  else
    append(&view, filter->sizes[TR_FILTER_GROUP], filter->strides[TR_FILTER_GROUP]);
  if (inputs_first)
    append(&view, filter->sizes[TR_FILTER_INPUTS], filter->strides[TR_FILTER_INPUTS]);
  for (int32_t i = TR_CONV_WINDOW; i < filter->rank; i++)
    append(&view, filter->sizes[i], filter->strides[i]);
  if (!inputs_first)
    append(&view, filter->sizes[TR_FILTER_INPUTS], filter->strides[TR_FILTER_INPUTS]);
  append(&view, filter->sizes[TR_FILTER_OUTPUTS], filter->strides[TR_FILTER_OUTPUTS]);
  return view;
}

static tr_view output_of(const tr_conv *conv, batches batches, int64_t image) {
  const tr_view *out = &conv->output;
  tr_view view = begin_view(out, batches, image);
  for (int32_t i = TR_CONV_WINDOW; i < out->rank; i++)
    append(&view, out->sizes[i], out->strides[i]);
  append(&view, out->sizes[TR_CONV_OUTPUTS], out->strides[TR_CONV_OUTPUTS]);
  return view;
}

/* ---- matrices -------------------------------------------------------------------------------- */

/* Lines that a product takes: of contiguous elements, which do not overlap. */
static bool is_line(int64_t size, int64_t stride, int64_t length, int64_t step) {
  return (step == 1 || length <= 1) && (size <= 1 || stride >= length);
}

/* Rows are the dimensions behind the batch up to `split`. */
static bool as_matrix(const tr_view *view, int32_t split, tr_view *matrix) {
  *matrix = (tr_view){.data = view->data, .rank = 3, .element = view->element};
  matrix->sizes[0] = view->sizes[0];
  matrix->strides[0] = view->strides[0];
  return tr_view_merge(view, 1, split, &matrix->sizes[1], &matrix->strides[1]) &&
         tr_view_merge(view, split, view->rank, &matrix->sizes[2], &matrix->strides[2]) &&
         (is_line(matrix->sizes[1], matrix->strides[1], matrix->sizes[2], matrix->strides[2]) ||
          is_line(matrix->sizes[2], matrix->strides[2], matrix->sizes[1], matrix->strides[1]));
}

/* A view as a matrix in place, or as a dense one in memory that is borrowed. */
typedef struct sheet {
  const tr_view *view;
  tr_view dense, matrix;
  char *room; /* NULL: in place */
} sheet;

static void copy_view(tr_cuda *cuda, tessera_stream *stream, const tr_view *from,
                      const tr_view *to) {
  tr_copy copy;
  tr_view_plan_copy(from, to, &copy);
  tr_cuda_copy(&cuda->table, stream, &copy, from->data, to->data);
}

typedef enum contents { READ, DROP } contents;

/* False if the device has failed. */
static bool open_sheet(tr_cuda *cuda, tessera_stream *stream, const tr_view *view, int32_t split,
                       contents old, sheet *sheet) {
  *sheet = (struct sheet){.view = view};
  if (as_matrix(view, split, &sheet->matrix))
    return true;
  sheet->room = tr_cuda_borrow(cuda, tr_cuda_stream(cuda, stream), tr_view_bytes(view));
  if (!sheet->room)
    return false;
  tr_view_dense(sheet->room, view, &sheet->dense);
  if (old == READ)
    copy_view(cuda, stream, view, &sheet->dense);
  return as_matrix(&sheet->dense, split, &sheet->matrix);
}

static void close_sheet(tr_cuda *cuda, tessera_stream *stream, const sheet *sheet) {
  if (sheet->room)
    tr_cuda_return(cuda, tr_cuda_stream(cuda, stream), sheet->room);
}

/* ---- products -------------------------------------------------------------------------------- */

typedef struct work {
  tr_cuda *cuda;
  tessera_stream *stream;
  tr_workspace *workspace;
  const tr_conv *conv;
  tr_product product; /* with the filter in it */
  batches batches;
  bool inputs_first;
} work;

static void multiply(work *w, const tr_view *windows, const tr_view *output) {
  int32_t split = split_of(w->conv, w->batches);
  sheet rows, result = {0};
  contents old = w->conv->overwrite ? DROP : READ;
  if (open_sheet(w->cuda, w->stream, windows, split, READ, &rows) &&
      open_sheet(w->cuda, w->stream, output, split, old, &result)) {
    w->product.a = rows.matrix;
    w->product.c = result.matrix;
    w->cuda->table.gemm(&w->cuda->table, w->stream, w->workspace, &w->product);
    if (result.room)
      copy_view(w->cuda, w->stream, &result.dense, output);
  }
  close_sheet(w->cuda, w->stream, &rows);
  close_sheet(w->cuda, w->stream, &result);
}

/* How many indices of the outermost rows are done at a time. */
static int64_t slice_of(const tr_view *windows, int32_t split) {
  tr_view matrix;
  int64_t all = windows->sizes[1];
  if (as_matrix(windows, split, &matrix))
    return all;
  int64_t bytes = (int64_t)tr_view_bytes(windows) / all;
  int64_t slice = ROWS_BYTES / (bytes > 0 ? bytes : 1);
  return slice < 1 ? 1 : slice < all ? slice : all;
}

static void multiply_images(work *w, int64_t image) {
  tr_view windows = windows_of(w->conv, w->batches, w->inputs_first, image);
  tr_view output = output_of(w->conv, w->batches, image);
  int64_t all = output.sizes[1], slice = slice_of(&windows, split_of(w->conv, w->batches));
  for (int64_t at = 0; at < all; at += slice) {
    tr_view part = windows, target = output;
    int64_t length = all - at < slice ? all - at : slice;
    tr_view_narrow(&part, 1, at, length);
    tr_view_narrow(&target, 1, at, length);
    multiply(w, &part, &target);
  }
}

static batches batches_of(const tr_conv *conv) {
  tr_view output = output_of(conv, GROUPS_OF_IMAGES, 0), matrix;
  if (as_matrix(&output, split_of(conv, GROUPS_OF_IMAGES), &matrix))
    return GROUPS_OF_IMAGES;
  return conv->output.sizes[TR_CONV_GROUP] == 1 ? IMAGES : GROUPS;
}

static bool merges(const tr_view *filter) {
  tr_view matrix;
  return as_matrix(filter, filter->rank - 1, &matrix);
}

/* Of one channel to one a thread's own loop is as good; so it is of what has no terms. */
static bool is_worth(const tr_conv *conv) {
  const tr_view *filter = &conv->filter;
  return conv->window <= MOST_WINDOW && tr_view_elements(filter) > 0 &&
         filter->sizes[TR_FILTER_INPUTS] * filter->sizes[TR_FILTER_OUTPUTS] > 1 &&
         tr_view_elements(&conv->output) > 0;
}

bool tr_cuda_conv_by_products(tr_cuda *cuda, tessera_stream *stream, tr_workspace *workspace,
                              const tr_conv *conv) {
  if (!is_worth(conv) || !tr_cuda_library_has(conv->input_type, conv->output_type))
    return false;
  work w = {.cuda = cuda,
            .stream = stream,
            .workspace = workspace,
            .conv = conv,
            .product = {.input = conv->input_type,
                        .output = conv->output_type,
                        .overwrite = conv->overwrite},
            .batches = batches_of(conv)};
  tr_view taps = filter_of(conv, w.batches, true);
  w.inputs_first = merges(&taps);
  if (!w.inputs_first)
    taps = filter_of(conv, w.batches, false);
  sheet filter;
  if (open_sheet(cuda, stream, &taps, taps.rank - 1, READ, &filter)) {
    w.product.b = filter.matrix;
    if (w.batches == IMAGES)
      w.product.b.strides[0] = 0;
    int64_t turns = w.batches == GROUPS ? conv->output.sizes[TR_CONV_BATCH] : 1;
    for (int64_t image = 0; image < turns; image++)
      multiply_images(&w, image);
  }
  close_sheet(cuda, stream, &filter);
  return true;
}
