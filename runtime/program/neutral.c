/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Neutral elements of reductions as bits.
 * It must not know layouts or ranks. */
#include "program/neutral.h"

#include <string.h>

typedef enum family {
  FAMILY_NONE,
  FAMILY_SIGNED,
  FAMILY_UNSIGNED,
  FAMILY_FLOAT,
  FAMILY_COMPLEX
} family;

/* Bit patterns of one, minus infinity, infinity and a quiet NaN; for integers their width. Narrow
 * ones lie in the low bits of a byte whose other bits are 0. */
typedef struct type_bits {
  family family;
  int width;
  uint64_t one, minus_infinity, infinity, nan;
} type_bits;

static const type_bits types[] = {
    [TESSERA_I1] = {FAMILY_SIGNED, 1, 0, 0, 0, 0},
    [TESSERA_I4] = {FAMILY_SIGNED, 4, 0, 0, 0, 0},
    [TESSERA_I8] = {FAMILY_SIGNED, 8, 0, 0, 0, 0},
    [TESSERA_I16] = {FAMILY_SIGNED, 16, 0, 0, 0, 0},
    [TESSERA_I32] = {FAMILY_SIGNED, 32, 0, 0, 0, 0},
    [TESSERA_I64] = {FAMILY_SIGNED, 64, 0, 0, 0, 0},
    [TESSERA_U8] = {FAMILY_UNSIGNED, 8, 0, 0, 0, 0},
    [TESSERA_U16] = {FAMILY_UNSIGNED, 16, 0, 0, 0, 0},
    [TESSERA_U32] = {FAMILY_UNSIGNED, 32, 0, 0, 0, 0},
    [TESSERA_U64] = {FAMILY_UNSIGNED, 64, 0, 0, 0, 0},
    [TESSERA_INDEX] = {FAMILY_SIGNED, 64, 0, 0, 0, 0},
    [TESSERA_F16] = {FAMILY_FLOAT, 16, 0x3c00, 0xfc00, 0x7c00, 0x7e00},
    [TESSERA_BF16] = {FAMILY_FLOAT, 16, 0x3f80, 0xff80, 0x7f80, 0x7fc0},
    [TESSERA_F32] = {FAMILY_FLOAT, 32, 0x3f800000, 0xff800000, 0x7f800000, 0x7fc00000},
    [TESSERA_F64] = {FAMILY_FLOAT, 64, 0x3ff0000000000000, 0xfff0000000000000, 0x7ff0000000000000,
                     0x7ff8000000000000},
    [TESSERA_C64] = {FAMILY_COMPLEX, 32, 0x3f800000, 0, 0, 0},
    [TESSERA_C128] = {FAMILY_COMPLEX, 64, 0x3ff0000000000000, 0, 0, 0},
};

static uint64_t all_ones(int width) {
  return width == 64 ? UINT64_MAX : ((uint64_t)1 << width) - 1;
}

static bool integer_neutral(const type_bits *type, tessera_reduction reduction, uint64_t *bits) {
  uint64_t ones = all_ones(type->width);
  bool is_signed = type->family == FAMILY_SIGNED;
  uint64_t lowest = is_signed ? (uint64_t)1 << (type->width - 1) : 0;
  uint64_t highest = ones ^ lowest;
  switch (reduction) {
  case TESSERA_SUM:
  case TESSERA_OR:
  case TESSERA_XOR:
  case TESSERA_UMAX:
    *bits = 0;
    return true;
  case TESSERA_PRODUCT:
    *bits = 1;
    return true;
  case TESSERA_AND:
  case TESSERA_UMIN:
    *bits = ones;
    return true;
  case TESSERA_MAX:
    *bits = lowest;
    return true;
  case TESSERA_MIN:
    *bits = highest;
    return true;
  default:
    return false;
  }
}

/* The minimum and maximum that let a number win over NaN have NaN itself for a neutral element. */
static bool float_neutral(const type_bits *type, tessera_reduction reduction, uint64_t *bits) {
  switch (reduction) {
  case TESSERA_SUM:
    *bits = 0;
    return true;
  case TESSERA_PRODUCT:
    *bits = type->one;
    return true;
  case TESSERA_MAX:
    *bits = type->minus_infinity;
    return true;
  case TESSERA_MIN:
    *bits = type->infinity;
    return true;
  case TESSERA_MAXNUM:
  case TESSERA_MINNUM:
    *bits = type->nan;
    return true;
  default:
    return false;
  }
}

bool tr_neutral_element(tessera_dtype type, tessera_reduction reduction, void *element) {
  size_t size = tessera_dtype_size(type);
  if ((size_t)type >= sizeof(types) / sizeof(types[0]) || types[type].family == FAMILY_NONE)
    return false;
  const type_bits *row = &types[type];
  uint64_t bits = 0;
  bool exists;
  if (row->family == FAMILY_FLOAT)
    exists = float_neutral(row, reduction, &bits);
  else if (row->family == FAMILY_COMPLEX)
    exists = reduction == TESSERA_SUM || reduction == TESSERA_PRODUCT;
  else
    exists = integer_neutral(row, reduction, &bits);
  if (row->family == FAMILY_COMPLEX && reduction == TESSERA_PRODUCT)
    bits = row->one;
  memset(element, 0, size);
  memcpy(element, &bits, size < sizeof(bits) ? size : sizeof(bits));
  return exists;
}
