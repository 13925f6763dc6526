/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Concatenations as insertions. It knows tensor.concat; it must not know who reads it. */
#include "lowering/prepare/concats.h"

#include "ir/element_types.h"
#include "lowering/prepare/composition.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "support/arena.h"

/* Known, and not without elements. */
static bool has_known_size(MlirValue value) {
  MlirType type = mlirValueGetType(value);
  if (!mlirShapedTypeHasStaticShape(type) || mlirShapedTypeGetRank(type) > TS_BOX_RANK)
    return false;
  for (intptr_t d = 0; d < mlirShapedTypeGetRank(type); d++)
    if (mlirShapedTypeGetDimSize(type, d) == 0)
      return false;
  return true;
}

/* The value that is put together, of known size: that of the concatenation, or of a cast of it that
 * is all that uses it. Null if there is none. */
static MlirValue known_result(MlirOperation concat) {
  MlirValue result = mlirOperationGetResult(concat, 0);
  MlirOpOperand use = mlirValueGetFirstUse(result);
  if (has_known_size(result))
    return result;
  if (mlirOpOperandIsNull(use) || !mlirOpOperandIsNull(mlirOpOperandGetNextUse(use)) ||
      !ts_op_is(mlirOpOperandGetOwner(use), "tensor.cast"))
    return (MlirValue){NULL};
  MlirValue cast = mlirOperationGetResult(mlirOpOperandGetOwner(use), 0);
  return has_known_size(cast) ? cast : (MlirValue){NULL};
}

/* Pieces whose lengths along `dim` may be the run's to say: they are put where those before end. */
static bool has_known_pieces(MlirOperation concat, int64_t dim) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(concat); i++) {
    MlirValue piece = mlirOperationGetOperand(concat, i);
    MlirType type = mlirValueGetType(piece);
    for (intptr_t d = 0; d < mlirShapedTypeGetRank(type); d++)
      if (mlirShapedTypeIsDynamicDim(type, d) ? d != dim : mlirShapedTypeGetDimSize(type, d) == 0)
        return false;
  }
  return true;
}

enum {
  MOST_PIECES = 32, /* bufferization compares each insertion with all others, for each of them */
  MOST_SMALL_PIECES = 8,
  SMALL_BYTES = 1 << 20 /* of all: to copy them costs less than that */
};

static bool has_few_pieces(MlirOperation concat, MlirType type) {
  int64_t bytes = ts_element_bytes(mlirShapedTypeGetElementType(type));
  bool is_small = true;
  for (intptr_t d = 0; is_small && d < mlirShapedTypeGetRank(type); d++)
    is_small = !__builtin_mul_overflow(bytes, mlirShapedTypeGetDimSize(type, d), &bytes) &&
               bytes <= SMALL_BYTES;
  return mlirOperationGetNumOperands(concat) <= (is_small ? MOST_SMALL_PIECES : MOST_PIECES);
}

static MlirValue insert(const ts_maker *build, MlirValue piece, MlirValue into, int64_t dim,
                        MlirValue at) {
  MlirContext context = build->context;
  MlirType type = mlirValueGetType(piece);
  intptr_t rank = mlirShapedTypeGetRank(type), num = 2;
  int64_t offsets[TS_BOX_RANK], sizes[TS_BOX_RANK], strides[TS_BOX_RANK], known;
  MlirValue operands[4] = {piece, into};
  int32_t segments[] = {1, 1, 0, 0, 0};
  for (intptr_t d = 0; d < rank; d++) {
    offsets[d] = 0;
    sizes[d] = mlirShapedTypeGetDimSize(type, d);
    strides[d] = 1;
  }
  if (ts_constant_integer(at, &known)) {
    offsets[dim] = known;
  } else {
    offsets[dim] = mlirShapedTypeGetDynamicSize();
    operands[num++] = at;
    segments[2] = 1;
  }
  if (mlirShapedTypeIsDynamicDim(type, dim)) {
    operands[num++] = ts_make_size(build, piece, dim);
    segments[3] = 1;
  }
  MlirNamedAttribute attributes[] = {
      ts_named(context, "static_offsets", mlirDenseI64ArrayGet(context, rank, offsets)),
      ts_named(context, "static_sizes", mlirDenseI64ArrayGet(context, rank, sizes)),
      ts_named(context, "static_strides", mlirDenseI64ArrayGet(context, rank, strides)),
      ts_named(context, "operandSegmentSizes", mlirDenseI32ArrayGet(context, 5, segments))};
  return ts_make_value(build, "tensor.insert_slice", num, operands, mlirValueGetType(into), 4,
                       attributes);
}

/* The index behind a piece that begins at `at`. */
static MlirValue end_of(const ts_maker *build, MlirValue piece, int64_t dim, MlirValue at) {
  MlirValue size = ts_make_size(build, piece, dim);
  int64_t a, b;
  if (ts_constant_integer(at, &a) && ts_constant_integer(size, &b))
    return ts_make_index(build, a + b);
  return ts_make_binary(build, "arith.addi", at, size);
}

/* What comes there has no elements, which upstream's verifiers do not put at the end. */
static bool is_end(MlirValue at, MlirValue result, int64_t dim) {
  int64_t known;
  return ts_constant_integer(at, &known) &&
         known >= mlirShapedTypeGetDimSize(mlirValueGetType(result), dim);
}

static void become_insertions(MlirOperation op) {
  int64_t dim = ts_op_int(op, "dim", 0);
  MlirValue result = known_result(op);
  if (mlirValueIsNull(result) || !has_known_pieces(op, dim) ||
      !has_few_pieces(op, mlirValueGetType(result)))
    return;
  ts_maker build = ts_make_before(op);
  MlirValue at = ts_make_index(&build, 0);
  MlirValue joined =
      ts_make_value(&build, "tensor.empty", 0, NULL, mlirValueGetType(result), 0, NULL);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op) && !is_end(at, result, dim); i++) {
    MlirValue piece = mlirOperationGetOperand(op, i);
    joined = insert(&build, piece, joined, dim, at);
    at = end_of(&build, piece, dim, at);
  }
  mlirValueReplaceAllUsesOfWith(result, joined);
  MlirOperation cast = mlirOpResultGetOwner(result);
  if (!mlirOperationEqual(cast, op))
    mlirOperationDestroy(cast);
  mlirOperationDestroy(op);
}

typedef struct found {
  ts_arena arena;
  int num, max;
  MlirOperation *concats;
} found;

/* All at first: their casts, which come behind them, go with them. */
static void note(MlirOperation op, void *user) {
  found *f = user;
  if (!ts_op_is(op, "tensor.concat"))
    return;
  f->concats = ts_arena_grow(&f->arena, f->concats, f->num, &f->max, sizeof(MlirOperation));
  f->concats[f->num++] = op;
}

void ts_concats_to_insertions(MlirOperation module) {
  found f = {.num = 0};
  ts_each_op(module, note, &f);
  for (int i = 0; i < f.num; i++)
    become_insertions(f.concats[i]);
  ts_arena_free(&f.arena);
}
