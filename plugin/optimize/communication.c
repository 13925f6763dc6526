/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Reading and repeating collectives, and the notes why they are there. It knows ops and the table
 * of collectives; it must not know what is made of them. */
#include "optimize/communication.h"

#include <string.h>

#include "capi/capi.h"
#include "ir/build.h"
#include "ir/element_types.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "tessera/reductions.h"

/* ---- reading --------------------------------------------------------------------------------- */

static int dimension(MlirOperation op, const char *attribute) {
  return attribute ? (int)ts_op_int(op, attribute, TS_NO_DIM) : TS_NO_DIM;
}

static bool is_tensor(MlirValue value) {
  return mlirTypeIsARankedTensor(mlirValueGetType(value));
}

static bool is_memory(MlirValue value) {
  MlirType type = mlirValueGetType(value);
  return mlirTypeIsAMemRef(type) || mlirTypeIsAUnrankedMemRef(type);
}

static void read_axes(MlirOperation op, ts_communication *out) {
  MlirAttribute axes = ts_attribute(op, "grid_axes");
  intptr_t num = mlirAttributeIsNull(axes) ? 0 : mlirDenseArrayGetNumElements(axes);
  for (intptr_t i = 0; i < num && i < TS_MAX_AXES; i++) {
    out->axes[i] = mlirDenseI16ArrayGetElement(axes, i);
    out->set |= (ts_axes)1 << out->axes[i];
    out->num_axes++;
  }
}

bool ts_communication_read(MlirOperation op, ts_communication *out) {
  const ts_collective *row = op.ptr ? ts_collective_of(op) : NULL;
  if (!row || row->group != TS_GROUP_OF_AXES || mlirOperationGetNumResults(op) != 1 ||
      !is_tensor(mlirOperationGetOperand(op, 0)) || !is_tensor(mlirOperationGetResult(op, 0)))
    return false;
  *out = (ts_communication){.op = op,
                            .row = row,
                            .grid = ts_attribute(op, "grid"),
                            .joined = dimension(op, row->joins),
                            .cut = dimension(op, row->cuts)};
  read_axes(op, out);
  return true;
}

bool ts_communication_of(MlirValue value, ts_communication *out) {
  return ts_communication_read(ts_defining_op(value), out);
}

MlirValue ts_communication_input(const ts_communication *c) {
  return mlirOperationGetOperand(c->op, 0);
}

MlirValue ts_communication_result(const ts_communication *c) {
  return mlirOperationGetResult(c->op, 0);
}

bool ts_same_group(const ts_communication *a, const ts_communication *b) {
  return mlirAttributeEqual(a->grid, b->grid) && a->num_axes == b->num_axes &&
         memcmp(a->axes, b->axes, sizeof(a->axes[0]) * (size_t)a->num_axes) == 0;
}

bool ts_is_apart(const ts_communication *a, const ts_communication *b) {
  return mlirAttributeEqual(a->grid, b->grid) && (a->set & b->set) == 0;
}

bool ts_communicates_memory(MlirOperation op) {
  bool found = false;
  for (intptr_t i = 0; !found && i < mlirOperationGetNumOperands(op); i++)
    found = is_memory(mlirOperationGetOperand(op, i));
  return found && ts_collective_of(op);
}

/* ---- making ---------------------------------------------------------------------------------- */

MlirValue ts_communication_again(const ts_communication *c, MlirOperation before, MlirValue input,
                                 MlirType type) {
  MlirOperation copy = mlirOperationClone(c->op);
  mlirOperationSetOperand(copy, 0, input);
  MlirValue result = mlirOperationGetResult(copy, 0);
  mlirValueSetType(result, type);
  mlirBlockInsertOwnedOperationBefore(mlirOperationGetBlock(before), before, copy);
  return result;
}

MlirType ts_with_extent(MlirType tensor, int dim, int64_t extent) {
  int64_t shape[TS_MAX_RANK];
  int64_t rank = mlirShapedTypeGetRank(tensor);
  for (int64_t d = 0; d < rank; d++)
    shape[d] = d == dim ? extent : mlirShapedTypeGetDimSize(tensor, d);
  return mlirRankedTensorTypeGet(rank, shape, mlirShapedTypeGetElementType(tensor),
                                 mlirRankedTensorTypeGetEncoding(tensor));
}

static double element_bytes(MlirType element) {
  static const int bytes[] = {
#define ROW(type, size, family, digits) [TESSERA_##type] = size,
      TESSERA_ELEMENT_TYPES(ROW)
#undef ROW
  };
  return bytes[ts_dtype(element)];
}

double ts_tensor_bytes(MlirType tensor) {
  enum { UNKNOWN_EXTENT = 1024 };
  double bytes = element_bytes(mlirShapedTypeGetElementType(tensor));
  for (int64_t d = 0; d < mlirShapedTypeGetRank(tensor); d++)
    bytes *= mlirShapedTypeIsDynamicDim(tensor, d) ? UNKNOWN_EXTENT
                                                   : (double)mlirShapedTypeGetDimSize(tensor, d);
  return bytes;
}

/* ---- causes ---------------------------------------------------------------------------------- */

/* What a reader still wants to read; and what many merge into takes linear time. */
enum { LONG_CAUSE = 2048 };

static bool ends_with(MlirStringRef text, const char *end) {
  size_t length = strlen(end);
  return text.length >= length && memcmp(text.data + text.length - length, end, length) == 0;
}

void ts_causes_join(ts_arena *arena, MlirOperation kept, MlirOperation dropped) {
  static const char others[] = "; and others";
  MlirLocation location = mlirOperationGetLocation(kept);
  MlirStringRef why = ts_location_note(location, TS_CAUSE);
  MlirStringRef also = ts_location_note(mlirOperationGetLocation(dropped), TS_CAUSE);
  if (!also.length || ends_with(why, others) ||
      (why.length > 0 && memmem(why.data, why.length, also.data, also.length)))
    return;
  const char *text = ts_arena_format(arena, "%.*s%s%.*s", (int)why.length, why.data,
                                     why.length ? "; and " : "", (int)also.length, also.data);
  if (why.length > LONG_CAUSE)
    text = ts_arena_format(arena, "%.*s%s", (int)why.length, why.data, others);
  mlirOperationSetLocation(kept, ts_location_with_note(location, TS_CAUSE, text));
}
