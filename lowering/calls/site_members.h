/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* What a site record says of its op. It must not know which ops there are. */
#ifndef TESSERA_LOWERING_CALLS_SITE_MEMBERS_H
#define TESSERA_LOWERING_CALLS_SITE_MEMBERS_H

#include "lowering/calls/site_records.h"

/* The members of tessera_site that an op decides, as symbols and numbers. */
typedef struct ts_site_members {
  uint32_t kind;
  MlirStringRef name;
  const ts_grid *grid;
  intptr_t num_axes;
  int32_t axes[TS_MAX_AXES];
  int32_t input_rank, output_rank, input_type, output_type, reduction;
  uint32_t flags;
  int32_t axis, concat_axis;
  int64_t offset;
  const char *from, *to;
} ts_site_members;

/* The symbol of a new record; its place in the source and its cause are those of `location`. */
const char *ts_sites_add(ts_sites *sites, MlirLocation location, const ts_site_members *site);

#endif /* TESSERA_LOWERING_CALLS_SITE_MEMBERS_H */
