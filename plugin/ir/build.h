/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The one place where ops are created: by name, and the ones of func, memref, arith and the LLVM
 * dialect that many need. It knows how to say things in IR; it must not know what they are for. */
#ifndef TESSERA_PLUGIN_IR_BUILD_H
#define TESSERA_PLUGIN_IR_BUILD_H

#include <stdbool.h>
#include <stdint.h>

#include "support/ir.h"

enum { TS_MAX_RANK = 32 }; /* dimensions of one tensor */

/* Where to build: before `before` in `block`, or at the block's end if `before` is null. */
typedef struct ts_maker {
  MlirContext context;
  MlirLocation location;
  MlirBlock block;
  MlirOperation before;
} ts_maker;

/* Builds before `op`, at its location. */
ts_maker ts_make_before(MlirOperation op);
/* Builds at the end of `block`. */
ts_maker ts_make_at_end(MlirBlock block, MlirLocation location);

/* Puts `op`, which is in no block, there. */
void ts_insert(const ts_maker *build, MlirOperation op);

/* The arguments of an operation to be built. Unset members mean none. */
typedef struct ts_new_op {
  const char *name;
  intptr_t num_operands;
  const MlirValue *operands;
  intptr_t num_results;
  const MlirType *results;
  intptr_t num_attributes;
  const MlirNamedAttribute *attributes;
  MlirRegion region; /* null: no region; owned by the new op */
  MlirRegion second; /* null: no second one; the other branch of an scf.if, which may be empty */
} ts_new_op;

MlirOperation ts_make_op(const ts_maker *build, const ts_new_op *op);
/* The same for an op of one result. */
MlirValue ts_make_value(const ts_maker *build, const char *name, intptr_t num_operands,
                        const MlirValue *operands, MlirType result, intptr_t num_attributes,
                        const MlirNamedAttribute *attributes);

/* An op of two values of one type, which is its result's too. */
MlirValue ts_make_binary(const ts_maker *build, const char *name, MlirValue a, MlirValue b);

/* i1: a comparison by the op `name` (arith.cmpi, arith.cmpf, llvm.icmp), by its dialect's number of
 * the predicate. */
MlirValue ts_make_compare(const ts_maker *build, const char *name, int64_t predicate, MlirValue a,
                          MlirValue b);
/* Of an i1. */
MlirValue ts_make_not(const ts_maker *build, MlirValue condition);
MlirValue ts_make_select(const ts_maker *build, MlirValue condition, MlirValue a, MlirValue b);

/* A branch of an scf.if: a block without a terminator, and the value that it ends with. */
typedef struct ts_arm {
  MlirBlock block;
  MlirValue value;
} ts_arm;
/* An scf.if of one result. Takes the blocks. */
MlirValue ts_make_branch(const ts_maker *build, MlirValue condition, const ts_arm *then,
                         const ts_arm *otherwise);

/* ---- attributes ------------------------------------------------------------------------------ */

MlirAttribute ts_text_attribute(MlirContext context, const char *text);
MlirAttribute ts_symbol_attribute(MlirContext context, const char *symbol);
MlirAttribute ts_int_attribute(MlirType type, int64_t value);

/* ---- values ---------------------------------------------------------------------------------- */

/* arith.constant of a typed attribute. */
MlirValue ts_make_constant(const ts_maker *build, MlirAttribute value);
MlirValue ts_make_index(const ts_maker *build, int64_t value);
/* linalg.fill of a new tensor of this static type with the scalar. */
MlirValue ts_make_fill(const ts_maker *build, MlirValue scalar, MlirType type);
/* llvm.mlir.constant of an integer type. */
MlirValue ts_make_llvm_int(const ts_maker *build, int bits, int64_t value);
MlirValue ts_make_cast(const ts_maker *build, MlirValue value, MlirType type); /* unrealized */
MlirValue ts_make_address_of(const ts_maker *build, const char *symbol);
/* Member `position` of a struct of the LLVM dialect, of type `type`. */
MlirValue ts_make_extract_value(const ts_maker *build, MlirValue from, int64_t position,
                                MlirType type);
/* `into` with the member at `position`, a path of `depth` numbers, changed to `value`. */
MlirValue ts_make_insert_value(const ts_maker *build, MlirValue into, MlirValue value,
                               intptr_t depth, const int64_t *position);
/* memref.cast unless the types agree. */
MlirValue ts_make_memref_cast(const ts_maker *build, MlirValue memref, MlirType type);
/* The size of dimension `d` of a memref or tensor: a constant where the type says it. */
MlirValue ts_make_size(const ts_maker *build, MlirValue shaped, int64_t d);
/* The sizes of its dynamic dimensions, in order, in `sizes`. Returns their number. */
intptr_t ts_make_dynamic_sizes(const ts_maker *build, MlirValue shaped,
                               MlirValue sizes[TS_MAX_RANK]);
/* New memory of `type`, which has the shape of `memref`, and its elements. */
MlirValue ts_make_copy(const ts_maker *build, MlirValue memref, MlirType type);
void ts_make_call(const ts_maker *build, const char *callee, intptr_t num_operands,
                  const MlirValue *operands);
void ts_make_llvm_call(const ts_maker *build, const char *callee, intptr_t num_operands,
                       const MlirValue *operands);
MlirValue ts_make_llvm_call_value(const ts_maker *build, const char *callee, intptr_t num_operands,
                                  const MlirValue *operands, MlirType result);

/* ---- types ----------------------------------------------------------------------------------- */

MlirType ts_pointer_type(MlirContext context);
MlirType ts_i32_type(MlirContext context);
MlirType ts_i64_type(MlirContext context);
/* memref<?x?xT, strided<[?, ?], offset: ?>>: any memory of this rank and element type. */
MlirType ts_any_strides_type(MlirType element, int64_t rank);
/* Is memory of this memref type contiguous, in row-major order? */
bool ts_is_identity_memref(MlirType memref);
/* memref<shape> of a ranked tensor or memref type, with the identity layout. */
MlirType ts_identity_memref_type(MlirType shaped);
/* What a memref value becomes in the LLVM dialect: !llvm.struct<(ptr, ptr, i64, array<r x i64>,
 * array<r x i64>)>, without the arrays for rank 0. */
MlirType ts_descriptor_type(MlirContext context, int64_t rank);

/* What a value of this type is in the LLVM dialect. */
MlirType ts_llvm_type(MlirType type);

#endif /* TESSERA_PLUGIN_IR_BUILD_H */
