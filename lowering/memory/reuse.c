/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Elementwise results in the memory of an operand that nobody reads later. It knows structured ops
 * on tensors; it must not know buffers. */
#include "lowering/memory/reuse.h"

#include "capi/capi.h"
#include "collectives/collectives.h"
#include "ir/build.h"
#include "ir/element_types.h"
#include "lowering/entries/parameter_records.h"
#include "mlir-c/AffineMap.h"
#include "mlir-c/BuiltinTypes.h"

/* Smaller results that no loop carries are better off in memory of their own, which a kernel may
 * keep for itself. */
enum { LEAST_BYTES = 1 << 18 };

/* Bufferization looks at all pairs of ops that work in one memory, for each of them: after so many,
 * the next one has other memory. */
enum { MOST_IN_PLACE = 64 };

static bool is_large(MlirType type) {
  int64_t bytes = ts_element_bytes(mlirShapedTypeGetElementType(type));
  for (intptr_t d = 0; d < mlirShapedTypeGetRank(type); d++)
    if (mlirShapedTypeIsDynamicDim(type, d) ||
        __builtin_mul_overflow(bytes, mlirShapedTypeGetDimSize(type, d), &bytes))
      return true;
  return bytes >= LEAST_BYTES;
}

static bool is_empty(MlirValue value) {
  MlirOperation op = ts_defining_op(value);
  return op.ptr && ts_op_is(op, "tensor.empty");
}

/* The value that `value` has all elements of, in the same order: another shape of it. */
static MlirValue reshaped(MlirValue value) {
  static const char *const names[] = {"tensor.expand_shape", "tensor.collapse_shape",
                                      "tensor.cast"};
  MlirOperation op = ts_defining_op(value);
  for (size_t i = 0; op.ptr && i < sizeof(names) / sizeof(names[0]); i++)
    if (ts_op_is(op, names[i]))
      return mlirOperationGetOperand(op, 0);
  return (MlirValue){NULL};
}

/* Bufferization gives the value memory of its own, which may be written, or the caller does. */
static bool has_own_memory(MlirValue value) {
  if (ts_parameter_is_donated(value))
    return true;
  MlirOperation op = ts_defining_op(value);
  const ts_collective *row = op.ptr ? ts_collective_of(op) : NULL;
  return op.ptr &&
         (ts_op_is_linalg(op) || ts_op_is(op, "scf.for") || ts_op_is(op, "tensor.insert_slice") ||
          ts_op_is(op, "tensor.pad") || (row && row->reduces));
}

/* `user` reads the value, and what it makes lies elsewhere. */
static bool only_reads(MlirOperation user, MlirOpOperand use) {
  const ts_collective *row = ts_collective_of(user);
  if (row)
    return !row->reduces;
  return ts_op_is_linalg(user) &&
         mlirOpOperandGetOperandNumber(use) < (unsigned)ts_linalg_num_inputs(user);
}

/* Does `user` read the value before `op` does, and keep nothing of it? */
static bool is_read_before(MlirOperation user, MlirOperation op, MlirOpOperand use) {
  MlirBlock block = mlirOperationGetBlock(op);
  if (!only_reads(user, use))
    return false;
  while (user.ptr && !mlirBlockEqual(mlirOperationGetBlock(user), block))
    user = mlirOperationGetParentOperation(user);
  return user.ptr && mlirOperationIsBeforeInBlock(user, op);
}

static bool is_view(MlirOperation op) {
  return ts_op_is(op, "tensor.extract_slice") || ts_op_is(op, "tensor.collapse_shape") ||
         ts_op_is(op, "tensor.expand_shape") || ts_op_is(op, "tensor.cast");
}

/* The op reads its operand where it writes a result with that map; no other result lies there. */
static bool is_read_in_step(MlirOperation op, unsigned operand, MlirAffineMap map) {
  return operand < (unsigned)ts_linalg_num_inputs(op) &&
         mlirAffineMapEqual(ts_linalg_map(op, operand), map);
}

/* All uses of `value`, and of what is seen of it through views. */
static bool is_all_read_before(MlirValue value, MlirOperation op) {
  for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    bool is_read = is_view(user) ? is_all_read_before(mlirOperationGetResult(user, 0), op)
                                 : is_read_before(user, op, use);
    if (!is_read)
      return false;
  }
  return true;
}

/* All other uses of the value come before the op, which reads what it writes, element by element.
 */
static bool ends_at(MlirValue value, MlirOperation op, MlirAffineMap map) {
  for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (mlirOperationEqual(user, op) ? !is_read_in_step(op, mlirOpOperandGetOperandNumber(use), map)
        : is_view(user) && ts_parameter_is_donated(value)
            ? !is_all_read_before(mlirOperationGetResult(user, 0), op)
            : !is_read_before(user, op, use))
      return false;
  }
  return true;
}

/* Is the value the last of as many that are made in one memory? */
static bool is_end_of_chain(MlirValue value) {
  for (int num = 0; num < MOST_IN_PLACE; num++) {
    MlirValue source;
    while (source = reshaped(value), !mlirValueIsNull(source))
      value = source;
    MlirOperation op = ts_defining_op(value);
    if (!op.ptr || !ts_op_is_linalg(op))
      return false;
    value =
        mlirOperationGetOperand(op, ts_linalg_num_inputs(op) + mlirOpResultGetResultNumber(value));
  }
  return true;
}

static bool may_be_written(MlirValue value, MlirOperation op, MlirAffineMap map) {
  MlirValue source;
  if (!ends_at(value, op, map) || is_end_of_chain(value))
    return false;
  for (; source = reshaped(value), !mlirValueIsNull(source); value = source)
    if (!ts_has_one_use(source))
      return false;
  MlirBlock block = mlirValueIsABlockArgument(value)
                        ? mlirBlockArgumentGetOwner(value)
                        : mlirOperationGetBlock(mlirOpResultGetOwner(value));
  return has_own_memory(value) && mlirBlockEqual(block, mlirOperationGetBlock(op));
}

/* The caller gets the result, be it small. */
static bool is_returned_for(MlirValue value, MlirValue result) {
  if (!ts_parameter_is_donated(value))
    return false;
  for (MlirOpOperand use = mlirValueGetFirstUse(result); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use))
    if (ts_op_is(mlirOpOperandGetOwner(use), "func.return"))
      return true;
  return false;
}

/* `value` is carried by a loop, ends at `op`, and what `op` makes is carried on in its place. */
static bool is_carried_on(MlirValue value, MlirOperation op, intptr_t result, MlirAffineMap map) {
  MlirBlock block = mlirOperationGetBlock(op);
  if (!mlirValueIsABlockArgument(value) ||
      !mlirBlockEqual(mlirBlockArgumentGetOwner(value), block) ||
      !ts_op_is(mlirBlockGetParentOperation(block), "scf.for"))
    return false;
  intptr_t carried = mlirBlockArgumentGetArgNumber(value) - 1; /* behind the index */
  MlirOperation yield = mlirBlockGetTerminator(block);
  return carried >= 0 &&
         mlirValueEqual(mlirOperationGetOperand(yield, carried),
                        mlirOperationGetResult(op, result)) &&
         ends_at(value, op, map);
}

bool ts_memory_ends_at(MlirValue value, MlirOperation op, intptr_t result, MlirAffineMap map) {
  return is_carried_on(value, op, result, map) || may_be_written(value, op, map);
}

static bool is_read_by_body(MlirOperation op, intptr_t operand) {
  MlirValue argument = mlirBlockGetArgument(ts_linalg_body(op), operand);
  return !mlirOpOperandIsNull(mlirValueGetFirstUse(argument));
}

static void reuse(MlirOperation op, intptr_t output) {
  intptr_t num_inputs = ts_linalg_num_inputs(op);
  MlirValue destination = mlirOperationGetOperand(op, output);
  MlirType type = mlirValueGetType(destination);
  MlirAffineMap map = ts_linalg_map(op, output);
  if (!is_empty(destination) || is_read_by_body(op, output) || !mlirAffineMapIsPermutation(map))
    return;
  for (intptr_t i = 0; i < num_inputs; i++) {
    MlirValue input = mlirOperationGetOperand(op, i);
    if (mlirTypeEqual(mlirValueGetType(input), type) &&
        mlirAffineMapEqual(ts_linalg_map(op, i), map) &&
        (is_carried_on(input, op, output - num_inputs, map) ||
         ((is_large(type) ||
           is_returned_for(input, mlirOperationGetResult(op, output - num_inputs))) &&
          may_be_written(input, op, map)))) {
      mlirOperationSetOperand(op, output, input);
      return;
    }
  }
}

static void visit(MlirOperation op, void *user) {
  (void)user;
  if (!ts_op_is(op, "linalg.generic") || mlirOperationGetNumResults(op) == 0)
    return;
  for (intptr_t l = 0; l < ts_linalg_num_loops(op); l++)
    if (ts_linalg_iterator(op, l) != 0)
      return;
  for (intptr_t o = ts_linalg_num_inputs(op); o < mlirOperationGetNumOperands(op); o++)
    reuse(op, o);
}

void ts_memory_reuse(MlirOperation module) {
  ts_each_op(module, visit, NULL);
}
