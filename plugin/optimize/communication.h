/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* A collective on tensors as the transformations look at it: its row, group and dimensions. It
 * knows ops and the table of collectives; it must not know what is made of them. */
#ifndef TESSERA_PLUGIN_OPTIMIZE_COMMUNICATION_H
#define TESSERA_PLUGIN_OPTIMIZE_COMMUNICATION_H

#include "collectives/collectives.h"
#include "sharding/sharding.h"
#include "support/arena.h"
#include "support/ir.h"

enum { TS_NO_DIM = -1 };

/* A collective over the axes of a group. */
typedef struct ts_communication {
  MlirOperation op;
  const ts_collective *row;
  MlirAttribute grid; /* its name */
  int num_axes;
  int axes[TS_MAX_AXES]; /* outermost first */
  ts_axes set;           /* the same */
  int joined, cut;       /* dimensions; TS_NO_DIM */
} ts_communication;

/* False if `op` is null, no collective over the axes of a group, or not on tensors. */
bool ts_communication_read(MlirOperation op, ts_communication *out);
/* The same of the op that defines `value`. */
bool ts_communication_of(MlirValue value, ts_communication *out);

MlirValue ts_communication_input(const ts_communication *c);
MlirValue ts_communication_result(const ts_communication *c);

/* Over the axes of one group, in the same order. */
bool ts_same_group(const ts_communication *a, const ts_communication *b);
/* On one grid and over no axis of the other's. */
bool ts_is_apart(const ts_communication *a, const ts_communication *b);

/* A collective that reads or writes memory, which may change between two of them though the ops say
 * nothing of effects. */
bool ts_communicates_memory(MlirOperation op);

/* A copy of `c` at `before` (which may be its own op) that takes `input` and gives `type`. */
MlirValue ts_communication_again(const ts_communication *c, MlirOperation before, MlirValue input,
                                 MlirType type);
/* `tensor` with `extent` as its dimension `dim`. */
MlirType ts_with_extent(MlirType tensor, int dim, int64_t extent);
/* The bytes of a tensor, extents that only the launch knows counted as the planner of layouts does.
 */
double ts_tensor_bytes(MlirType tensor);

/* Lets `kept` say why there is `dropped`, too. */
void ts_causes_join(ts_arena *arena, MlirOperation kept, MlirOperation dropped);

#endif /* TESSERA_PLUGIN_OPTIMIZE_COMMUNICATION_H */
