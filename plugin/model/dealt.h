/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Loops whose trips are independent: which places of tensors each trip has to itself. It knows what
 * the ops of such a loop say; it must not know layouts. */
#ifndef TESSERA_PLUGIN_MODEL_DEALT_H
#define TESSERA_PLUGIN_MODEL_DEALT_H

#include "mlir-c/IR.h"

#include "sharding/sharding.h"
#include "support/arena.h"

/* On an scf.for: the axes of the function's grid that its trips are dealt out along, outermost
 * first. From propagation to partition. */
#define TS_DEALT "tessera.dealt"

/* A slice that takes or writes just the trip's own place along dimension `dim`, and other things
 * that are of a tensor whose dimension `dim` the trips go along. */
typedef struct ts_dealt_place {
  MlirOperation op; /* tensor.extract_slice or insert_slice; null of what is no slice */
  MlirValue value;  /* the tensor that it is of */
  int dim;
  bool is_built; /* the loop carries it, and trips write their places of it */
} ts_dealt_place;

/* What each result of the loop is: built place by place, or the trips' parts combined by a kind. */
typedef struct ts_dealt_result {
  ts_reduction sum; /* NONE: built */
  int dim;          /* built: along which */
} ts_dealt_result;

typedef struct ts_dealt {
  MlirOperation loop;
  int64_t extent, step; /* indices of the dimension that trips go along, and of one trip */
  int num_results;
  ts_dealt_result *results;
  int num_slices;
  ts_dealt_place *slices;
  int num_built;
  ts_dealt_place *built; /* all values that are what is built, as it goes through the loop */
} ts_dealt;

/* Whether no trip of `loop`, an scf.for, depends on what others compute: what it carries is built
 * place by place, or a sum of what the trips give. All of `out` is in the arena. */
bool ts_dealt_read(ts_arena *arena, MlirOperation loop, ts_dealt *out);

#endif /* TESSERA_PLUGIN_MODEL_DEALT_H */
