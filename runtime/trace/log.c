/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Where a rank's calls are remembered, and under which place.
 * It must not know who reads it. */
#include "trace/log.h"

#include <stdlib.h>
#include <string.h>

#include "support/wishes.h"
#include "watch/note.h"

/* Where there is no memory for it, nothing is remembered. */
void tr_log_open(tessera_context *context) {
  bool traces = tr_is_switched_on("TESSERA_TRACE");
  if (!traces && !tr_is_switched_on("TESSERA_STATS"))
    return;
  tr_log *log = calloc(1, sizeof(*log));
  if (log && traces)
    log->records = calloc(TR_LOG_RECORDS, sizeof(*log->records));
  if (log && traces && !log->records) {
    free(log);
    return;
  }
  context->log = log;
}

void tr_log_close(tessera_context *context) {
  if (context->log)
    free(context->log->records);
  free(context->log);
  context->log = NULL;
}

void tr_log_forget(tessera_context *context) {
  if (context->log)
    memset(context->log->keys, 0, sizeof(context->log->keys));
}

static bool is_same(const tr_board_place *a, const tr_board_place *b) {
  return a->hash == b->hash && strcmp(a->location, b->location) == 0 &&
         strcmp(a->name, b->name) == 0 && strcmp(a->group, b->group) == 0;
}

__attribute__((noinline)) uint32_t tr_log_describe(tessera_context *context,
                                                   const tessera_site *site, tr_membership members,
                                                   uint32_t slot) {
  tr_log *log = context->log;
  tr_board_place what = {0};
  uint32_t place = 0;
  tr_note_describe_place(context, site, members, &what);
  while (place < log->num_places && !is_same(&log->places[place].what, &what))
    place++;
  if (place == TR_LOG_PLACES) {
    place = TR_LOG_PLACES - 1;
    log->places[place].what = (tr_board_place){.name = "other calls"};
  } else if (place == log->num_places) {
    log->places[log->num_places++].what = what;
  }
  log->keys[slot] = tr_note_key_of(site);
  return log->found[slot] = place;
}

/* ---- messages -------------------------------------------------------------------------------- */

static uint64_t mix(uint64_t hash, uint64_t value) {
  hash = (hash ^ value) * 0x9e3779b97f4a7c15u;
  return hash ^ hash >> 29;
}

static uint64_t hash_channel(const tr_group *group, int32_t from, int32_t to) {
  uint64_t hash = mix(mix(0, (uint64_t)group->members[from]), (uint64_t)group->members[to]);
  for (int32_t i = 0; i < group->size; i++)
    hash = mix(hash, (uint64_t)group->members[i]);
  return hash;
}

/* Its row, which is made if it is the first; NULL: all are taken. Groups of the same members share
 * it: their messages would have the same numbers otherwise. */
static tr_log_channel *find_channel(tr_log *log, const tr_group *group, int32_t peer,
                                    tr_arrow arrow) {
  bool is_sent = arrow == TR_ARROW_BEGINS;
  uint64_t hash = hash_channel(group, is_sent ? group->self : peer, is_sent ? peer : group->self);
  uint64_t slot = mix(hash, arrow);
  for (int i = 0; i < TR_LOG_CHANNELS; i++) {
    tr_log_channel *channel = &log->channels[(slot + (uint64_t)i) & (TR_LOG_CHANNELS - 1)];
    if (channel->hash == hash && channel->arrow == (uint32_t)arrow)
      return channel;
    if (channel->arrow != TR_ARROW_NONE)
      continue;
    *channel = (tr_log_channel){.hash = hash, .arrow = arrow};
    return channel;
  }
  return NULL;
}

__attribute__((noinline)) void tr_log_message(tr_log *log, const tr_group *group, int32_t peer,
                                              tr_arrow arrow) {
  log->has_lost_count = log->has_lost_count || peer < 0;
  if (!log->records || (arrow == TR_ARROW_ENDS && log->has_lost_count))
    return;
  tr_log_channel *channel = find_channel(log, group, peer, arrow);
  if (!channel)
    return;
  log->arrow = arrow;
  log->message = mix(channel->hash, ++channel->count);
}
