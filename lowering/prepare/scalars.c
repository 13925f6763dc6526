/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Kinds of floats by comparisons, and bits taken for values of another type. It knows element
 * types. */
#include "lowering/prepare/scalars.h"

#include <math.h>

#include "ir/generic.h"
#include "mlir-c/AffineMap.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

enum { CMPF_OEQ = 1, CMPF_OGE = 3, CMPF_OLT = 4 }; /* arith's numbers */

static void replace(MlirOperation op, MlirValue value) {
  mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, 0), value);
  mlirOperationDestroy(op);
}

/* ---- kinds of floats ------------------------------------------------------------------------- */

static MlirValue compare(const ts_maker *build, int predicate, MlirValue a, double number) {
  MlirType type = mlirValueGetType(a);
  MlirNamedAttribute value =
      ts_named(build->context, "value", mlirFloatAttrDoubleGet(build->context, type, number));
  MlirValue operands[] = {a, ts_make_value(build, "arith.constant", 0, NULL, type, 1, &value)};
  MlirNamedAttribute attribute = ts_named(build->context, "predicate",
                                          ts_int_attribute(ts_i64_type(build->context), predicate));
  return ts_make_value(build, "arith.cmpf", 2, operands, mlirIntegerTypeGet(build->context, 1), 1,
                       &attribute);
}

/* The smallest number of full precision; 0 for types of other ranges. */
static double least_normal(MlirType type) {
  if (mlirTypeIsAF16(type))
    return ldexp(1, -14);
  if (mlirTypeIsABF16(type) || mlirTypeIsAF32(type))
    return ldexp(1, -126);
  return mlirTypeIsAF64(type) ? ldexp(1, -1022) : 0;
}

static void spell_kind(MlirOperation op) {
  MlirValue x = mlirOperationGetOperand(op, 0);
  MlirType type = mlirValueGetType(x);
  if (least_normal(type) == 0)
    return;
  ts_maker build = ts_make_before(op);
  MlirValue size = ts_make_value(&build, "math.absf", 1, &x, type, 0, NULL);
  if (ts_op_is(op, "math.isinf"))
    replace(op, compare(&build, CMPF_OEQ, size, HUGE_VAL));
  else
    replace(op, ts_make_binary(&build, "arith.andi",
                               compare(&build, CMPF_OGE, size, least_normal(type)),
                               compare(&build, CMPF_OLT, size, HUGE_VAL)));
}

/* Upstream's expansion takes each bound for the other one. */
static void spell_clamp(MlirOperation op) {
  ts_maker build = ts_make_before(op);
  MlirValue low = ts_make_binary(&build, "arith.maximumf", mlirOperationGetOperand(op, 0),
                                 mlirOperationGetOperand(op, 1));
  replace(op, ts_make_binary(&build, "arith.minimumf", low, mlirOperationGetOperand(op, 2)));
}

/* ---- bits ------------------------------------------------------------------------------------ */

static unsigned width_of(MlirType type) {
  return mlirTypeIsAFloat(type) ? mlirFloatTypeGetWidth(type) : mlirIntegerTypeGetWidth(type);
}

static bool has_sign(MlirType type) {
  return mlirTypeIsAInteger(type) && !mlirIntegerTypeIsSignless(type);
}

static MlirValue convert(const ts_maker *build, const char *name, MlirValue value, MlirType type) {
  if (mlirTypeEqual(mlirValueGetType(value), type))
    return value;
  return ts_make_value(build, name, 1, &value, type, 0, NULL);
}

static MlirValue shift(const ts_maker *build, const char *name, MlirValue bits, unsigned by) {
  MlirType type = mlirValueGetType(bits);
  MlirNamedAttribute value = ts_named(build->context, "value", ts_int_attribute(type, by));
  return ts_make_binary(build, name, bits,
                        ts_make_value(build, "arith.constant", 0, NULL, type, 1, &value));
}

/* The bits of a scalar as a plain integer; the real part of a complex number has the low ones. */
static MlirValue to_bits(const ts_maker *build, MlirValue value) {
  MlirType type = mlirValueGetType(value);
  if (!mlirTypeIsAComplex(type)) {
    MlirType plain = mlirIntegerTypeGet(build->context, width_of(type));
    return has_sign(type) ? ts_make_cast(build, value, plain)
                          : convert(build, "arith.bitcast", value, plain);
  }
  MlirType part = mlirComplexTypeGetElementType(type);
  MlirType wide = mlirIntegerTypeGet(build->context, 2 * width_of(part));
  MlirValue re = to_bits(build, ts_make_value(build, "complex.re", 1, &value, part, 0, NULL));
  MlirValue im = to_bits(build, ts_make_value(build, "complex.im", 1, &value, part, 0, NULL));
  MlirValue high =
      shift(build, "arith.shli", convert(build, "arith.extui", im, wide), width_of(part));
  return ts_make_binary(build, "arith.ori", high, convert(build, "arith.extui", re, wide));
}

static MlirValue from_bits(const ts_maker *build, MlirValue bits, MlirType type) {
  if (!mlirTypeIsAComplex(type))
    return has_sign(type) ? ts_make_cast(build, bits, type)
                          : convert(build, "arith.bitcast", bits, type);
  MlirType part = mlirComplexTypeGetElementType(type);
  MlirType half = mlirIntegerTypeGet(build->context, width_of(part));
  MlirValue high = shift(build, "arith.shrui", bits, width_of(part));
  MlirValue parts[] = {
      from_bits(build, convert(build, "arith.trunci", bits, half), part),
      from_bits(build, convert(build, "arith.trunci", high, half), part),
  };
  return ts_make_value(build, "complex.create", 2, parts, type, 0, NULL);
}

static void spell_bitcast(MlirOperation op) {
  ts_maker build = ts_make_before(op);
  MlirValue bits = to_bits(&build, mlirOperationGetOperand(op, 0));
  replace(op, from_bits(&build, bits, mlirValueGetType(mlirOperationGetResult(op, 0))));
}

static void spell(MlirOperation op, void *user) {
  (void)user;
  if (ts_op_is(op, "math.isinf") || ts_op_is(op, "math.isnormal"))
    spell_kind(op);
  else if (ts_op_is(op, "math.clampf"))
    spell_clamp(op);
  else if (ts_op_is(op, "complex.bitcast"))
    spell_bitcast(op);
}

void ts_scalars_spell(MlirOperation module) {
  ts_each_op(module, spell, NULL);
}

/* ---- bits of tensors ------------------------------------------------------------------------- */

/* What a loop over elements does with one. */
static MlirRegion bitcast_body(const ts_maker *build, MlirType from, MlirType to) {
  MlirType types[] = {from, to};
  MlirLocation locations[] = {build->location, build->location};
  MlirBlock block = mlirBlockCreate(2, types, locations);
  ts_maker inside = ts_make_at_end(block, build->location);
  MlirValue result = from_bits(&inside, to_bits(&inside, mlirBlockGetArgument(block, 0)), to);
  return ts_end_body(block, build->location, 1, &result);
}

static void spell_tensor_bitcast(MlirOperation op, void *user) {
  (void)user;
  if (!ts_op_is(op, "tensor.bitcast"))
    return;
  MlirValue source = mlirOperationGetOperand(op, 0), result = mlirOperationGetResult(op, 0);
  MlirType from = mlirValueGetType(source), to = mlirValueGetType(result);
  if (!mlirTypeIsARankedTensor(from) || !mlirTypeIsARankedTensor(to))
    return;
  ts_maker build = ts_make_before(op);
  intptr_t rank = mlirShapedTypeGetRank(to);
  MlirAttribute identity =
      mlirAffineMapAttrGet(mlirAffineMapMultiDimIdentityGet(build.context, rank));
  MlirAttribute maps[] = {identity, identity}, iterators[TS_MAX_RANK];
  ts_parallel_iterators(build.context, rank, iterators);
  MlirValue sizes[TS_MAX_RANK];
  intptr_t num = 0;
  for (intptr_t d = 0; d < rank; d++)
    if (mlirShapedTypeIsDynamicDim(to, d))
      sizes[num++] = ts_make_size(&build, source, d);
  MlirValue operands[] = {source, ts_make_value(&build, "tensor.empty", num, sizes, to, 0, NULL)};
  MlirRegion body =
      bitcast_body(&build, mlirShapedTypeGetElementType(from), mlirShapedTypeGetElementType(to));
  MlirOperation made = ts_make_generic(&build, &(ts_new_generic){.num_inputs = 1,
                                                                 .num_outputs = 1,
                                                                 .operands = operands,
                                                                 .maps = maps,
                                                                 .num_loops = rank,
                                                                 .iterators = iterators,
                                                                 .results = &to,
                                                                 .body = body});
  replace(op, mlirOperationGetResult(made, 0));
}

void ts_scalars_spell_tensor_bitcasts(MlirOperation module) {
  ts_each_op(module, spell_tensor_bitcast, NULL);
}
