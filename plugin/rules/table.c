/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The rows of all ops that have something of their own, and those of families. It knows which
 * function says what of which op, nothing else. */
#include <stdlib.h>
#include <string.h>

#include "capi/capi.h"
#include "rules/rows.h"
#include "support/ir.h"

/* How the result follows from the operands; where they are combined, by which reduction. */
#define LINEAR(how) .linear = {.form = TS_FORM_##how}
#define LINEAR_BY(how, reduction) .linear = {TS_FORM_##how, TS_##reduction, TS_ALL_ELEMENTS}
#define LINEAR_FLOATS(how) .linear = {.form = TS_FORM_##how, .elements = TS_FLOATS_ALONE}
/* Elementwise, with tosa's broadcasts; and what upstream folds wrongly. */
#define TOSA .loops = ts_elementwise_loops, .localize = ts_run_on_pieces, .ones = TS_ONES_BROADCAST
#define UNFOLDED                                                                                   \
  .loops = ts_elementwise_loops, .localize = ts_unfolded_localize, .like = ts_like_first_tensor

// clang-format off
const ts_rule ts_rules[] = {
    {"arith.addf", LINEAR_BY(COMBINE, SUM)},
    {"arith.addi", LINEAR_BY(COMBINE, SUM)},
    {"arith.andi", LINEAR_BY(COMBINE, AND)},
    {"arith.cmpi", UNFOLDED},
    {"arith.constant", .free = &ts_free_constant},
    {"arith.divf", LINEAR(DIVIDE)},
    {"arith.extf", LINEAR(WIDEN)},
    {"arith.maximumf", LINEAR_BY(COMBINE, MAX)},
    {"arith.maxnumf", LINEAR_BY(COMBINE, MAXNUM)},
    {"arith.maxsi", LINEAR_BY(COMBINE, MAX)},
    {"arith.maxui", LINEAR_BY(COMBINE, UMAX)},
    {"arith.minimumf", LINEAR_BY(COMBINE, MIN)},
    {"arith.minnumf", LINEAR_BY(COMBINE, MINNUM)},
    {"arith.minsi", LINEAR_BY(COMBINE, MIN)},
    {"arith.minui", LINEAR_BY(COMBINE, UMIN)},
    {"arith.mulf", LINEAR(MULTIPLY)},
    {"arith.muli", LINEAR(MULTIPLY)},
    {"arith.negf", LINEAR(NEGATE)},
    {"arith.ori", LINEAR_BY(COMBINE, OR)},
    {"arith.select", LINEAR(CHOOSE)},
    {"arith.shli", LINEAR(DIVIDE)},
    {"arith.subf", LINEAR_BY(SUBTRACT, SUM)},
    {"arith.subi", LINEAR_BY(SUBTRACT, SUM)},
    {"arith.trunci", LINEAR(WRAP)},
    {"arith.xori", UNFOLDED, LINEAR_BY(COMBINE, XOR)},
    {"bufferization.materialize_in_destination", .loops = ts_copy_loops,
     .localize = ts_run_on_pieces},
    {"complex.add", LINEAR_BY(COMBINE, SUM)},
    {"complex.conj", LINEAR(NEGATE)},
    {"complex.div", LINEAR(DIVIDE)},
    {"complex.mul", LINEAR(MULTIPLY)},
    {"complex.neg", LINEAR(NEGATE)},
    {"complex.sub", LINEAR_BY(SUBTRACT, SUM)},
    {"linalg.fill", .free = &ts_free_fill},
    {"linalg.generic", .free = &ts_free_indices},
    {"math.fma", LINEAR_BY(MULTIPLY_ADD, SUM)},
    {"shard.shard", .like = ts_like_first},
    {"tensor.bitcast", .loops = ts_bits_loops, .localize = ts_run_on_pieces, .like = ts_like_first},
    {"tensor.cast", .loops = ts_copy_loops, .localize = ts_run_on_pieces, .like = ts_like_first},
    {"tensor.collapse_shape", .loops = ts_reshape_loops, .localize = ts_run_on_pieces},
    {"tensor.concat", .loops = ts_concat_loops, .localize = ts_concat_localize, .does = TS_MOVES_DATA},
    {"tensor.dim", .asks = TS_ASKS_SHAPE_ALONE},
    {"tensor.empty", .free = &ts_free_empty, .sizes = TS_SIZES_FROM_0},
    {"tensor.expand_shape", .loops = ts_reshape_loops, .localize = ts_expand_shape_localize,
     .sizes = TS_SIZES_FROM_1},
    {"tensor.extract", .loops = ts_extract_loops, .localize = ts_extract_localize},
    {"tensor.extract_slice", .loops = ts_moved_extract_loops, .localize = ts_moved_extract_localize,
     .does = TS_MOVES_DATA, .sizes = TS_SIZES_BEHIND_OFFSETS},
    {"tensor.from_elements", .loops = ts_scalars_loops, .localize = ts_run_on_pieces},
    {"tensor.generate", .free = &ts_free_generate, .sizes = TS_SIZES_FROM_0},
    {"tensor.insert_slice", .loops = ts_moved_insert_loops, .localize = ts_moved_insert_localize,
     .does = TS_MOVES_DATA, .like = ts_like_second},
    {"tensor.pad", .loops = ts_pad_loops, .localize = ts_pad_localize, .does = TS_MOVES_DATA},
    {"tensor.rank", .asks = TS_ASKS_SHAPE_ALONE},
    {"tensor.scatter", .loops = ts_scatter_loops, .localize = ts_scatter_localize,
     .like = ts_like_second},
    {"tensor.splat", .free = &ts_free_splat, .sizes = TS_SIZES_FROM_1},
    {"tosa.add", LINEAR_BY(COMBINE, SUM)},
    {"tosa.bitwise_and", LINEAR_BY(COMBINE, AND)},
    {"tosa.bitwise_or", LINEAR_BY(COMBINE, OR)},
    {"tosa.bitwise_xor", LINEAR_BY(COMBINE, XOR)},
    {"tosa.cast", TOSA},
    {"tosa.const", .free = &ts_free_constant},
    {"tosa.identity", TOSA, LINEAR(COPY)},
    {"tosa.logical_and", LINEAR_BY(COMBINE, AND)},
    {"tosa.logical_or", LINEAR_BY(COMBINE, OR)},
    {"tosa.logical_xor", LINEAR_BY(COMBINE, XOR)},
    {"tosa.mul", TOSA, .num_data = 2, LINEAR_FLOATS(MULTIPLY)}, /* integers shift and round */
    {"tosa.negate", .num_data = 1, LINEAR_FLOATS(NEGATE)},      /* integers have zero points */
    {"tosa.select", LINEAR(CHOOSE)},
    {"tosa.sub", LINEAR_BY(SUBTRACT, SUM)},
    {"ub.poison", .free = &ts_free_poison},
};
// clang-format on
const int ts_num_rules = sizeof(ts_rules) / sizeof(ts_rules[0]);

/* ---- families -------------------------------------------------------------------------------- */

static const ts_rule linalg = {.loops = ts_linalg_loops,
                               .localize = ts_linalg_localize,
                               .does = TS_COMPUTES,
                               .like = ts_like_destination};
static const ts_rule elementwise = {.loops = ts_elementwise_loops,
                                    .localize = ts_run_on_pieces,
                                    .does = TS_COMPUTES,
                                    .like = ts_like_first_tensor};
static const ts_rule tosa_elementwise = {NULL, TOSA, .does = TS_COMPUTES};

static const ts_rule foreign = {.loops = ts_foreign_loops, .localize = ts_run_on_pieces};

static const ts_rule *family_of(MlirOperation op) {
  if (ts_op_is_linalg(op))
    return &linalg;
  if (!ts_op_is_elementwise(op))
    return mlirAttributeIsNull(ts_attribute(op, TS_RULE)) ? NULL : &foreign;
  return strncmp(ts_op_name(op), "tosa.", 5) ? &elementwise : &tosa_elementwise;
}

/* ---- finding --------------------------------------------------------------------------------- */

static int compare(const void *name, const void *rule) {
  return strcmp(name, ((const ts_rule *)rule)->op);
}

const ts_rule *ts_rule_named(MlirOperation op) {
  return bsearch(ts_op_name(op), ts_rules, (size_t)ts_num_rules, sizeof(ts_rules[0]), compare);
}

const ts_rule *ts_rule_find(MlirOperation op) {
  const ts_rule *rule = ts_rule_named(op);
  return rule && rule->loops ? rule : family_of(op);
}

bool ts_rule_is_its_own(MlirOperation op) {
  return ts_rule_find(op) == &foreign;
}

bool ts_asks_shape(MlirOperation op) {
  const ts_rule *rule = ts_rule_named(op);
  return rule && rule->asks == TS_ASKS_SHAPE_ALONE;
}
