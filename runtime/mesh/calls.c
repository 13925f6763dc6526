/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Collectives of a mesh's groups on plain buffers, and barriers: calls of what compiled code calls.
 * It knows descriptors; it must not know how bytes travel. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collectives/reduction.h"
#include "mesh/mesh.h"
#include "support/error.h"

/* ---- what is called -------------------------------------------------------------------------- */

/* A dense tensor of one dimension, as compiled code describes it. */
typedef struct vector {
  void *allocated, *aligned;
  int64_t offset, size, stride;
} vector;

typedef struct request {
  tessera_group *group;
  const tessera_site *site;
  vector in, out;
  int64_t peer[TR_MESH_DIMS]; /* coordinates of a root or partner along the site's axes */
  bool has_peer;
} request;

typedef void collective(const tessera_site *site, tessera_stream *stream, const void *in,
                        const void *out);
typedef void rooted(const tessera_site *site, tessera_stream *stream, const void *in,
                    const void *out, const int64_t *root);

typedef struct row {
  const char *name;
  collective *call; /* one of the two, or neither: send and receive */
  rooted *call_rooted;
} row;

static const row rows[] = {
    [TESSERA_SITE_ALL_GATHER] = {"tessera_group_all_gather", tessera_rt_all_gather, NULL},
    [TESSERA_SITE_ALL_REDUCE] = {"tessera_group_all_reduce", tessera_rt_all_reduce, NULL},
    [TESSERA_SITE_ALL_TO_ALL] = {"tessera_group_all_to_all", tessera_rt_all_to_all, NULL},
    [TESSERA_SITE_BROADCAST] = {"tessera_group_broadcast", NULL, tessera_rt_broadcast},
    [TESSERA_SITE_GATHER] = {"tessera_group_gather", NULL, tessera_rt_gather},
    [TESSERA_SITE_QUERY] = {"tessera_group_barrier", NULL, NULL},
    [TESSERA_SITE_RECV] = {"tessera_group_receive", NULL, NULL},
    [TESSERA_SITE_REDUCE] = {"tessera_group_reduce", NULL, tessera_rt_reduce},
    [TESSERA_SITE_REDUCE_SCATTER] = {"tessera_group_reduce_scatter", tessera_rt_reduce_scatter,
                                     NULL},
    [TESSERA_SITE_SCATTER] = {"tessera_group_scatter", NULL, tessera_rt_scatter},
    [TESSERA_SITE_SEND] = {"tessera_group_send", NULL, NULL},
};

static void run(void *data) {
  const request *r = data;
  const row *row = &rows[r->site->kind];
  const int64_t *peer = r->has_peer ? r->peer : NULL;
  if (row->call)
    row->call(r->site, NULL, &r->in, &r->out);
  else if (row->call_rooted)
    row->call_rooted(r->site, NULL, &r->in, &r->out, peer);
  else if (r->site->kind == TESSERA_SITE_SEND)
    tessera_rt_send(r->site, NULL, &r->in, peer);
  else
    tessera_rt_recv(r->site, NULL, &r->out, peer);
}

/* ---- records --------------------------------------------------------------------------------- */

static _Thread_local tr_source_place next_place;

void tessera_at(const char *file, int32_t line) {
  next_place = (tr_source_place){file, line};
}

tr_source_place tr_take_place(void) {
  tr_source_place place = next_place;
  next_place = (tr_source_place){NULL, 0};
  return place;
}

static bool is_at(const tr_group_site *site, tr_source_place place) {
  if (site->line != place.line || !site->file || !place.file)
    return site->line == place.line && site->file == place.file;
  return site->file == place.file || strcmp(site->file, place.file) == 0;
}

/* Of a long path, which messages have no room for; from the beginning of a character of UTF-8. */
static const char *end_of(const char *file) {
  enum { MOST = 90 };
  size_t length = strlen(file);
  const char *end = length > MOST ? file + length - MOST : file;
  while (end > file && ((unsigned char)*end & 0xc0) == 0x80)
    end++;
  return end;
}

/* The record of calls of this kind at this place, which lives as long as the group, so that what
 * was planned for one call serves the next. NULL if there is no memory. */
static const tessera_site *site_of(tessera_group *group, tr_source_place place,
                                   tessera_site_kind kind, tessera_dtype type,
                                   tessera_reduction reduction) {
  static _Atomic uint32_t
      num_sites; /* of all groups: what is kept of sites goes by their numbers */
  for (tr_group_site *at = group->sites; at; at = at->next)
    if (is_at(at, place) && at->site.kind == (uint32_t)kind &&
        at->site.input_type == (int32_t)type && at->site.reduction == (int32_t)reduction)
      return &at->site;
  enum { DIGITS = 16 };
  const char *file = place.file ? end_of(place.file) : "";
  size_t length = strlen(file) + DIGITS;
  tr_group_site *made = calloc(1, sizeof(*made) + length);
  if (!made)
    return NULL;
  made->file = place.file;
  made->line = place.line;
  if (place.file)
    snprintf(made->location, length, "%s:%d", file, place.line);
  made->site = (tessera_site){.struct_size = sizeof(tessera_site),
                              .kind = (uint32_t)kind,
                              .name = rows[kind].name,
                              .location = made->location,
                              .grid = &group->mesh->grid,
                              .axes = group->axes,
                              .num_axes = group->num_axes,
                              .index = (int32_t)(num_sites++ & INT32_MAX),
                              .input_rank = 1,
                              .output_rank = 1,
                              .input_type = (int32_t)type,
                              .output_type = (int32_t)type,
                              .reduction = (int32_t)reduction,
                              .flags = (uint32_t)TESSERA_SITE_BY_HAND |
                                       (type ? TESSERA_SITE_EVEN_SIZES : 0)};
  made->next = group->sites;
  group->sites = made;
  return &made->site;
}

/* ---- requests -------------------------------------------------------------------------------- */

static tessera_status check_group(const tessera_group *group) {
  if (!group)
    return tr_fail(TESSERA_ERROR_INVALID_ARGUMENT, "there is no group: it is NULL");
  tessera_status status = tr_mesh_check_context(group->mesh);
  if (status)
    return status;
  if (group->self < 0)
    return tr_fail(TESSERA_ERROR_INVALID_ARGUMENT, "rank %d is not in the group",
                   group->mesh->rank);
  return TESSERA_OK;
}

static tessera_status check_data(const tessera_group *group, int64_t count, tessera_dtype type) {
  int64_t bytes, size = (int64_t)tessera_dtype_size(type);
  if (size == 0)
    return tr_fail(TESSERA_ERROR_INVALID_ARGUMENT, "element type %d is not known", (int)type);
  if (count < 0 || __builtin_mul_overflow(count, size, &bytes) ||
      __builtin_mul_overflow(bytes, group->size, &bytes))
    return tr_fail(TESSERA_ERROR_INVALID_ARGUMENT, "%" PRId64 " elements cannot be", count);
  return TESSERA_OK;
}

/* The coordinates of member `position` along the site's axes. */
static tessera_status set_peer(request *r, int32_t position) {
  const tessera_group *group = r->group;
  if (position < 0 || position >= group->size)
    return tr_fail(TESSERA_ERROR_INVALID_ARGUMENT, "there is no member %d in a group of %d",
                   position, group->size);
  for (int32_t i = group->num_axes - 1; i >= 0; i--) {
    int64_t extent = group->mesh->extents[group->axes[i]];
    r->peer[i] = position % extent;
    position = (int32_t)(position / extent);
  }
  r->has_peer = true;
  return TESSERA_OK;
}

static vector vector_of(const void *data, int64_t size) {
  void *memory = (void *)(uintptr_t)data; /* descriptors do not tell what is read alone */
  return (vector){memory, memory, 0, size, 1};
}

/* Positions beside those of members. */
enum { NO_PEER = INT32_MIN, ANY_PEER = -1 };

/* One call: `in` and `out` have `in_parts` and `out_parts` times `count` elements. */
typedef struct transfer {
  tessera_site_kind kind;
  const void *in;
  void *out;
  int64_t count;
  int32_t in_parts, out_parts;
  tessera_dtype type;
  tessera_reduction reduction;
  int32_t peer;
} transfer;

/* The rank reads `in`, or writes `out`: of a root's call, what only the root does is its alone. */
static bool needs(const tessera_group *group, const transfer *t, bool reads) {
  bool is_root = t->peer == group->self;
  switch (t->kind) {
  case TESSERA_SITE_BROADCAST:
  case TESSERA_SITE_SCATTER:
    return !reads || is_root;
  case TESSERA_SITE_REDUCE:
  case TESSERA_SITE_GATHER:
    return reads || is_root;
  default:
    return true;
  }
}

static tessera_status check_buffers(const tessera_group *group, const transfer *t) {
  bool lacks_in = t->in_parts > 0 && !t->in && needs(group, t, true);
  bool lacks_out = t->out_parts > 0 && !t->out && needs(group, t, false);
  if (t->count == 0 || !(lacks_in || lacks_out))
    return TESSERA_OK;
  return tr_fail(TESSERA_ERROR_INVALID_ARGUMENT, "%" PRId64 " elements %s NULL", t->count,
                 lacks_in ? "are to be read at" : "are to be written at");
}

/* One buffer for both is right where what is written is what was read there: other calls would read
 * what they, or the other ranks for them, have written. */
static bool may_be_in_place(tessera_site_kind kind) {
  return kind == TESSERA_SITE_ALL_REDUCE || kind == TESSERA_SITE_BROADCAST;
}

static tessera_status check_apart(const tessera_group *group, const transfer *t) {
  uintptr_t size = tessera_dtype_size(t->type), in = (uintptr_t)t->in, out = (uintptr_t)t->out;
  uintptr_t read = (uintptr_t)t->count * (uintptr_t)t->in_parts * size;
  uintptr_t written = (uintptr_t)t->count * (uintptr_t)t->out_parts * size;
  bool has_both = read > 0 && written > 0 && needs(group, t, true) && needs(group, t, false);
  if (!has_both || (in == out && may_be_in_place(t->kind)) || in >= out + written ||
      out >= in + read)
    return TESSERA_OK;
  return tr_fail(TESSERA_ERROR_INVALID_ARGUMENT,
                 "the %zu bytes that are read and the %zu that are written overlap: expected "
                 "buffers apart from each other%s",
                 (size_t)read, (size_t)written,
                 may_be_in_place(t->kind) ? ", or one that begins where the other does" : "");
}

/* A root, or who is sent to or received from. */
static bool has_peer(tessera_site_kind kind) {
  return rows[kind].call_rooted || kind == TESSERA_SITE_SEND || kind == TESSERA_SITE_RECV;
}

static bool reduces(tessera_site_kind kind) {
  return kind == TESSERA_SITE_ALL_REDUCE || kind == TESSERA_SITE_REDUCE_SCATTER ||
         kind == TESSERA_SITE_REDUCE;
}

static tessera_status do_transfer(tessera_group *group, const transfer *t) {
  request r = {.group = group};
  tr_source_place place = tr_take_place();
  tessera_status status = check_group(group);
  if (!status)
    status = check_data(group, t->count, t->type);
  bool is_of_any = t->kind == TESSERA_SITE_RECV && t->peer == ANY_PEER;
  if (!status && has_peer(t->kind) && !is_of_any)
    status = set_peer(&r, t->peer);
  if (!status)
    status = check_buffers(group, t);
  if (!status)
    status = check_apart(group, t);
  if (status)
    return status;
  r.site = site_of(group, place, t->kind, t->type, t->reduction);
  if (!r.site)
    return tr_fail(TESSERA_ERROR_OUT_OF_MEMORY, "no memory for the record of a call");
  tr_combination combination;
  status = reduces(t->kind) ? tr_reduction_find(r.site, &combination) : TESSERA_OK;
  if (status)
    return status;
  r.in = vector_of(t->in, t->in_parts * t->count);
  r.out = vector_of(t->out, t->out_parts * t->count);
  return tessera_attempt(group->mesh->lodger.context, run, &r);
}

/* ---- collectives ----------------------------------------------------------------------------- */

tessera_status tessera_group_all_reduce(tessera_group *group, const void *in, void *out,
                                        int64_t count, tessera_dtype type,
                                        tessera_reduction reduction) {
  return do_transfer(
      group, &(transfer){TESSERA_SITE_ALL_REDUCE, in, out, count, 1, 1, type, reduction, NO_PEER});
}

tessera_status tessera_group_all_gather(tessera_group *group, const void *in, void *out,
                                        int64_t count, tessera_dtype type) {
  return do_transfer(group,
                     &(transfer){TESSERA_SITE_ALL_GATHER, in, out, count, 1,
                                 tessera_group_size(group), type, TESSERA_REDUCTION_NONE, NO_PEER});
}

tessera_status tessera_group_reduce_scatter(tessera_group *group, const void *in, void *out,
                                            int64_t count, tessera_dtype type,
                                            tessera_reduction reduction) {
  return do_transfer(group, &(transfer){TESSERA_SITE_REDUCE_SCATTER, in, out, count,
                                        tessera_group_size(group), 1, type, reduction, NO_PEER});
}

tessera_status tessera_group_all_to_all(tessera_group *group, const void *in, void *out,
                                        int64_t count, tessera_dtype type) {
  return do_transfer(group,
                     &(transfer){TESSERA_SITE_ALL_TO_ALL, in, out, count, tessera_group_size(group),
                                 tessera_group_size(group), type, TESSERA_REDUCTION_NONE, NO_PEER});
}

tessera_status tessera_group_broadcast(tessera_group *group, const void *in, void *out,
                                       int64_t count, tessera_dtype type, int32_t root) {
  return do_transfer(group, &(transfer){TESSERA_SITE_BROADCAST, in, out, count, 1, 1, type,
                                        TESSERA_REDUCTION_NONE, root});
}

tessera_status tessera_group_scatter(tessera_group *group, const void *in, void *out, int64_t count,
                                     tessera_dtype type, int32_t root) {
  return do_transfer(group,
                     &(transfer){TESSERA_SITE_SCATTER, in, out, count, tessera_group_size(group), 1,
                                 type, TESSERA_REDUCTION_NONE, root});
}

tessera_status tessera_group_gather(tessera_group *group, const void *in, void *out, int64_t count,
                                    tessera_dtype type, int32_t root) {
  return do_transfer(group,
                     &(transfer){TESSERA_SITE_GATHER, in, out, count, 1, tessera_group_size(group),
                                 type, TESSERA_REDUCTION_NONE, root});
}

tessera_status tessera_group_reduce(tessera_group *group, const void *in, void *out, int64_t count,
                                    tessera_dtype type, tessera_reduction reduction, int32_t root) {
  return do_transfer(group,
                     &(transfer){TESSERA_SITE_REDUCE, in, out, count, 1, 1, type, reduction, root});
}

tessera_status tessera_group_send(tessera_group *group, const void *in, int64_t count,
                                  tessera_dtype type, int32_t to) {
  return do_transfer(group, &(transfer){TESSERA_SITE_SEND, in, NULL, count, 1, 0, type,
                                        TESSERA_REDUCTION_NONE, to});
}

tessera_status tessera_group_receive(tessera_group *group, void *out, int64_t count,
                                     tessera_dtype type, int32_t from) {
  return do_transfer(group, &(transfer){TESSERA_SITE_RECV, NULL, out, count, 0, 1, type,
                                        TESSERA_REDUCTION_NONE, from});
}

/* ---- barriers -------------------------------------------------------------------------------- */

/* Nobody has a sum of all before all have come. */
static void wait_for_all(void *data) {
  tessera_rt_sum_size(data, 1);
}

tessera_status tessera_group_barrier(tessera_group *group) {
  tr_source_place place = tr_take_place();
  tessera_status status = check_group(group);
  if (status)
    return status;
  const tessera_site *site =
      site_of(group, place, TESSERA_SITE_QUERY, (tessera_dtype)0, TESSERA_REDUCTION_NONE);
  return site ? tessera_attempt(group->mesh->lodger.context, wait_for_all, (void *)(uintptr_t)site)
              : tr_fail(TESSERA_ERROR_OUT_OF_MEMORY, "no memory for the record of a call");
}

/* Of a group that was looked for; a place that no call of it takes is not the next call's. */
static tessera_status barrier_of_found(tessera_status status, tessera_group *group) {
  if (!status)
    return tessera_group_barrier(group);
  tr_take_place();
  return status;
}

tessera_status tessera_mesh_barrier(tessera_mesh *mesh) {
  tessera_group *group;
  tessera_status status = tessera_mesh_global_group(mesh, &group);
  return barrier_of_found(status, group);
}

tessera_status tessera_mesh_barrier_of(tessera_mesh *mesh, int32_t dim) {
  tessera_group *group = NULL;
  tessera_status status = tr_mesh_check(mesh, &group, "a group");
  if (!status)
    status = tr_mesh_check_dim(mesh, dim);
  if (!status)
    status = tessera_mesh_slice(mesh, dim, mesh->own[dim], &group);
  return barrier_of_found(status, group);
}
