/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Conversions between element types, through int64, double and pairs of double.
 * It must not know reductions, memory layouts or ranks. */
#include <math.h>
#include <string.h>

#include "devices/host/host.h"
#include "tensors/dtype.h"
#include "tensors/float16.h"

/* ---- one element ----------------------------------------------------------------------------- */

/* A value on its way: integers in `integer` (two's complement), else real and imaginary part. */
typedef struct number {
  uint64_t integer;
  double real, imaginary;
} number;

#define LOAD(type) (*(const type *)from)

static number load_integer(tessera_dtype type, const void *from) {
  switch (type) {
  case TESSERA_I1:
    return (number){.integer = LOAD(uint8_t) != 0};
  case TESSERA_I8:
    return (number){.integer = (uint64_t)LOAD(int8_t)};
  case TESSERA_I16:
    return (number){.integer = (uint64_t)LOAD(int16_t)};
  case TESSERA_I32:
    return (number){.integer = (uint64_t)LOAD(int32_t)};
  case TESSERA_U8:
    return (number){.integer = LOAD(uint8_t)};
  case TESSERA_U16:
    return (number){.integer = LOAD(uint16_t)};
  case TESSERA_U32:
    return (number){.integer = LOAD(uint32_t)};
  default:
    return (number){.integer = LOAD(uint64_t)};
  }
}

static number load_number(tessera_dtype type, const void *from) {
  switch (type) {
  case TESSERA_F16:
    return (number){.real = float_of_f16(LOAD(uint16_t))};
  case TESSERA_BF16:
    return (number){.real = float_of_bf16(LOAD(uint16_t))};
  case TESSERA_F32:
    return (number){.real = LOAD(float)};
  case TESSERA_F64:
    return (number){.real = LOAD(double)};
  case TESSERA_C64:
    return (number){.real = LOAD(float), .imaginary = ((const float *)from)[1]};
  case TESSERA_C128:
    return (number){.real = LOAD(double), .imaginary = ((const double *)from)[1]};
  default:
    return load_integer(type, from);
  }
}

static void store_integer(tessera_dtype type, uint64_t value, void *to) {
  if (type == TESSERA_I1)
    value &= 1;
  memcpy(to, &value, tessera_dtype_size(type)); /* little-endian: the low bytes come first */
}

static void store_float(tessera_dtype type, number value, void *to) {
  switch (type) {
  case TESSERA_F16:
    *(uint16_t *)to = f16_of_float(float_to_odd(value.real));
    break;
  case TESSERA_BF16:
    *(uint16_t *)to = bf16_of_float(float_to_odd(value.real));
    break;
  case TESSERA_C64:
    ((float *)to)[1] = (float)value.imaginary;
    *(float *)to = (float)value.real;
    break;
  case TESSERA_F32:
    *(float *)to = (float)value.real;
    break;
  case TESSERA_C128:
    ((double *)to)[1] = value.imaginary;
    *(double *)to = value.real;
    break;
  default:
    *(double *)to = value.real;
    break;
  }
}

/* An integer's magnitude as a double; one of more digits with its last bit set, as above. */
static double double_to_odd(uint64_t magnitude) {
  if (!(magnitude >> 53))
    return (double)magnitude;
  int extra = 11 - __builtin_clzll(magnitude);
  uint64_t lost = magnitude & ((UINT64_C(1) << extra) - 1);
  return ldexp((double)(magnitude >> extra | (lost != 0)), extra);
}

/* To be rounded to `to_type`. */
static double real_of_integer(uint64_t value, bool is_unsigned, tessera_dtype to_type) {
  bool negative = !is_unsigned && (int64_t)value < 0;
  if (to_type == TESSERA_F64 || to_type == TESSERA_C128)
    return is_unsigned ? (double)value : (double)(int64_t)value;
  double magnitude = double_to_odd(negative ? 0 - value : value);
  return negative ? -magnitude : magnitude;
}

static void convert_any(tessera_dtype from_type, const char *from, tessera_dtype to_type, char *to,
                        int64_t count) {
  size_t from_size = tessera_dtype_size(from_type), to_size = tessera_dtype_size(to_type);
  bool is_unsigned = tr_is_integer(from_type) && tr_unsigned_of(from_type) == from_type;
  for (int64_t i = 0; i < count; i++, from += from_size, to += to_size) {
    number value = load_number(from_type, from);
    if (tr_is_integer(from_type) && tr_is_integer(to_type)) {
      store_integer(to_type, value.integer, to);
      continue;
    }
    if (tr_is_integer(from_type))
      value.real = real_of_integer(value.integer, is_unsigned, to_type);
    store_float(to_type, value, to);
  }
}

/* ---- many elements --------------------------------------------------------------------------- */

#define CONVERT(from_ctype, to_ctype, function)                                                    \
  do {                                                                                             \
    const from_ctype *source = from;                                                               \
    to_ctype *target = to;                                                                         \
    for (int64_t i = 0; i < count; i++)                                                            \
      target[i] = function(source[i]);                                                             \
  } while (0)

/* The pairs that reductions of 16-bit floats and products of integers spend their time in have
 * loops of their own. */
void tr_host_convert(tessera_dtype from_type, const void *from, tessera_dtype to_type, void *to,
                     int64_t count) {
  if (count == 0)
    return;
  if (from_type == to_type)
    memcpy(to, from, (size_t)count * tessera_dtype_size(from_type));
  else if (from_type == TESSERA_BF16 && to_type == TESSERA_F32)
    CONVERT(uint16_t, float, float_of_bf16);
  else if (from_type == TESSERA_F16 && to_type == TESSERA_F32)
    CONVERT(uint16_t, float, float_of_f16);
  else if (from_type == TESSERA_F32 && to_type == TESSERA_BF16)
    CONVERT(float, uint16_t, bf16_of_float);
  else if (from_type == TESSERA_F32 && to_type == TESSERA_F16)
    CONVERT(float, uint16_t, f16_of_float);
  else if (from_type == TESSERA_I8 && to_type == TESSERA_I32)
    CONVERT(int8_t, int32_t, (int32_t));
  else if (from_type == TESSERA_I16 && to_type == TESSERA_I32)
    CONVERT(int16_t, int32_t, (int32_t));
  else if (from_type == TESSERA_U8 && to_type == TESSERA_U32)
    CONVERT(uint8_t, uint32_t, (uint32_t));
  else if (from_type == TESSERA_I32 && to_type == TESSERA_I64)
    CONVERT(int32_t, int64_t, (int64_t));
  else
    convert_any(from_type, from, to_type, to, count);
}
