/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Scalar code of a kernel: numbers of sizes and strides, and an op's body for one element. It knows
 * nests; it must not know the loops around. */
#ifndef TESSERA_LOWERING_TARGETS_BODY_H
#define TESSERA_LOWERING_TARGETS_BODY_H

#include "ir/build.h"
#include "lowering/kernels/kernel.h"
#include "support/map.h"

/* A kernel whose code is written. */
typedef struct ts_emitter {
  const ts_kernel *kernel;
  ts_arena *arena;
  MlirContext context;
  MlirAttribute nsw;
  MlirValue *symbols; /* by number */
  MlirValue *memory;  /* by pointer: a memref of one dimension */
  ts_map map;         /* values outside the kernel -> the same inside */
  MlirValue tile_starts[TS_NEST_LOOPS];
  int split;          /* the loop of which this code does steps `from` to `to`; -1: none */
  MlirValue from, to; /* index values */
} ts_emitter;

/* From now on `value` of outside the kernel is `inside`. */
void ts_body_know(ts_emitter *e, MlirValue value, MlirValue inside);
/* What a value of outside is inside: constants are made anew. */
MlirValue ts_body_value(ts_emitter *e, const ts_maker *build, MlirValue value);

/* An op of two index values that does not overflow. */
MlirValue ts_body_arithmetic(ts_emitter *e, const ts_maker *build, const char *name, MlirValue a,
                             MlirValue b);
MlirValue ts_body_number(ts_emitter *e, const ts_maker *build, const ts_product *product);
/* sum + iv * stride. `sum` may be null: 0. */
MlirValue ts_body_advance(ts_emitter *e, const ts_maker *build, MlirValue sum, MlirValue iv,
                          const ts_product *stride);

/* The body for one element: `arguments` are its block's, `indices` those of the loops that it asks
 * for, by access. Comparisons that pick steps have picked this one. Stores what it yields in
 * `results`. */
void ts_body_emit(ts_emitter *e, const ts_maker *build, const ts_nest *nest,
                  const MlirValue *arguments, const MlirValue *indices, MlirValue *results);

/* The step that `pick` picks of its loop, as an index value, modulo 2^pick->bits: of the arguments
 * and indices that it needs. */
MlirValue ts_body_emit_pick(ts_emitter *e, const ts_maker *build, const ts_nest *nest,
                            const MlirValue *arguments, const MlirValue *indices,
                            const ts_pick *pick);

/* Contiguous memory of one dimension. */
MlirType ts_body_flat_type(MlirType element, int64_t size);
/* A memref that begins at `pointer`. Code that loads and stores asks its descriptor for nothing
 * else: of one dimension, it has no offset and stride 1. */
MlirValue ts_body_flat_memref(const ts_maker *build, MlirValue pointer, MlirType element);

/* The order in which `add` adds is free. */
bool ts_body_may_reorder(MlirOperation add);
/* `user` is the one use of `value`. */
bool ts_body_is_only_use(MlirValue value, MlirOperation user);

#endif /* TESSERA_LOWERING_TARGETS_BODY_H */
