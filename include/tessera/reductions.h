/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Which element types there are, and which reductions have a meaning for which of them: the one
 * table, as lists that expand a macro. It must not know how a reduction is computed. */
#ifndef TESSERA_REDUCTIONS_H
#define TESSERA_REDUCTIONS_H

#include <stddef.h>
#include <stdint.h>

#include "tessera/runtime.h"

/* ROW(type, bytes, family, digits): digits are bits of precision, to tell wider from narrower. The
 * families that are numbers ascend: each but the signs of integers can hold those before it. */
#define TESSERA_ELEMENT_TYPES(ROW)                                                                 \
  ROW(I1, 1, BOOLEAN, 1)                                                                           \
  ROW(I4, 1, OPAQUE, 4)                                                                            \
  ROW(I8, 1, SIGNED, 8)                                                                            \
  ROW(I16, 2, SIGNED, 16)                                                                          \
  ROW(I32, 4, SIGNED, 32)                                                                          \
  ROW(I64, 8, SIGNED, 64)                                                                          \
  ROW(U8, 1, UNSIGNED, 8)                                                                          \
  ROW(U16, 2, UNSIGNED, 16)                                                                        \
  ROW(U32, 4, UNSIGNED, 32)                                                                        \
  ROW(U64, 8, UNSIGNED, 64)                                                                        \
  ROW(INDEX, 8, SIGNED, 64)                                                                        \
  ROW(F16, 2, FLOAT, 11)                                                                           \
  ROW(BF16, 2, FLOAT, 8)                                                                           \
  ROW(F32, 4, FLOAT, 24)                                                                           \
  ROW(F64, 8, FLOAT, 53)                                                                           \
  ROW(C64, 8, COMPLEX, 24)                                                                         \
  ROW(C128, 16, COMPLEX, 53)                                                                       \
  ROW(F8, 1, OPAQUE, 3)

typedef enum tessera_family {
  TESSERA_FAMILY_NONE = 0,
  TESSERA_FAMILY_OPAQUE, /* moves as bytes only */
  TESSERA_FAMILY_BOOLEAN,
  TESSERA_FAMILY_SIGNED,
  TESSERA_FAMILY_UNSIGNED,
  TESSERA_FAMILY_FLOAT,
  TESSERA_FAMILY_COMPLEX
} tessera_family;

/* The reductions of a family: ROW(suffix, reduction, kernel). `kernel` combines two values; where
 * an average has a meaning, its kernel is the sum, and a division follows. Arithmetic on i1 is
 * modulo 2 and its true is -1 when signed, as in MLIR. */
#define TESSERA_BOOLEAN_REDUCTIONS(ROW, suffix)                                                    \
  ROW(suffix, SUM, xor)                                                                            \
  ROW(suffix, MAX, and)                                                                            \
  ROW(suffix, MIN, or)                                                                             \
  ROW(suffix, PRODUCT, and)                                                                        \
  ROW(suffix, AND, and)                                                                            \
  ROW(suffix, OR, or)                                                                              \
  ROW(suffix, XOR, xor)                                                                            \
  ROW(suffix, UMAX, or)                                                                            \
  ROW(suffix, UMIN, and)
#define TESSERA_INTEGER_REDUCTIONS(ROW, suffix)                                                    \
  ROW(suffix, SUM, sum)                                                                            \
  ROW(suffix, MAX, max)                                                                            \
  ROW(suffix, MIN, min)                                                                            \
  ROW(suffix, PRODUCT, product)                                                                    \
  ROW(suffix, AVERAGE, sum)                                                                        \
  ROW(suffix, AND, and)                                                                            \
  ROW(suffix, OR, or)                                                                              \
  ROW(suffix, XOR, xor)                                                                            \
  ROW(suffix, UMAX, max)                                                                           \
  ROW(suffix, UMIN, min)
#define TESSERA_FLOAT_REDUCTIONS(ROW, suffix)                                                      \
  ROW(suffix, SUM, sum)                                                                            \
  ROW(suffix, MAX, max)                                                                            \
  ROW(suffix, MIN, min)                                                                            \
  ROW(suffix, PRODUCT, product)                                                                    \
  ROW(suffix, AVERAGE, sum)                                                                        \
  ROW(suffix, MAXNUM, maxnum)                                                                      \
  ROW(suffix, MINNUM, minnum)
#define TESSERA_COMPLEX_REDUCTIONS(ROW, suffix)                                                    \
  ROW(suffix, SUM, sum)                                                                            \
  ROW(suffix, PRODUCT, product)                                                                    \
  ROW(suffix, AVERAGE, sum)

typedef struct tessera_type_facts {
  uint8_t size; /* bytes; 0 for an unknown type */
  uint8_t family;
  uint8_t digits;
} tessera_type_facts;

static inline tessera_type_facts tessera_type_facts_of(int32_t type) {
  tessera_type_facts facts = {0, TESSERA_FAMILY_NONE, 0};
  switch (type) {
#define TESSERA_FACTS_ROW(type, bytes, kin, precision)                                             \
  case TESSERA_##type:                                                                             \
    facts.size = bytes;                                                                            \
    facts.family = TESSERA_FAMILY_##kin;                                                           \
    facts.digits = precision;                                                                      \
    break;
    TESSERA_ELEMENT_TYPES(TESSERA_FACTS_ROW)
#undef TESSERA_FACTS_ROW
  default:
    break;
  }
  return facts;
}

/* A number of type `from` has a meaning in type `to`: integers in any type of numbers, floats in
 * float and complex types, complex numbers in complex types. */
static inline int tessera_type_converts(int32_t from, int32_t to) {
  tessera_type_facts source = tessera_type_facts_of(from), target = tessera_type_facts_of(to);
  if (source.family == TESSERA_FAMILY_NONE || target.family == TESSERA_FAMILY_NONE)
    return 0;
  if (source.family == TESSERA_FAMILY_OPAQUE || target.family == TESSERA_FAMILY_OPAQUE)
    return from == to;
  return source.family <= TESSERA_FAMILY_UNSIGNED || target.family >= source.family;
}

/* Some numbers of type `from` are not in `to`: floats are rounded there, integers cut to their low
 * bits and read with the other sign. */
static inline int tessera_type_narrows(int32_t from, int32_t to) {
  tessera_type_facts source = tessera_type_facts_of(from), target = tessera_type_facts_of(to);
  if (target.digits < source.digits)
    return 1;
  if (source.family == TESSERA_FAMILY_SIGNED && target.family == TESSERA_FAMILY_UNSIGNED)
    return 1; /* negative ones */
  if (source.family == TESSERA_FAMILY_UNSIGNED && target.family == TESSERA_FAMILY_SIGNED)
    return target.digits == source.digits;
  return from == TESSERA_BF16 && to == TESSERA_F16; /* more digits, but a smaller range */
}

/* A name for messages; NULL for no reduction. */
static inline const char *tessera_reduction_name(int32_t reduction) {
  /* In the order of tessera_reduction. */
  static const char *const names[] = {
      "none",       "sum",         "max",  "min",  "product", "average", "bitwise_and",
      "bitwise_or", "bitwise_xor", "umax", "umin", "maxnum",  "minnum",
  };
  enum { COUNT = sizeof(names) / sizeof(names[0]) };
  return reduction >= 0 && reduction < COUNT ? names[reduction] : NULL;
}

#endif /* TESSERA_REDUCTIONS_H */
