/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Building IR for one partitioned function: index arithmetic, this device's coordinates, local
 * sizes and offsets of shardings. It knows how to say things in IR; it must not know what to say.
 */
#ifndef TESSERA_PLUGIN_EMIT_EMIT_H
#define TESSERA_PLUGIN_EMIT_EMIT_H

#include "mlir-c/IR.h"

#include "ir/build.h"
#include "sharding/annotation.h"
#include "sharding/sharding.h"
#include "support/ir.h"

/* Where and what to build. Coordinates and what follows from them alone are built once, at the
 * start of the function's entry block, and found again through `cache`; everything else goes before
 * `before` in `block` (at the block's end if `before` is null) with `location`. */
typedef struct ts_emit {
  ts_arena *arena;
  MlirContext context;
  MlirBlock entry;          /* the function's entry block */
  MlirOperation entry_last; /* the last op built at its start; null before the first */
  struct ts_emit_cached *cache;
  MlirBlock block;
  MlirOperation before;
  MlirLocation location;
} ts_emit;

/* For the function whose entry block is `entry`. */
void ts_emit_init(ts_emit *emit, ts_arena *arena, MlirBlock entry);
/* Builds before `op` from now on, with its location. */
void ts_emit_before(ts_emit *emit, MlirOperation op);
/* Builds after `op` from now on, with its location. */
void ts_emit_after(ts_emit *emit, MlirOperation op);

/* Building elsewhere for a while: from the place that ts_emit_place tells, back to it. */
typedef ts_maker ts_place;
ts_place ts_emit_place(const ts_emit *emit);
/* The place where it was; builds before `op` from now on. */
ts_place ts_place_before(ts_emit *emit, MlirOperation op);
void ts_place_back(ts_emit *emit, ts_place place);

/* Builds at the start of the entry block, after what was built there before, until it
 * is left. */
ts_place ts_emit_enter(ts_emit *emit);
void ts_emit_leave(ts_emit *emit, ts_place place);

/* ---- ops ------------------------------------------------------------------------------------- */

/* Creates `name` at the insertion point; attributes are (name, value) pairs. */
MlirOperation ts_emit_op(ts_emit *emit, const char *name, intptr_t num_operands,
                         const MlirValue *operands, intptr_t num_results, const MlirType *results,
                         intptr_t num_attributes, const MlirNamedAttribute *attributes);

/* index arithmetic; constants are folded, and of null, after an error, comes null. */
MlirValue ts_emit_index(ts_emit *emit, int64_t value);
MlirValue ts_emit_add(ts_emit *emit, MlirValue a, MlirValue b);
MlirValue ts_emit_sub(ts_emit *emit, MlirValue a, MlirValue b);
MlirValue ts_emit_mul(ts_emit *emit, MlirValue a, MlirValue b);
MlirValue ts_emit_div(ts_emit *emit, MlirValue a, MlirValue b); /* unsigned */
MlirValue ts_emit_rem(ts_emit *emit, MlirValue a, MlirValue b); /* unsigned */
MlirValue ts_emit_max(ts_emit *emit, MlirValue a, MlirValue b); /* signed */
MlirValue ts_emit_min(ts_emit *emit, MlirValue a, MlirValue b); /* signed */
/* The compile-time value of an index constant, or TS_DYNAMIC. */
int64_t ts_index_value(MlirValue value);

/* tensor.dim, or a constant where the type says it. */
MlirValue ts_emit_tensor_size(ts_emit *emit, MlirValue tensor, int dim);
/* tensor.cast unless the types agree. */
MlirValue ts_emit_cast(ts_emit *emit, MlirValue tensor, MlirType type);
/* arith.constant; and a scalar of any type that a splat attribute has elements of. */
MlirValue ts_emit_constant(ts_emit *emit, MlirType type, MlirAttribute value);
MlirValue ts_emit_scalar(ts_emit *emit, MlirAttribute value);
MlirValue ts_emit_empty(ts_emit *emit, MlirType type, intptr_t num_sizes, const MlirValue *sizes);
/* tensor.extract_slice with unit strides; sizes and offsets may be constants. */
MlirValue ts_emit_extract_slice(ts_emit *emit, MlirValue tensor, MlirType result,
                                const MlirValue *offsets, const MlirValue *sizes);

/* The whole `slice` written to `into` at `offsets`; `sizes` are the slice's. */
MlirValue ts_emit_insert_slice(ts_emit *emit, MlirValue slice, MlirValue into,
                               const MlirValue *offsets, const MlirValue *sizes);

/* ---- this device ----------------------------------------------------------------------------- */

/* Coordinate of this device along an axis; the extent of an axis. */
MlirValue ts_emit_coordinate(ts_emit *emit, const ts_grid *grid, int axis);
MlirValue ts_emit_extent(ts_emit *emit, const ts_grid *grid, int axis);
/* This device's shard number on a factor: linear over its axes, outermost first. */
MlirValue ts_emit_shard_index(ts_emit *emit, const ts_grid *grid, const ts_factor *factor);
/* First index and number of indices of this device's shard of a factor of extent `size` (null: the
 * factor's own static size). */
MlirValue ts_emit_factor_offset(ts_emit *emit, const ts_grid *grid, const ts_factor *factor,
                                MlirValue size);
MlirValue ts_emit_factor_size(ts_emit *emit, const ts_grid *grid, const ts_factor *factor,
                              MlirValue size);
/* The extent of factor `f`, given the dimension's where that is dynamic. */
MlirValue ts_emit_factor_extent(ts_emit *emit, const ts_dim *dim, int f, MlirValue global);
/* This device's extent of dimension `d`, halo included. `global` is the dimension's global extent
 * where it is dynamic, else null. */
MlirValue ts_emit_local_size(ts_emit *emit, const ts_sharding *sharding, int d, MlirValue global);
/* A halo size or shard offset as an index; null after a located error if it is not known. */
MlirValue ts_emit_number(ts_emit *emit, ts_number number);
/* Number `i` of `table` for this device's shard `i` of `dim`, which has one factor: a constant
 * where all are the same. */
MlirValue ts_emit_by_shard(ts_emit *emit, const ts_grid *grid, const ts_dim *dim,
                           const int64_t *table);
/* The global extent of dimension `d` of the tensor whose piece under `layout` is `local`: what all
 * shards have together. A message where the dimension is split and its extent not known. Null after
 * a located error (a halo of unknown size). */
MlirValue ts_emit_global_size(ts_emit *emit, MlirValue local, const ts_sharding *layout, int d);
/* The same by a message that needs no offset to be known; for a dimension without a halo. */
MlirValue ts_emit_sum_of_sizes(ts_emit *emit, MlirValue local, const ts_sharding *layout, int d);
/* The scalar `value` of all devices that differ on `axes` combined by `kind`, one that `shard`
 * names: a message. */
MlirValue ts_emit_combine(ts_emit *emit, const ts_grid *grid, ts_axes axes, ts_reduction kind,
                          MlirValue value);
/* Behind each other along a new first dimension: `value` of all devices that differ on the axes of
 * `factor`, in the order of its shards, whose number is known. Of one type on all devices. */
MlirValue ts_emit_stack(ts_emit *emit, MlirValue value, const ts_grid *grid,
                        const ts_factor *factor);
/* i1: this device has coordinate 0 on every axis of `axes`. */
MlirValue ts_emit_is_first(ts_emit *emit, const ts_grid *grid, ts_axes axes);

/* Global extents, by the number of a dimension or loop; null after a located error. They are asked
 * for only where they are needed, because one that only the launch knows may cost a message. */
typedef struct ts_extents {
  MlirValue (*get)(void *user, int number);
  void *user;
} ts_extents;

/* ---- types ----------------------------------------------------------------------------------- */

/* The type of a device's piece: dimensions whose extent differs between devices are dynamic. */
MlirType ts_local_type(const ts_sharding *sharding, MlirType global);

/* The value x with kind(x, y) = y as a typed attribute for an element type; null if there is none.
 */
MlirAttribute ts_neutral_element(ts_reduction kind, MlirType element);
/* Whether `value`, a typed attribute, is that for its type; of float sums 0 is, of either sign. */
bool ts_is_neutral_element(ts_reduction kind, MlirAttribute value, MlirType element);
/* A tensor of `type` that holds neutral elements only (complex sums and products too); one size for
 * each dynamic dimension. Null, without a diagnostic, if the reduction has none for the type. */
MlirValue ts_emit_neutral(ts_emit *emit, ts_reduction kind, MlirType type, intptr_t num_sizes,
                          const MlirValue *sizes);

#endif /* TESSERA_PLUGIN_EMIT_EMIT_H */
