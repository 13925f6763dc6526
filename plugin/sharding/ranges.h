/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The indices of a dimension that each shard holds or asks for, as ranges: what windows, slices and
 * pads reckon with. It knows shardings and numbers that are known now; it must not know ops. */
#ifndef TESSERA_PLUGIN_SHARDING_RANGES_H
#define TESSERA_PLUGIN_SHARDING_RANGES_H

#include "sharding/sharding.h"

/* From `first` to before `end`. */
typedef struct ts_range {
  int64_t first, end;
} ts_range;

/* A range for each shard of a dimension; NULL in `of` where they are not known. */
typedef struct ts_ranges {
  int64_t num;
  ts_range *of;
  const ts_dim *shards; /* whose shards they are: a dimension that is split so, maybe another one */
} ts_ranges;

/* What shards hold of `dim`, halos included: of a dimension of one factor whose extent, shards,
 * offsets and halo are known. A halo may reach beyond the ends of the dimension. */
ts_ranges ts_dim_ranges(ts_arena *arena, const ts_grid *grid, const ts_dim *dim);

/* The dimension of extent `size`, split as `like` is, whose shards hold at least these ranges: as
 * offsets and a halo behind, balanced if that is the same; or, where they fall from shard to shard,
 * as offsets that fall and a halo before. Where neighbours overlap unevenly a shard holds more.
 * False if no offsets say it, because the ranges neither rise nor fall, or if some shard would
 * reach beyond the ends. */
bool ts_dim_of_ranges(ts_arena *arena, const ts_grid *grid, const ts_dim *like, int64_t size,
                      ts_ranges ranges, ts_dim *dim);

/* The smallest ranges that hold those of both; NULL in `of` if their numbers differ. */
ts_ranges ts_ranges_union(ts_arena *arena, ts_ranges a, ts_ranges b);
/* Every range of `part` lies in that of `whole`. */
bool ts_ranges_contain(ts_ranges whole, ts_ranges part);
bool ts_ranges_equal(ts_ranges a, ts_ranges b);
/* The most indices that a shard has. */
int64_t ts_ranges_longest(ts_ranges ranges);
/* No shard has much more than the longest that is held: of uneven pieces one has one more. */
bool ts_are_as_short(ts_ranges asked, ts_ranges held);

/* Both have one factor, split over the same axes. */
bool ts_dim_splits_alike(const ts_dim *a, const ts_dim *b);

/* Some dimension has explicit offsets, all known now: what `ts_dim_of_ranges` makes. */
bool ts_sharding_has_ranges(const ts_sharding *sharding);
/* Every index is in some shard, so that pieces under any other layout can be made of these. */
bool ts_sharding_has_all(const ts_sharding *sharding);
/* Every device that holds its piece under `whole` has all of its piece under `part`; neither is
 * partial. False says nothing of layouts whose dimensions have several factors and differ. */
bool ts_sharding_contains(ts_arena *arena, const ts_sharding *whole, const ts_sharding *part);
/* The same of what is read of a piece under `part`: in a dimension where `of` of `read` is not NULL
 * only that. NULL: all of it. */
bool ts_sharding_contains_read(ts_arena *arena, const ts_sharding *whole, const ts_sharding *part,
                               const ts_ranges *read);
/* The most elements that a device holds, or lacks of its piece under `to` if it has that under
 * `from`; -1 if it cannot be said. */
double ts_sharding_most_elements(ts_arena *arena, const ts_sharding *layout);
double ts_sharding_lacking(ts_arena *arena, const ts_sharding *from, const ts_sharding *to);
/* The same of several pieces, one by one; `from` NULL: of all that they have. */
double ts_sharding_lacking_each(ts_arena *arena, const ts_sharding *from, int num,
                                const ts_sharding *const *to);
/* Adds what each device lacks of them, `times` as much, to `by_device`, which has a number for each
 * device that is looked at: the first ones of a large grid. False, and nothing is added, if it
 * cannot be said. */
bool ts_sharding_add_lacking(ts_arena *arena, const ts_sharding *from, int num,
                             const ts_sharding *const *to, double times, double *by_device);
int64_t ts_devices_looked_at(const ts_grid *grid);
/* The largest of numbers that are not negative. */
double ts_largest(int64_t num, const double *numbers);

#endif /* TESSERA_PLUGIN_SHARDING_RANGES_H */
