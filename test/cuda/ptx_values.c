/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* What instructions of PTX compute from values, which are bits.
 * It must not know memory, threads or registers. */
#include "ptx_values.h"

#include <math.h>
#include <string.h>

#include "tensors/float16.h"

/* ---- floats as bits -------------------------------------------------------------------------- */

static bool is_float(const ptx_type *type) {
  return type->class == CLASS_FLOAT || type->class == CLASS_BF16;
}

/* A lane's bits. */
static int lane_bits(const ptx_type *type) {
  return type->bits / type->lanes;
}

static double as_double(const ptx_type *type, uint64_t bits) {
  double wide;
  if (type->class == CLASS_BF16)
    return float_of_bf16((uint16_t)bits);
  if (lane_bits(type) == 16)
    return float_of_f16((uint16_t)bits);
  if (lane_bits(type) == 32)
    return float_of_bits((uint32_t)bits);
  memcpy(&wide, &bits, sizeof(wide));
  return wide;
}

static uint64_t as_bits(const ptx_type *type, double value) {
  uint64_t bits;
  if (type->class == CLASS_BF16)
    return bf16_of_float(float_to_odd(value));
  if (lane_bits(type) == 16)
    return f16_of_float(float_to_odd(value));
  if (lane_bits(type) == 32)
    return bits_of_float((float)value);
  memcpy(&bits, &value, sizeof(bits));
  return bits;
}

/* IEEE 754's maximumNumber, or its maximum where a NaN wins; -0 is less than +0. */
static double extreme(double a, double b, bool largest, bool nan_wins) {
  if (isnan(a) || isnan(b))
    return nan_wins || (isnan(a) && isnan(b)) ? NAN : isnan(a) ? b : a;
  if (a == b)
    return !!signbit(a) == largest ? b : a;
  return (a > b) == largest ? a : b;
}

/* One operation of f64, in which those of narrower types are exact before they are rounded: sums
 * and products of f32 and less are, quotients and roots round alike. */
static bool compute_double(const ptx_instruction *at, double a, double b, double c,
                           double *result) {
  bool single = lane_bits(&at->type) <= 32;
  switch (at->op) {
  case OP_ADD:
    *result = a + b;
    return true;
  case OP_SUB:
    *result = a - b;
    return true;
  case OP_MUL:
    *result = a * b;
    return true;
  case OP_DIV:
    *result = a / b;
    return true;
  case OP_FMA:
  case OP_MAD:
    *result = single && at->type.bits == 32 && at->type.lanes == 1
                  ? (double)fmaf((float)a, (float)b, (float)c)
                  : fma(a, b, c);
    return true;
  case OP_MAX:
  case OP_MIN:
    *result = extreme(a, b, at->op == OP_MAX, at->keeps_nan);
    return !at->relu;
  case OP_SQRT:
    *result = sqrt(a);
    return true;
  case OP_RSQRT:
    *result = 1 / sqrt(a);
    return true;
  case OP_RCP:
    *result = 1 / a;
    return true;
  case OP_EX2:
    *result = exp2(a);
    return true;
  case OP_LG2:
    *result = log2(a);
    return true;
  case OP_SIN:
    *result = sin(a);
    return true;
  case OP_COS:
    *result = cos(a);
    return true;
  case OP_TANH:
    *result = tanh(a);
    return true;
  default:
    return false;
  }
}

static uint64_t sign_of(const ptx_type *type) {
  return UINT64_C(1) << (lane_bits(type) - 1);
}

/* .ftz: subnormal numbers of f32 are zeros. */
static uint64_t flush(const ptx_instruction *at, uint64_t bits) {
  bool is_subnormal = at->flushes && lane_bits(&at->type) == 32 && (bits & 0x7f800000) == 0;
  return is_subnormal ? bits & sign_of(&at->type) : bits;
}

static bool compute_lane(const ptx_instruction *at, uint64_t a, uint64_t b, uint64_t c,
                         uint64_t *result) {
  const ptx_type *type = &at->type;
  double value;
  a = flush(at, ptx_cut(a, lane_bits(type)));
  b = flush(at, ptx_cut(b, lane_bits(type)));
  c = flush(at, ptx_cut(c, lane_bits(type)));
  if (at->op == OP_ABS || at->op == OP_NEG) {
    *result = at->op == OP_ABS ? a & ~sign_of(type) : a ^ sign_of(type);
    return true;
  }
  if (at->op == OP_COPYSIGN) { /* the sign of a, the rest of b */
    *result = (a & sign_of(type)) | (b & ~sign_of(type));
    return true;
  }
  if (!compute_double(at, as_double(type, a), as_double(type, b), as_double(type, c), &value))
    return false;
  if (at->saturates)
    value = isnan(value) ? 0 : fmin(fmax(value, 0), 1);
  *result = flush(at, as_bits(type, value));
  return true;
}

static bool compute_floats(const ptx_instruction *at, const uint64_t *values, uint64_t *results) {
  int bits = lane_bits(&at->type);
  results[0] = 0;
  for (int lane = 0; lane < at->type.lanes; lane++) {
    uint64_t part;
    if (!compute_lane(at, values[1] >> (lane * bits), values[2] >> (lane * bits),
                      values[3] >> (lane * bits), &part))
      return false;
    results[0] |= ptx_cut(part, bits) << (lane * bits);
  }
  return true;
}

/* ---- integers -------------------------------------------------------------------------------- */

static uint64_t multiply(const ptx_instruction *at, uint64_t a, uint64_t b) {
  int bits = at->type.bits;
  bool is_signed = at->type.class == CLASS_SIGNED;
  if (!at->high)
    return is_signed ? (uint64_t)ptx_signed(a, bits) * (uint64_t)ptx_signed(b, bits)
                     : ptx_cut(a, bits) * ptx_cut(b, bits);
  if (is_signed)
    return (uint64_t)(((__int128)ptx_signed(a, bits) * ptx_signed(b, bits)) >> bits);
  return (uint64_t)(((unsigned __int128)ptx_cut(a, bits) * ptx_cut(b, bits)) >> bits);
}

static uint64_t divide(const ptx_instruction *at, uint64_t a, uint64_t b) {
  int bits = at->type.bits;
  bool remainder = at->op == OP_REM;
  if (ptx_cut(b, bits) == 0)
    return UINT64_MAX;
  if (at->type.class != CLASS_SIGNED) {
    uint64_t x = ptx_cut(a, bits), y = ptx_cut(b, bits);
    return remainder ? x % y : x / y;
  }
  int64_t x = ptx_signed(a, bits), y = ptx_signed(b, bits);
  if (y == -1)
    return remainder ? 0 : 0 - (uint64_t)x;
  return (uint64_t)(remainder ? x % y : x / y);
}

static uint64_t shift(const ptx_instruction *at, uint64_t a, uint64_t by) {
  int bits = at->type.bits;
  by = ptx_cut(by, 32);
  if (at->op == OP_SHL)
    return by >= (uint64_t)bits ? 0 : a << by;
  if (at->type.class == CLASS_SIGNED)
    return (uint64_t)(ptx_signed(a, bits) >> (by >= (uint64_t)bits ? bits - 1 : (int)by));
  return by >= (uint64_t)bits ? 0 : ptx_cut(a, bits) >> by;
}

static uint64_t funnel(const ptx_instruction *at, uint64_t low, uint64_t high, uint64_t by) {
  uint64_t both = ptx_cut(high, 32) << 32 | ptx_cut(low, 32);
  by = ptx_cut(by, 32);
  by = at->clamps ? (by < 32 ? by : 32) : by & 31;
  return at->mode == MODE_LEFT ? (both << by) >> 32 : both >> by;
}

static uint64_t permute(uint64_t a, uint64_t b, uint64_t selector) {
  uint64_t bytes = ptx_cut(b, 32) << 32 | ptx_cut(a, 32), result = 0;
  for (int i = 0; i < 4; i++) {
    uint64_t chosen = selector >> (4 * i) & 0xf;
    uint64_t byte = bytes >> (8 * (chosen & 7)) & 0xff;
    if (chosen & 8)
      byte = byte & 0x80 ? 0xff : 0;
    result |= byte << (8 * i);
  }
  return result;
}

static uint64_t extract(const ptx_instruction *at, uint64_t a, uint64_t from, uint64_t length) {
  int bits = at->type.bits;
  from &= 0xff;
  length &= 0xff;
  uint64_t last = from + length - 1 < (uint64_t)bits - 1 ? from + length - 1 : (uint64_t)bits - 1;
  a = ptx_cut(a, bits);
  uint64_t sign = at->type.class == CLASS_SIGNED && length > 0 ? a >> last & 1 : 0;
  uint64_t part = from < (uint64_t)bits && length > 0 ? a >> from : 0;
  part = length < 64 ? ptx_cut(part, (int)length) : part;
  return sign && length < 64 ? part | ~UINT64_C(0) << length : part;
}

static uint64_t insert(const ptx_instruction *at, uint64_t a, uint64_t b, uint64_t from,
                       uint64_t length) {
  int bits = at->type.bits;
  from &= 0xff;
  length &= 0xff;
  if (from >= (uint64_t)bits || length == 0)
    return b;
  uint64_t mask = (length < 64 ? (UINT64_C(1) << length) - 1 : UINT64_MAX) << from;
  return (b & ~mask) | ((a << from) & mask);
}

static uint64_t look_up(uint64_t a, uint64_t b, uint64_t c, uint64_t table) {
  uint64_t result = 0;
  for (int i = 0; i < 32; i++) {
    uint64_t index = (a >> i & 1) << 2 | (b >> i & 1) << 1 | (c >> i & 1);
    result |= (table >> index & 1) << i;
  }
  return result;
}

static uint64_t reverse(uint64_t value, int bits) {
  uint64_t result = 0;
  for (int i = 0; i < bits; i++)
    result |= (value >> i & 1) << (bits - 1 - i);
  return result;
}

static uint64_t leading_zeros(uint64_t value, int bits) {
  value = ptx_cut(value, bits);
  return value ? (uint64_t)(__builtin_clzll(value) - (64 - bits)) : (uint64_t)bits;
}

static bool is_less(const ptx_type *type, uint64_t a, uint64_t b) {
  return type->class == CLASS_SIGNED ? ptx_signed(a, type->bits) < ptx_signed(b, type->bits)
                                     : ptx_cut(a, type->bits) < ptx_cut(b, type->bits);
}

static bool compute_integers(const ptx_instruction *at, const uint64_t *values, uint64_t *results) {
  uint64_t a = values[1], b = values[2], c = values[3], result;
  int bits = at->type.bits;
  switch (at->op) {
  case OP_ADD:
    result = a + b;
    break;
  case OP_SUB:
    result = a - b;
    break;
  case OP_MUL:
    result = multiply(at, a, b);
    break;
  case OP_MAD:
    result = multiply(at, a, b) + c;
    break;
  case OP_DIV:
  case OP_REM:
    result = divide(at, a, b);
    break;
  case OP_MAX:
  case OP_MIN:
    result = is_less(&at->type, a, b) == (at->op == OP_MAX) ? b : a;
    if (at->relu && ptx_signed(result, bits) < 0)
      result = 0;
    break;
  case OP_SAD:
    result = (is_less(&at->type, a, b) ? b - a : a - b) + c;
    break;
  case OP_ABS:
    result = (uint64_t)(ptx_signed(a, bits) < 0 ? 0 - (uint64_t)ptx_signed(a, bits) : a);
    break;
  case OP_NEG:
    result = 0 - a;
    break;
  case OP_AND:
    result = a & b;
    break;
  case OP_OR:
    result = a | b;
    break;
  case OP_XOR:
    result = a ^ b;
    break;
  case OP_NOT:
    result = ~a;
    break;
  case OP_CNOT:
    result = ptx_cut(a, bits) == 0;
    break;
  case OP_SHL:
  case OP_SHR:
    result = shift(at, a, b);
    break;
  case OP_SHF:
    result = funnel(at, a, b, c);
    break;
  case OP_PRMT:
    result = permute(a, b, c);
    break;
  case OP_BFE:
    result = extract(at, a, b, c);
    break;
  case OP_BFI:
    result = insert(at, a, b, c, values[4]);
    break;
  case OP_LOP3:
    result = look_up(a, b, c, values[4]);
    break;
  case OP_BREV:
    result = reverse(a, bits);
    break;
  case OP_POPC:
    result = (uint64_t)__builtin_popcountll(ptx_cut(a, bits));
    break;
  case OP_CLZ:
    result = leading_zeros(a, bits);
    break;
  default:
    return false;
  }
  results[0] = ptx_cut(result, at->wide ? 2 * bits : bits);
  return true;
}

/* Both halves of whole numbers of 16 bits. */
static bool compute_halves(const ptx_instruction *at, const uint64_t *values, uint64_t *results) {
  ptx_instruction half = *at;
  uint64_t whole = 0;
  half.type = (ptx_type){16, at->type.class, 1};
  for (int lane = 0; lane < 2; lane++) {
    uint64_t parts[PTX_OPERANDS] = {0};
    for (int i = 1; i < PTX_OPERANDS; i++)
      parts[i] = values[i] >> (lane * 16) & 0xffff;
    if (!compute_integers(&half, parts, results))
      return false;
    whole |= ptx_cut(results[0], 16) << (lane * 16);
  }
  results[0] = whole;
  return true;
}

/* ---- comparisons ----------------------------------------------------------------------------- */

static bool compare_order(int compare, bool less, bool equal) {
  switch (compare) {
  case COMPARE_EQ:
    return equal;
  case COMPARE_NE:
    return !equal;
  case COMPARE_LT:
    return less;
  case COMPARE_LE:
    return less || equal;
  case COMPARE_GT:
    return !less && !equal;
  default:
    return !less;
  }
}

static bool compare(const ptx_instruction *at, uint64_t a, uint64_t b) {
  const ptx_type *type = &at->type;
  if (is_float(type)) {
    double x = as_double(type, ptx_cut(a, type->bits)), y = as_double(type, ptx_cut(b, type->bits));
    bool unordered = isnan(x) || isnan(y);
    if (at->compare == COMPARE_NAN || at->compare == COMPARE_NUM)
      return unordered == (at->compare == COMPARE_NAN);
    if (unordered)
      return at->compare & COMPARE_UNORDERED;
    return compare_order(at->compare & ~COMPARE_UNORDERED, x < y, x == y);
  }
  return compare_order(at->compare, is_less(type, a, b),
                       ptx_cut(a, type->bits) == ptx_cut(b, type->bits));
}

/* Of both halves of two values, behind two results. */
static bool compare_halves(const ptx_instruction *at, const uint64_t *values, uint64_t *results) {
  ptx_instruction half = *at;
  half.type = (ptx_type){16, at->type.class, 1};
  for (int lane = 0; lane < 2; lane++)
    results[lane] =
        compare(&half, values[2] >> (lane * 16) & 0xffff, values[3] >> (lane * 16) & 0xffff);
  return at->combine == COMBINE_NONE;
}

static bool compute_comparison(const ptx_instruction *at, const uint64_t *values,
                               uint64_t *results) {
  if (at->type.lanes == 2)
    return compare_halves(at, values, results);
  bool result = compare(at, values[1], values[2]), other = values[3] != 0;
  results[0] = at->combine == COMBINE_AND   ? result && other
               : at->combine == COMBINE_OR  ? result || other
               : at->combine == COMBINE_XOR ? result != other
                                            : result;
  return true;
}

/* ---- conversions ----------------------------------------------------------------------------- */

static double round_as(double value, const char *how) {
  switch (how[1]) {
  case 'z':
    return trunc(value);
  case 'm':
    return floor(value);
  case 'p':
    return ceil(value);
  default:
    return nearbyint(value);
  }
}

/* What is out of range becomes what is nearest to it, a NaN zero. */
static uint64_t to_integer(const ptx_instruction *at, double value) {
  int bits = at->type.bits;
  value = round_as(value, at->rounding);
  if (isnan(value))
    return 0;
  if (at->type.class == CLASS_SIGNED) {
    double limit = ldexp(1, bits - 1);
    if (value >= limit)
      return (UINT64_C(1) << (bits - 1)) - 1;
    return value < -limit ? UINT64_C(1) << (bits - 1) : (uint64_t)(int64_t)value;
  }
  if (value >= ldexp(1, bits))
    return bits == 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
  return value < 0 ? 0 : (uint64_t)value;
}

/* Of 64 bits and f32, so that nothing is rounded twice. */
static uint64_t integer_to_float(const ptx_instruction *at, uint64_t value) {
  const ptx_type *to = &at->type;
  bool is_signed = at->from.class == CLASS_SIGNED;
  int64_t number = is_signed ? ptx_signed(value, at->from.bits) : 0;
  uint64_t whole = ptx_cut(value, at->from.bits);
  if (lane_bits(to) == 32)
    return bits_of_float(is_signed ? (float)number : (float)whole);
  return as_bits(to, is_signed ? (double)number : (double)whole);
}

static uint64_t float_to_float(const ptx_instruction *at, uint64_t bits) {
  double value = as_double(&at->from, ptx_cut(bits, at->from.bits));
  bool is_whole = strlen(at->rounding) == 3 && at->rounding[2] == 'i';
  if (is_whole)
    value = round_as(value, at->rounding);
  if (at->saturates)
    value = isnan(value) ? 0 : fmin(fmax(value, 0), 1);
  if (at->rounding[1] == 'z' && !is_whole && at->type.bits == 32) {
    float nearest = (float)value;
    return bits_of_float(fabs((double)nearest) > fabs(value) ? nextafterf(nearest, 0) : nearest);
  }
  return as_bits(&at->type, value);
}

static uint64_t integer_to_integer(const ptx_instruction *at, uint64_t value) {
  if (at->from.class == CLASS_SIGNED)
    value = (uint64_t)ptx_signed(value, at->from.bits);
  else
    value = ptx_cut(value, at->from.bits);
  return value;
}

/* Two floats become the halves of one value, the first the upper one. */
static uint64_t pack(const ptx_instruction *at, const uint64_t *values) {
  ptx_type half = {16, at->type.class, 1};
  uint64_t high = as_bits(&half, as_double(&at->from, ptx_cut(values[1], 32)));
  return high << 16 | as_bits(&half, as_double(&at->from, ptx_cut(values[2], 32)));
}

static bool compute_conversion(const ptx_instruction *at, const uint64_t *values,
                               uint64_t *results) {
  bool from_float = is_float(&at->from), to_float = is_float(&at->type);
  uint64_t value = values[1];
  if (at->type.lanes == 2)
    results[0] = pack(at, values);
  else if (from_float)
    results[0] = to_float ? float_to_float(at, value)
                          : to_integer(at, as_double(&at->from, ptx_cut(value, at->from.bits)));
  else
    results[0] = to_float ? integer_to_float(at, value) : integer_to_integer(at, value);
  /* A narrow result fills its register. */
  if (!to_float && at->type.class == CLASS_SIGNED)
    results[0] = (uint64_t)ptx_signed(results[0], at->type.bits);
  else
    results[0] = ptx_cut(results[0], at->type.bits);
  return !at->saturates || to_float || from_float;
}

/* ---- all ------------------------------------------------------------------------------------- */

bool ptx_compute(const ptx_instruction *at, const uint64_t *values, uint64_t *results) {
  switch (at->op) {
  case OP_SETP:
    return compute_comparison(at, values, results);
  case OP_SELP:
    results[0] = values[3] ? values[1] : values[2];
    return true;
  case OP_CVT:
    return compute_conversion(at, values, results);
  case OP_TESTP:
  case OP_ISSPACE:
    return false;
  default:
    if (is_float(&at->type))
      return compute_floats(at, values, results);
    return at->type.lanes == 2 ? compute_halves(at, values, results)
                               : compute_integers(at, values, results);
  }
}

bool ptx_atomic(const ptx_instruction *at, uint64_t before, uint64_t value, uint64_t *after) {
  static const uint16_t ops[] = {[MODE_ADD] = OP_ADD, [MODE_MIN] = OP_MIN, [MODE_MAX] = OP_MAX,
                                 [MODE_AND] = OP_AND, [MODE_OR] = OP_OR,   [MODE_XOR] = OP_XOR};
  ptx_instruction simple = *at;
  uint64_t values[PTX_OPERANDS] = {0, before, value}, results[2];
  if (at->mode == MODE_EXCH) {
    *after = value;
    return true;
  }
  if (at->mode < MODE_ADD || at->mode > MODE_XOR || at->mode == MODE_CAS)
    return false;
  simple.op = ops[at->mode];
  if (!ptx_compute(&simple, values, results))
    return false;
  *after = results[0];
  return true;
}
