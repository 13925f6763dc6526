/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The groups of a mesh: who is in a line and in a slice. It knows coordinates; it must not know how
 * a group communicates. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "mesh/mesh.h"
#include "support/error.h"
#include "trace/log.h"
#include "watch/watch.h"

/* What makes a group: the ranks whose coordinates are `at`, but any in the dimensions listed. */
typedef struct choice {
  int32_t num_dims;
  int32_t dims[TR_MESH_DIMS];
  int64_t at[TR_MESH_DIMS];
} choice;

/* ---- members --------------------------------------------------------------------------------- */

static int32_t size_of(const tessera_mesh *mesh, const choice *choice) {
  int64_t size = 1;
  for (int32_t i = 0; i < choice->num_dims; i++)
    size *= mesh->shape[choice->dims[i]];
  return (int32_t)size;
}

static int32_t rank_at(const tessera_mesh *mesh, const int64_t *at) {
  int64_t rank = 0;
  for (int32_t d = 0; d < mesh->num_dims; d++)
    rank = rank * mesh->shape[d] + at[d];
  return (int32_t)rank;
}

/* Member number `position`, the last of the dimensions varying fastest. */
static int32_t member(const tessera_mesh *mesh, const choice *choice, int64_t position) {
  int64_t at[TR_MESH_DIMS];
  memcpy(at, choice->at, sizeof(at));
  for (int32_t i = choice->num_dims - 1; i >= 0; i--) {
    at[choice->dims[i]] = position % mesh->shape[choice->dims[i]];
    position /= mesh->shape[choice->dims[i]];
  }
  return rank_at(mesh, at);
}

static tessera_group *find(const tessera_mesh *mesh, const tessera_group *like) {
  for (tessera_group *group = mesh->groups; group; group = group->next)
    if (group->size == like->size && group->num_axes == like->num_axes &&
        memcmp(group->axes, like->axes, sizeof(like->axes)) == 0 &&
        memcmp(group->ranks, like->ranks, sizeof(int32_t) * (size_t)like->size) == 0)
      return group;
  return NULL;
}

/* The group of a choice: one that is known, or a new one. */
static tessera_status choose(tessera_mesh *mesh, const choice *choice, tessera_group **chosen) {
  int32_t size = size_of(mesh, choice);
  tessera_group *group = calloc(1, sizeof(*group) + sizeof(int32_t) * (size_t)size);
  if (!group)
    return tr_fail(TESSERA_ERROR_OUT_OF_MEMORY, "no memory for a group");
  group->mesh = mesh;
  group->size = size;
  group->self = -1;
  group->num_axes = choice->num_dims;
  for (int32_t i = 0; i < choice->num_dims; i++)
    group->axes[i] = mesh->axes[choice->dims[i]];
  for (int32_t i = 0; i < size; i++) {
    group->ranks[i] = member(mesh, choice, i);
    if (group->ranks[i] == mesh->rank)
      group->self = i;
  }
  tessera_group *known = find(mesh, group);
  if (known) {
    free(group);
  } else {
    group->next = mesh->groups;
    mesh->groups = known = group;
  }
  *chosen = known;
  return TESSERA_OK;
}

/* ---- lines and slices ------------------------------------------------------------------------ */

tessera_status tessera_mesh_line(tessera_mesh *mesh, int32_t num_dims, const int32_t *dims,
                                 tessera_group **group) {
  choice choice = {.num_dims = num_dims};
  tessera_status status = tr_mesh_check(mesh, group, "a group");
  if (status)
    return status;
  if (num_dims > 0 && !dims)
    return tr_fail(TESSERA_ERROR_INVALID_ARGUMENT, "there are no dimensions: they are NULL");
  memcpy(choice.at, mesh->own, sizeof(choice.at));
  if (num_dims < 0 || num_dims > mesh->num_dims)
    return tr_fail(TESSERA_ERROR_INVALID_ARGUMENT, "a line along %d of %d dimensions", num_dims,
                   mesh->num_dims);
  for (int32_t i = 0; i < num_dims; i++) {
    status = tr_mesh_check_dim(mesh, dims[i]);
    if (status)
      return status;
    for (int32_t other = 0; other < i; other++)
      if (dims[other] == dims[i])
        return tr_fail(TESSERA_ERROR_INVALID_ARGUMENT,
                       "dimension %d is twice among those of a line", dims[i]);
    choice.dims[i] = dims[i];
  }
  return choose(mesh, &choice, group);
}

tessera_status tessera_mesh_slice(tessera_mesh *mesh, int32_t dim, int64_t index,
                                  tessera_group **group) {
  choice choice = {0};
  tessera_status status = tr_mesh_check(mesh, group, "a group");
  if (!status)
    status = tr_mesh_check_dim(mesh, dim);
  if (status)
    return status;
  if (index < 0 || index >= mesh->shape[dim])
    return tr_fail(TESSERA_ERROR_INVALID_ARGUMENT,
                   "index %" PRId64 " in dimension \"%s\" of extent %" PRId64, index,
                   mesh->names[dim], mesh->shape[dim]);
  choice.at[dim] = index;
  for (int32_t d = 0; d < mesh->num_dims; d++)
    if (d != dim)
      choice.dims[choice.num_dims++] = d;
  return choose(mesh, &choice, group);
}

/* The line along the dimension called `name`. */
static tessera_status named_line(tessera_mesh *mesh, const char *name, tessera_group **group) {
  int32_t dim;
  tessera_status status = tessera_mesh_find(mesh, name, &dim);
  return status ? status : tessera_mesh_line(mesh, 1, &dim, group);
}

tessera_status tessera_mesh_tensor_group(tessera_mesh *mesh, tessera_group **group) {
  return named_line(mesh, "tensor", group);
}

tessera_status tessera_mesh_data_group(tessera_mesh *mesh, tessera_group **group) {
  return named_line(mesh, "data", group);
}

tessera_status tessera_mesh_global_group(tessera_mesh *mesh, tessera_group **group) {
  int32_t dims[TR_MESH_DIMS];
  tessera_status status = tr_mesh_check(mesh, group, "a group");
  if (status)
    return status;
  for (int32_t d = 0; d < mesh->num_dims; d++)
    dims[d] = d;
  return tessera_mesh_line(mesh, mesh->num_dims, dims, group);
}

/* ---- questions, and the end ------------------------------------------------------------------ */

int32_t tessera_group_size(const tessera_group *group) {
  return group ? group->size : 0;
}

int32_t tessera_group_rank(const tessera_group *group) {
  return group ? group->self : -1;
}

const int32_t *tessera_group_ranks(const tessera_group *group) {
  return group ? group->ranks : NULL;
}

/* Others may lie at the addresses of their sites later. */
void tr_mesh_free_groups(tessera_mesh *mesh) {
  if (mesh->lodger.context && mesh->groups) {
    tr_watch_forget(mesh->lodger.context);
    tr_log_forget(mesh->lodger.context);
  }
  while (mesh->groups) {
    tessera_group *group = mesh->groups;
    mesh->groups = group->next;
    while (group->sites) {
      tr_group_site *site = group->sites;
      group->sites = site->next;
      free(site);
    }
    free(group);
  }
}
