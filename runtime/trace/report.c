/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Logs in one piece each, and what is written of all ranks' together.
 * It must not know how it is written, or how logs travel. */
#include "trace/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/wishes.h"

/* ---- a log in one piece ---------------------------------------------------------------------- */

static int64_t epoch(void) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec - tr_log_clock();
}

static tr_log_head head_of(const tr_log *log) {
  int64_t kept = 0, all = (int64_t)log->num_records;
  if (log->records)
    kept = all < TR_LOG_RECORDS ? all : TR_LOG_RECORDS;
  return (tr_log_head){log->num_places, kept, log->records ? all - kept : 0, epoch()};
}

static size_t bytes_of(const tr_log_head *head) {
  return sizeof(*head) + sizeof(tr_log_place) * (size_t)head->num_places +
         sizeof(tr_log_record) * (size_t)head->num_records;
}

void *tr_report_pack(const tr_log *log, size_t *bytes) {
  tr_log_head head = head_of(log);
  *bytes = bytes_of(&head);
  char *packed = malloc(*bytes);
  if (!packed)
    return NULL;
  size_t places = sizeof(tr_log_place) * (size_t)head.num_places;
  memcpy(packed, &head, sizeof(head));
  memcpy(packed + sizeof(head), log->places, places);
  tr_log_record *records = (tr_log_record *)(void *)(packed + sizeof(head) + places);
  for (int64_t i = 0; i < head.num_records; i++)
    records[i] = log->records[(head.dropped + i) & (TR_LOG_RECORDS - 1)];
  return packed;
}

static tr_rank_log unpack(const void *packed) {
  tr_rank_log log;
  const char *bytes = packed;
  memcpy(&log.head, bytes, sizeof(log.head));
  log.places = (const tr_log_place *)(const void *)(bytes + sizeof(log.head));
  log.records = (const tr_log_record *)(const void *)(log.places + log.head.num_places);
  return log;
}

/* ---- writing --------------------------------------------------------------------------------- */

void tr_report_write(int32_t ranks, void *const *packed) {
  const char *path = tr_is_switched_on("TESSERA_TRACE") ? getenv("TESSERA_TRACE") : NULL;
  tr_rank_log *logs = calloc((size_t)ranks, sizeof(*logs));
  bool is_empty = true;
  for (int32_t i = 0; logs && i < ranks; i++) {
    logs[i] = unpack(packed[i]);
    is_empty = is_empty && logs[i].head.num_places == 0;
  }
  if (logs && !is_empty && path) {
    int error = tr_trace_write(path, ranks, logs);
    if (error)
      fprintf(stderr, "warning: cannot write the trace to %s: %s\n", path, strerror(error));
  }
  if (logs && !is_empty && tr_is_switched_on("TESSERA_STATS"))
    tr_stats_print(ranks, logs);
  free(logs);
}

void tr_report_free(int32_t count, void **packed) {
  for (int32_t i = 0; packed && i < count; i++)
    free(packed[i]);
  free(packed);
}

void tr_report_local(int32_t count, tessera_context **contexts) {
  size_t bytes;
  void **packed = calloc((size_t)count, sizeof(*packed));
  bool is_complete = packed;
  for (int32_t i = 0; is_complete && i < count; i++) {
    packed[i] = contexts[i] && contexts[i]->log ? tr_report_pack(contexts[i]->log, &bytes) : NULL;
    is_complete = packed[i];
  }
  if (is_complete)
    tr_report_write(count, packed);
  tr_report_free(count, packed);
}
