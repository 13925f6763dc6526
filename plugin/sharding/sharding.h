/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The sharding of one tensor on a grid, as a value: factors, halos, offsets, partial axes. It knows
 * numbers only; reading and writing IR is annotation.h's. */
#ifndef TESSERA_PLUGIN_SHARDING_SHARDING_H
#define TESSERA_PLUGIN_SHARDING_SHARDING_H

#include <stdbool.h>
#include <stdint.h>

#include "numbers/number.h"
#include "support/arena.h"

enum { TS_MAX_AXES = 16 }; /* axes of one grid */

typedef uint32_t ts_axes; /* a set of grid axes, bit a for axis a */

/* A device grid. Extents are TS_DYNAMIC where they come from the launch. */
typedef struct ts_grid {
  const char *name; /* symbol without '@' */
  int rank;
  int64_t shape[TS_MAX_AXES];
} ts_grid;

/* Checks one axis and enters it in `seen`; what is wrong with it, or NULL. */
const char *ts_axis_mistake(ts_arena *arena, const ts_grid *grid, int axis, ts_axes *seen);

/* The grid's devices, or TS_DYNAMIC. */
int64_t ts_grid_devices(const ts_grid *grid);

/* Reductions, numbered as in the runtime's tessera_reduction. */
typedef enum ts_reduction {
  TS_REDUCTION_NONE = 0,
  TS_SUM = 1,
  TS_MAX = 2,
  TS_MIN = 3,
  TS_PRODUCT = 4,
  TS_AVERAGE = 5,
  TS_AND = 6,
  TS_OR = 7,
  TS_XOR = 8,
  TS_UMAX = 9,
  TS_UMIN = 10,
  TS_MAXNUM = 11,
  TS_MINNUM = 12
} ts_reduction;

/* Combining a value with itself changes nothing: what takes part on every device counts as if it
 * took part once. */
static inline bool ts_is_idempotent(ts_reduction kind) {
  return kind != TS_REDUCTION_NONE && kind != TS_SUM && kind != TS_PRODUCT && kind != TS_AVERAGE &&
         kind != TS_XOR;
}

/* A factor of a dimension: `size` consecutive indices (TS_DYNAMIC: of a dynamic dimension) split
 * over `axes`, outermost first. Not split: num_axes == 0. */
typedef struct ts_factor {
  int64_t size;
  int8_t num_axes;
  int8_t axes[TS_MAX_AXES];
} ts_factor;

/* One dimension: factors, outermost first, whose sizes multiply to its extent; at least one, and at
 * most one of a size that is not known. In
 * normal form (ts_dim_normal) adjacent factors that together are a plain one are merged. */
typedef struct ts_dim {
  int num_factors;
  const ts_factor *factors;
  ts_number halo[2];        /* rows before and after, on every shard */
  const ts_number *offsets; /* shards + 1 explicit offsets, or NULL: balanced */
  bool is_part;             /* those that only the launch knows need not reach the ends: of what an
                               exchange brings */
} ts_dim;

typedef struct ts_partial {
  int axis;
  ts_reduction kind;
} ts_partial;

/* Immutable once made; members live in the arena of the pass. `partial` is ordered by axis. */
typedef struct ts_sharding {
  const ts_grid *grid;
  int rank;
  const ts_dim *dims;
  int num_partial;
  const ts_partial *partial;
} ts_sharding;

/* The greatest common divisor of two numbers that are not negative. */
int64_t ts_gcd(int64_t a, int64_t b);

/* ---- making ---------------------------------------------------------------------------------- */

/* Whole on every device. `shape` has `rank` extents. */
const ts_sharding *ts_sharding_replicated(ts_arena *arena, const ts_grid *grid, int rank,
                                          const int64_t *shape);
/* A dimension of one factor. */
ts_dim ts_dim_plain(ts_arena *arena, int64_t size, int num_axes, const int8_t *axes);
/* Factor lists joined, outermost first. */
ts_dim ts_dim_of_factors(ts_arena *arena, int num_factors, const ts_factor *factors);
/* The same layout with as few factors as say it (on `grid`). Halos and offsets are kept. */
ts_dim ts_dim_normal(ts_arena *arena, const ts_grid *grid, const ts_dim *dim);
/* `sharding` with every dimension in normal form, without extent-1 factors and extent-1 axes. */
const ts_sharding *ts_sharding_normal(ts_arena *arena, const ts_sharding *sharding);
/* `sharding` with other partial axes. */
const ts_sharding *ts_sharding_with_partial(ts_arena *arena, const ts_sharding *sharding,
                                            int num_partial, const ts_partial *partial);
/* `layout` without partial axes. */
const ts_sharding *ts_completed(ts_arena *arena, const ts_sharding *layout);
/* `layout` with partial axes `axes` of `kind` added to those it has. */
const ts_sharding *ts_add_partial(ts_arena *arena, const ts_sharding *layout, ts_axes axes,
                                  ts_reduction kind);
/* `dim`, or `layout`, split over none of `axes`. */
ts_dim ts_dim_without(ts_arena *arena, const ts_grid *grid, const ts_dim *dim, ts_axes axes);
const ts_sharding *ts_sharding_without(ts_arena *arena, const ts_sharding *layout, ts_axes axes);
/* `sharding` with dimension `d` replaced. */
const ts_sharding *ts_sharding_with_dim(ts_arena *arena, const ts_sharding *sharding, int d,
                                        ts_dim dim);

/* `sharding` without halos and explicit offsets; itself if it has none. */
const ts_sharding *ts_sharding_balanced(ts_arena *arena, const ts_sharding *sharding);

/* Whether `fine` has the devices of `coarse` in the same order, each axis of it as one or several
 * (8 as 2x4). Both have static shapes; no grid refines itself. */
bool ts_grid_refines(const ts_grid *fine, const ts_grid *coarse);
/* `sharding` on a grid that refines its own; NULL if `fine` does not. Halos and offsets are kept.
 */
const ts_sharding *ts_sharding_refined(ts_arena *arena, const ts_sharding *sharding,
                                       const ts_grid *fine);
/* `sharding` on `grid`, which is its own or refines that; NULL if it is neither. */
const ts_sharding *ts_sharding_on(ts_arena *arena, const ts_sharding *sharding,
                                  const ts_grid *grid);
/* The same axes of a grid that refines theirs. */
ts_axes ts_axes_refined(ts_axes axes, const ts_grid *coarse, const ts_grid *fine);

/* A copy of all of it. */
const ts_sharding *ts_sharding_copy(ts_arena *arena, const ts_sharding *sharding);
ts_dim ts_dim_copy(ts_arena *arena, const ts_grid *grid, const ts_dim *dim);

/* Cuts a dimension's factors at the extents `sizes` (num of them, outermost first; their product is
 * the dimension's extent): lists[i] becomes a dimension of extent sizes[i]. A factor that crosses a
 * cut is split if its axes fall on one side of it ((a*b)@X gives a@X, b where |X| divides a); axes
 * that cannot be kept are dropped and returned. Halos and offsets are ignored. */
ts_axes ts_dim_split(ts_arena *arena, const ts_grid *grid, const ts_dim *dim, int num,
                     const int64_t *sizes, ts_dim *lists);
/* The extents between all factor borders of `a` and `b`, outermost first, and how many they are: 0
 * if they do not nest, or not for every extent that is not known. */
int ts_dim_common_cuts(ts_arena *arena, const ts_dim *a, const ts_dim *b, int64_t **sizes);
/* `dim` as a dimension of `extent` writes it (TS_DYNAMIC: one factor becomes unknown); unsplit if
 * the factors do not fit. An operand's type may know an extent that another's does not. */
ts_dim ts_dim_sized(ts_arena *arena, const ts_dim *dim, int64_t extent);
/* The dimension whose factors are those of `parts`, outermost first, in normal form. */
ts_dim ts_dim_join(ts_arena *arena, const ts_grid *grid, int num, const ts_dim *const *parts);

/* ---- asking ---------------------------------------------------------------------------------- */

ts_axes ts_dim_axes(const ts_dim *dim);
ts_axes ts_sharding_split_axes(const ts_sharding *sharding);
ts_axes ts_sharding_partial_axes(const ts_sharding *sharding);
bool ts_dim_is_split(const ts_dim *dim);
/* Some device may have a part of it: it is split, or has explicit offsets, which may be those of
 * one shard. */
bool ts_dim_is_cut(const ts_dim *dim);
bool ts_dim_has_halo(const ts_dim *dim);
/* It has no explicit offsets, or such as balanced shards have anyway. */
bool ts_dim_is_balanced(const ts_grid *grid, const ts_dim *dim);
/* No split with more than one shard, no partial axis with more than one device. */
bool ts_sharding_is_replicated(const ts_sharding *sharding);
/* The same partial axes of the same kinds. */
bool ts_partial_equal(const ts_sharding *a, const ts_sharding *b);
/* Same member by member; numbers of which nothing is known are never the same. */
bool ts_dim_equal(const ts_dim *a, const ts_dim *b);
bool ts_sharding_equal(const ts_sharding *a, const ts_sharding *b);
/* Same data on every device, however it is written: compares normal forms and offset functions. */
bool ts_sharding_equivalent(ts_arena *arena, const ts_sharding *a, const ts_sharding *b);

/* Number of shards of a factor: the product of its axes' extents, or TS_DYNAMIC. */
int64_t ts_factor_shards(const ts_grid *grid, const ts_factor *factor);
int64_t ts_dim_shards(const ts_grid *grid, const ts_dim *dim);
/* There is an index for each of `shards`; false where that is not known. */
bool ts_fills_shards(int64_t size, int64_t shards);
/* The factor along whose axes the dimension is split as one: the only factor; or, if borders of
 * pieces may move for that, the outermost where no other is split. NULL if there is none. */
const ts_factor *ts_dim_as_one(const ts_grid *grid, const ts_dim *dim, bool moves_borders);
int64_t ts_dim_size(const ts_dim *dim);
/* The halo sizes and offsets that only the launch knows, in order: dimension by dimension, halo
 * before offsets. Returns their number; `numbers` may be NULL to ask for it. */
int64_t ts_sharding_run_time(const ts_sharding *sharding, ts_number *numbers);
/* Every shard of the factor has the same size, known now. */
bool ts_factor_even(const ts_grid *grid, const ts_factor *factor);
/* The local extent that all devices share (halos included), or TS_DYNAMIC if devices differ or it
 * is known only at run time. */
int64_t ts_dim_local_size(const ts_grid *grid, const ts_dim *dim);

/* First index of shard i of n indices over p balanced shards: the last n mod p are one larger. */
int64_t ts_balanced_offset(int64_t n, int64_t p, int64_t i);

/* Elements that the largest device holds, for costs; dynamic extents count as 1024. */
double ts_sharding_local_elements(const ts_sharding *sharding);

/* Mistakes that upstream's verifiers let through: NULL if the sharding fits `shape`, else what was
 * found and what was expected (in the arena). */
const char *ts_sharding_mistake(ts_arena *arena, const ts_sharding *sharding, int rank,
                                const int64_t *shape);
/* The same of one whose offsets need not be those of all indices. */
const char *ts_sharding_mistake_of_part(ts_arena *arena, const ts_sharding *sharding, int rank,
                                        const int64_t *shape);

#endif /* TESSERA_PLUGIN_SHARDING_SHARDING_H */
