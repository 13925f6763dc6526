/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Reads, writes and prints single elements of every element type.
 * It must not know tensors, tolerances or random numbers. */
#include "numbers.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

number_type number_type_of(tessera_dtype type) {
  switch (type) {
  case TESSERA_I1:
  case TESSERA_U8:
  case TESSERA_U16:
  case TESSERA_U32:
  case TESSERA_U64:
    return (number_type){NUMBER_UNSIGNED, 1};
  case TESSERA_I4:
  case TESSERA_I8:
  case TESSERA_I16:
  case TESSERA_I32:
  case TESSERA_I64:
  case TESSERA_INDEX:
    return (number_type){NUMBER_INTEGER, 1};
  case TESSERA_F16:
  case TESSERA_BF16:
  case TESSERA_F32:
  case TESSERA_F64:
    return (number_type){NUMBER_FLOAT, 1};
  case TESSERA_C64:
  case TESSERA_C128:
    return (number_type){NUMBER_FLOAT, 2};
  case TESSERA_F8:
    break;
  }
  return (number_type){NUMBER_BITS, 1};
}

/* ---- 16-bit floats --------------------------------------------------------------------------- */

/* An IEEE-like format of 16 bits, given the bits of its fraction. */
static double decode16(uint16_t bits, int fraction) {
  int exponent_bits = 15 - fraction, bias = (1 << (exponent_bits - 1)) - 1;
  int exponent = bits >> fraction & ((1 << exponent_bits) - 1);
  int mantissa = bits & ((1 << fraction) - 1);
  double value;
  if (exponent == (1 << exponent_bits) - 1)
    value = mantissa ? NAN : INFINITY;
  else if (exponent == 0)
    value = ldexp(mantissa, 1 - bias - fraction);
  else
    value = ldexp(mantissa + (1 << fraction), exponent - bias - fraction);
  return bits >> 15 ? -value : value;
}

static uint16_t encode16(double value, int fraction) {
  int exponent_bits = 15 - fraction, bias = (1 << (exponent_bits - 1)) - 1;
  uint16_t sign = signbit(value) ? 0x8000 : 0;
  uint16_t infinity = (uint16_t)(((1 << exponent_bits) - 1) << fraction);
  if (isnan(value))
    return (uint16_t)(sign | infinity | 1u << (fraction - 1));
  if (isinf(value) || value == 0)
    return value == 0 ? sign : sign | infinity;
  int exponent;
  frexp(value, &exponent); /* |value| = m * 2^exponent, 0.5 <= m < 1 */
  /* Steps between neighbours are 2^(exponent - 1 - fraction), below the normal numbers a constant.
   */
  int lowest = 1 - bias;
  int step = (exponent - 1 < lowest ? lowest : exponent - 1) - fraction;
  double steps = rint(ldexp(fabs(value), -step));
  /* The bits of non-negative floats are ordered like the floats, so a carry goes where it should.
   */
  double bits = steps + ldexp(step + fraction - lowest, fraction);
  return sign | (bits >= infinity ? infinity : (uint16_t)bits);
}

enum { F16_FRACTION = 10, BF16_FRACTION = 7 };

/* ---- elements -------------------------------------------------------------------------------- */

static double read_real(tessera_dtype type, const void *element) {
  uint16_t bits;
  float single;
  double value;
  switch (type) {
  case TESSERA_F16:
    memcpy(&bits, element, sizeof(bits));
    return decode16(bits, F16_FRACTION);
  case TESSERA_BF16:
    memcpy(&bits, element, sizeof(bits));
    return decode16(bits, BF16_FRACTION);
  case TESSERA_F32:
  case TESSERA_C64:
    memcpy(&single, element, sizeof(single));
    return single;
  default:
    memcpy(&value, element, sizeof(value));
    return value;
  }
}

static void write_real(tessera_dtype type, double value, void *element) {
  uint16_t bits;
  float single = (float)value;
  switch (type) {
  case TESSERA_F16:
  case TESSERA_BF16:
    bits = encode16(value, type == TESSERA_F16 ? F16_FRACTION : BF16_FRACTION);
    memcpy(element, &bits, sizeof(bits));
    return;
  case TESSERA_F32:
  case TESSERA_C64:
    memcpy(element, &single, sizeof(single));
    return;
  default:
    memcpy(element, &value, sizeof(value));
  }
}

void number_read(tessera_dtype type, const void *element, double *parts) {
  int count = number_type_of(type).parts;
  size_t size = tessera_dtype_size(type) / (size_t)count;
  for (int i = 0; i < count; i++)
    parts[i] = read_real(type, (const char *)element + (size_t)i * size);
}

void number_write(tessera_dtype type, const double *parts, void *element) {
  int count = number_type_of(type).parts;
  size_t size = tessera_dtype_size(type) / (size_t)count;
  for (int i = 0; i < count; i++)
    write_real(type, parts[i], (char *)element + (size_t)i * size);
}

/* The bits of floats are ordered like their magnitudes. */
static double next_below(tessera_dtype type, double value) {
  size_t size = tessera_dtype_size(type) / (size_t)number_type_of(type).parts;
  uint64_t bits = 0, sign = UINT64_C(1) << (8 * size - 1);
  write_real(type, value, &bits);
  bits = (bits & ~sign) == 0 ? sign | 1 : bits & sign ? bits + 1 : bits - 1;
  return read_real(type, &bits);
}

double number_below(tessera_dtype type, double value) {
  uint64_t bits = 0;
  write_real(type, value, &bits);
  double rounded = read_real(type, &bits);
  return rounded < value ? rounded : next_below(type, rounded);
}

double number_from(tessera_dtype type, double value) {
  uint64_t bits = 0;
  write_real(type, value, &bits);
  double rounded = read_real(type, &bits);
  return rounded >= value ? rounded : -next_below(type, -rounded);
}

int64_t number_read_integer(tessera_dtype type, const void *element) {
  size_t size = tessera_dtype_size(type);
  uint64_t bits = 0;
  memcpy(&bits, element, size);
  unsigned unused = type == TESSERA_I4 ? 60 : 64 - 8 * (unsigned)size;
  if (number_type_of(type).kind == NUMBER_INTEGER)
    return (int64_t)(bits << unused) >> unused;
  return (int64_t)bits;
}

void number_write_integer(tessera_dtype type, int64_t value, void *element) {
  if (type == TESSERA_I4)
    value &= 0xf;
  memcpy(element, &value, tessera_dtype_size(type));
}

const char *number_text(tessera_dtype type, const void *element, char *text, size_t capacity) {
  double parts[2];
  number_type kind = number_type_of(type);
  switch (kind.kind) {
  case NUMBER_BITS:
    snprintf(text, capacity, "0x%02" PRIx64, (uint64_t)number_read_integer(type, element));
    break;
  case NUMBER_INTEGER:
    snprintf(text, capacity, "%" PRId64, number_read_integer(type, element));
    break;
  case NUMBER_UNSIGNED:
    snprintf(text, capacity, "%" PRIu64, (uint64_t)number_read_integer(type, element));
    break;
  case NUMBER_FLOAT:
    number_read(type, element, parts);
    if (kind.parts == 2)
      snprintf(text, capacity, "(%.9g, %.9g)", parts[0], parts[1]);
    else
      snprintf(text, capacity, "%.9g", parts[0]);
  }
  return text;
}
