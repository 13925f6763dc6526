/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The oracle's arithmetic: slow, plain, one value at a time.
 * It shares no code with the runtime. */
#include "values.h"

#include <math.h>
#include <string.h>

#include "harness.h"

kind kind_of(tessera_dtype type) {
  if (type == TESSERA_I1)
    return KIND_BOOLEAN;
  if (type >= TESSERA_U8 && type <= TESSERA_U64)
    return KIND_UNSIGNED;
  if (type == TESSERA_C64 || type == TESSERA_C128)
    return KIND_COMPLEX;
  return type >= TESSERA_F16 && type <= TESSERA_F64 ? KIND_FLOAT : KIND_SIGNED;
}

int bits_of(tessera_dtype type) {
  return type == TESSERA_I1 ? 1 : 8 * (int)tessera_dtype_size(type);
}

bool has_meaning(tessera_dtype type, tessera_reduction reduction) {
  bool arithmetic = reduction == TESSERA_SUM || reduction == TESSERA_PRODUCT;
  bool order = reduction == TESSERA_MAX || reduction == TESSERA_MIN;
  if (type == TESSERA_I4 || type == TESSERA_F8)
    return false;
  switch (kind_of(type)) {
  case KIND_COMPLEX:
    return arithmetic || reduction == TESSERA_AVERAGE;
  case KIND_FLOAT:
    return arithmetic || order || reduction == TESSERA_AVERAGE || reduction == TESSERA_MAXNUM ||
           reduction == TESSERA_MINNUM;
  case KIND_BOOLEAN:
    return reduction != TESSERA_AVERAGE && reduction <= TESSERA_UMIN;
  default:
    return reduction <= TESSERA_UMIN;
  }
}

/* ---- integers of a width --------------------------------------------------------------------- */

/* The value that the low bits of x stand for. */
static int64_t wrap(tessera_dtype type, uint64_t x) {
  int bits = bits_of(type);
  if (bits >= 64)
    return (int64_t)x;
  uint64_t low = x & (((uint64_t)1 << bits) - 1);
  bool negative = kind_of(type) == KIND_SIGNED && low >> (bits - 1) & 1;
  return (int64_t)low - (negative ? (int64_t)1 << bits : 0);
}

/* The same bits, read without a sign. */
static uint64_t unsigned_bits(tessera_dtype type, int64_t x) {
  int bits = bits_of(type);
  return bits >= 64 ? (uint64_t)x : (uint64_t)x & (((uint64_t)1 << bits) - 1);
}

/* ---- small floats ---------------------------------------------------------------------------- */

static double load_small(const void *from, int exponent_bits, int fraction_bits) {
  uint16_t bits;
  memcpy(&bits, from, sizeof(bits));
  int bias = (1 << (exponent_bits - 1)) - 1;
  int exponent = bits >> fraction_bits & ((1 << exponent_bits) - 1);
  double fraction = (double)(bits & ((1 << fraction_bits) - 1)) / (1 << fraction_bits);
  double magnitude = exponent ? ldexp(1 + fraction, exponent - bias) : ldexp(fraction, 1 - bias);
  if (exponent == (1 << exponent_bits) - 1)
    magnitude = fraction == 0 ? INFINITY : NAN;
  return bits >> 15 ? -magnitude : magnitude;
}

/* Bit patterns ascend with the magnitude: the two around it by bisection, then the nearer one, of
 * two the even one. */
static void store_small(double x, void *to, int exponent_bits, int fraction_bits) {
  uint16_t infinity = (uint16_t)(((1 << exponent_bits) - 1) << fraction_bits), low = 0;
  uint16_t high = infinity, sign = signbit(x) ? 0x8000 : 0;
  double magnitude = fabs(x);
  while (high - low > 1) {
    uint16_t middle = (uint16_t)((low + high) / 2);
    if (load_small(&middle, exponent_bits, fraction_bits) <= magnitude)
      low = middle;
    else
      high = middle;
  }
  double below = magnitude - load_small(&low, exponent_bits, fraction_bits);
  double above = load_small(&high, exponent_bits, fraction_bits) - magnitude;
  uint16_t best = below < above || (below == above && !(low & 1)) ? low : high;
  best = isnan(x) ? infinity + 1 : (uint16_t)(best | sign);
  memcpy(to, &best, sizeof(best));
}

/* ---- memory ---------------------------------------------------------------------------------- */

void store_value(tessera_dtype type, value value, void *to) {
  float single[2] = {(float)value.real, (float)value.imaginary};
  double wide[2] = {value.real, value.imaginary};
  switch (type) {
  case TESSERA_F16:
    store_small(value.real, to, 5, 10);
    break;
  case TESSERA_BF16:
    store_small(value.real, to, 8, 7);
    break;
  case TESSERA_F32:
  case TESSERA_C64:
    memcpy(to, single, tessera_dtype_size(type));
    break;
  case TESSERA_F64:
  case TESSERA_C128:
    memcpy(to, wide, tessera_dtype_size(type));
    break;
  default:
    memcpy(to, &value.integer, tessera_dtype_size(type));
    break;
  }
}

value load_value(tessera_dtype type, const void *from) {
  value result = {0, 0, 0};
  float single[2] = {0, 0};
  double wide[2] = {0, 0};
  switch (type) {
  case TESSERA_F16:
    result.real = load_small(from, 5, 10);
    break;
  case TESSERA_BF16:
    result.real = load_small(from, 8, 7);
    break;
  case TESSERA_F32:
  case TESSERA_C64:
    memcpy(single, from, tessera_dtype_size(type));
    result.real = single[0];
    result.imaginary = single[1];
    break;
  case TESSERA_F64:
  case TESSERA_C128:
    memcpy(wide, from, tessera_dtype_size(type));
    result.real = wide[0];
    result.imaginary = wide[1];
    break;
  default:
    memcpy(&result.integer, from, tessera_dtype_size(type));
    result.integer = wrap(type, (uint64_t)result.integer);
    break;
  }
  return result;
}

value convert_value(tessera_dtype from, tessera_dtype to, bool is_unsigned, value value) {
  if (kind_of(from) == KIND_FLOAT || kind_of(from) == KIND_COMPLEX)
    return value;
  if (is_unsigned)
    value.integer = (int64_t)unsigned_bits(from, value.integer);
  bool huge = value.integer < 0 && (is_unsigned || kind_of(from) == KIND_UNSIGNED);
  value.real = huge ? (double)(uint64_t)value.integer : (double)value.integer;
  value.integer = wrap(to, (uint64_t)value.integer);
  return value;
}

/* ---- values ---------------------------------------------------------------------------------- */

value random_value(tessera_dtype type, tessera_reduction reduction, uint64_t seed) {
  uint64_t bits = mix(seed, 17);
  static const double factors[4] = {1, -1, 2, 1};
  double small = (double)(int64_t)(bits % 17) - 8;
  bool is_order = reduction == TESSERA_MAX || reduction == TESSERA_MIN ||
                  reduction == TESSERA_MAXNUM || reduction == TESSERA_MINNUM;
  value result = {wrap(type, bits), small, (double)(int64_t)(bits >> 8 & 3) - 1};
  if (reduction == TESSERA_PRODUCT) {
    result.real = factors[bits & 3];
    result.imaginary = 0;
  }
  if (reduction == TESSERA_AVERAGE)
    result.integer = wrap(type, bits >> 12 & 0x7f);
  if (is_order && bits % 13 == 0)
    result.real = NAN;
  if (is_order && small == 0 && bits >> 20 & 1)
    result.real = -0.0;
  if (kind_of(type) != KIND_COMPLEX)
    result.imaginary = 0;
  return result;
}

static int64_t combine_integers(tessera_dtype type, tessera_reduction reduction, int64_t a,
                                int64_t b) {
  /* The only true of a signed i1 is -1. */
  bool is_boolean = type == TESSERA_I1;
  int64_t left = is_boolean ? -a : a, right = is_boolean ? -b : b;
  uint64_t x = unsigned_bits(type, a), y = unsigned_bits(type, b);
  bool is_unsigned = kind_of(type) == KIND_UNSIGNED;
  switch (reduction) {
  case TESSERA_SUM:
  case TESSERA_AVERAGE:
    return wrap(type, x + y);
  case TESSERA_PRODUCT:
    return wrap(type, x * y);
  case TESSERA_MAX:
    return (is_unsigned ? x > y : left > right) ? a : b;
  case TESSERA_MIN:
    return (is_unsigned ? x < y : left < right) ? a : b;
  case TESSERA_AND:
    return wrap(type, x & y);
  case TESSERA_OR:
    return wrap(type, x | y);
  case TESSERA_XOR:
    return wrap(type, x ^ y);
  case TESSERA_UMAX:
    return x > y ? a : b;
  default:
    return x < y ? a : b;
  }
}

static double combine_floats(tessera_reduction reduction, double a, double b) {
  bool number_wins = reduction == TESSERA_MAXNUM || reduction == TESSERA_MINNUM;
  bool wants_larger = reduction == TESSERA_MAX || reduction == TESSERA_MAXNUM;
  if (isnan(a) || isnan(b))
    return number_wins ? (isnan(a) ? b : a) : NAN;
  if (a == b)
    return (signbit(a) != 0) == wants_larger ? b : a;
  return (a > b) == wants_larger ? a : b;
}

static value combine(tessera_dtype type, tessera_reduction reduction, value a, value b) {
  if (kind_of(type) < KIND_FLOAT)
    return (value){combine_integers(type, reduction, a.integer, b.integer), 0, 0};
  if (reduction == TESSERA_SUM || reduction == TESSERA_AVERAGE)
    return (value){0, a.real + b.real, a.imaginary + b.imaginary};
  if (reduction == TESSERA_PRODUCT)
    return (value){0, a.real * b.real - a.imaginary * b.imaginary,
                   a.real * b.imaginary + a.imaginary * b.real};
  return (value){0, combine_floats(reduction, a.real, b.real), 0};
}

value reduce_values(tessera_dtype type, tessera_reduction reduction, const value *values,
                    int count) {
  value result = values[0];
  /* The sum behind an average of integers does not wrap; the test's values are small enough. */
  tessera_dtype sum = type;
  if (reduction == TESSERA_AVERAGE && kind_of(type) < KIND_FLOAT)
    sum = TESSERA_I64;
  for (int i = 1; i < count; i++)
    result = combine(sum, reduction, result, values[i]);
  if (reduction == TESSERA_AVERAGE) {
    result.integer /= count;
    result.real /= count;
    result.imaginary /= count;
  }
  return result;
}

static bool close_to(double a, double b, double tolerance) {
  if (isnan(a) || isnan(b))
    return isnan(a) && isnan(b);
  if (a == b)
    return tolerance > 0 || signbit(a) == signbit(b);
  return fabs(a - b) <= tolerance * (1 + fabs(b));
}

bool values_agree(tessera_dtype type, tessera_reduction reduction, value a, value b) {
  if (kind_of(type) < KIND_FLOAT)
    return a.integer == b.integer;
  double tolerance = 0;
  if (reduction == TESSERA_AVERAGE)
    tolerance = type == TESSERA_BF16 ? 1e-2 : type == TESSERA_F16 ? 2e-3 : 1e-6;
  if (kind_of(type) == KIND_COMPLEX || reduction == TESSERA_SUM || reduction == TESSERA_PRODUCT)
    tolerance = tolerance > 0 ? tolerance : 1e-12; /* -0 is as good as 0 */
  return close_to(a.real, b.real, tolerance) && close_to(a.imaginary, b.imaginary, tolerance);
}
