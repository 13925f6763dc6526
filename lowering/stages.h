/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The stages of tessera-lower: their order, and running them. It knows which stage needs which; it
 * must not know how any works. */
#ifndef TESSERA_LOWERING_STAGES_H
#define TESSERA_LOWERING_STAGES_H

#include "lowering/state.h"

/* Places in the order where a target has stages of its own. */
typedef enum ts_slot {
  TS_NO_SLOT,
  TS_ON_TENSORS,
  TS_ON_MEMORY,
  TS_ON_KERNELS, /* behind their forming */
  TS_ON_PROGRAM, /* when all of its code is there, before its record */
  TS_NUM_SLOTS
} ts_slot;

/* Which lowerings a stage is part of. */
typedef enum ts_part {
  TS_TO_MEMORY,  /* those that bufferize */
  TS_SITES_ONLY, /* those that leave it to others */
  TS_EITHER
} ts_part;

typedef struct ts_stage {
  const char *name; /* "fuse": in dumps, timing, and for tesserac --print-after */
  const char *what; /* one line */
  /* One of these does it; the latter two are false after diagnostics. */
  const char *passes; /* upstream's, as a pipeline text on builtin.module */
  void (*rewrite)(MlirOperation module);
  bool (*attempt)(MlirOperation module);
  bool (*run)(ts_lowering *lowering);
  ts_slot slot; /* or else the target's stages stand here */
  ts_part part;
  /* Whether there is anything to do; NULL: always. */
  bool (*needed)(const ts_lowering *lowering);
} ts_stage;

typedef struct ts_stage_list {
  int num;
  const ts_stage *stages;
} ts_stage_list;

/* Stage `i` of a lowering for `target`, NULL behind the last one. */
const ts_stage *ts_stage_at(const struct ts_target *target, int i);

/* Runs all stages in order, each as a pass inside `pass`; false after diagnostics. */
bool ts_stages_run(ts_active_pass *pass, ts_lowering *lowering);

/* Inserts the dialects that upstream's passes among the stages need. */
void ts_stages_insert_dialects(const struct ts_target *target, MlirDialectRegistry registry);

#endif /* TESSERA_LOWERING_STAGES_H */
