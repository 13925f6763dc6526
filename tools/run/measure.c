/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Times and bytes over all ranks, printed by rank 0.
 * It must not know inputs, outputs or command lines. */
#include "measure.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static int compare_doubles(const void *left, const void *right) {
  double a = *(const double *)left, b = *(const double *)right;
  return (a > b) - (a < b);
}

void print_times(team *team, double *seconds, int64_t count) {
  team_maximum(team, seconds, count);
  if (team->rank != 0)
    return;
  qsort(seconds, (size_t)count, sizeof(double), compare_doubles);
  double median = 0.5 * (seconds[(count - 1) / 2] + seconds[count / 2]);
  printf("time per call: min %.6g ms, median %.6g ms (%" PRId64 " calls, slowest of %d ranks)\n",
         1e3 * seconds[0], 1e3 * median, count, team->size);
  fflush(stdout);
}

static void print_sites(const tessera_program_record *record, const double *calls,
                        const double *bytes) {
  printf("collectives of one call (bytes received by the busiest device):\n");
  double total_calls = 0;
  for (int32_t i = 0; i < record->num_sites; i++) {
    const tessera_site *site = record->sites[i];
    if (calls[i] == 0)
      continue;
    total_calls += calls[i];
    printf("  %-24s %-24s %6.0f x %12.0f bytes\n", site->name,
           site->location[0] ? site->location : "-", calls[i], bytes[i] / calls[i]);
    if (site->cause && site->cause[0])
      printf("    %s\n", site->cause);
  }
  printf("  total: %.0f call%s, %.0f bytes\n", total_calls, total_calls == 1 ? "" : "s",
         bytes[record->num_sites]);
  fflush(stdout);
}

/* `values` holds a number of calls and then a number of bytes for each site, the latter with their
 * sum behind them, because the busiest device may be another one for each site. */
static bool read_sites(const tessera_program_record *record, const tessera_context *context,
                       double *calls, double *bytes, message *message) {
  double total = 0;
  for (int32_t i = 0; i < record->num_sites; i++) {
    tessera_site_traffic traffic;
    if (tessera_traffic_read(context, record->sites[i], &traffic) != TESSERA_OK)
      return fail_library(message, NULL);
    calls[i] = (double)traffic.calls;
    bytes[i] = (double)traffic.bytes;
    total += bytes[i];
  }
  bytes[record->num_sites] = total;
  return true;
}

bool print_traffic(const tessera_program *program, team *team, message *message) {
  const tessera_program_record *record = tessera_program_get_record(program);
  int64_t count = 2 * (int64_t)record->num_sites + 1;
  double *values = calloc((size_t)count, sizeof(double));
  double *bytes = values ? values + record->num_sites : NULL;
  bool read = values ? read_sites(record, team->context, values, bytes, message)
                     : fail(message, "no memory for the counters");
  /* All ranks or none go into the collective. */
  if (team_first(team, !read) < 0 && values) {
    team_maximum(team, values, count);
    if (team->rank == 0)
      print_sites(record, values, bytes);
  }
  free(values);
  return read;
}
