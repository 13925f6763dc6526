/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* What each op of a block has to come after, and the order of the block where some of its ops are
 * done as one. It knows values and effects; it must not know which ops these are, or why. */
#ifndef TESSERA_PLUGIN_OPTIMIZE_BLOCK_GRAPH_H
#define TESSERA_PLUGIN_OPTIMIZE_BLOCK_GRAPH_H

#include <stdbool.h>

#include "mlir-c/IR.h"

#include "optimize/plain.h"

/* The ops of a block but for its terminator, by their place. */
typedef struct ts_block_graph {
  int num;
  MlirOperation *ops;
  int *first; /* op i comes after ops before[first[i]] to before[first[i + 1] - 1] */
  int *before;
} ts_block_graph;

/* Ops with effects keep their order, and no op passes one that may communicate in a way that not
 * all devices go. Everything that was built before `block` was changed is void then. */
void ts_block_graph_read(ts_block_graph *graph, ts_arena *arena, ts_plain *plain, MlirBlock block);

/* The groups of one op each, and of several: `group[i]` is the smallest op of the group of op i,
 * itself if it is alone. Stores that op for each group in the order in which they can be done:
 * as they stand, each group where its last op stands, and what needs it just behind. False if the
 * groups wait for each other. */
bool ts_block_graph_order(const ts_block_graph *graph, ts_arena *arena, const int *group, int *num,
                          int *order);

#endif /* TESSERA_PLUGIN_OPTIMIZE_BLOCK_GRAPH_H */
