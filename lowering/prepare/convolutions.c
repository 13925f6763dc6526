/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Convolutions among linalg ops: those that the runtime computes. It knows maps and bodies; it must
 * not know memory. */
#include "lowering/prepare/convolutions.h"

#include "capi/capi.h"
#include "ir/generic.h"
#include "ir/transposes.h"
#include "lowering/prepare/products.h"
#include "mlir-c/AffineExpr.h"
#include "mlir-c/AffineMap.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

enum { INPUT, FILTER, OUTPUT, NUM_OPERANDS, MOST_LOOPS = 32 };

/* ---- the input's map ------------------------------------------------------------------------- */

/* loop * factor */
typedef struct term {
  int loop;
  int64_t factor;
} term;

static bool read_term(MlirAffineExpr expr, term *term) {
  term->factor = 1;
  if (mlirAffineExprIsAMul(expr)) {
    MlirAffineExpr factor = mlirAffineBinaryOpExprGetRHS(expr);
    expr = mlirAffineBinaryOpExprGetLHS(expr);
    if (!mlirAffineExprIsAConstant(factor))
      return false;
    term->factor = mlirAffineConstantExprGetValue(factor);
  }
  if (!mlirAffineExprIsADim(expr))
    return false;
  term->loop = (int)mlirAffineDimExprGetPosition(expr);
  return term->factor >= 1 && term->factor <= INT32_MAX;
}

/* One or two terms. */
static int read_terms(MlirAffineExpr expr, term terms[2]) {
  if (!mlirAffineExprIsAAdd(expr))
    return read_term(expr, &terms[0]) ? 1 : 0;
  return read_term(mlirAffineBinaryOpExprGetLHS(expr), &terms[0]) &&
                 read_term(mlirAffineBinaryOpExprGetRHS(expr), &terms[1])
             ? 2
             : 0;
}

/* ---- roles ----------------------------------------------------------------------------------- */

/* How often each operand is indexed by each loop, and the convolution as it becomes known. */
typedef struct reading {
  MlirOperation op;
  int num_loops;
  int uses[NUM_OPERANDS][MOST_LOOPS];
  bool in_window[MOST_LOOPS];
  ts_convolution *convolution;
} reading;

/* Each result of the map is a loop of its own. */
static bool count_plain(reading *r, int operand) {
  MlirAffineMap map = ts_linalg_map(r->op, operand);
  for (intptr_t d = 0; d < mlirAffineMapGetNumResults(map); d++) {
    MlirAffineExpr result = mlirAffineMapGetResult(map, d);
    if (!mlirAffineExprIsADim(result) ||
        r->uses[operand][mlirAffineDimExprGetPosition(result)]++ > 0)
      return false;
  }
  return true;
}

/* Which of the terms is the place of a window, which its tap. */
static bool add_window(reading *r, int input_dim, int num, const term *terms) {
  ts_convolution *convolution = r->convolution;
  if (convolution->window == TS_MAX_WINDOW)
    return false;
  ts_window_dim dim = {input_dim, TS_NO_LOOP, TS_NO_LOOP, 1, 1};
  for (int t = 0; t < num; t++) {
    int loop = terms[t].loop;
    bool is_place = r->uses[OUTPUT][loop] > 0, is_tap = r->uses[FILTER][loop] > 0;
    if (is_place == is_tap || (is_place ? dim.place : dim.tap) != TS_NO_LOOP)
      return false;
    r->in_window[loop] = true;
    *(is_place ? &dim.place : &dim.tap) = loop;
    *(is_place ? &dim.step : &dim.dilation) = terms[t].factor;
  }
  convolution->dims[convolution->window++] = dim;
  return true;
}

/* A dimension of the input that is one loop alone is none of the window. */
static bool read_input(reading *r) {
  MlirAffineMap map = ts_linalg_map(r->op, INPUT);
  for (intptr_t d = 0; d < mlirAffineMapGetNumResults(map); d++) {
    term terms[2];
    int num = read_terms(mlirAffineMapGetResult(map, d), terms);
    for (int t = 0; t < num; t++)
      if (r->uses[INPUT][terms[t].loop]++ > 0)
        return false;
    if (num == 0 || ((num == 2 || terms[0].factor > 1) && !add_window(r, (int)d, num, terms)))
      return false;
  }
  return r->convolution->window > 0;
}

static int role_of(const reading *r, int loop) {
  static const int roles[2][2][2] = {/* [input][filter][output] */
                                     {{-1, -1}, {-1, TS_CONV_OUTPUTS}},
                                     {{-1, TS_CONV_BATCH}, {TS_CONV_INPUTS, TS_CONV_GROUP}}};
  return roles[r->uses[INPUT][loop]][r->uses[FILTER][loop]][r->uses[OUTPUT][loop]];
}

/* At most one loop of each role: more are rare, and stay loops. */
static bool read_roles(reading *r) {
  int *loops = r->convolution->loops;
  for (int i = 0; i < TS_NUM_CONV_ROLES; i++)
    loops[i] = TS_NO_LOOP;
  for (int loop = 0; loop < r->num_loops; loop++) {
    if (r->in_window[loop])
      continue;
    int role = role_of(r, loop);
    if (role < 0 || loops[role] != TS_NO_LOOP)
      return false;
    loops[role] = loop;
  }
  return true;
}

bool ts_convolution_read(MlirOperation op, ts_convolution *convolution) {
  *convolution = (ts_convolution){.window = 0};
  if (!ts_is_sum_of_products(op) || ts_linalg_num_loops(op) > MOST_LOOPS)
    return false;
  reading r = {.op = op, .num_loops = (int)ts_linalg_num_loops(op), .convolution = convolution};
  return count_plain(&r, FILTER) && count_plain(&r, OUTPUT) && read_input(&r) && read_roles(&r) &&
         ts_is_worthwhile(op);
}

/* ---- hiding ---------------------------------------------------------------------------------- */

/* An op that fusion knows nothing of: it would compute what the input comes from once for each tap
 * of the window. */
static const char placeholder[] = "builtin.unrealized_conversion_cast";
static const char placeholder_form[] = "tessera.convolution"; /* maps, then iterators */

/* Types for which the body can be made anew. */
static bool has_one_type(MlirOperation op) {
  MlirType types[NUM_OPERANDS];
  for (intptr_t i = 0; i < NUM_OPERANDS; i++)
    types[i] = mlirShapedTypeGetElementType(mlirValueGetType(mlirOperationGetOperand(op, i)));
  return mlirTypeEqual(types[INPUT], types[FILTER]) && mlirTypeEqual(types[INPUT], types[OUTPUT]) &&
         (mlirTypeIsAFloat(types[INPUT]) || mlirTypeIsAInteger(types[INPUT]));
}

static MlirAttribute iterators_of(MlirOperation op) {
  MlirAttribute iterators[MOST_LOOPS];
  MlirContext context = mlirOperationGetContext(op);
  intptr_t num = ts_linalg_num_loops(op);
  for (intptr_t i = 0; i < num; i++)
    iterators[i] = mlirAttributeParseGet(
        context, mlirStringRefCreateFromCString(ts_linalg_iterator(op, i) == 0
                                                    ? "#linalg.iterator_type<parallel>"
                                                    : "#linalg.iterator_type<reduction>"));
  return mlirArrayAttrGet(context, num, iterators);
}

bool ts_convolution_hide(MlirOperation op) {
  ts_convolution convolution;
  if (mlirOperationGetNumResults(op) != 1 || !ts_convolution_read(op, &convolution) ||
      !has_one_type(op))
    return false;
  ts_maker build = ts_make_before(op);
  MlirValue operands[NUM_OPERANDS], result = mlirOperationGetResult(op, 0);
  MlirAttribute list[NUM_OPERANDS];
  for (intptr_t i = 0; i < NUM_OPERANDS; i++) {
    MlirAffineMap map = ts_linalg_map(op, i);
    operands[i] = mlirOperationGetOperand(op, i);
    if (i != OUTPUT)
      operands[i] = ts_without_transposes(operands[i], &map);
    list[i] = mlirAffineMapAttrGet(map);
  }
  MlirAttribute parts[] = {mlirArrayAttrGet(build.context, NUM_OPERANDS, list), iterators_of(op)};
  MlirNamedAttribute form =
      ts_named(build.context, placeholder_form, mlirArrayAttrGet(build.context, 2, parts));
  mlirValueReplaceAllUsesOfWith(result, ts_make_value(&build, placeholder, NUM_OPERANDS, operands,
                                                      mlirValueGetType(result), 1, &form));
  mlirOperationDestroy(op);
  return true;
}

/* yield (sum + a * b) */
static MlirRegion make_body(MlirType element, MlirLocation location) {
  bool is_float = mlirTypeIsAFloat(element);
  MlirType types[] = {element, element, element};
  MlirLocation locations[] = {location, location, location};
  MlirBlock block = mlirBlockCreate(NUM_OPERANDS, types, locations);
  ts_maker build = ts_make_at_end(block, location);
  MlirValue product =
      ts_make_binary(&build, is_float ? "arith.mulf" : "arith.muli",
                     mlirBlockGetArgument(block, INPUT), mlirBlockGetArgument(block, FILTER));
  MlirValue sum = ts_make_binary(&build, is_float ? "arith.addf" : "arith.addi",
                                 mlirBlockGetArgument(block, OUTPUT), product);
  return ts_end_body(block, location, 1, &sum);
}

bool ts_convolution_restore(MlirOperation op) {
  MlirAttribute form = ts_attribute(op, placeholder_form);
  if (!ts_op_is(op, placeholder) || mlirAttributeIsNull(form))
    return false;
  ts_maker build = ts_make_before(op);
  MlirValue operands[NUM_OPERANDS], result = mlirOperationGetResult(op, 0);
  for (intptr_t i = 0; i < NUM_OPERANDS; i++)
    operands[i] = mlirOperationGetOperand(op, i);
  MlirType type = mlirValueGetType(result);
  int32_t segments[] = {2, 1};
  MlirNamedAttribute attributes[] = {
      ts_named(build.context, "indexing_maps", mlirArrayAttrGetElement(form, 0)),
      ts_named(build.context, "iterator_types", mlirArrayAttrGetElement(form, 1)),
      ts_named(build.context, "operandSegmentSizes",
               mlirDenseI32ArrayGet(build.context, 2, segments)),
  };
  MlirOperation made = ts_make_op(
      &build,
      &(ts_new_op){.name = "linalg.generic",
                   .num_operands = NUM_OPERANDS,
                   .operands = operands,
                   .num_results = 1,
                   .results = &type,
                   .num_attributes = 3,
                   .attributes = attributes,
                   .region = make_body(mlirShapedTypeGetElementType(type), build.location)});
  mlirValueReplaceAllUsesOfWith(result, mlirOperationGetResult(made, 0));
  mlirOperationDestroy(op);
  return true;
}
