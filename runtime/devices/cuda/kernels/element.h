/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Elements of every type in kernels: read, rounded and written as the host does (convert.c there).
 * It must not know reductions, products or layouts. */
#ifndef TESSERA_RUNTIME_DEVICES_CUDA_KERNELS_ELEMENT_H
#define TESSERA_RUNTIME_DEVICES_CUDA_KERNELS_ELEMENT_H

#include <stdbool.h>
#include <stdint.h>

#include "tensors/float16.h"
#include "tessera/runtime.h"

#define KERNEL __attribute__((nvptx_kernel)) void
#define INLINE static inline __attribute__((always_inline))

/* The elements of a thread: from first_index() on, index_step() apart. */
INLINE int64_t first_index(void) {
  return (int64_t)__nvvm_read_ptx_sreg_ctaid_x() * __nvvm_read_ptx_sreg_ntid_x() +
         __nvvm_read_ptx_sreg_tid_x();
}

INLINE int64_t index_step(void) {
  return (int64_t)__nvvm_read_ptx_sreg_nctaid_x() * __nvvm_read_ptx_sreg_ntid_x();
}

/* Integers in `integer` (two's complement), else real and imaginary part. */
typedef struct number {
  uint64_t integer;
  double real, imaginary;
} number;

INLINE bool is_integer(int32_t type) {
  return type <= TESSERA_INDEX;
}

INLINE bool is_unsigned(int32_t type) {
  return (type >= TESSERA_U8 && type <= TESSERA_U64) || type == TESSERA_I1;
}

INLINE bool is_complex(int32_t type) {
  return type == TESSERA_C64 || type == TESSERA_C128;
}

INLINE int64_t size_of(int32_t type) {
  switch (type) {
  case TESSERA_I16:
  case TESSERA_U16:
  case TESSERA_F16:
  case TESSERA_BF16:
    return 2;
  case TESSERA_I32:
  case TESSERA_U32:
  case TESSERA_F32:
    return 4;
  case TESSERA_I64:
  case TESSERA_U64:
  case TESSERA_INDEX:
  case TESSERA_F64:
  case TESSERA_C64:
    return 8;
  case TESSERA_C128:
    return 16;
  default:
    return 1;
  }
}

INLINE number load_number(int32_t type, const char *from) {
  switch (type) {
  case TESSERA_I1:
    return (number){.integer = *(const uint8_t *)from != 0};
  case TESSERA_I8:
    return (number){.integer = (uint64_t)*(const int8_t *)from};
  case TESSERA_I16:
    return (number){.integer = (uint64_t)*(const int16_t *)from};
  case TESSERA_I32:
    return (number){.integer = (uint64_t)*(const int32_t *)from};
  case TESSERA_U8:
    return (number){.integer = *(const uint8_t *)from};
  case TESSERA_U16:
    return (number){.integer = *(const uint16_t *)from};
  case TESSERA_U32:
    return (number){.integer = *(const uint32_t *)from};
  case TESSERA_F16:
    return (number){.real = float_of_f16(*(const uint16_t *)from)};
  case TESSERA_BF16:
    return (number){.real = float_of_bf16(*(const uint16_t *)from)};
  case TESSERA_F32:
    return (number){.real = *(const float *)from};
  case TESSERA_F64:
    return (number){.real = *(const double *)from};
  case TESSERA_C64:
    return (number){.real = *(const float *)from, .imaginary = ((const float *)from)[1]};
  case TESSERA_C128:
    return (number){.real = *(const double *)from, .imaginary = ((const double *)from)[1]};
  default:
    return (number){.integer = *(const uint64_t *)from};
  }
}

/* An integer as an element of its type has it. */
INLINE uint64_t wrap(int32_t type, uint64_t value) {
  switch (type) {
  case TESSERA_I1:
    return value & 1;
  case TESSERA_I8:
    return (uint64_t)(int8_t)value;
  case TESSERA_I16:
    return (uint64_t)(int16_t)value;
  case TESSERA_I32:
    return (uint64_t)(int32_t)value;
  case TESSERA_U8:
    return (uint8_t)value;
  case TESSERA_U16:
    return (uint16_t)value;
  case TESSERA_U32:
    return (uint32_t)value;
  default:
    return value;
  }
}

/* A magnitude as a double; one of more digits with its last bit set, so that a second rounding sees
 * that it is no tie. */
INLINE double double_to_odd(uint64_t magnitude) {
  if (!(magnitude >> 53))
    return (double)magnitude;
  int extra = 11 - __builtin_clzll(magnitude);
  uint64_t lost = magnitude & ((UINT64_C(1) << extra) - 1);
  return (double)(magnitude >> extra | (lost != 0)) * (double)(UINT64_C(1) << extra);
}

INLINE bool is_double(int32_t type) {
  return type == TESSERA_F64 || type == TESSERA_C128;
}

/* For a conversion to `to_type`, which store_number or a cast to float finishes. */
INLINE number as_number_of(number value, int32_t from_type, int32_t to_type) {
  if (!is_integer(from_type) || is_integer(to_type))
    return value;
  bool negative = !is_unsigned(from_type) && (int64_t)value.integer < 0;
  if (is_double(to_type)) {
    value.real = is_unsigned(from_type) ? (double)value.integer : (double)(int64_t)value.integer;
    return value;
  }
  double magnitude = double_to_odd(negative ? 0 - value.integer : value.integer);
  value.real = negative ? -magnitude : magnitude;
  return value;
}

INLINE void store_integer(int32_t type, uint64_t value, char *to) {
  switch (size_of(type)) {
  case 1:
    *(uint8_t *)to = (uint8_t)wrap(type, value);
    break;
  case 2:
    *(uint16_t *)to = (uint16_t)value;
    break;
  case 4:
    *(uint32_t *)to = (uint32_t)value;
    break;
  default:
    *(uint64_t *)to = value;
    break;
  }
}

INLINE void store_number(int32_t type, number value, char *to) {
  switch (type) {
  case TESSERA_F16:
    *(uint16_t *)to = f16_of_float(float_to_odd(value.real));
    break;
  case TESSERA_BF16:
    *(uint16_t *)to = bf16_of_float(float_to_odd(value.real));
    break;
  case TESSERA_F32:
    *(float *)to = (float)value.real;
    break;
  case TESSERA_F64:
    *(double *)to = value.real;
    break;
  case TESSERA_C64:
    ((float *)to)[1] = (float)value.imaginary;
    *(float *)to = (float)value.real;
    break;
  case TESSERA_C128:
    ((double *)to)[1] = value.imaginary;
    *(double *)to = value.real;
    break;
  default:
    store_integer(type, value.integer, to);
    break;
  }
}

#endif /* TESSERA_RUNTIME_DEVICES_CUDA_KERNELS_ELEMENT_H */
