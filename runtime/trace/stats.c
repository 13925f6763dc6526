/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Sums of all ranks for each place in the source, as a table.
 * It must not know how logs come about. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "trace/report.h"

/* Of one place, over the ranks that have called it. */
typedef struct summary {
  int32_t ranks, last; /* the rank that was in it for the shortest time */
  uint64_t calls, bytes;
  int64_t sum, shortest, longest; /* nanoseconds */
} summary;

static const tr_log_place *find(const tr_rank_log *log, const tr_board_place *what) {
  for (int64_t i = 0; i < log->head.num_places; i++)
    if (log->places[i].what.hash == what->hash &&
        strcmp(log->places[i].what.location, what->location) == 0 &&
        strcmp(log->places[i].what.group, what->group) == 0)
      return &log->places[i];
  return NULL;
}

static summary sum_up(int32_t ranks, const tr_rank_log *logs, const tr_board_place *what) {
  summary all = {.shortest = INT64_MAX};
  for (int32_t rank = 0; rank < ranks; rank++) {
    const tr_log_place *place = find(&logs[rank], what);
    if (!place)
      continue;
    all.ranks++;
    all.sum += place->nanoseconds;
    if (place->nanoseconds < all.shortest) {
      all.shortest = place->nanoseconds;
      all.last = rank;
    }
    all.longest = place->nanoseconds > all.longest ? place->nanoseconds : all.longest;
    all.calls = place->calls > all.calls ? place->calls : all.calls;
    all.bytes = place->bytes > all.bytes ? place->bytes : all.bytes;
  }
  return all;
}

/* Each place is printed with the first rank that has it. */
static bool is_first(const tr_rank_log *logs, int32_t rank, const tr_board_place *what) {
  for (int32_t before = 0; before < rank; before++)
    if (find(&logs[before], what))
      return false;
  return true;
}

/* Of the columns with texts, so that the numbers stand below each other. */
typedef struct widths {
  int name, location;
} widths;

static widths find_widths(int32_t ranks, const tr_rank_log *logs) {
  widths widths = {.name = 22, .location = 24};
  for (int32_t rank = 0; rank < ranks; rank++)
    for (int64_t i = 0; i < logs[rank].head.num_places; i++) {
      const tr_board_place *what = &logs[rank].places[i].what;
      int name = (int)strlen(what->name), location = (int)strlen(what->location);
      widths.name = name > widths.name ? name : widths.name;
      widths.location = location > widths.location ? location : widths.location;
    }
  return widths;
}

static void print_place(int32_t ranks, const tr_rank_log *logs, widths widths,
                        const tr_board_place *what) {
  summary all = sum_up(ranks, logs, what);
  double mean = (double)all.sum / all.ranks;
  double waiting = mean - (double)all.shortest;
  fprintf(stderr, "  %-*s %-*s %8" PRIu64 " %14" PRIu64 " %10.3f", widths.name, what->name,
          widths.location, what->location[0] ? what->location : "-", all.calls, all.bytes,
          1e-6 * mean);
  if (all.ranks == 1 && ranks > 1) { /* the others were at other places */
    fprintf(stderr, " %10s %10s   -\n", "-", "-");
    return;
  }
  fprintf(stderr, " %10.3f %9.0f%%   %d\n", 1e-6 * waiting,
          mean > 0 ? 100 * ((double)all.longest - (double)all.shortest) / mean : 0, all.last);
}

void tr_stats_print(int32_t ranks, const tr_rank_log *logs) {
  widths widths = find_widths(ranks, logs);
  fprintf(
      stderr,
      "calls of %d ranks (bytes: received by the busiest; time: mean of the ranks; waiting: how "
      "much "
      "longer that is than the shortest rank's, which came last; imbalance: longest less shortest, "
      "of the mean):\n  %-*s %-*s %8s %14s %10s %10s %10s   %s\n",
      ranks, widths.name, "call", widths.location, "place", "calls", "bytes", "time ms",
      "waiting ms", "imbalance", "last rank");
  for (int32_t rank = 0; rank < ranks; rank++)
    for (int64_t i = 0; i < logs[rank].head.num_places; i++)
      if (is_first(logs, rank, &logs[rank].places[i].what))
        print_place(ranks, logs, widths, &logs[rank].places[i].what);
  fflush(stderr);
}
