/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* What LLVM calls where a processor has no instruction for it: conversions of f16 and bf16, whole
 * powers. The names are the ABI of compilers' runtime libraries, which not every process has (and
 * those of GCC before 13 have no bf16). It must not know tensors. */
#include "tessera/runtime.h"

#include <string.h>

#include "tensors/float16.h"

/* Both 16-bit floats travel in the register that a _Float16 travels in. */
typedef _Float16 half;

TESSERA_API half __truncsfhf2(float value);
TESSERA_API half __truncdfhf2(double value);
TESSERA_API half __truncsfbf2(float value);
TESSERA_API half __truncdfbf2(double value);
TESSERA_API float __extendhfsf2(half value);
TESSERA_API float __powisf2(float base, int exponent);
TESSERA_API double __powidf2(double base, int exponent);

static half half_of_bits(uint16_t bits) {
  half value;
  memcpy(&value, &bits, sizeof(value));
  return value;
}

half __truncsfhf2(float value) {
  return half_of_bits(f16_of_float(value));
}

half __truncdfhf2(double value) {
  return half_of_bits(f16_of_float(float_to_odd(value)));
}

half __truncsfbf2(float value) {
  return half_of_bits(bf16_of_float(value));
}

half __truncdfbf2(double value) {
  return half_of_bits(bf16_of_float(float_to_odd(value)));
}

float __extendhfsf2(half value) {
  uint16_t bits;
  memcpy(&bits, &value, sizeof(bits));
  return float_of_f16(bits);
}

double __powidf2(double base, int exponent) {
  double power = 1;
  for (unsigned rest = exponent < 0 ? 0U - (unsigned)exponent : (unsigned)exponent; rest;
       rest /= 2) {
    if (rest % 2)
      power *= base;
    base *= base;
  }
  return exponent < 0 ? 1 / power : power;
}

float __powisf2(float base, int exponent) {
  return (float)__powidf2(base, exponent);
}
