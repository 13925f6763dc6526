/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Grids with their extents resolved, and the groups of ranks along their axes.
 * It must not know collectives, layouts or how bytes travel. */
#include <stdlib.h>
#include <string.h>

#include "context.h"
#include "error.h"
#include "guard.h"

/* ---- grids ----------------------------------------------------------------------------------- */

static tessera_status grid_misfit(const tessera_context *context, const tessera_grid *grid) {
  char text[256];
  return tr_fail(TESSERA_ERROR_MISMATCH, "grid @%s of shape %s does not fit %d rank%s", grid->name,
                 tr_extents_text(grid->rank, grid->shape, text, sizeof(text)), context->world.size,
                 context->world.size == 1 ? "" : "s");
}

/* Larger extents first, as MPI_Dims_create has it, among those that are open. */
static void sort_open_extents(const tessera_grid *grid, int64_t *extents) {
  for (int32_t i = 1; i < grid->rank; i++) {
    int32_t place = i;
    for (int32_t k = i - 1; grid->shape[i] < 0 && k >= 0; k--) {
      if (grid->shape[k] >= 0)
        continue;
      if (extents[k] >= extents[place])
        break;
      int64_t larger = extents[place];
      extents[place] = extents[k];
      extents[k] = larger;
      place = k;
    }
  }
}

/* Deals the prime factors of `left`, largest first, each to the open extent that is smallest so
 * far: near-equal extents. */
static void deal_factors(const tessera_grid *grid, int64_t left, int64_t *extents) {
  int64_t primes[64];
  int32_t count = 0;
  for (int64_t prime = 2; left > 1; prime++) {
    if (prime * prime > left)
      prime = left;
    for (; left % prime == 0; left /= prime)
      primes[count++] = prime;
  }
  while (count-- > 0) {
    int32_t smallest = -1;
    for (int32_t i = 0; i < grid->rank; i++)
      if (grid->shape[i] < 0 && (smallest < 0 || extents[i] < extents[smallest]))
        smallest = i;
    extents[smallest] *= primes[count];
  }
  sort_open_extents(grid, extents);
}

tessera_status tr_context_resolve_grid(const tessera_context *context, const tessera_grid *grid,
                                       int64_t *extents) {
  int64_t known = 1, size = context->world.size;
  bool is_open = false;
  for (int32_t i = 0; i < grid->rank; i++) {
    extents[i] = grid->shape[i] < 0 ? 1 : grid->shape[i];
    is_open |= grid->shape[i] < 0;
    if (extents[i] == 0 || __builtin_mul_overflow(known, extents[i], &known) || known > size)
      return grid_misfit(context, grid);
  }
  if (is_open ? size % known != 0 : size != known)
    return grid_misfit(context, grid);
  if (is_open)
    deal_factors(grid, size / known, extents);
  return TESSERA_OK;
}

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

/* Operations in groups of the same members have to be told apart as those of one group. */
static void share_lanes(tessera_context *context, tr_named_group *named) {
  named->group.lanes = &named->lanes;
  if (has_members(&named->group, &context->everyone))
    named->group.lanes = context->everyone.lanes;
  for (tr_named_group *known = context->groups; known; known = known->next)
    if (has_members(&named->group, &known->group))
      named->group.lanes = known->group.lanes;
}

static tessera_status create_group(tessera_context *context, int32_t grid_rank,
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
    share_lanes(context, named);
    if (named->group.size > 1)
      status = context->world.backend->create_group(&context->world, &named->group);
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

tessera_status tr_context_group(tessera_context *context, const tessera_grid *grid,
                                int32_t num_axes, const int32_t *axes, tr_named_group **group) {
  int64_t extents[TR_VIEW_RANK];
  if (grid->rank > TR_VIEW_RANK || num_axes > grid->rank)
    return tr_fail(TESSERA_ERROR_INVALID_ARGUMENT, "%d axes on grid @%s of rank %d", num_axes,
                   grid->name, grid->rank);
  tessera_status status = tr_context_resolve_grid(context, grid, extents);
  for (tr_named_group *known = context->groups; !status && known; known = known->next)
    if (is_group_of(known, grid->rank, extents, num_axes, axes)) {
      *group = known;
      return TESSERA_OK;
    }
  if (!status)
    status = check_axes(grid, num_axes, axes);
  tr_named_group *created = NULL;
  if (!status)
    status = create_group(context, grid->rank, extents, num_axes, axes, &created);
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
    tessera_status status = tr_context_group(context, row->grid, row->num_axes, row->axes, &group);
    if (status)
      return status;
  }
  return TESSERA_OK;
}
