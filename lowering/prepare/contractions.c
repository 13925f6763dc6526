/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Sums of products among linalg ops: which are worth a call of the runtime's matrix product. It
 * knows maps and bodies; it must not know memory. */
#include "lowering/prepare/contractions.h"

#include <string.h>

#include "capi/capi.h"
#include "ir/build.h"
#include "lowering/prepare/convolutions.h"
#include "lowering/prepare/operands.h"
#include "lowering/prepare/products.h"
#include "mlir-c/AffineExpr.h"
#include "mlir-c/AffineMap.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/Dialect/Linalg.h"

/* ---- shapes ---------------------------------------------------------------------------------- */

static void read_role(ts_contraction *contraction, ts_role role, MlirAttribute loops) {
  contraction->num[role] = (int)mlirDenseArrayGetNumElements(loops);
  for (int i = 0; i < contraction->num[role] && i < TS_MAX_LOOPS; i++)
    contraction->loops[role][i] = mlirDenseI32ArrayGetElement(loops, i);
}

/* Without a row and a column loop, each element of the inputs is needed once: those sums are loops,
 * which take in what their inputs are computed by. In half precision the product is still better:
 * it adds up in more. */
static bool is_matrix(MlirOperation op, const ts_contraction *contraction) {
  MlirType element = mlirShapedTypeGetElementType(mlirValueGetType(mlirOperationGetOperand(op, 2)));
  return contraction->num[TS_ROLE_M] + contraction->num[TS_ROLE_N] > 0 ||
         (mlirTypeIsAFloat(element) && mlirFloatTypeGetWidth(element) < 32);
}

bool ts_contraction_read(MlirOperation op, ts_contraction *contraction) {
  if (!ts_is_sum_of_products(op) || !mlirLinalgIsAContractionOp(op) ||
      ts_linalg_num_loops(op) > TS_MAX_LOOPS)
    return false;
  MlirLinalgContractionDimensions dims = mlirLinalgInferContractionDimensions(op);
  if (mlirAttributeIsNull(dims.batch))
    return false;
  read_role(contraction, TS_ROLE_BATCH, dims.batch);
  read_role(contraction, TS_ROLE_M, dims.m);
  read_role(contraction, TS_ROLE_N, dims.n);
  read_role(contraction, TS_ROLE_K, dims.k);
  int total = 0;
  for (int role = 0; role < TS_NUM_ROLES; role++)
    total += contraction->num[role];
  return contraction->num[TS_ROLE_K] > 0 && total == ts_linalg_num_loops(op) &&
         is_matrix(op, contraction) && ts_is_worthwhile(op);
}

/* ---- marking --------------------------------------------------------------------------------- */

static MlirAttribute maps_attribute(MlirOperation op) {
  MlirAttribute maps[64];
  intptr_t num = ts_linalg_num_inputs(op) + ts_linalg_num_inits(op);
  for (intptr_t i = 0; i < num; i++)
    maps[i] = mlirAffineMapAttrGet(ts_linalg_map(op, i));
  return mlirArrayAttrGet(mlirOperationGetContext(op), num, maps);
}

static MlirAttribute iterators_attribute(MlirOperation op) {
  static const char *const spellings[] = {"#linalg.iterator_type<parallel>",
                                          "#linalg.iterator_type<reduction>",
                                          "#linalg.iterator_type<window>"};
  MlirContext context = mlirOperationGetContext(op);
  MlirAttribute iterators[TS_MAX_LOOPS];
  intptr_t num = ts_linalg_num_loops(op);
  for (intptr_t i = 0; i < num; i++)
    iterators[i] = mlirAttributeParseGet(
        context, mlirStringRefCreateFromCString(spellings[ts_linalg_iterator(op, i)]));
  return mlirArrayAttrGet(context, num, iterators);
}

/* Replaces `op` by `name` with the same operands, results, discardable attributes and `region`. */
static MlirOperation replace_structured(MlirOperation op, const char *name, MlirRegion region) {
  ts_maker build = ts_make_before(op);
  MlirValue operands[64];
  MlirType results[64];
  intptr_t num_operands = mlirOperationGetNumOperands(op);
  intptr_t num_results = mlirOperationGetNumResults(op);
  for (intptr_t i = 0; i < num_operands; i++)
    operands[i] = mlirOperationGetOperand(op, i);
  for (intptr_t i = 0; i < num_results; i++)
    results[i] = mlirValueGetType(mlirOperationGetResult(op, i));
  int32_t segments[] = {(int32_t)ts_linalg_num_inputs(op), (int32_t)ts_linalg_num_inits(op)};
  MlirNamedAttribute attributes[] = {
      ts_named(build.context, "indexing_maps", maps_attribute(op)),
      ts_named(build.context, "operandSegmentSizes",
               mlirDenseI32ArrayGet(build.context, 2, segments)),
      ts_named(build.context, "iterator_types", iterators_attribute(op)),
  };
  MlirOperation made = ts_make_op(&build, &(ts_new_op){.name = name,
                                                       .num_operands = num_operands,
                                                       .operands = operands,
                                                       .num_results = num_results,
                                                       .results = results,
                                                       .num_attributes = 3,
                                                       .attributes = attributes,
                                                       .region = region});
  for (intptr_t i = 0; i < num_results; i++)
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, i), mlirOperationGetResult(made, i));
  return made;
}

/* A copy of the op's body as a region of its own. */
static MlirRegion copy_of_body(MlirOperation op) {
  MlirOperation clone = mlirOperationClone(op);
  MlirRegion region = mlirRegionCreate();
  mlirRegionTakeBody(region, mlirOperationGetRegion(clone, 0));
  mlirOperationDestroy(clone);
  return region;
}

static bool fits(MlirOperation op) {
  return mlirOperationGetNumOperands(op) <= 64 && mlirOperationGetNumResults(op) <= 64 &&
         ts_linalg_num_loops(op) <= TS_MAX_LOOPS;
}

/* ---- hiding ---------------------------------------------------------------------------------- */

/* An op that fusion knows nothing of stands for a contraction on tensors: fused with the
 * elementwise op before it, or taken apart by a reshape, it would be no product any more. */
static const char placeholder[] = "builtin.unrealized_conversion_cast";
static const char placeholder_maps[] = "tessera.contraction";

static void hide_contraction(MlirOperation op) {
  ts_maker build = ts_make_before(op);
  ts_operands operands;
  MlirAttribute list[3];
  for (intptr_t i = 0; i < 3; i++) {
    operands.values[i] = mlirOperationGetOperand(op, i);
    operands.maps[i] = ts_linalg_map(op, i);
  }
  ts_operands_fold(&build, &operands);
  for (intptr_t i = 0; i < 3; i++)
    list[i] = mlirAffineMapAttrGet(operands.maps[i]);
  MlirValue result = mlirOperationGetResult(op, 0);
  MlirNamedAttribute maps =
      ts_named(build.context, placeholder_maps, mlirArrayAttrGet(build.context, 3, list));
  MlirValue made = ts_make_value(&build, placeholder, 3, operands.values,
                                 mlirValueGetType(operands.values[2]), 1, &maps);
  mlirValueReplaceAllUsesOfWith(result, ts_operands_merge(&build, made, &operands, result));
  mlirOperationDestroy(op);
}

MlirValue ts_make_contract(const ts_maker *build, const MlirValue operands[3],
                           const MlirAffineMap maps[3]) {
  MlirAttribute list[3];
  for (intptr_t i = 0; i < 3; i++)
    list[i] = mlirAffineMapAttrGet(maps[i]);
  MlirType type = mlirValueGetType(operands[2]);
  int32_t segments[] = {2, 1};
  MlirNamedAttribute attributes[] = {
      ts_named(build->context, "indexing_maps", mlirArrayAttrGet(build->context, 3, list)),
      ts_named(build->context, "operandSegmentSizes",
               mlirDenseI32ArrayGet(build->context, 2, segments)),
  };
  MlirOperation made = ts_make_op(build, &(ts_new_op){.name = "linalg.contract",
                                                      .num_operands = 3,
                                                      .operands = operands,
                                                      .num_results = 1,
                                                      .results = &type,
                                                      .num_attributes = 2,
                                                      .attributes = attributes,
                                                      .region = mlirRegionCreate()});
  mlirLinalgFillBuiltinNamedOpRegion(made);
  return mlirOperationGetResult(made, 0);
}

static void restore_contraction(MlirOperation op, void *user) {
  (void)user;
  if (ts_convolution_restore(op))
    return;
  MlirAttribute maps = ts_attribute(op, placeholder_maps);
  if (!ts_op_is(op, placeholder) || mlirAttributeIsNull(maps))
    return;
  ts_maker build = ts_make_before(op);
  MlirValue operands[3];
  MlirAffineMap list[3];
  for (intptr_t i = 0; i < 3; i++) {
    operands[i] = mlirOperationGetOperand(op, i);
    list[i] = mlirAffineMapAttrGetValue(mlirArrayAttrGetElement(maps, i));
  }
  mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, 0),
                                ts_make_contract(&build, operands, list));
  mlirOperationDestroy(op);
}

static void mark(MlirOperation op, void *user) {
  (void)user;
  if (!ts_op_is_linalg(op) || !fits(op))
    return;
  ts_contraction contraction;
  if (ts_contraction_read(op, &contraction)) {
    if (mlirOperationGetNumResults(op) == 1)
      hide_contraction(op);
    return;
  }
  if (ts_convolution_hide(op))
    return;
  if (ts_op_is(op, "linalg.generic") || ts_op_is(op, "linalg.fill") ||
      mlirLinalgIsAConvolutionOp(op))
    return;
  replace_structured(op, "linalg.generic", copy_of_body(op));
  mlirOperationDestroy(op);
}

void ts_contractions_hide(MlirOperation module) {
  ts_each_op(module, mark, NULL);
}

void ts_contractions_restore(MlirOperation module) {
  ts_each_op(module, restore_contraction, NULL);
}
