/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The logs of all ranks, brought together and written.
 * It must not know how they came about. */
#ifndef TESSERA_RUNTIME_TRACE_REPORT_H
#define TESSERA_RUNTIME_TRACE_REPORT_H

#include "trace/log.h"

/* A rank's log as it travels; `places` and `records`, the oldest first, lie behind it. */
typedef struct tr_log_head {
  int64_t num_places, num_records;
  int64_t dropped; /* records before those */
  int64_t epoch;   /* what to add to its times for the time since 1970, which hosts share */
} tr_log_head;

typedef struct tr_rank_log {
  tr_log_head head;
  const tr_log_place *places;
  const tr_log_record *records;
} tr_rank_log;

/* Of the contexts of a local grid, which have ended their work. */
void tr_report_local(int32_t count, tessera_context **contexts);

/* A log in one piece, which the caller frees; NULL without memory. */
void *tr_report_pack(const tr_log *log, size_t *bytes);
/* Writes those of all ranks. What cannot be written is no failure of the program. */
void tr_report_write(int32_t ranks, void *const *packed);
/* Frees `count` packed logs, and their list; it may be NULL. */
void tr_report_free(int32_t count, void **packed);

/* ---- chrome.c: a trace for Chrome's and Perfetto's viewers ----------------------------------- */

/* Returns 0 or an errno. */
int tr_trace_write(const char *path, int32_t ranks, const tr_rank_log *logs);

/* ---- stats.c --------------------------------------------------------------------------------- */

void tr_stats_print(int32_t ranks, const tr_rank_log *logs);

#endif /* TESSERA_RUNTIME_TRACE_REPORT_H */
