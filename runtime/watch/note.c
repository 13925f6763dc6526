/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* How a place in the source is written to the board, once for each.
 * It must not know who reads it. */
#include "watch/note.h"

#include <stdio.h>
#include <string.h>

#include "planes/site_hash.h"

static uint64_t hash_text(uint64_t hash, const char *text) {
  for (; *text; text++)
    hash = (hash ^ (unsigned char)*text) * 0x100000001b3u;
  return (hash ^ 0xff) * 0x100000001b3u;
}

/* Who meets: by default all ranks, which grid_rank 0 says. */
static void describe_group(const tessera_context *context, const tessera_site *site,
                           tr_membership members, tr_board_place *place) {
  int64_t extents[TR_VIEW_RANK];
  const tessera_grid *grid = site->grid;
  bool is_of_all = !grid || members == TR_MEMBERS_ALL;
  place->grid_rank = 0;
  place->axes = 0;
  place->group[0] = '\0';
  if (is_of_all || grid->rank > TR_BOARD_AXES ||
      tr_context_resolve_grid(context, grid, extents) != TESSERA_OK)
    return;
  size_t used =
      (size_t)snprintf(place->group, sizeof(place->group), " (grid @%.40s, axes [", grid->name);
  for (int32_t i = 0; i < grid->rank; i++)
    place->extents[i] = (int32_t)extents[i];
  for (int32_t i = 0; i < site->num_axes; i++) {
    if (site->axes[i] < 0 || site->axes[i] >= grid->rank)
      return;
    place->axes |= 1u << site->axes[i];
    if (used < sizeof(place->group))
      used += (size_t)snprintf(place->group + used, sizeof(place->group) - used, "%s%d",
                               i ? ", " : "", site->axes[i]);
  }
  if (used < sizeof(place->group))
    snprintf(place->group + used, sizeof(place->group) - used, "])");
  place->grid_rank = grid->rank;
}

void tr_note_describe_place(const tessera_context *context, const tessera_site *site,
                            tr_membership members, tr_board_place *place) {
  place->calls = 0;
  place->is_by_hand = tr_is_by_hand(site);
  place->hash = hash_text(hash_text(0xcbf29ce484222325u + site->kind, site->name),
                          place->is_by_hand ? "" : site->location);
  snprintf(place->name, sizeof(place->name), "%s", site->name);
  snprintf(place->location, sizeof(place->location), "%s", site->location);
  describe_group(context, site, members, place);
  for (int32_t i = 0; i < place->grid_rank; i++) /* another line of a mesh is another call */
    place->hash = hash_text(place->hash, place->axes >> i & 1 ? "+" : "-");
}

static bool is_point_to_point(const tessera_site *site) {
  return site->kind == TESSERA_SITE_SEND || site->kind == TESSERA_SITE_RECV;
}

static bool is_of(const tr_board_meeting *meeting, const tr_board_place *place) {
  return meeting->grid_rank == place->grid_rank && meeting->axes == place->axes &&
         memcmp(meeting->extents, place->extents, sizeof(int32_t) * (size_t)place->grid_rank) == 0;
}

/* The meeting of a place, one that is known or a new one. */
static uint32_t find_meeting(tr_seat *seat, const tr_board_place *place) {
  uint32_t number = 0;
  while (number < TR_BOARD_MEETINGS && seat->meetings[number].is_used &&
         !is_of(&seat->meetings[number], place))
    number++;
  tr_board_meeting *meeting = &seat->meetings[number];
  if (number == TR_BOARD_MEETINGS || meeting->is_used)
    return number;
  meeting->grid_rank = place->grid_rank;
  meeting->axes = place->axes;
  memcpy(meeting->extents, place->extents, sizeof(meeting->extents));
  meeting->is_used = 1;
  return number;
}

__attribute__((noinline)) void tr_note_describe(tessera_context *context, const tessera_site *site,
                                                tr_membership members, uint32_t number) {
  tr_seat *seat = context->notes->seat;
  tr_board_place *place = &seat->places[number];
  context->notes->keys[number] = tr_note_key_of(site);
  tr_note_describe_place(context, site, members, place);
  place->meeting = is_point_to_point(site) ? TR_BOARD_MEETINGS : find_meeting(seat, place);
}
