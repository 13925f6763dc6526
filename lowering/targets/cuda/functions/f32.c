/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Functions of f32 for kernels, by the names that upstream calls: from what a GPU approximates in
 * one instruction, and polynomials. Errors are within 4 units in the last place for every argument;
 * infinities, NaN, signed zeros and subnormal numbers are as libm's. It must not know kernels.
 *
 * Polynomials are those of the least largest error relative to the function, on the intervals
 * that are named, their coefficients rounded to f32. */
#include <stdint.h>

#define FUNCTION __attribute__((always_inline)) float
#define HELPER static inline __attribute__((always_inline))

static const float infinity = __builtin_inff();
/* And what rounding has cut off. */
static const float ln_2 = 0x1.62e430p-1f, ln_2_rest = -0x1.05c610p-29f;
static const float log2_e = 0x1.715476p+0f, log2_e_rest = 0x1.4ae0c0p-26f;

HELPER float fma(float a, float b, float c) {
  return __builtin_fmaf(a, b, c);
}

typedef union word {
  float number;
  uint32_t bits;
} word;

HELPER uint32_t bits_of(float x) {
  return (word){.number = x}.bits;
}

HELPER float float_of(uint32_t bits) {
  return (word){.bits = bits}.number;
}

/* c[0] + c[1] x + ... */
HELPER float polynomial(const float *c, int num, float x) {
  float sum = c[num - 1];
  for (int i = num - 2; i >= 0; i--)
    sum = fma(sum, x, c[i]);
  return sum;
}

#define POLYNOMIAL(c, x) polynomial(c, sizeof(c) / sizeof((c)[0]), x)

/* ---- powers ---------------------------------------------------------------------------------- */

/* A float of this size has no fraction: x + shift rounds x to a whole number n, and n + 127 stands
 * in its lowest bits, which become an exponent. */
static const float shift = 0x1.8p23f + 127;

/* 2^n, for n from -126 to 127. */
HELPER float power_of_shifted(float shifted) {
  return float_of(bits_of(shifted) << 23);
}

/* 2^n 2^r, with what rounding has left of x log2(e) in r. Beyond f32's range r takes what n must
 * not, so that results overflow, or are rounded as subnormal ones, in the last product. NaN stays
 * in r. */
FUNCTION __nv_expf(float x) {
  float shifted = fma(x, log2_e, shift);
  shifted = __builtin_fminf(__builtin_fmaxf(shifted, shift - 126), shift + 127);
  float r = fma(x, log2_e_rest, fma(x, log2_e, shift - shifted));
  return __nvvm_ex2_approx_ftz_f(r) * power_of_shifted(shifted);
}

FUNCTION __nv_exp2f(float x) {
  return __nvvm_ex2_approx_f(x);
}

/* (e^r - 1) 2^n + 2^n - 1, half of it: 2^128 is none of f32. */
FUNCTION __nv_expm1f(float x) {
  /* (e^r - 1 - r) / r^2 for |r| up to ln(2) / 2 */
  static const float c[] = {0x1.fffffep-2f, 0x1.5554b0p-3f, 0x1.555674p-5f, 0x1.122776p-7f,
                            0x1.6bec06p-10f};
  const float least = -25, most = 89; /* beyond: -1 and infinity */
  float kept = __builtin_fminf(__builtin_fmaxf(x, least), most);
  float shifted = fma(kept, log2_e, shift), n = shifted - shift;
  float half = power_of_shifted(shifted - 1);
  float r = fma(n, -ln_2_rest, fma(n, -ln_2, kept));
  float part = fma(POLYNOMIAL(c, r), r * r, r);
  float result = 2 * fma(part, half, half - 0.5f);
  return __builtin_fabsf(x) > 0x1p-25f ? result : x;
}

/* ---- logarithms ------------------------------------------------------------------------------ */

/* log(1 + f) for f from -1/3 to 1/3. */
HELPER float log_near_1(float f) {
  static const float c[] = {-0x1.000000p-1f, 0x1.555502p-2f,  -0x1.fffe84p-3f,
                            0x1.99d1f2p-3f,  -0x1.55a754p-3f, 0x1.1ebe68p-3f,
                            -0x1.f25ddap-4f, 0x1.1ed142p-3f,  -0x1.0931e0p-3f};
  return fma(POLYNOMIAL(c, f), f * f, f);
}

/* The bits of 2^n, less those of 1, where x / 2^n is from 2/3 to 4/3. */
HELPER int32_t exponent_bits(float x) {
  return (int32_t)((bits_of(x) - bits_of(2.0f / 3)) & 0xff800000);
}

static const float one_bit = 0x1p-23f; /* of what are bits of an exponent */

typedef struct parts {
  float exponent; /* n / one_bit, of x = 2^n m */
  float log;      /* of m */
} parts;

HELPER parts log_in_parts(float x) {
  int32_t added = 0;
  if (x < 0x1p-126f) {
    x *= 0x1p23f;
    added = 23 << 23;
  }
  int32_t exponent = exponent_bits(x);
  float mantissa = float_of(bits_of(x) - (uint32_t)exponent);
  return (parts){(float)(exponent - added), log_near_1(mantissa - 1)};
}

/* What a logarithm of `x` is where it is none of a positive finite number. */
HELPER float with_special(float x, float result) {
  result = x < infinity ? result : x;
  return x > 0 ? result : x == 0 ? -infinity : __builtin_nanf("");
}

FUNCTION __nv_logf(float x) {
  parts of = log_in_parts(x);
  return with_special(x, fma(of.exponent, ln_2 * one_bit, of.log));
}

FUNCTION __nv_log2f(float x) {
  parts of = log_in_parts(x);
  return with_special(x, fma(of.log, log2_e, of.exponent * one_bit));
}

FUNCTION __nv_log10f(float x) {
  const float log10_2 = 0x1.344136p-2f, log10_2_rest = -0x1.ec10c0p-27f, log10_e = 0x1.bcb7b2p-2f;
  parts of = log_in_parts(x);
  float result = fma(of.exponent, log10_2_rest * one_bit, of.log * log10_e);
  return with_special(x, fma(of.exponent, log10_2 * one_bit, result));
}

/* The exponent is that of 1 + x; what its rounding has lost is not, in (1 + x) / 2^n - 1. A quarter
 * and 4 / 2^n, for 2^-128 is subnormal. */
FUNCTION __nv_log1pf(float x) {
  int32_t exponent = exponent_bits(1 + x);
  float scale = float_of(bits_of(4) - (uint32_t)exponent);
  float f = fma(0.25f * x, scale, fma(0.25f, scale, -1));
  float result = fma((float)exponent, ln_2 * one_bit, log_near_1(f));
  result = __builtin_fabsf(x) < 0x1p-24f ? x : result;
  return with_special(1 + x, result);
}

/* ---- functions that end at 1 ----------------------------------------------------------------- */

/* 1 - 2 / (e^2x + 1) loses digits near 0. */
FUNCTION __nv_tanhf(float x) {
  /* (tanh(x) - x) / x^3 of x^2, for x up to `near` */
  static const float c[] = {-0x1.555452p-2f, 0x1.10cef6p-3f, -0x1.af7cccp-5f, 0x1.0d5036p-6f};
  const float near = 0.55f;
  float size = __builtin_fabsf(x), square = x * x;
  float small = fma(POLYNOMIAL(c, square) * square, size, size);
  float power = __nvvm_ex2_approx_ftz_f(size * (2 * log2_e));
  float large = fma(__nvvm_rcp_approx_ftz_f(power + 1), -2, 1);
  return __builtin_copysignf(size < near ? small : large, x);
}

/* 1 - 2^-(x q(x)) loses digits near 0. */
FUNCTION __nv_erff(float x) {
  /* (erf(x) - x) / x of x^2, for x up to `near` */
  static const float c[] = {0x1.06eba6p-3f,  -0x1.8126fap-2f, 0x1.ce1dd2p-4f,
                            -0x1.b6bee4p-6f, 0x1.4876d4p-8f,  -0x1.3f4f98p-11f};
  /* -log2(1 - erf(x)) / x for x from `near` to `far`, behind which it is 1 */
  static const float q[] = {0x1.a0cbd4p+0f,  0x1.d590ccp-1f, 0x1.3715aep-3f,
                            -0x1.0eb75ap-5f, 0x1.307194p-8f, -0x1.44a24ap-12f};
  const float near = 0.9f, far = 4;
  float size = __builtin_fabsf(x), kept = __builtin_fminf(size, far);
  float small = fma(POLYNOMIAL(c, x * x), size, size);
  float large = 1 - __nvvm_ex2_approx_ftz_f(-kept * POLYNOMIAL(q, kept));
  return __builtin_copysignf(size > near ? large : small, x);
}

/* ---- roots ----------------------------------------------------------------------------------- */

FUNCTION __nv_rsqrtf(float x) {
  return __nvvm_rsqrt_approx_f(x);
}
