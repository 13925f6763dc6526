/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Making linalg.generic. It knows the form of the op; it must not know what bodies compute. */
#include "ir/generic.h"

#include "capi/capi.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

MlirOperation ts_make_generic(const ts_maker *build, const ts_new_generic *generic) {
  MlirContext context = build->context;
  const int32_t segments[] = {(int32_t)generic->num_inputs, (int32_t)generic->num_outputs};
  intptr_t num = generic->num_inputs + generic->num_outputs;
  MlirNamedAttribute attributes[] = {
      ts_named(context, "indexing_maps", mlirArrayAttrGet(context, num, generic->maps)),
      ts_named(context, "iterator_types",
               mlirArrayAttrGet(context, generic->num_loops, generic->iterators)),
      ts_named(context, "operandSegmentSizes", mlirDenseI32ArrayGet(context, 2, segments)),
  };
  return ts_make_op(build, &(ts_new_op){.name = "linalg.generic",
                                        .num_operands = num,
                                        .operands = generic->operands,
                                        .num_results = generic->results ? generic->num_outputs : 0,
                                        .results = generic->results,
                                        .num_attributes = 3,
                                        .attributes = attributes,
                                        .region = generic->body});
}

void ts_parallel_iterators(MlirContext context, intptr_t num, MlirAttribute *iterators) {
  for (intptr_t l = 0; l < num; l++)
    iterators[l] = mlirAttributeParseGet(
        context, mlirStringRefCreateFromCString("#linalg.iterator_type<parallel>"));
}

MlirAttribute ts_reduction_iterator(MlirContext context) {
  return mlirAttributeParseGet(context,
                               mlirStringRefCreateFromCString("#linalg.iterator_type<reduction>"));
}

MlirRegion ts_end_body(MlirBlock body, MlirLocation location, intptr_t num,
                       const MlirValue *values) {
  ts_maker end = ts_make_at_end(body, location);
  ts_make_op(&end, &(ts_new_op){.name = "linalg.yield", .num_operands = num, .operands = values});
  MlirRegion region = mlirRegionCreate();
  mlirRegionAppendOwnedBlock(region, body);
  return region;
}

MlirValue ts_add_input(MlirOperation op, MlirValue tensor, MlirAffineMap map) {
  MlirContext context = mlirOperationGetContext(op);
  intptr_t num = mlirOperationGetNumOperands(op), at = ts_linalg_num_inputs(op);
  MlirValue operands[TS_MAX_RANK + 1];
  MlirAttribute maps[TS_MAX_RANK + 1];
  for (intptr_t i = 0; i <= num; i++) {
    intptr_t old = i - (i > at);
    operands[i] = i == at ? tensor : mlirOperationGetOperand(op, old);
    maps[i] = mlirAffineMapAttrGet(i == at ? map : ts_linalg_map(op, old));
  }
  int32_t segments[] = {(int32_t)at + 1, (int32_t)(num - at)};
  MlirValue element = mlirBlockInsertArgument(
      ts_linalg_body(op), at, mlirShapedTypeGetElementType(mlirValueGetType(tensor)),
      mlirOperationGetLocation(op));
  mlirOperationSetOperands(op, num + 1, operands);
  mlirOperationSetAttributeByName(op, mlirStringRefCreateFromCString("operandSegmentSizes"),
                                  mlirDenseI32ArrayGet(context, 2, segments));
  mlirOperationSetAttributeByName(op, mlirStringRefCreateFromCString("indexing_maps"),
                                  mlirArrayAttrGet(context, num + 1, maps));
  return element;
}

bool ts_all_loops_are_parallel(MlirOperation op) {
  for (intptr_t l = 0; l < ts_linalg_num_loops(op); l++)
    if (ts_linalg_iterator(op, l) != 0)
      return false;
  return true;
}
