/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Sums of products among linalg ops: which are worth a call of the runtime's matrix product. Knows
 * maps and bodies, not memory. */
#include "lowering/prepare/contractions.h"

#include <string.h>

#include "capi/capi.h"
#include "ir/build.h"
#include "lowering/records.h"
#include "mlir-c/AffineExpr.h"
#include "mlir-c/AffineMap.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/Dialect/Linalg.h"

/* Multiplications from which on a call is faster than loops (16x16x16 on current cores). */
enum { WORTHWHILE = 4096 };

/* ---- the body ---------------------------------------------------------------------------------
 */

static MlirOperation producer(MlirValue value) {
  return mlirValueIsAOpResult(value) ? mlirOpResultGetOwner(value) : (MlirOperation){NULL};
}

/* `value` without a widening conversion that the runtime makes too. */
static MlirValue unwidened(MlirValue value) {
  MlirOperation op = producer(value);
  if (op.ptr && (ts_op_is(op, "arith.extf") || ts_op_is(op, "arith.extsi")))
    return mlirOperationGetOperand(op, 0);
  return value;
}

static bool is_argument(MlirValue value, MlirBlock body, intptr_t position) {
  return mlirValueIsABlockArgument(value) &&
         mlirBlockEqual(mlirBlockArgumentGetOwner(value), body) &&
         mlirBlockArgumentGetArgNumber(value) == position;
}

static bool is_product_of_inputs(MlirValue value, MlirBlock body) {
  MlirOperation op = producer(value);
  if (!op.ptr ||
      !(ts_op_is(op, "arith.mulf") || ts_op_is(op, "arith.muli") || ts_op_is(op, "complex.mul")))
    return false;
  MlirValue a = unwidened(mlirOperationGetOperand(op, 0));
  MlirValue b = unwidened(mlirOperationGetOperand(op, 1));
  return (is_argument(a, body, 0) && is_argument(b, body, 1)) ||
         (is_argument(a, body, 1) && is_argument(b, body, 0));
}

/* yield (acc + a * b), each widened at most once. */
static bool is_multiply_add(MlirBlock body) {
  MlirOperation sum = producer(mlirOperationGetOperand(mlirBlockGetTerminator(body), 0));
  if (!sum.ptr ||
      !(ts_op_is(sum, "arith.addf") || ts_op_is(sum, "arith.addi") || ts_op_is(sum, "complex.add")))
    return false;
  MlirValue a = mlirOperationGetOperand(sum, 0), b = mlirOperationGetOperand(sum, 1);
  return (is_argument(a, body, 2) && is_product_of_inputs(b, body)) ||
         (is_argument(b, body, 2) && is_product_of_inputs(a, body));
}

/* ---- shapes -----------------------------------------------------------------------------------
 */

static void read_role(ts_contraction *contraction, ts_role role, MlirAttribute loops) {
  contraction->num[role] = (int)mlirDenseArrayGetNumElements(loops);
  for (int i = 0; i < contraction->num[role] && i < TS_MAX_LOOPS; i++)
    contraction->loops[role][i] = mlirDenseI32ArrayGetElement(loops, i);
}

/* The extent of `loop` where some operand's type tells it, else the dynamic size. */
static int64_t loop_extent(MlirOperation op, int loop) {
  for (intptr_t operand = 0; operand < 3; operand++) {
    MlirAffineMap map = ts_linalg_map(op, operand);
    MlirType type = mlirValueGetType(mlirOperationGetOperand(op, operand));
    for (intptr_t d = 0; d < mlirAffineMapGetNumResults(map); d++) {
      MlirAffineExpr result = mlirAffineMapGetResult(map, d);
      if (mlirAffineExprIsADim(result) && mlirAffineDimExprGetPosition(result) == loop &&
          !mlirShapedTypeIsDynamicDim(type, d))
        return mlirShapedTypeGetDimSize(type, d);
    }
  }
  return mlirShapedTypeGetDynamicSize();
}

static bool is_worthwhile(MlirOperation op, const ts_contraction *contraction) {
  int64_t products = 1;
  for (int role = TS_ROLE_M; role < TS_NUM_ROLES; role++)
    for (int i = 0; i < contraction->num[role]; i++) {
      int64_t extent = loop_extent(op, contraction->loops[role][i]);
      if (extent == mlirShapedTypeGetDynamicSize() || products >= WORTHWHILE)
        return true;
      products *= extent;
    }
  return products >= WORTHWHILE;
}

/* Element types that both linalg.contract and the runtime multiply as the body says. On one bit,
 * addition is exclusive or, which neither makes; four bits take a byte in memory; of an index,
 * linalg.contract can make no body. */
static bool is_gemm_type(MlirType type) {
  if (mlirTypeIsAInteger(type))
    return mlirIntegerTypeGetWidth(type) >= 8 && ts_dtype(type) != 0;
  if (mlirTypeIsAFloat(type))
    return mlirFloatTypeGetWidth(type) >= 16 && ts_dtype(type) != 0;
  return mlirTypeIsAComplex(type) && ts_dtype(type) != 0;
}

/* Both inputs alike, the result as wide or wider. */
static bool has_gemm_types(MlirOperation op) {
  MlirType types[3];
  for (intptr_t i = 0; i < 3; i++) {
    types[i] = mlirValueGetType(mlirOperationGetOperand(op, i));
    if (!mlirTypeIsAShaped(types[i]))
      return false;
    types[i] = mlirShapedTypeGetElementType(types[i]);
  }
  return mlirTypeEqual(types[0], types[1]) && is_gemm_type(types[0]) && is_gemm_type(types[2]);
}

bool ts_contraction_read(MlirOperation op, ts_contraction *contraction) {
  if (!ts_op_is_linalg(op) || ts_linalg_num_inputs(op) != 2 || ts_linalg_num_inits(op) != 1 ||
      !mlirLinalgIsAContractionOp(op) || ts_linalg_num_loops(op) > TS_MAX_LOOPS ||
      !has_gemm_types(op) || !is_multiply_add(ts_linalg_body(op)))
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
         is_worthwhile(op, contraction);
}

/* ---- marking ----------------------------------------------------------------------------------
 */

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

/* ---- transposed operands ----------------------------------------------------------------------
 */

/* One input, given out as it is with its dimensions in another order. */
static bool is_transpose(MlirOperation op) {
  if (!op.ptr || !ts_op_is_linalg(op) || ts_linalg_num_inputs(op) != 1 ||
      ts_linalg_num_inits(op) != 1 || mlirOperationGetNumResults(op) != 1 ||
      !mlirAffineMapIsPermutation(ts_linalg_map(op, 0)) ||
      !mlirAffineMapIsPermutation(ts_linalg_map(op, 1)))
    return false;
  for (intptr_t l = 0; l < ts_linalg_num_loops(op); l++)
    if (ts_linalg_iterator(op, l) != 0)
      return false;
  MlirBlock body = ts_linalg_body(op);
  return is_argument(mlirOperationGetOperand(mlirBlockGetTerminator(body), 0), body, 0);
}

/* The dimension of a permutation's results that loop `loop` runs along. */
static intptr_t dimension_of(MlirAffineMap permutation, intptr_t loop) {
  intptr_t d = 0;
  while (mlirAffineDimExprGetPosition(mlirAffineMapGetResult(permutation, d)) != loop)
    d++;
  return d;
}

/* The value that an operand of a product is a transpose of, and the map that reads it in the
 * operand's place: the product takes memory with any strides, so nothing needs to be moved. */
static MlirValue without_transposes(MlirValue operand, MlirAffineMap *map) {
  for (;;) {
    MlirOperation op = producer(operand);
    if (!is_transpose(op))
      return operand;
    MlirAffineMap from = ts_linalg_map(op, 0), to = ts_linalg_map(op, 1);
    intptr_t rank = mlirAffineMapGetNumResults(from);
    MlirAffineExpr results[TS_MAX_RANK];
    if (rank > TS_MAX_RANK)
      return operand;
    for (intptr_t d = 0; d < rank; d++) {
      intptr_t loop = mlirAffineDimExprGetPosition(mlirAffineMapGetResult(from, d));
      results[d] = mlirAffineMapGetResult(*map, dimension_of(to, loop));
    }
    *map = mlirAffineMapGet(mlirAffineMapGetContext(*map), mlirAffineMapGetNumDims(*map), 0, rank,
                            results);
    operand = mlirOperationGetOperand(op, 0);
  }
}

/* ---- hiding -----------------------------------------------------------------------------------
 */

/* An op that fusion knows nothing of stands for a contraction on tensors: fused with the
 * elementwise op before it, or taken apart by a reshape, it would be no product any more. */
static const char placeholder[] = "builtin.unrealized_conversion_cast";
static const char placeholder_maps[] = "tessera.contraction";

static void hide_contraction(MlirOperation op) {
  ts_maker build = ts_make_before(op);
  MlirValue operands[3];
  MlirAttribute list[3];
  for (intptr_t i = 0; i < 3; i++) {
    MlirAffineMap map = ts_linalg_map(op, i);
    operands[i] = mlirOperationGetOperand(op, i);
    if (i < 2)
      operands[i] = without_transposes(operands[i], &map);
    list[i] = mlirAffineMapAttrGet(map);
  }
  MlirValue result = mlirOperationGetResult(op, 0);
  MlirNamedAttribute maps =
      ts_named(build.context, placeholder_maps, mlirArrayAttrGet(build.context, 3, list));
  mlirValueReplaceAllUsesOfWith(
      result, ts_make_value(&build, placeholder, 3, operands, mlirValueGetType(result), 1, &maps));
  mlirOperationDestroy(op);
}

static void restore_contraction(MlirOperation op, void *user) {
  (void)user;
  MlirAttribute maps = ts_attribute(op, placeholder_maps);
  if (!ts_op_is(op, placeholder) || mlirAttributeIsNull(maps))
    return;
  ts_maker build = ts_make_before(op);
  MlirValue operands[3], result = mlirOperationGetResult(op, 0);
  for (intptr_t i = 0; i < 3; i++)
    operands[i] = mlirOperationGetOperand(op, i);
  MlirType type = mlirValueGetType(result);
  int32_t segments[] = {2, 1};
  MlirNamedAttribute attributes[] = {
      ts_named(build.context, "indexing_maps", maps),
      ts_named(build.context, "operandSegmentSizes",
               mlirDenseI32ArrayGet(build.context, 2, segments)),
  };
  MlirOperation made = ts_make_op(&build, &(ts_new_op){.name = "linalg.contract",
                                                       .num_operands = 3,
                                                       .operands = operands,
                                                       .num_results = 1,
                                                       .results = &type,
                                                       .num_attributes = 2,
                                                       .attributes = attributes,
                                                       .region = mlirRegionCreate()});
  mlirLinalgFillBuiltinNamedOpRegion(made);
  mlirValueReplaceAllUsesOfWith(result, mlirOperationGetResult(made, 0));
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
