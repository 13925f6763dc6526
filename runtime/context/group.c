/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The groups of ranks along axes of grids.
 * It must not know collectives, layouts or how bytes travel. */
#include <stdlib.h>
#include <string.h>

#include "context/context.h"
#include "context/guard.h"
#include "support/error.h"

/* ---- groups ---------------------------------------------------------------------------------- */

static bool is_group_of(const tr_named_group *group, int32_t grid_rank, const int64_t *extents,
                        int32_t num_axes, const int32_t *axes) {
  bool same = group->grid_rank == grid_rank && group->num_axes == num_axes;
  for (int32_t i = 0; same && i < grid_rank; i++)
    same = group->extents[i] == extents[i];
  for (int32_t i = 0; same && i < num_axes; i++)
    same = group->axes[i] == axes[i];
  return same;
}

static tessera_status check_axes(const tessera_grid *grid, int32_t num_axes, const int32_t *axes) {
  uint64_t used = 0;
  for (int32_t i = 0; i < num_axes; i++) {
    if (axes[i] < 0 || axes[i] >= grid->rank)
      return tr_fail(TESSERA_ERROR_INVALID_ARGUMENT, "grid @%s has no axis %d", grid->name,
                     axes[i]);
    if (used >> axes[i] & 1)
      return tr_fail(TESSERA_ERROR_INVALID_ARGUMENT, "axis %d of grid @%s is named twice", axes[i],
                     grid->name);
    used |= (uint64_t)1 << axes[i];
  }
  return TESSERA_OK;
}

/* Members in the order of the axes as listed: the last one varies fastest. */
static void list_members(const tessera_context *context, tr_named_group *named) {
  int64_t steps[TR_VIEW_RANK], step = 1, base = context->world.rank;
  for (int32_t i = named->grid_rank - 1; i >= 0; i--) {
    steps[i] = step;
    step *= named->extents[i];
  }
  for (int32_t i = 0; i < named->num_axes; i++) {
    int32_t axis = named->axes[i];
    base -= context->world.rank / steps[axis] % named->extents[axis] * steps[axis];
  }
  for (int32_t position = 0; position < named->group.size; position++) {
    int64_t rank = base, rest = position;
    for (int32_t i = named->num_axes - 1; i >= 0; i--) {
      int32_t axis = named->axes[i];
      rank += rest % named->extents[axis] * steps[axis];
      rest /= named->extents[axis];
    }
    named->group.members[position] = (int32_t)rank;
    if (rank == context->world.rank)
      named->group.self = position;
  }
}

static bool has_members(const tr_group *group, const tr_group *other) {
  return group->size == other->size &&
         memcmp(group->members, other->members, sizeof(int32_t) * (size_t)group->size) == 0;
}

static void share(const tr_group *known, tr_group *group) {
  if (!has_members(group, known))
    return;
  group->lanes = known->lanes;
  group->book = known->book;
}

/* Operations in groups of the same members have to be told apart, and compared, as those of one
 * group. */
static void share_with_known(tessera_context *context, tr_named_group *named) {
  named->group.lanes = &named->lanes;
  named->group.book = &named->book;
  share(&context->everyone, &named->group);
  for (tr_named_group *known = context->groups; known; known = known->next)
    share(&known->group, &named->group);
}

/* Who makes a group at the same time: its members, or all ranks, each its own one. */
typedef enum makers { BY_MEMBERS, BY_ALL } makers;

static tessera_status make_in_backend(tessera_context *context, makers makers, tr_group *group) {
  const tr_backend *backend = context->world.backend;
  if (group->size == 1)
    return TESSERA_OK;
  return makers == BY_ALL && backend->create_groups ? backend->create_groups(&context->world, group)
                                                    : backend->create_group(&context->world, group);
}

/* Others may make theirs now. */
static tessera_status meet_makers(tessera_context *context, makers makers, const tr_group *group) {
  const tr_backend *backend = context->world.backend;
  if (makers == BY_MEMBERS || !backend->create_groups || group->size == 1)
    return TESSERA_OK;
  tessera_status status = backend->create_groups(&context->world, NULL);
  return status ? tr_context_fail(context, status, tessera_last_error()) : TESSERA_OK;
}

static tessera_status create_group(tessera_context *context, makers makers, int32_t grid_rank,
                                   const int64_t *extents, int32_t num_axes, const int32_t *axes,
                                   tr_named_group **created) {
  tr_named_group *named = calloc(1, sizeof(*named));
  if (!named)
    return tr_fail(TESSERA_ERROR_OUT_OF_MEMORY, "no memory for a group");
  named->grid_rank = grid_rank;
  named->num_axes = num_axes;
  memcpy(named->extents, extents, sizeof(int64_t) * (size_t)grid_rank);
  for (int32_t i = 0; i < num_axes; i++)
    named->axes[i] = axes[i];
  named->group.size = 1;
  for (int32_t i = 0; i < num_axes; i++)
    named->group.size *= (int32_t)extents[axes[i]];
  named->group.members = malloc(sizeof(int32_t) * (size_t)named->group.size);
  tessera_status status = TESSERA_OK;
  if (named->group.members) {
    list_members(context, named);
    share_with_known(context, named);
    status = make_in_backend(context, makers, &named->group);
    if (status) /* other members wait for this one */
      status = tr_context_fail(context, status, tessera_last_error());
  } else {
    status = tr_fail(TESSERA_ERROR_OUT_OF_MEMORY, "no memory for a group");
  }
  if (status) {
    free(named->group.members);
    free(named);
    return status;
  }
  *created = named;
  return TESSERA_OK;
}

static tessera_status find_or_create(tessera_context *context, makers makers,
                                     const tessera_grid *grid, int32_t num_axes,
                                     const int32_t *axes, tr_named_group **group) {
  int64_t extents[TR_VIEW_RANK];
  if (grid->rank > TR_VIEW_RANK || num_axes > grid->rank)
    return tr_fail(TESSERA_ERROR_INVALID_ARGUMENT, "%d axes on grid @%s of rank %d", num_axes,
                   grid->name, grid->rank);
  tessera_status status = tr_context_resolve_grid(context, grid, extents);
  for (tr_named_group *known = context->groups; !status && known; known = known->next)
    if (is_group_of(known, grid->rank, extents, num_axes, axes)) {
      *group = known;
      return meet_makers(context, makers, &known->group);
    }
  if (!status)
    status = check_axes(grid, num_axes, axes);
  tr_named_group *created = NULL;
  if (!status)
    status = create_group(context, makers, grid->rank, extents, num_axes, axes, &created);
  if (status)
    return status;
  if (context->last_group)
    context->last_group->next = created;
  else
    context->groups = created;
  context->last_group = created;
  *group = created;
  return TESSERA_OK;
}

tessera_status tr_context_group(tessera_context *context, const tessera_grid *grid,
                                int32_t num_axes, const int32_t *axes, tr_named_group **group) {
  return find_or_create(context, BY_MEMBERS, grid, num_axes, axes, group);
}

tessera_status tr_context_attach_groups(tessera_context *context,
                                        const tessera_program_record *record) {
  int64_t extents[TR_VIEW_RANK];
  for (int32_t i = 0; i < record->num_grids; i++) {
    tessera_status status = tr_context_resolve_grid(context, record->grids[i], extents);
    if (status)
      return status;
  }
  for (int32_t i = 0; i < record->num_groups; i++) {
    const tessera_group_record *row = &record->groups[i];
    tr_named_group *group;
    tessera_status status =
        find_or_create(context, BY_ALL, row->grid, row->num_axes, row->axes, &group);
    if (status)
      return status;
  }
  return TESSERA_OK;
}
