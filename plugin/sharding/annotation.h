/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Shardings in IR: shard.grid, shard.sharding and shard.shard with their tessera.* attributes, and
 * the tessera.layout dictionary. It knows the notation; it must not know where shardings come from.
 */
#ifndef TESSERA_PLUGIN_SHARDING_ANNOTATION_H
#define TESSERA_PLUGIN_SHARDING_ANNOTATION_H

#include "mlir-c/IR.h"

#include "numbers/program_numbers.h"
#include "sharding/openness.h"
#include "sharding/sharding.h"
#include "support/map.h"

/* All shard.grid ops of a module by name. */
typedef struct ts_grids {
  ts_arena *arena;
  int num;
  const ts_grid **grids;
  const ts_grid **refined; /* by grid: what it names, or itself */
  MlirOperation *ops;
  ts_map read; /* shard.sharding -> what it was read as last, for annotations that share it */
  ts_numbers numbers; /* that only the launch knows, of the annotations read */
} ts_grids;

/* Reads a shard.grid that has a name and a shape; false after a diagnostic at it: too many axes, an
 * extent below 1, more devices than ranks can be. */
bool ts_grid_read(ts_arena *arena, MlirOperation op, ts_grid *grid);
/* Collects the module's grids; false after a diagnostic (a grid of too many axes, one that is
 * refined by no finer one). */
bool ts_grids_collect(ts_grids *grids, ts_arena *arena, MlirOperation module);
/* The grid called `name` (no '@'), or NULL. */
const ts_grid *ts_grids_find(const ts_grids *grids, MlirStringRef name);
/* What functions whose annotations are on `grid` are on: what its `tessera.refined` names, and so
 * on, or itself. */
const ts_grid *ts_grids_refined(const ts_grids *grids, const ts_grid *grid);
/* The attribute's name. */
#define TS_REFINED "tessera.refined"

/* Reads the annotation `op`, a shard.shard, for its tensor's shape. NULL after a located error that
 * names the mistake. `openness` is how the layout may grow; NULL to read no such thing. */
const ts_sharding *ts_annotation_read(ts_grids *grids, MlirOperation op, ts_openness *openness);
/* Its attributes of numbers. */
extern const char ts_halos_name[], ts_offsets_name[];

/* The shard.sharding that the annotation names, or null. */
MlirOperation ts_annotation_source(MlirOperation annotation);
/* The grid that the annotation `op` names, or NULL, of whatever is wrong with it. */
const ts_grid *ts_annotation_grid(const ts_grids *grids, MlirOperation op);

/* Writes annotations into one function. Annotations that say the same share one shard.sharding, at
 * the start of the entry block; those with numbers that only the launch knows, which may not be
 * known there, have one each. */
typedef struct ts_annotation_writer {
  ts_arena *arena;
  MlirBlock entry;
  MlirOperation last; /* the last shard.sharding written; null before the first */
  ts_map shardings;   /* attribute dictionary -> shard.sharding */
  /* The last few written, because neighbours tend to say the same. */
  struct {
    const ts_sharding *sharding;
    MlirOperation op;
  } recent[4];
  unsigned num_recent;
} ts_annotation_writer;

/* Builds a shard.shard of `value` before `before` in `block`; returns its result. */
typedef enum ts_annotation_for { TS_FOR_DEFINITION, TS_FOR_USERS } ts_annotation_for;
MlirValue ts_annotation_write(ts_annotation_writer *writer, MlirBlock block, MlirOperation before,
                              MlirLocation location, MlirValue value, const ts_sharding *sharding,
                              ts_annotation_for what);

/* Has the annotation `op` say `sharding`, to which it is held from then on. */
void ts_annotation_hold(ts_annotation_writer *writer, MlirOperation op,
                        const ts_sharding *sharding);

/* A halo size or offset that only the launch knows is kDynamic in a dictionary and -1 in words.
 *
 * tessera.layout: {grid = @g, global = tensor<16x64xf32>, factors = [[[16, [0]]], [[64, []]]],
 *  halo = array<i64: ...> if any, offsets = [array<i64: ...>, ...] if any,
 *  partial = [[axis, #shard<partial sum>], ...] if any}. */
MlirAttribute ts_layout_to_attribute(ts_arena *arena, MlirContext context,
                                     const ts_sharding *sharding, MlirType global_type);
/* The other way round; NULL, and what is wrong in `*mistake`, if `attribute` is no such dictionary
 * or does not fit its grid and type. */
const ts_sharding *ts_layout_from_attribute(ts_grids *grids, MlirAttribute attribute,
                                            MlirType *global_type, const char **mistake);
/* Layout words as runtime.h defines them. Returns their number; `words` may be NULL to ask for it.
 */
int64_t ts_layout_to_words(const ts_sharding *sharding, int64_t *words);

/* Prints "[[0], []] partial sum over 1" and the like, for diagnostics. */
const char *ts_sharding_text(ts_arena *arena, const ts_sharding *sharding);

#endif /* TESSERA_PLUGIN_SHARDING_ANNOTATION_H */
