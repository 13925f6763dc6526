/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Convolutions by oneDNN. What it prepares for one shape, layout and number of threads is kept in
 * the rank's workspace. It must not know sites. */
#include <stdlib.h>
#include <string.h>

#include "devices/host/dnnl.h"
#include "devices/host/products.h"

enum { INPUT, FILTER, OUTPUT, NUM_OPERANDS };
enum { SLOTS = 64, MOST_KEPT = 256 };

/* An operand as oneDNN takes it: groups and channels are one dimension, but in grouped filters. */
typedef struct layout {
  int32_t rank, zero; /* no bytes lie between members */
  int64_t sizes[TR_DNNL_MOST_RANK], strides[TR_DNNL_MOST_RANK];
} layout;

/* What a prepared convolution depends on; all of it is compared, as bytes. */
typedef struct shape {
  layout operands[NUM_OPERANDS];
  int64_t window, steps[TR_DNNL_MOST_RANK], gaps[TR_DNNL_MOST_RANK];
  int64_t threads, overwrite;
} shape;

/* An operand where the library has it otherwise than the program. */
typedef struct moved {
  void *outside, *inside; /* memories of the library, without data; inside NULL: not moved */
  void *in, *out;         /* primitives that move it; NULL: not that way */
  size_t bytes;
} moved;

typedef struct prepared {
  struct prepared *next;
  shape shape;
  bool failed; /* the library has no way to do it */
  void *convolution;
  moved operands[NUM_OPERANDS];
} prepared;

struct tr_prepared {
  void *stream;
  int64_t num;
  prepared *slots[SLOTS];
};

/* ---- shapes ---------------------------------------------------------------------------------- */

static void append(layout *layout, int64_t size, int64_t stride) {
  layout->sizes[layout->rank] = size;
  layout->strides[layout->rank++] = stride;
}

/* Strides of single elements say nothing; the library wants them not to collide with others. */
static void settle_strides(layout *layout) {
  int64_t furthest = 1;
  for (int32_t i = 0; i < layout->rank; i++)
    if (layout->sizes[i] > 1 && layout->strides[i] * layout->sizes[i] > furthest)
      furthest = layout->strides[i] * layout->sizes[i];
  for (int32_t i = 0; i < layout->rank; i++)
    if (layout->sizes[i] == 1)
      layout->strides[i] = furthest;
}

static bool is_taken(const layout *layout) {
  for (int32_t i = 0; i < layout->rank; i++)
    if (layout->sizes[i] > INT32_MAX || layout->strides[i] <= 0)
      return false;
  return true;
}

static bool read_image(const tr_conv *conv, const tr_view *view, layout *layout) {
  int64_t groups = view->sizes[TR_CONV_GROUP], channels = view->sizes[TR_CONV_INPUTS];
  int64_t outer = view->strides[TR_CONV_GROUP], inner = view->strides[TR_CONV_INPUTS];
  if (groups > 1 && channels > 1 && outer != inner * channels)
    return false;
  append(layout, view->sizes[TR_CONV_BATCH], view->strides[TR_CONV_BATCH]);
  append(layout, groups * channels, channels > 1 ? inner : outer);
  for (int32_t i = 0; i < conv->window; i++)
    append(layout, view->sizes[TR_CONV_WINDOW + i], view->strides[TR_CONV_WINDOW + i]);
  settle_strides(layout);
  return is_taken(layout);
}

static bool read_filter(const tr_view *view, layout *layout) {
  for (int32_t i = view->sizes[TR_FILTER_GROUP] > 1 ? 0 : 1; i < view->rank; i++)
    append(layout, view->sizes[i], view->strides[i]);
  settle_strides(layout);
  return is_taken(layout);
}

static bool read_shape(tr_workspace *workspace, const tr_conv *conv, shape *shape) {
  memset(shape, 0, sizeof(*shape));
  shape->window = conv->window;
  for (int32_t i = 0; i < conv->window; i++) {
    shape->steps[i] = conv->steps[i];
    shape->gaps[i] = conv->dilations[i] - 1;
  }
  shape->threads = workspace->threads;
  shape->overwrite = conv->overwrite;
  return read_image(conv, &conv->input, &shape->operands[INPUT]) &&
         read_filter(&conv->filter, &shape->operands[FILTER]) &&
         read_image(conv, &conv->output, &shape->operands[OUTPUT]);
}

/* ---- preparing ------------------------------------------------------------------------------- */

static bool describe(const tr_dnnl *dnnl, const layout *layout, tr_dnnl_layout *described) {
  return dnnl->layout_by_strides(described, layout->rank, layout->sizes, TR_DNNL_F32,
                                 layout->strides) == 0;
}

/* Images as they lie are taken if their channels lie together: other layouts make the library slow,
 * and it knows better ones. */
typedef enum images { AS_THEY_LIE, AS_THE_LIBRARY_LIKES, NUM_IMAGES } images;

static bool describe_wish(const tr_dnnl *dnnl, int operand, const layout *layout, images images,
                          tr_dnnl_layout *described) {
  if (operand != FILTER && images == AS_THEY_LIE && layout->strides[1] == 1)
    return describe(dnnl, layout, described);
  return dnnl->layout_by_tag(described, layout->rank, layout->sizes, TR_DNNL_F32,
                             TR_DNNL_ANY_LAYOUT) == 0;
}

static void *create_attributes(const tr_dnnl *dnnl, const shape *shape) {
  void *attributes = NULL, *after = NULL;
  if (shape->overwrite || dnnl->attributes_create(&attributes) != 0)
    return NULL;
  bool made = dnnl->after_create(&after) == 0 && dnnl->after_add_old(after, 1) == 0 &&
              dnnl->attributes_set(attributes, after) == 0;
  if (after)
    dnnl->after_destroy(after);
  if (made)
    return attributes;
  dnnl->attributes_destroy(attributes);
  return NULL;
}

/* Is it one of the plain loops that the library has for what nobody has made fast? */
static bool is_slow(const tr_dnnl *dnnl, const void *description) {
  const char *way = NULL;
  return dnnl->description_text(description, TR_DNNL_QUERY_WAY, 0, &way) != 0 || !way ||
         strncmp(way, "ref", 3) == 0;
}

/* NULL if there is no fast way. */
static void *describe_convolution(const tr_dnnl *dnnl, const shape *shape, images images) {
  static const int64_t no_padding[TR_DNNL_MOST_RANK];
  tr_dnnl_layout wishes[NUM_OPERANDS];
  for (int i = 0; i < NUM_OPERANDS; i++)
    if (!describe_wish(dnnl, i, &shape->operands[i], images, &wishes[i]))
      return NULL;
  tr_dnnl_recipe recipe;
  if (dnnl->convolution(&recipe, TR_DNNL_FORWARD_INFERENCE, TR_DNNL_CONVOLUTION_DIRECT,
                        &wishes[INPUT], &wishes[FILTER], NULL, &wishes[OUTPUT], shape->steps,
                        shape->gaps, no_padding, no_padding) != 0)
    return NULL;
  void *attributes = create_attributes(dnnl, shape), *description = NULL;
  if (!shape->overwrite && !attributes)
    return NULL;
  if (dnnl->description_create(&description, &recipe, attributes, dnnl->engine, NULL) != 0)
    description = NULL;
  if (attributes)
    dnnl->attributes_destroy(attributes);
  if (!description || !is_slow(dnnl, description))
    return description;
  dnnl->description_destroy(description);
  return NULL;
}

static bool create_primitive(const tr_dnnl *dnnl, void *description, void **primitive) {
  return dnnl->primitive_create(primitive, description) == 0;
}

static bool create_move(const tr_dnnl *dnnl, const void *from, const void *to, void **primitive) {
  void *description;
  if (dnnl->reorder(&description, from, dnnl->engine, to, dnnl->engine, NULL) != 0)
    return false;
  bool made = create_primitive(dnnl, description, primitive);
  dnnl->description_destroy(description);
  return made;
}

static bool prepare_operand(const tr_dnnl *dnnl, const shape *shape, int i, const void *inside,
                            moved *moved) {
  tr_dnnl_layout outside;
  if (!inside || !describe(dnnl, &shape->operands[i], &outside) ||
      dnnl->memory_create(&moved->outside, &outside, dnnl->engine, NULL) != 0)
    return false;
  if (dnnl->layout_equal(&outside, inside))
    return true;
  moved->bytes = dnnl->layout_bytes(inside);
  bool reads = i != OUTPUT || !shape->overwrite;
  return dnnl->memory_create(&moved->inside, inside, dnnl->engine, NULL) == 0 &&
         (!reads || create_move(dnnl, &outside, inside, &moved->in)) &&
         (i != OUTPUT || create_move(dnnl, inside, &outside, &moved->out));
}

static bool prepare(const tr_dnnl *dnnl, prepared *prepared) {
  static const int queries[] = {[INPUT] = TR_DNNL_QUERY_SOURCE,
                                [FILTER] = TR_DNNL_QUERY_WEIGHTS,
                                [OUTPUT] = TR_DNNL_QUERY_RESULT};
  void *description = NULL;
  for (int images = 0; !description && images < NUM_IMAGES; images++)
    description = describe_convolution(dnnl, &prepared->shape, (enum images)images);
  bool made = description && create_primitive(dnnl, description, &prepared->convolution);
  for (int i = 0; made && i < NUM_OPERANDS; i++)
    made = prepare_operand(dnnl, &prepared->shape, i,
                           dnnl->description_layout(description, queries[i], 0),
                           &prepared->operands[i]);
  if (description)
    dnnl->description_destroy(description);
  return made;
}

/* ---- keeping --------------------------------------------------------------------------------- */

static void destroy_primitive(const tr_dnnl *dnnl, void *primitive) {
  if (primitive)
    dnnl->primitive_destroy(primitive);
}

static void destroy_memory(const tr_dnnl *dnnl, void *memory) {
  if (memory)
    dnnl->memory_destroy(memory);
}

static void destroy(const tr_dnnl *dnnl, prepared *prepared) {
  destroy_primitive(dnnl, prepared->convolution);
  for (int i = 0; i < NUM_OPERANDS; i++) {
    moved *moved = &prepared->operands[i];
    destroy_primitive(dnnl, moved->in);
    destroy_primitive(dnnl, moved->out);
    destroy_memory(dnnl, moved->inside);
    destroy_memory(dnnl, moved->outside);
  }
  free(prepared);
}

static void drop_all(const tr_dnnl *dnnl, tr_prepared *kept) {
  for (int i = 0; i < SLOTS; i++) {
    for (prepared *entry = kept->slots[i], *next; entry; entry = next) {
      next = entry->next;
      destroy(dnnl, entry);
    }
    kept->slots[i] = NULL;
  }
  kept->num = 0;
}

void tr_host_drop_convolutions(tr_workspace *workspace) {
  tr_prepared *kept = workspace->convolutions;
  if (!kept)
    return;
  const tr_dnnl *dnnl = tr_dnnl_library();
  drop_all(dnnl, kept);
  dnnl->stream_destroy(kept->stream);
  free(kept);
  workspace->convolutions = NULL;
}

static tr_prepared *kept_in(tr_workspace *workspace, const tr_dnnl *dnnl) {
  enum { IN_ORDER = 1 };
  if (workspace->convolutions)
    return workspace->convolutions;
  tr_prepared *kept = calloc(1, sizeof(*kept));
  if (kept && dnnl->stream_create(&kept->stream, dnnl->engine, IN_ORDER) != 0) {
    free(kept);
    kept = NULL;
  }
  return workspace->convolutions = kept;
}

static uint64_t hash(const shape *shape) {
  uint64_t words[sizeof(*shape) / sizeof(uint64_t)], sum = 0;
  memcpy(words, shape, sizeof(words));
  for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
    sum = (sum ^ words[i]) * UINT64_C(0x9e3779b97f4a7c15);
  return sum >> 32;
}

/* The convolution for the shape, prepared if it is new; NULL if memory is exhausted. */
static prepared *find(tr_prepared *kept, const tr_dnnl *dnnl, const shape *shape) {
  prepared **slot = &kept->slots[hash(shape) % SLOTS];
  for (prepared *entry = *slot; entry; entry = entry->next)
    if (memcmp(&entry->shape, shape, sizeof(*shape)) == 0)
      return entry;
  if (kept->num == MOST_KEPT) /* shapes that never come again, as of run-time sizes */
    drop_all(dnnl, kept);
  prepared *entry = calloc(1, sizeof(*entry));
  if (!entry)
    return NULL;
  entry->shape = *shape;
  entry->failed = !prepare(dnnl, entry);
  entry->next = *slot;
  *slot = entry;
  kept->num++;
  return entry;
}

/* ---- doing ----------------------------------------------------------------------------------- */

static bool place(tr_workspace *workspace, const tr_dnnl *dnnl, const moved *moved, char *data) {
  if (dnnl->memory_place(moved->outside, data) != 0)
    return false;
  if (!moved->inside)
    return true;
  void *room = tr_host_room(workspace, moved->bytes);
  return room && dnnl->memory_place(moved->inside, room) == 0;
}

static bool move(const tr_dnnl *dnnl, void *stream, void *primitive, void *from, void *to) {
  const tr_dnnl_argument arguments[] = {{TR_DNNL_SOURCE, from}, {TR_DNNL_RESULT, to}};
  return !primitive || dnnl->execute(primitive, stream, 2, arguments) == 0;
}

static void *used(const moved *moved) {
  return moved->inside ? moved->inside : moved->outside;
}

static bool execute(const tr_dnnl *dnnl, void *stream, const prepared *prepared) {
  const moved *operands = prepared->operands;
  for (int i = 0; i < NUM_OPERANDS; i++)
    if (!move(dnnl, stream, operands[i].in, operands[i].outside, operands[i].inside))
      return false;
  const tr_dnnl_argument arguments[] = {{TR_DNNL_SOURCE, used(&operands[INPUT])},
                                        {TR_DNNL_WEIGHTS, used(&operands[FILTER])},
                                        {TR_DNNL_RESULT, used(&operands[OUTPUT])}};
  const moved *output = &operands[OUTPUT];
  return dnnl->execute(prepared->convolution, stream, NUM_OPERANDS, arguments) == 0 &&
         move(dnnl, stream, output->out, output->inside, output->outside) &&
         dnnl->stream_wait(stream) == 0;
}

static bool convolve(tr_workspace *workspace, const tr_dnnl *dnnl, const tr_conv *conv,
                     const shape *shape) {
  tr_prepared *kept = kept_in(workspace, dnnl);
  prepared *prepared = kept ? find(kept, dnnl, shape) : NULL;
  if (!prepared || prepared->failed)
    return false;
  const tr_view *views[] = {
      [INPUT] = &conv->input, [FILTER] = &conv->filter, [OUTPUT] = &conv->output};
  for (int i = 0; i < NUM_OPERANDS; i++)
    if (!place(workspace, dnnl, &prepared->operands[i], views[i]->data))
      return false;
  return execute(dnnl, kept->stream, prepared);
}

bool tr_host_conv_by_library(tr_workspace *workspace, const tr_conv *conv) {
  const tr_dnnl *dnnl = tr_dnnl_library();
  shape shape;
  if (!dnnl || !read_shape(workspace, conv, &shape))
    return false;
  int before = dnnl->threads ? dnnl->threads() : 0;
  if (before > 0)
    dnnl->set_threads((int)shape.threads);
  bool done = convolve(workspace, dnnl, conv, &shape);
  if (before > 0)
    dnnl->set_threads(before);
  return done;
}
