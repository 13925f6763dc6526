/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* What oneDNN has made ready: kept by shape, found again, given operands where they lie or where
 * the library wants them. It must not know what is computed, nor sites. */
#include "devices/host/prepared.h"

#include <stdlib.h>
#include <string.h>

enum { SLOTS = 64, MOST_KEPT = 256 };

/* An operand where the library has it otherwise than the program. */
typedef struct moved {
  void *outside, *inside; /* memories of the library, without data; inside NULL: not moved */
  void *in, *out;         /* primitives that move it; NULL: not that way */
  size_t bytes;
} moved;

typedef struct prepared {
  struct prepared *next;
  tr_shape shape;
  bool failed; /* the library has no way to do it */
  void *primitive;
  moved operands[TR_NUM_OPERANDS];
} prepared;

struct tr_prepared {
  void *stream;
  int64_t num;
  prepared *slots[SLOTS];
};

/* ---- layouts --------------------------------------------------------------------------------- */

void tr_layout_append(tr_layout *layout, int64_t size, int64_t stride) {
  layout->sizes[layout->rank] = size;
  layout->strides[layout->rank++] = stride;
}

bool tr_layout_settle(tr_layout *layout) {
  int64_t furthest = 1;
  for (int32_t i = 0; i < layout->rank; i++)
    if (layout->sizes[i] > 1 && layout->strides[i] * layout->sizes[i] > furthest)
      furthest = layout->strides[i] * layout->sizes[i];
  for (int32_t i = 0; i < layout->rank; i++) {
    if (layout->sizes[i] == 1)
      layout->strides[i] = furthest;
    if (layout->sizes[i] > INT32_MAX || layout->strides[i] <= 0)
      return false;
  }
  return true;
}

bool tr_layout_describe(const tr_dnnl *dnnl, const tr_layout *layout, tr_dnnl_layout *described) {
  return dnnl->layout_by_strides(described, layout->rank, layout->sizes, layout->type,
                                 layout->strides) == 0;
}

bool tr_layout_describe_any(const tr_dnnl *dnnl, const tr_layout *layout,
                            tr_dnnl_layout *described) {
  return dnnl->layout_by_tag(described, layout->rank, layout->sizes, layout->type,
                             TR_DNNL_ANY_LAYOUT) == 0;
}

/* ---- recipes --------------------------------------------------------------------------------- */

/* The result's old value is added. */
static void *create_attributes(const tr_dnnl *dnnl) {
  void *attributes = NULL, *after = NULL;
  if (dnnl->attributes_create(&attributes) != 0)
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
static bool is_slow(const tr_dnnl *dnnl, const void *description, const char **way) {
  *way = NULL;
  return dnnl->description_text(description, TR_DNNL_QUERY_WAY, 0, way) != 0 || !*way ||
         strncmp(*way, "ref", 3) == 0;
}

void *tr_recipe_describe(const tr_dnnl *dnnl, const tr_dnnl_recipe *recipe, bool overwrite,
                         const char **way) {
  void *attributes = overwrite ? NULL : create_attributes(dnnl), *description = NULL;
  if (!overwrite && !attributes)
    return NULL;
  if (dnnl->description_create(&description, recipe, attributes, dnnl->engine, NULL) != 0)
    description = NULL;
  if (attributes)
    dnnl->attributes_destroy(attributes);
  if (!description || !is_slow(dnnl, description, way))
    return description;
  dnnl->description_destroy(description);
  return NULL;
}

/* ---- preparing ------------------------------------------------------------------------------- */

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

static bool prepare_operand(const tr_dnnl *dnnl, const tr_shape *shape, int i, const void *inside,
                            moved *moved) {
  tr_dnnl_layout outside;
  if (!inside || !tr_layout_describe(dnnl, &shape->operands[i], &outside) ||
      dnnl->memory_create(&moved->outside, &outside, dnnl->engine, NULL) != 0)
    return false;
  if (dnnl->layout_equal(&outside, inside))
    return true;
  moved->bytes = dnnl->layout_bytes(inside);
  bool reads = i != TR_RESULT || !shape->overwrite;
  return dnnl->memory_create(&moved->inside, inside, dnnl->engine, NULL) == 0 &&
         (!reads || create_move(dnnl, &outside, inside, &moved->in)) &&
         (i != TR_RESULT || create_move(dnnl, inside, &outside, &moved->out));
}

static bool prepare(const tr_dnnl *dnnl, prepared *prepared, tr_describe describe) {
  static const int queries[] = {[TR_SOURCE] = TR_DNNL_QUERY_SOURCE,
                                [TR_WEIGHTS] = TR_DNNL_QUERY_WEIGHTS,
                                [TR_RESULT] = TR_DNNL_QUERY_RESULT};
  void *description = describe(dnnl, &prepared->shape);
  bool made = description && create_primitive(dnnl, description, &prepared->primitive);
  for (int i = 0; made && i < TR_NUM_OPERANDS; i++)
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
  destroy_primitive(dnnl, prepared->primitive);
  for (int i = 0; i < TR_NUM_OPERANDS; i++) {
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

void tr_host_drop_prepared(tr_workspace *workspace) {
  tr_prepared *kept = workspace->prepared;
  if (!kept)
    return;
  const tr_dnnl *dnnl = tr_dnnl_library();
  drop_all(dnnl, kept);
  dnnl->stream_destroy(kept->stream);
  free(kept);
  workspace->prepared = NULL;
}

static tr_prepared *kept_in(tr_workspace *workspace, const tr_dnnl *dnnl) {
  enum { IN_ORDER = 1 };
  if (workspace->prepared)
    return workspace->prepared;
  tr_prepared *kept = calloc(1, sizeof(*kept));
  if (kept && dnnl->stream_create(&kept->stream, dnnl->engine, IN_ORDER) != 0) {
    free(kept);
    kept = NULL;
  }
  return workspace->prepared = kept;
}

static uint64_t hash(const tr_shape *shape) {
  uint64_t words[sizeof(*shape) / sizeof(uint64_t)], sum = 0;
  memcpy(words, shape, sizeof(words));
  for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
    sum = (sum ^ words[i]) * UINT64_C(0x9e3779b97f4a7c15);
  return sum >> 32;
}

/* What is ready for the shape, prepared if it is new; NULL if memory is exhausted. */
static prepared *find(tr_prepared *kept, const tr_dnnl *dnnl, const tr_shape *shape,
                      tr_describe describe) {
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
  entry->failed = !prepare(dnnl, entry, describe);
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
  void *room = tr_host_inner_room(workspace, moved->bytes);
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
  for (int i = 0; i < TR_NUM_OPERANDS; i++)
    if (!move(dnnl, stream, operands[i].in, operands[i].outside, operands[i].inside))
      return false;
  const tr_dnnl_argument arguments[] = {{TR_DNNL_SOURCE, used(&operands[TR_SOURCE])},
                                        {TR_DNNL_WEIGHTS, used(&operands[TR_WEIGHTS])},
                                        {TR_DNNL_RESULT, used(&operands[TR_RESULT])}};
  const moved *result = &operands[TR_RESULT];
  return dnnl->execute(prepared->primitive, stream, TR_NUM_OPERANDS, arguments) == 0 &&
         move(dnnl, stream, result->out, result->inside, result->outside) &&
         dnnl->stream_wait(stream) == 0;
}

static bool compute(tr_workspace *workspace, const tr_dnnl *dnnl, const tr_shape *shape,
                    tr_describe describe, char *const data[TR_NUM_OPERANDS]) {
  tr_prepared *kept = kept_in(workspace, dnnl);
  prepared *prepared = kept ? find(kept, dnnl, shape, describe) : NULL;
  if (!prepared || prepared->failed)
    return false;
  for (int i = 0; i < TR_NUM_OPERANDS; i++)
    if (!place(workspace, dnnl, &prepared->operands[i], data[i]))
      return false;
  return execute(dnnl, kept->stream, prepared);
}

bool tr_prepared_run(tr_workspace *workspace, const tr_dnnl *dnnl, const tr_shape *shape,
                     tr_describe describe, char *const data[TR_NUM_OPERANDS]) {
  int before = dnnl->threads ? dnnl->threads() : 0;
  if (before > 0)
    dnnl->set_threads((int)shape->threads);
  bool done = compute(workspace, dnnl, shape, describe, data);
  if (before > 0)
    dnnl->set_threads(before);
  return done;
}
