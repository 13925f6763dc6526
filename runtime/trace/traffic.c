/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Counters of what each site moved, for the context that asked.
 * It must not know how the bytes of a collective are counted. */
#include <stdlib.h>
#include <string.h>

#include "context/context.h"
#include "support/error.h"
#include "tessera/program.h"

typedef struct counter {
  const tessera_site *site;
  tessera_site_traffic traffic;
} counter;

/* An open hash table by the site's address. */
struct tr_traffic {
  size_t capacity; /* a power of two */
  size_t count;
  counter *counters;
};

static counter *find(const tr_traffic *table, const tessera_site *site) {
  size_t slot = ((uintptr_t)site >> 4) * 0x9e3779b97f4a7c15u >> 20;
  for (;; slot++) {
    counter *counter = &table->counters[slot & (table->capacity - 1)];
    if (!counter->site || counter->site == site)
      return counter;
  }
}

static bool grow(tr_traffic *table) {
  tr_traffic larger = {2 * table->capacity, table->count, NULL};
  larger.counters = calloc(larger.capacity, sizeof(counter));
  if (!larger.counters)
    return false;
  for (size_t i = 0; i < table->capacity; i++)
    if (table->counters[i].site)
      *find(&larger, table->counters[i].site) = table->counters[i];
  free(table->counters);
  *table = larger;
  return true;
}

void tessera_traffic_start(tessera_context *context) {
  enum { FIRST_CAPACITY = 64 };
  tr_traffic_free(context);
  tr_traffic *table = calloc(1, sizeof(*table));
  if (!table)
    return;
  *table = (tr_traffic){FIRST_CAPACITY, 0, calloc(FIRST_CAPACITY, sizeof(counter))};
  if (table->counters)
    context->traffic = table;
  else
    free(table);
}

tessera_status tessera_traffic_read(const tessera_context *context, const tessera_site *site,
                                    tessera_site_traffic *traffic) {
  memset(traffic, 0, sizeof(*traffic));
  if (!context->traffic)
    return tr_fail(TESSERA_ERROR_INVALID_ARGUMENT, "traffic is not being counted");
  const counter *counter = find(context->traffic, site);
  if (counter->site)
    *traffic = counter->traffic;
  return TESSERA_OK;
}

/* Sites that no program's table lists may live on a stack: their address says nothing. */
void tr_traffic_add(tessera_context *context, const tessera_site *site, uint64_t bytes) {
  tr_traffic *table = context->traffic;
  if (!table || site->index < 0)
    return;
  if (2 * table->count >= table->capacity && !grow(table))
    return;
  counter *counter = find(table, site);
  table->count += !counter->site;
  counter->site = site;
  counter->traffic.calls++;
  counter->traffic.bytes += bytes;
}

void tr_traffic_free(tessera_context *context) {
  if (context->traffic)
    free(context->traffic->counters);
  free(context->traffic);
  context->traffic = NULL;
}
