/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Floats of 8 bits: computed with as f32, converted by tables, for want of anything else that knows
 * them. It must not know any format: MLIR says what each of the 256 codes means. */
#include "lowering/targets/cpu/small_floats.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

enum { CODES = 256, SIGN = 128 };

/* ---- formats --------------------------------------------------------------------------------- */

/* What the codes of a format mean, and where rounding goes from one to the next. */
typedef struct format {
  MlirAttribute codes[CODES];
  double values[CODES];
  double thresholds[CODES]; /* from here on a magnitude is rounded beyond code i; NaN: never */
  int nan, minus_zero;
} format;

static MlirType element_of(MlirType type) {
  return mlirTypeIsAShaped(type) ? mlirShapedTypeGetElementType(type) : type;
}

static bool is_small(MlirType type) {
  type = element_of(type);
  return mlirTypeIsAFloat(type) && mlirFloatTypeGetWidth(type) == 8 &&
         !mlirTypeIsAFloat8E8M0FNU(type); /* neither zero nor sign */
}

/* The code that MLIR rounds `value` to. */
static int code_of(const format *f, MlirType type, double value) {
  MlirAttribute rounded = mlirFloatAttrDoubleGet(mlirTypeGetContext(type), type, value);
  for (int code = 0; code < CODES; code++)
    if (mlirAttributeEqual(f->codes[code], rounded))
      return code;
  return 0;
}

static void read_format(MlirType type, format *f) {
  char name[32], text[64];
  ts_type_text(type, name, sizeof(name));
  for (int code = 0; code < CODES; code++) {
    snprintf(text, sizeof(text), "0x%02X : %s", code, name);
    f->codes[code] =
        mlirAttributeParseGet(mlirTypeGetContext(type), mlirStringRefCreateFromCString(text));
    f->values[code] = mlirFloatAttrGetValueDouble(f->codes[code]);
    f->thresholds[code] = NAN;
  }
  f->nan = code_of(f, type, NAN);
  f->minus_zero = code_of(f, type, -0.0);
  for (int code = 0; code < SIGN && isfinite(f->values[code]); code++) {
    bool last = code + 1 == SIGN || !isfinite(f->values[code + 1]);
    double step =
        last ? f->values[code] - f->values[code - 1] : f->values[code + 1] - f->values[code];
    double middle = f->values[code] + step / 2;
    /* A tie goes to the even code. */
    f->thresholds[code] = code_of(f, type, middle) == code ? nextafter(middle, INFINITY) : middle;
  }
}

/* ---- arithmetic ------------------------------------------------------------------------------ */

bool ts_small_floats_convert(MlirOperation op) {
  if (ts_op_is(op, "arith.extf"))
    return is_small(mlirValueGetType(mlirOperationGetOperand(op, 0)));
  return ts_op_is(op, "arith.truncf") && is_small(mlirValueGetType(mlirOperationGetResult(op, 0)));
}

static void note_small(MlirOperation op, void *user) {
  bool *found = user;
  if (strncmp(ts_op_name(op), "arith.", 6) != 0 && strncmp(ts_op_name(op), "math.", 5) != 0)
    return;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++)
    *found |= is_small(mlirValueGetType(mlirOperationGetOperand(op, i)));
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); i++)
    *found |= is_small(mlirValueGetType(mlirOperationGetResult(op, i)));
}

bool ts_small_floats_compute(MlirOperation module) {
  bool found = false;
  ts_each_op(module, note_small, &found);
  return found;
}

/* ---- conversions ----------------------------------------------------------------------------- */

typedef struct lowering {
  ts_records *records;
  ts_map formats; /* type -> format */
} lowering;

static const format *format_of(lowering *l, MlirType type) {
  format *f = ts_map_get(&l->formats, type.ptr);
  if (!f) {
    f = TS_NEW(l->records->arena, format, 1);
    read_format(type, f);
    ts_map_set(&l->formats, l->records->arena, type.ptr, f);
  }
  return f;
}

static MlirValue word(const ts_maker *build, int64_t value) {
  return ts_make_constant(build, ts_int_attribute(ts_i64_type(build->context), value));
}

static MlirValue converted(const ts_maker *build, const char *name, MlirValue value,
                           MlirType type) {
  if (mlirTypeEqual(mlirValueGetType(value), type))
    return value;
  return ts_make_value(build, name, 1, &value, type, 0, NULL);
}

/* table[index] */
static MlirValue look_up(const ts_maker *build, MlirValue table, MlirValue index) {
  MlirType f64 = mlirF64TypeGet(build->context);
  int32_t dynamic = INT_MIN; /* LLVM dialect: the index is an operand */
  MlirNamedAttribute attributes[] = {
      ts_named(build->context, "elem_type", mlirTypeAttrGet(f64)),
      ts_named(build->context, "rawConstantIndices",
               mlirDenseI32ArrayGet(build->context, 1, &dynamic)),
  };
  MlirValue operands[] = {table, index};
  MlirValue place = ts_make_value(build, "llvm.getelementptr", 2, operands,
                                  ts_pointer_type(build->context), 2, attributes);
  return ts_make_value(build, "llvm.load", 1, &place, f64, 0, NULL);
}

static MlirValue table(lowering *l, const ts_maker *build, const double *values) {
  return ts_make_address_of(build, ts_record_f64(l->records, CODES, values));
}

static MlirValue widened(lowering *l, const ts_maker *build, MlirValue value, MlirType wide) {
  const format *f = format_of(l, mlirValueGetType(value));
  MlirValue code = converted(build, "arith.bitcast", value, mlirIntegerTypeGet(build->context, 8));
  code = converted(build, "arith.extui", code, ts_i64_type(build->context));
  MlirValue found = look_up(build, table(l, build, f->values), code);
  return converted(build, "arith.truncf", found, wide);
}

/* The number of thresholds that `magnitude` reaches, by bisection: its code. A NaN reaches none. */
static MlirValue magnitude_code(lowering *l, const ts_maker *build, const format *f,
                                MlirValue magnitude) {
  enum { OGE = 3 };
  MlirValue thresholds = table(l, build, f->thresholds), low = word(build, 0);
  for (int step = SIGN; step > 0; step /= 2) {
    MlirValue at = ts_make_binary(build, "arith.addi", low, word(build, step - 1));
    MlirValue reaches =
        ts_make_compare(build, "arith.cmpf", OGE, magnitude, look_up(build, thresholds, at));
    low = ts_make_select(build, reaches,
                         ts_make_binary(build, "arith.addi", low, word(build, step)), low);
  }
  return low;
}

static MlirValue narrowed(lowering *l, const ts_maker *build, MlirValue value, MlirType small) {
  enum { UNO = 14, EQ = 0, SLT = 2 };
  const format *f = format_of(l, small);
  MlirType i64 = ts_i64_type(build->context);
  MlirValue wide = converted(build, "arith.extf", value, mlirF64TypeGet(build->context));
  MlirValue magnitude =
      ts_make_value(build, "math.absf", 1, &wide, mlirValueGetType(wide), 0, NULL);
  MlirValue code = magnitude_code(l, build, f, magnitude);
  MlirValue zero = word(build, 0);
  MlirValue negative = ts_make_select(build, ts_make_compare(build, "arith.cmpi", EQ, code, zero),
                                      word(build, f->minus_zero),
                                      ts_make_binary(build, "arith.ori", code, word(build, SIGN)));
  MlirValue bits = converted(build, "arith.bitcast", wide, i64);
  code =
      ts_make_select(build, ts_make_compare(build, "arith.cmpi", SLT, bits, zero), negative, code);
  code = ts_make_select(build, ts_make_compare(build, "arith.cmpf", UNO, wide, wide),
                        word(build, f->nan), code);
  code = converted(build, "arith.trunci", code, mlirIntegerTypeGet(build->context, 8));
  return converted(build, "arith.bitcast", code, small);
}

static void lower_conversion(MlirOperation op, void *user) {
  if (!ts_small_floats_convert(op))
    return;
  ts_maker build = ts_make_before(op);
  MlirValue operand = mlirOperationGetOperand(op, 0), result = mlirOperationGetResult(op, 0);
  MlirType type = mlirValueGetType(result);
  bool widens = ts_op_is(op, "arith.extf");
  mlirValueReplaceAllUsesOfWith(result, widens ? widened(user, &build, operand, type)
                                               : narrowed(user, &build, operand, type));
  mlirOperationDestroy(op);
}

void ts_small_floats_lower(ts_records *records) {
  lowering l = {.records = records};
  ts_each_op(records->module, lower_conversion, &l);
}
