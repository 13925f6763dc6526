/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Convolutions by oneDNN. It knows how the library names their dimensions; it must not know sites.
 */
#include <string.h>

#include "devices/host/prepared.h"

/* ---- shapes ---------------------------------------------------------------------------------- */

/* Groups and channels are one dimension, but in grouped filters. */
static bool read_image(const tr_conv *conv, const tr_view *view, tr_layout *layout) {
  int64_t groups = view->sizes[TR_CONV_GROUP], channels = view->sizes[TR_CONV_INPUTS];
  int64_t outer = view->strides[TR_CONV_GROUP], inner = view->strides[TR_CONV_INPUTS];
  if (groups > 1 && channels > 1 && outer != inner * channels)
    return false;
  tr_layout_append(layout, view->sizes[TR_CONV_BATCH], view->strides[TR_CONV_BATCH]);
  tr_layout_append(layout, groups * channels, channels > 1 ? inner : outer);
  for (int32_t i = 0; i < conv->window; i++)
    tr_layout_append(layout, view->sizes[TR_CONV_WINDOW + i], view->strides[TR_CONV_WINDOW + i]);
  return tr_layout_settle(layout);
}

static bool read_filter(const tr_view *view, tr_layout *layout) {
  for (int32_t i = view->sizes[TR_FILTER_GROUP] > 1 ? 0 : 1; i < view->rank; i++)
    tr_layout_append(layout, view->sizes[i], view->strides[i]);
  return tr_layout_settle(layout);
}

static bool read_shape(tr_workspace *workspace, const tr_conv *conv, tr_shape *shape) {
  memset(shape, 0, sizeof(*shape));
  shape->kind = TR_KIND_CONVOLUTION;
  shape->window = conv->window;
  for (int32_t i = 0; i < conv->window; i++) {
    shape->steps[i] = conv->steps[i];
    shape->gaps[i] = conv->dilations[i] - 1;
  }
  for (int i = 0; i < TR_NUM_OPERANDS; i++)
    shape->operands[i].type = TR_DNNL_F32;
  shape->threads = tr_host_library_threads(workspace);
  shape->overwrite = conv->overwrite;
  return read_image(conv, &conv->input, &shape->operands[TR_SOURCE]) &&
         read_filter(&conv->filter, &shape->operands[TR_WEIGHTS]) &&
         read_image(conv, &conv->output, &shape->operands[TR_RESULT]);
}

/* ---- ways ------------------------------------------------------------------------------------ */

/* Images as they lie are taken if their channels lie together: other layouts make the library slow,
 * and it knows better ones. */
typedef enum images { AS_THEY_LIE, AS_THE_LIBRARY_LIKES, NUM_IMAGES } images;

static bool describe_wish(const tr_dnnl *dnnl, int operand, const tr_layout *layout, images images,
                          tr_dnnl_layout *described) {
  if (operand != TR_WEIGHTS && images == AS_THEY_LIE && layout->strides[1] == 1)
    return tr_layout_describe(dnnl, layout, described);
  return tr_layout_describe_any(dnnl, layout, described);
}

static void *describe_with(const tr_dnnl *dnnl, const tr_shape *shape, images images) {
  static const int64_t no_padding[TR_DNNL_MOST_RANK];
  tr_dnnl_layout wishes[TR_NUM_OPERANDS];
  for (int i = 0; i < TR_NUM_OPERANDS; i++)
    if (!describe_wish(dnnl, i, &shape->operands[i], images, &wishes[i]))
      return NULL;
  tr_dnnl_recipe recipe;
  const char *way;
  if (dnnl->convolution(&recipe, TR_DNNL_FORWARD_INFERENCE, TR_DNNL_CONVOLUTION_DIRECT,
                        &wishes[TR_SOURCE], &wishes[TR_WEIGHTS], NULL, &wishes[TR_RESULT],
                        shape->steps, shape->gaps, no_padding, no_padding) != 0)
    return NULL;
  return tr_recipe_describe(dnnl, &recipe, shape->overwrite, &way);
}

static void *describe_convolution(const tr_dnnl *dnnl, const tr_shape *shape) {
  void *description = NULL;
  for (int images = 0; !description && images < NUM_IMAGES; images++)
    description = describe_with(dnnl, shape, (enum images)images);
  return description;
}

bool tr_host_conv_by_library(tr_workspace *workspace, const tr_conv *conv) {
  const tr_dnnl *dnnl = tr_dnnl_library();
  tr_shape shape;
  if (!dnnl || !read_shape(workspace, conv, &shape))
    return false;
  char *const data[] = {conv->input.data, conv->filter.data, conv->output.data};
  return tr_prepared_run(workspace, dnnl, &shape, describe_convolution, data);
}
