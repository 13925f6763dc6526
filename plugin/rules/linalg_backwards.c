/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Inputs that a structured op reads backwards along a split loop: on a piece, as reads in its body
 * that count from the piece's end. It knows affine expressions and scalar code; it must not know
 * layouts. */
#include "mlir-c/AffineMap.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include "capi/capi.h"
#include "rules/linalg.h"

bool ts_window_is_backwards(const ts_window *window) {
  return window && window->num_steps == 1 && window->steps[0].stride == -1 && !window->every;
}

/* Input `i` is cut along dimension `d` to what a device reads of it backwards. */
static bool counts_from_end(const ts_localize *context, int i, int d) {
  const ts_window *window = context->loops->operands[i].dims[d].window;
  return ts_window_is_backwards(window) && window->leader && context->reads[i][d].of;
}

static bool is_read_backwards(const ts_localize *context, int i) {
  const ts_port *port = &context->loops->operands[i];
  for (int d = 0; port->is_tensor && d < port->rank; d++)
    if (counts_from_end(context, i, d))
      return true;
  return false;
}

static MlirValue loop_index(const ts_maker *build, intptr_t loop) {
  MlirNamedAttribute dim =
      ts_named(build->context, "dim", ts_int_attribute(ts_i64_type(build->context), loop));
  return ts_make_value(build, "linalg.index", 0, NULL, mlirIndexTypeGet(build->context), 1, &dim);
}

static const char *op_of(MlirAffineExpr expr) {
  if (mlirAffineExprIsAAdd(expr))
    return "arith.addi";
  if (mlirAffineExprIsAMul(expr))
    return "arith.muli";
  return mlirAffineExprIsAFloorDiv(expr) ? "arith.floordivsi" : "arith.ceildivsi";
}

static bool has_remainder(MlirAffineExpr expr) {
  if (mlirAffineExprIsADim(expr) || mlirAffineExprIsAConstant(expr))
    return false;
  return mlirAffineExprIsAMod(expr) || has_remainder(mlirAffineBinaryOpExprGetLHS(expr)) ||
         has_remainder(mlirAffineBinaryOpExprGetRHS(expr));
}

/* No op of arith is a remainder as affine maps have it, of negative numbers. */
bool ts_can_be_read_in_body(MlirAffineMap map) {
  for (intptr_t d = 0; d < mlirAffineMapGetNumResults(map); d++)
    if (has_remainder(mlirAffineMapGetResult(map, d)))
      return false;
  return true;
}

static MlirValue index_of(const ts_maker *build, MlirAffineExpr expr) {
  if (mlirAffineExprIsADim(expr))
    return loop_index(build, mlirAffineDimExprGetPosition(expr));
  if (mlirAffineExprIsAConstant(expr))
    return ts_make_index(build, mlirAffineConstantExprGetValue(expr));
  MlirValue left = index_of(build, mlirAffineBinaryOpExprGetLHS(expr));
  MlirValue right = index_of(build, mlirAffineBinaryOpExprGetRHS(expr));
  return ts_make_binary(build, op_of(expr), left, right);
}

/* Reads input `i`, of which the op has a piece, at the start of the body. */
static MlirValue read_in_body(const ts_localize *context, int i) {
  ts_emit *emit = context->emit;
  MlirOperation op = context->op;
  MlirBlock body = ts_linalg_body(op);
  MlirValue piece = context->operands[i];
  MlirType type = mlirValueGetType(piece);
  MlirAffineMap map = ts_linalg_map(op, i);
  int rank = (int)mlirShapedTypeGetRank(type);
  MlirValue *operands = TS_NEW(emit->arena, MlirValue, 1 + rank);
  operands[0] = piece;
  ts_maker inside = ts_make_before(mlirBlockGetFirstOperation(body));
  for (int d = 0; d < rank; d++) {
    if (!counts_from_end(context, i, d)) {
      operands[1 + d] = index_of(&inside, mlirAffineMapGetResult(map, d));
      continue;
    }
    MlirValue size = ts_emit_tensor_size(emit, piece, d);
    MlirValue last = ts_emit_sub(emit, size, ts_emit_index(emit, 1));
    int loop = context->loops->operands[i].dims[d].window->steps[0].loop;
    operands[1 + d] = ts_make_binary(&inside, "arith.subi", last, loop_index(&inside, loop));
  }
  return ts_make_value(&inside, "tensor.extract", 1 + rank, operands,
                       mlirShapedTypeGetElementType(type), 0, NULL);
}

/* Takes input `i` out of the op; its elements are `element`. */
static void drop_input(ts_arena *arena, MlirOperation op, intptr_t i, MlirValue element) {
  MlirContext context = mlirOperationGetContext(op);
  intptr_t num = mlirOperationGetNumOperands(op), inputs = ts_linalg_num_inputs(op);
  MlirValue *operands = TS_NEW(arena, MlirValue, num);
  MlirAttribute *maps = TS_NEW(arena, MlirAttribute, num);
  for (intptr_t k = 0; k < num - 1; k++) {
    operands[k] = mlirOperationGetOperand(op, k + (k >= i));
    maps[k] = mlirAffineMapAttrGet(ts_linalg_map(op, k + (k >= i)));
  }
  mlirValueReplaceAllUsesOfWith(mlirBlockGetArgument(ts_linalg_body(op), i), element);
  mlirBlockEraseArgument(ts_linalg_body(op), (unsigned)i);
  mlirOperationSetOperands(op, num - 1, operands);
  const int32_t segments[] = {(int32_t)inputs - 1, (int32_t)(num - inputs)};
  mlirOperationSetAttributeByName(op, mlirStringRefCreateFromCString("operandSegmentSizes"),
                                  mlirDenseI32ArrayGet(context, 2, segments));
  mlirOperationSetAttributeByName(op, mlirStringRefCreateFromCString("indexing_maps"),
                                  mlirArrayAttrGet(context, num - 1, maps));
}

void ts_backwards_localize(const ts_localize *context) {
  for (intptr_t i = ts_linalg_num_inputs(context->op); i-- > 0;)
    if (is_read_backwards(context, (int)i))
      drop_input(context->emit->arena, context->op, i, read_in_body(context, (int)i));
}
