/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* What the stages of one lowering share. It knows which tables there are; it must not know what is
 * in them. */
#ifndef TESSERA_LOWERING_STATE_H
#define TESSERA_LOWERING_STATE_H

#include "capi/capi.h"
#include "lowering/calls/site_records.h"
#include "lowering/calls/wrappers.h"
#include "lowering/entries/entries.h"
#include "lowering/memory/plain.h"
#include "lowering/records.h"

typedef struct ts_lowering_options {
  bool bufferize;   /* or else sites alone are made */
  bool reassociate; /* sums of floats may be added in another order */
  bool approximate; /* f32 functions may be polynomials */
  bool lose_nan;    /* a relu may be 0 for a NaN */
  bool share;       /* buffers that are not in use at the same time share memory */
  ts_entry_options entries;
} ts_lowering_options;

typedef struct ts_lowering {
  ts_lowering_options options;
  const struct ts_target *target;
  MlirOperation module;
  ts_arena *arena;
  /* From the stage memory-collectives on: it gives numbers to what the module has of them. */
  ts_records records;
  ts_wrappers wrappers;
  ts_sites sites;
  ts_entries entries;       /* from the stage entries on */
  ts_plain_functions plain; /* from the stage free to the stage restore */
} ts_lowering;

#endif /* TESSERA_LOWERING_STATE_H */
