/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Where a rank's calls are remembered, and under which place.
 * It must not know who reads it. */
#include "trace/log.h"

#include <stdlib.h>
#include <string.h>

#include "watch/note.h"

static bool is_wanted(const char *variable) {
  const char *wish = getenv(variable);
  return wish && wish[0] && strcmp(wish, "0") != 0;
}

/* Where there is no memory for it, nothing is remembered. */
void tr_log_open(tessera_context *context) {
  bool traces = is_wanted("TESSERA_TRACE");
  if (!traces && !is_wanted("TESSERA_STATS"))
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
