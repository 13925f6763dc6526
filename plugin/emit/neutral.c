/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Neutral elements of reductions as attributes and tensors. It knows element types; it must not
 * know where they are needed. */
#include "emit/emit.h"

#include <math.h>

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

static MlirAttribute float_neutral(ts_reduction kind, MlirType element) {
  double value;
  switch (kind) {
  case TS_SUM:
    value = 0.0;
    break;
  case TS_PRODUCT:
    value = 1.0;
    break;
  case TS_MAX:
    value = -HUGE_VAL;
    break;
  case TS_MIN:
    value = HUGE_VAL;
    break;
  case TS_MAXNUM: /* a NaN loses against everything, even against an infinity */
  case TS_MINNUM:
    value = (double)NAN;
    break;
  default:
    return mlirAttributeGetNull();
  }
  /* Small floats without infinities would turn them into something else. */
  if (!isfinite(value) && mlirFloatTypeGetWidth(element) < 16)
    return mlirAttributeGetNull();
  return mlirFloatAttrDoubleGet(mlirTypeGetContext(element), element, value);
}

/* `bits` as the attribute wants it for the type: sign-extended for signed types, else
 * zero-extended. */
static MlirAttribute integer_from_bits(MlirType element, unsigned width, uint64_t bits) {
  if (width < 64) {
    bits &= ((uint64_t)1 << width) - 1;
    if (mlirTypeIsAInteger(element) && mlirIntegerTypeIsSigned(element) && bits >> (width - 1))
      bits |= ~(((uint64_t)1 << width) - 1);
  }
  return mlirIntegerAttrGet(element, (int64_t)bits);
}

static MlirAttribute integer_neutral(ts_reduction kind, MlirType element) {
  bool is_index = mlirTypeIsAIndex(element);
  unsigned width = is_index ? 64 : mlirIntegerTypeGetWidth(element);
  if (width == 0 || width > 64)
    return mlirAttributeGetNull();
  uint64_t top = (uint64_t)1 << (width - 1); /* the smallest signed number */
  if (!is_index && mlirIntegerTypeIsUnsigned(element))
    kind = kind == TS_MAX ? TS_UMAX : kind == TS_MIN ? TS_UMIN : kind;
  switch (kind) {
  case TS_SUM:
  case TS_OR:
  case TS_XOR:
  case TS_UMAX:
    return integer_from_bits(element, width, 0);
  case TS_PRODUCT:
    return integer_from_bits(element, width, 1);
  case TS_AND:
  case TS_UMIN:
    return integer_from_bits(element, width, UINT64_MAX);
  case TS_MAX:
    return integer_from_bits(element, width, top);
  case TS_MIN:
    return integer_from_bits(element, width, top - 1);
  default:
    return mlirAttributeGetNull();
  }
}

MlirAttribute ts_neutral_element(ts_reduction kind, MlirType element) {
  if (mlirTypeIsAFloat(element))
    return float_neutral(kind, element);
  if (mlirTypeIsAInteger(element) || mlirTypeIsAIndex(element))
    return integer_neutral(kind, element);
  return mlirAttributeGetNull();
}

bool ts_is_neutral_element(ts_reduction kind, MlirAttribute value, MlirType element) {
  MlirAttribute neutral = ts_neutral_element(kind, element);
  if (mlirAttributeIsNull(neutral))
    return false;
  if (kind == TS_SUM && mlirAttributeIsAFloat(value))
    return mlirFloatAttrGetValueDouble(value) == 0;
  return mlirAttributeEqual(value, neutral);
}

/* The neutral element itself; complex numbers have one for sums and products. Null if none. */
static MlirValue emit_neutral_scalar(ts_emit *emit, ts_reduction kind, MlirType element) {
  if (!mlirTypeIsAComplex(element)) {
    MlirAttribute value = ts_neutral_element(kind, element);
    return mlirAttributeIsNull(value) ? (MlirValue){NULL} : ts_emit_scalar(emit, value);
  }
  MlirType part = mlirComplexTypeGetElementType(element);
  if ((kind != TS_SUM && kind != TS_PRODUCT) || !mlirTypeIsAFloat(part))
    return (MlirValue){NULL};
  MlirValue parts[2] = {ts_emit_scalar(emit, float_neutral(kind, part)),
                        ts_emit_scalar(emit, float_neutral(TS_SUM, part))};
  return mlirOperationGetResult(ts_emit_op(emit, "complex.create", 2, parts, 1, &element, 0, NULL),
                                0);
}

MlirValue ts_emit_neutral(ts_emit *emit, ts_reduction kind, MlirType type, intptr_t num_sizes,
                          const MlirValue *sizes) {
  MlirValue scalar = emit_neutral_scalar(emit, kind, mlirShapedTypeGetElementType(type));
  if (mlirValueIsNull(scalar))
    return scalar;
  /* A splat says the same as fill(empty) in one op, whatever is dynamic. */
  MlirValue *operands = TS_NEW(emit->arena, MlirValue, 1 + num_sizes);
  operands[0] = scalar;
  for (intptr_t i = 0; i < num_sizes; i++)
    operands[1 + i] = sizes[i];
  return mlirOperationGetResult(
      ts_emit_op(emit, "tensor.splat", 1 + num_sizes, operands, 1, &type, 0, NULL), 0);
}
