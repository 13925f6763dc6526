/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* A table of calls that can be done again without looking at everything again. A call is known by
 * its content: two programs may have lived at one address. It must not know any collective. */
#include "collectives/repeat.h"

#include <stdlib.h>
#include <string.h>

/* Calls with more dimensions are done from the beginning each time. Sites whose places in their
 * programs' tables are so many apart take each other's place. */
enum { MOST_DIMS = 8, NUM_SLOTS = 1024 };

/* What a descriptor has to say for a call to be the same. */
typedef struct kept_side {
  bool is_used; /* else the descriptor is not looked at */
  int32_t rank; /* 0 if not used */
  size_t element;
  int64_t dims[2 * MOST_DIMS]; /* sizes and strides */
} kept_side;

struct tr_repeat {
  tr_body *body;
  tessera_site site;
  int32_t grid_rank;
  int64_t grid_shape[MOST_DIMS];
  int32_t axes[MOST_DIMS];
  int64_t root[MOST_DIMS]; /* if the call has one */
  kept_side in, out;
  const tr_group *group;
  void *collective; /* the backend's */
  size_t copied;    /* bytes, from in to out */
  uint64_t received;
};

struct tr_repeats {
  tr_repeat *slots[NUM_SLOTS];
};

static tr_repeat **slot_of(tr_repeats *repeats, const tessera_site *site) {
  return &repeats->slots[(uint32_t)site->index % NUM_SLOTS];
}

static void free_repeat(tr_repeat *repeat) {
  if (repeat)
    free(repeat->collective);
  free(repeat);
}

void tr_repeats_free(tessera_context *context) {
  for (int32_t i = 0; context->repeats && i < NUM_SLOTS; i++)
    free_repeat(context->repeats->slots[i]);
  free(context->repeats);
  context->repeats = NULL;
}

/* ---- the same call? ----------------------------------------------------------------------------
 */

/* A few numbers: a loop is done before a call of memcmp has begun. */
static inline bool same_numbers(const int64_t *a, const int64_t *b, int32_t count) {
  for (int32_t i = 0; i < count; i++)
    if (a[i] != b[i])
      return false;
  return true;
}

/* Two numbers a dimension. */
static inline bool same_dims(const int64_t *a, const int64_t *b, int32_t rank) {
  for (int32_t i = 0; i < 2 * rank; i += 2)
    if ((a[i] ^ b[i]) | (a[i + 1] ^ b[i + 1]))
      return false;
  return true;
}

static inline bool same_axes(const int32_t *a, const int32_t *b, int32_t count) {
  for (int32_t i = 0; i < count; i++)
    if (a[i] != b[i])
      return false;
  return true;
}

/* All numbers that a site consists of. */
static inline bool same_fields(const tessera_site *a, const tessera_site *b) {
  return a->kind == b->kind && a->grid == b->grid && a->num_axes == b->num_axes &&
         a->index == b->index && a->input_rank == b->input_rank &&
         a->output_rank == b->output_rank && a->input_type == b->input_type &&
         a->output_type == b->output_type && a->reduction == b->reduction && a->flags == b->flags &&
         a->axis == b->axis && a->concat_axis == b->concat_axis && a->offset == b->offset;
}

/* And those that it points to. Its names do not change what is done. */
static inline bool same_site(const tr_repeat *repeat, const tessera_site *site) {
  return same_fields(&repeat->site, site) && repeat->grid_rank == site->grid->rank &&
         same_numbers(repeat->grid_shape, site->grid->shape, repeat->grid_rank) &&
         same_axes(repeat->axes, site->axes, site->num_axes);
}

static inline bool is_same_call(const tr_repeat *repeat, const tessera_site *site,
                                const tr_memref *in, const tr_memref *out, const int64_t *root,
                                tr_body *body) {
  return repeat->body == body && same_site(repeat, site) &&
         (!root || same_numbers(repeat->root, root, site->num_axes)) &&
         same_dims(repeat->in.dims, in->dims, repeat->in.rank) &&
         same_dims(repeat->out.dims, out->dims, repeat->out.rank);
}

static inline const tr_repeat *find(const tessera_context *context, const tessera_site *site,
                                    const void *in, const void *out, const int64_t *root,
                                    tr_body *body) {
  if (!context->repeats)
    return NULL;
  const tr_repeat *repeat = *slot_of(context->repeats, site);
  return repeat && is_same_call(repeat, site, in, out, root, body) ? repeat : NULL;
}

/* ---- again -------------------------------------------------------------------------------------
 */

static inline char *data_of(const kept_side *side, const void *memref) {
  return side->is_used ? tr_memref_data(memref, side->element) : NULL;
}

/* What few calls have to do: a copy, or to be counted. */
static void do_rest(tessera_context *context, const tr_repeat *repeat, const tessera_site *site,
                    const void *in, const void *out) {
  char *from = data_of(&repeat->in, in), *to = data_of(&repeat->out, out);
  if (repeat->copied && from != to)
    memcpy(to, from, repeat->copied);
  tr_traffic_add(context, site, repeat->received);
}

static inline tessera_status do_again(tessera_context *context, const tr_repeat *repeat,
                                      const tessera_site *site, const void *in, const void *out) {
  tr_world *world = &context->world;
  tessera_status status = world->backend->repeat(
      world, repeat->collective, data_of(&repeat->in, in), data_of(&repeat->out, out));
  if (!status && (repeat->copied || context->traffic))
    do_rest(context, repeat, site, in, out);
  return status;
}

/* From the beginning; `keeps` if it is to be remembered. */
static void do_anew(tessera_context *context, const tessera_site *site, const void *in,
                    const void *out, const int64_t *root, tr_body *body, bool keeps) {
  tr_call call;
  tessera_status status = tr_call_begin_within(context, site, &call);
  call.in = in;
  call.out = out;
  call.root = root;
  call.body = keeps ? body : NULL;
  tr_call_end(&call, status ? status : body(&call));
}

void tr_call_run(const tessera_site *site, const void *in, const void *out, const int64_t *root,
                 tr_body *body) {
  tessera_context *context = tr_call_context(site);
  const tr_repeat *known = find(context, site, in, out, root, body);
  tessera_status status =
      known ? do_again(context, known, site, in, out) : TESSERA_ERROR_UNSUPPORTED;
  if (status == TESSERA_ERROR_UNSUPPORTED)
    do_anew(context, site, in, out, root, body, !known);
  else if (status)
    tr_call_end(&(tr_call){.context = context, .site = site, .group = known->group}, status);
}

/* ---- keeping -----------------------------------------------------------------------------------
 */

static void keep_side(kept_side *side, const tr_memref *memref, int32_t rank, int32_t type) {
  side->is_used = true;
  side->element = tessera_dtype_size((tessera_dtype)type);
  side->rank = rank;
  memcpy(side->dims, memref->dims, sizeof(int64_t) * 2 * (size_t)rank);
}

/* False if what the backend has seen was not the program's own memory. */
static bool keep_part(kept_side *side, const tr_parts *part, const void *memref, int32_t rank,
                      int32_t type) {
  if (!part)
    return true;
  keep_side(side, memref, rank, type);
  return part->view->data == data_of(side, memref);
}

static tr_repeat *describe(const tr_call *call, const tr_collective *done) {
  const tessera_site *site = call->site;
  tr_repeat *repeat = calloc(1, sizeof(*repeat));
  if (!repeat)
    return NULL;
  repeat->body = call->body;
  repeat->site = *site;
  repeat->grid_rank = site->grid->rank;
  memcpy(repeat->grid_shape, site->grid->shape, sizeof(int64_t) * (size_t)site->grid->rank);
  memcpy(repeat->axes, site->axes, sizeof(int32_t) * (size_t)site->num_axes);
  if (call->root)
    memcpy(repeat->root, call->root, sizeof(int64_t) * (size_t)site->num_axes);
  repeat->group = call->group;
  if (keep_part(&repeat->in, done->in, call->in, site->input_rank, site->input_type) &&
      keep_part(&repeat->out, done->out, call->out, site->output_rank, site->output_type))
    return repeat;
  free(repeat);
  return NULL;
}

/* A site that no program's table lists may live for one call. */
static bool may_repeat(const tr_call *call) {
  const tessera_site *site = call->site;
  return call->body && !call->has_asked && site->index >= 0 && call->context->world.backend->keep &&
         site->grid->rank <= MOST_DIMS && site->input_rank <= MOST_DIMS &&
         site->output_rank <= MOST_DIMS;
}

void tr_repeat_prepare(tr_call *call, const tr_collective *done) {
  tr_world *world = &call->context->world;
  tr_repeat_drop(call);
  if (!may_repeat(call))
    return;
  call->repeat = describe(call, done);
  if (!call->repeat)
    return;
  call->repeat->collective = world->backend->keep(world, call->group, call->hash, done);
  if (!call->repeat->collective)
    tr_repeat_drop(call);
}

void tr_repeat_copy(tr_call *call, size_t bytes) {
  const tessera_site *site = call->site;
  if (!call->repeat)
    return;
  call->repeat->copied = bytes;
  keep_side(&call->repeat->out, call->out, site->output_rank, site->output_type);
}

void tr_repeat_keep(tr_call *call) {
  tessera_context *context = call->context;
  if (!context->repeats)
    context->repeats = calloc(1, sizeof(*context->repeats));
  if (!context->repeats) {
    tr_repeat_drop(call);
    return;
  }
  tr_repeat **slot = slot_of(context->repeats, call->site);
  call->repeat->received = call->received;
  free_repeat(*slot);
  *slot = call->repeat;
}

void tr_repeat_drop(tr_call *call) {
  free_repeat(call->repeat);
  call->repeat = NULL;
}
