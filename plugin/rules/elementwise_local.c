/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The local form of elementwise ops of two operands that fold if both are one (x ^ x, x == x): the
 * same op, but where upstream's folders would get it wrong. It knows how to wrap an op in
 * linalg.generic; it must not know what it computes. */
#include "mlir-c/AffineMap.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include "ir/generic.h"
#include "rules/build_loops.h"
#include "rules/rows.h"

/* Upstream folds the op to a constant as soon as it sees that both operands are one, also where the
 * extents are dynamic and no constant exists. That may be later, once branches are simplified. */
static bool may_fold_wrongly(const ts_localize *context) {
  return mlirTypeIsARankedTensor(context->result_types[0]) &&
         !mlirShapedTypeHasStaticShape(context->result_types[0]);
}

/* `op` on scalars: the body of the loop. */
static MlirRegion scalar_body(const ts_localize *context, MlirType input, MlirType output) {
  MlirLocation location = mlirOperationGetLocation(context->op);
  MlirType types[3] = {input, input, output};
  MlirLocation locations[3] = {location, location, location};
  MlirBlock block = mlirBlockCreate(3, types, locations);
  MlirOperation scalar = mlirOperationClone(context->op);
  for (int i = 0; i < 2; i++)
    mlirOperationSetOperand(scalar, i, mlirBlockGetArgument(block, i));
  mlirValueSetType(mlirOperationGetResult(scalar, 0), output);
  mlirBlockAppendOwnedOperation(block, scalar);
  MlirValue result = mlirOperationGetResult(scalar, 0);
  return ts_end_body(block, location, 1, &result);
}

static MlirValue as_loop(const ts_localize *context) {
  ts_emit *emit = context->emit;
  MlirType type = context->result_types[0];
  intptr_t rank = mlirShapedTypeGetRank(type), num = 0;
  MlirValue *sizes = TS_NEW(emit->arena, MlirValue, rank);
  for (intptr_t d = 0; d < rank; d++)
    if (mlirShapedTypeIsDynamicDim(type, d))
      sizes[num++] = ts_emit_tensor_size(emit, context->operands[0], (int)d);
  MlirValue operands[3] = {context->operands[0], context->operands[1],
                           ts_emit_empty(emit, type, num, sizes)};
  MlirAttribute identity =
      mlirAffineMapAttrGet(mlirAffineMapMultiDimIdentityGet(emit->context, rank));
  MlirAttribute maps[3] = {identity, identity, identity};
  MlirAttribute *iterators = TS_NEW(emit->arena, MlirAttribute, rank);
  ts_parallel_iterators(emit->context, rank, iterators);
  MlirType element = mlirShapedTypeGetElementType(mlirValueGetType(context->operands[0]));
  ts_maker place = ts_emit_place(emit);
  place.location = mlirOperationGetLocation(context->op);
  MlirOperation loop = ts_make_generic(
      &place,
      &(ts_new_generic){.num_inputs = 2,
                        .num_outputs = 1,
                        .operands = operands,
                        .maps = maps,
                        .num_loops = rank,
                        .iterators = iterators,
                        .results = &type,
                        .body = scalar_body(context, element, mlirShapedTypeGetElementType(type))});
  return mlirOperationGetResult(loop, 0);
}

bool ts_unfolded_localize(const ts_localize *context, MlirValue *results) {
  if (may_fold_wrongly(context)) {
    results[0] = as_loop(context);
    return true;
  }
  return ts_run_on_pieces(context, results);
}
