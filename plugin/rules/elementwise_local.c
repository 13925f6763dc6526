/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The local form of elementwise ops of two operands that fold if both are one (x ^ x, x == x): the
 * same op, but where upstream's folders would get it wrong. It knows how to wrap an op in
 * linalg.generic; it must not know what it computes. */
#include "mlir-c/AffineMap.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

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
  MlirOperationState yield =
      mlirOperationStateGet(mlirStringRefCreateFromCString("linalg.yield"), location);
  mlirOperationStateAddOperands(&yield, 1, &result);
  mlirBlockAppendOwnedOperation(block, mlirOperationCreate(&yield));
  MlirRegion region = mlirRegionCreate();
  mlirRegionAppendOwnedBlock(region, block);
  return region;
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
  for (intptr_t d = 0; d < rank; d++)
    iterators[d] = mlirAttributeParseGet(
        emit->context, mlirStringRefCreateFromCString("#linalg.iterator_type<parallel>"));
  int32_t segments[2] = {2, 1};
  MlirNamedAttribute attributes[3] = {
      ts_named(emit->context, "indexing_maps", mlirArrayAttrGet(emit->context, 3, maps)),
      ts_named(emit->context, "iterator_types", mlirArrayAttrGet(emit->context, rank, iterators)),
      ts_named(emit->context, "operandSegmentSizes",
               mlirDenseI32ArrayGet(emit->context, 2, segments))};
  MlirRegion body =
      scalar_body(context, mlirShapedTypeGetElementType(mlirValueGetType(context->operands[0])),
                  mlirShapedTypeGetElementType(type));
  MlirOperationState state = mlirOperationStateGet(mlirStringRefCreateFromCString("linalg.generic"),
                                                   mlirOperationGetLocation(context->op));
  mlirOperationStateAddOperands(&state, 3, operands);
  mlirOperationStateAddResults(&state, 1, &type);
  mlirOperationStateAddAttributes(&state, 3, attributes);
  mlirOperationStateAddOwnedRegions(&state, 1, &body);
  MlirOperation loop = mlirOperationCreate(&state);
  mlirBlockInsertOwnedOperationBefore(emit->block, emit->before, loop);
  return mlirOperationGetResult(loop, 0);
}

bool ts_unfolded_localize(const ts_localize *context, MlirValue *results) {
  if (may_fold_wrongly(context)) {
    results[0] = as_loop(context);
    return true;
  }
  return ts_run_on_pieces(context, results);
}
