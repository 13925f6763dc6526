/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* f16 and bf16, as bits, from f32 and to it, rounded to nearest even.
 * It must not know element types or tensors, nor a C library: kernels of devices have none. */
#ifndef TESSERA_RUNTIME_TENSORS_FLOAT16_H
#define TESSERA_RUNTIME_TENSORS_FLOAT16_H

#include <stdint.h>

static inline float float_of_bits(uint32_t bits) {
  float value;
  __builtin_memcpy(&value, &bits, sizeof(value));
  return value;
}

static inline uint32_t bits_of_float(float value) {
  uint32_t bits;
  __builtin_memcpy(&bits, &value, sizeof(bits));
  return bits;
}

/* An inexact `value` as the neighbouring float whose last bit is 1, so that a second rounding, to
 * two bits less or shorter, sees that it is no tie (S. Boldo, G. Melquiond, "Emulation of FMA and
 * correctly rounded sums: proved algorithms using rounding to odd", 2008). */
static inline float float_to_odd(double value) {
  float nearest = (float)value;
  uint32_t bits = bits_of_float(nearest);
  if ((double)nearest == value || value != value || bits & 1)
    return nearest;
  return float_of_bits(__builtin_fabs((double)nearest) > __builtin_fabs(value) ? bits - 1
                                                                               : bits + 1);
}

static inline float float_of_bf16(uint16_t value) {
  return float_of_bits((uint32_t)value << 16);
}

/* To nearest, ties to even; a NaN stays one. */
static inline uint16_t bf16_of_float(float value) {
  uint32_t bits = bits_of_float(value);
  uint32_t rounded = (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
  return (uint16_t)((bits & 0x7fffffff) > 0x7f800000 ? (bits >> 16) | 0x40 : rounded);
}

/* Subnormals come out of the multiplication: 2^112 moves the exponent from bias 15 to bias 127. */
static inline float float_of_f16(uint16_t value) {
  uint32_t sign = (uint32_t)(value & 0x8000) << 16, magnitude = (uint32_t)(value & 0x7fff) << 13;
  uint32_t scaled = bits_of_float(float_of_bits(magnitude) * 0x1p112f);
  uint32_t special = magnitude | 0x7f800000;
  return float_of_bits(sign | (magnitude >= 0x0f800000 ? special : scaled));
}

static inline uint16_t f16_of_float(float value) {
  uint32_t bits = bits_of_float(value), sign = bits >> 16 & 0x8000, magnitude = bits & 0x7fffffff;
  if (magnitude > 0x7f800000)
    return (uint16_t)(sign | 0x7e00 | (magnitude >> 13 & 0x1ff));
  if (magnitude >= 0x477ff000) /* 65520 and above round to infinity */
    return (uint16_t)(sign | 0x7c00);
  if (magnitude < 0x38800000) /* subnormal: let the adder round at 2^-24 */
    return (uint16_t)(sign | (bits_of_float(float_of_bits(magnitude) + 0.5f) - 0x3f000000));
  return (uint16_t)(sign | ((magnitude + 0xfff + (magnitude >> 13 & 1) - 0x38000000) >> 13));
}

#endif /* TESSERA_RUNTIME_TENSORS_FLOAT16_H */
