/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* A resharding reduced to what changes: plain dimensions and lists of axes in fixed memory, so
 * that its cost can be asked often. Shared by the files of this folder alone. It knows numbers;
 * it must not know ops. */
#ifndef TESSERA_PLUGIN_RESHARD_PROBLEM_H
#define TESSERA_PLUGIN_RESHARD_PROBLEM_H

#include "reshard/reshard.h"

enum {
  /* So many dimensions that stay are listed with those that change where a partial value may be cut
   * along them. */
  TS_MAX_LISTED = 4,
  /* A dimension that changes is split on one side at least, and each side has so many axes. */
  TS_MAX_CHANGING = 2 * TS_MAX_AXES + TS_MAX_LISTED,
  /* Every move adds an axis for good, takes axes from one dimension for good, or ends a kind; on
   * two ways, one behind the other. */
  TS_MAX_MOVES = 8 * TS_MAX_AXES
};

/* Axes that split a dimension, outermost first; none of extent 1. */
typedef struct ts_axis_list {
  int8_t num;
  int8_t axes[TS_MAX_AXES];
} ts_axis_list;

typedef struct ts_problem {
  const ts_grid *grid;
  /* The dimensions that change, of the expanded tensor; some may be the same on both sides. */
  int num;
  int64_t sizes[TS_MAX_CHANGING];
  int where[TS_MAX_CHANGING]; /* the expanded tensor's dimension */
  ts_axis_list from[TS_MAX_CHANGING], to[TS_MAX_CHANGING];
  double others; /* elements per device of the product of all other dimensions */
  ts_axes fixed; /* axes that split dimensions which do not change */
  /* Some dimension changes in a way that only an exchange can bring about; `others` has it as it is
   * before, `others_after` as it is then. */
  bool needs_exchange;
  double others_after;
  double lacking; /* elements that some device lacks then; -1 if it cannot be said */
  /* Partial axes: to be completed, kept partial, and to be made partial at the end. */
  ts_axes complete, carried, make;
  int8_t kind_from[TS_MAX_AXES], kind_to[TS_MAX_AXES]; /* ts_reduction by axis */
  /* How the tensor is expanded, and both ends in that form without partial axes; if asked for. */
  int rank;
  int *pieces;
  const ts_sharding *expanded_from, *expanded_to;
} ts_problem;

typedef enum ts_expansion { TS_NUMBERS_ONLY, TS_WITH_LAYOUTS } ts_expansion;

/* Compares both ends. */
void ts_problem_make(ts_arena *arena, const ts_sharding *from, const ts_sharding *to,
                     ts_expansion expansion, ts_problem *problem);

/* ---- what devices hold ----------------------------------------------------------------------- */

/* The axes that split dimensions if `lists` split those listed. */
ts_axes ts_axes_used(const ts_problem *problem, const ts_axis_list *lists);
/* Product of the extents of `num` axes, or TS_DYNAMIC. */
int64_t ts_axes_shards(const ts_grid *grid, int num, const int8_t *axes);
/* The shards that the first `keep` axes of `list` make of changing dimension `d` are unions of
 * those that the whole list makes. */
bool ts_list_nests(const ts_problem *problem, int d, const ts_axis_list *list, int keep);
/* Elements that the largest device holds if `lists` split the changing dimensions. */
double ts_elements_held(const ts_problem *problem, const ts_axis_list *lists);
/* Elements that the largest device holds in the end. */
double ts_elements_wanted(const ts_problem *problem);
/* Elements that some device, the one that needs most, lacks to go from `before` to `after`. */
double ts_elements_lacking(const ts_problem *problem, const ts_axis_list *before,
                           const ts_axis_list *after);

#endif /* TESSERA_PLUGIN_RESHARD_PROBLEM_H */
