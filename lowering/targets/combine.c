/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Reductions whose parts may be combined in any order: how, and what changes nothing. It knows
 * bodies of ops; it must not know threads. */
#include "lowering/targets/combine.h"

#include <math.h>
#include <string.h>

#include "capi/capi.h"
#include "lowering/targets/body.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

typedef enum neutral { ZERO, MINUS_ZERO, ONE, ALL_BITS, LEAST, GREATEST, UNORDERED } neutral;

typedef struct combination {
  const char *op;
  neutral neutral;
  bool rounds; /* only where the sum says that its order may change */
} combination;

/* maxnumf and minnumf of a NaN and a number are the number. */
static const combination combinations[] = {
    {"arith.addf", MINUS_ZERO, true},    {"arith.addi", ZERO, false},
    {"arith.andi", ALL_BITS, false},     {"arith.maximumf", LEAST, false},
    {"arith.maxnumf", UNORDERED, false}, {"arith.maxsi", LEAST, false},
    {"arith.maxui", ZERO, false},        {"arith.minimumf", GREATEST, false},
    {"arith.minnumf", UNORDERED, false}, {"arith.minsi", GREATEST, false},
    {"arith.minui", ALL_BITS, false},    {"arith.muli", ONE, false},
    {"arith.ori", ZERO, false},          {"arith.xori", ZERO, false},
};
enum { NUM_COMBINATIONS = sizeof(combinations) / sizeof(combinations[0]) };

static const combination *combination_of(const char *op) {
  for (int i = 0; i < NUM_COMBINATIONS; i++)
    if (strcmp(combinations[i].op, op) == 0)
      return &combinations[i];
  return NULL;
}

/* ---- bodies ---------------------------------------------------------------------------------- */

/* Attributes of more than 64 bits are made of unsigned numbers. */
static bool has_neutral(MlirType type) {
  return mlirTypeIsAFloat(type) || mlirTypeIsAIndex(type) ||
         (mlirTypeIsAInteger(type) && mlirIntegerTypeIsSignless(type) &&
          mlirIntegerTypeGetWidth(type) <= 64);
}

const char *ts_combine_op(const ts_nest *nest, int output) {
  if (mlirBlockGetNumArguments(nest->body) < nest->num_inputs + nest->num_outputs)
    return NULL;
  MlirOperation yielded = mlirBlockGetTerminator(nest->body);
  MlirOperation op = ts_defining_op(mlirOperationGetOperand(yielded, output));
  MlirValue argument = mlirBlockGetArgument(nest->body, nest->num_inputs + output);
  const combination *found = op.ptr ? combination_of(ts_op_name(op)) : NULL;
  if (!found || (found->rounds && !ts_body_may_reorder(op)) || !ts_body_is_only_use(argument, op) ||
      !ts_body_is_only_use(mlirOperationGetResult(op, 0), yielded) ||
      !has_neutral(mlirValueGetType(argument)))
    return NULL;
  return found->op;
}

bool ts_combine_any_order(const ts_nest *nest) {
  for (int o = 0; o < nest->num_outputs; o++)
    if (!ts_combine_op(nest, o))
      return false;
  return nest->num_outputs > 0 && !ts_nest_reads_outputs(nest);
}

/* ---- neutral elements ------------------------------------------------------------------------ */

static double float_of(neutral kind) {
  switch (kind) {
  case MINUS_ZERO:
    return -0.0;
  case LEAST:
    return -INFINITY;
  case GREATEST:
    return INFINITY;
  default:
    return NAN;
  }
}

/* Of `width` bits; wider numbers than attributes can be made of are built of those. */
static int64_t integer_of(neutral kind, unsigned width) {
  switch (kind) {
  case ONE:
    return 1;
  case ALL_BITS:
    return -1;
  case LEAST:
    return (int64_t)(UINT64_MAX << (width - 1));
  case GREATEST:
    return (int64_t)~(UINT64_MAX << (width - 1));
  default:
    return 0;
  }
}

MlirValue ts_combine_neutral(const ts_maker *build, const char *op, MlirType type) {
  neutral kind = combination_of(op)->neutral;
  if (mlirTypeIsAFloat(type))
    return ts_make_constant(build, mlirFloatAttrDoubleGet(build->context, type, float_of(kind)));
  unsigned width = mlirTypeIsAIndex(type) ? 64 : mlirIntegerTypeGetWidth(type);
  return ts_make_constant(build, ts_int_attribute(type, integer_of(kind, width)));
}
