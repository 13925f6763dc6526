/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Kernels that combine the values of several members, in their order, as the host's combine.c.
 * It must not know layouts, groups or products. */
#include "element.h"
#include "parameters.h"

INLINE const char *piece_of(const combine_parameters *p, int32_t member) {
  return p->table ? p->table[member] : p->inlined[member];
}

/* ---- integers -------------------------------------------------------------------------------- */

INLINE bool is_less(uint64_t a, uint64_t b, bool unsigned_values) {
  return unsigned_values ? a < b : (int64_t)a < (int64_t)b;
}

INLINE uint64_t combine_integers(int32_t reduction, uint64_t a, uint64_t b, bool unsigned_values) {
  switch (reduction) {
  case TESSERA_PRODUCT:
    return a * b;
  case TESSERA_MAX:
  case TESSERA_UMAX:
    return is_less(a, b, unsigned_values) ? b : a;
  case TESSERA_MIN:
  case TESSERA_UMIN:
    return is_less(a, b, unsigned_values) ? a : b;
  case TESSERA_AND:
    return a & b;
  case TESSERA_OR:
    return a | b;
  case TESSERA_XOR:
    return a ^ b;
  default:
    return a + b;
  }
}

KERNEL tessera_combine_integers(combine_parameters p) {
  bool unsigned_values = is_unsigned(p.accumulator);
  int64_t in_size = size_of(p.input), out_size = size_of(p.kind);
  for (int64_t i = first_index(); i < p.count; i += index_step()) {
    uint64_t sum = 0;
    for (int32_t member = 0; member < p.members; member++) {
      uint64_t value = load_number(p.input, piece_of(&p, member) + i * in_size).integer;
      value = wrap(p.accumulator, value);
      if (member > 0)
        value = wrap(p.accumulator, combine_integers(p.reduction, sum, value, unsigned_values));
      sum = value;
    }
    if (p.divisor)
      sum = unsigned_values ? sum / (uint64_t)p.divisor : (uint64_t)((int64_t)sum / p.divisor);
    store_number(p.kind, (number){.integer = sum}, p.output + i * out_size);
  }
}

/* ---- floats ---------------------------------------------------------------------------------- */

/* IEEE 754's maximum and minimum: a NaN wins, and -0 is less than +0. Then maximumNumber and
 * minimumNumber, where a number wins. */
#define FLOAT_KERNEL(name, ctype)                                                                  \
  INLINE ctype larger_##ctype(ctype a, ctype b) {                                                  \
    return a == b ? (__builtin_signbit(a) ? b : a) : (a > b ? a : b);                              \
  }                                                                                                \
  INLINE ctype smaller_##ctype(ctype a, ctype b) {                                                 \
    return a == b ? (__builtin_signbit(a) ? a : b) : (a < b ? a : b);                              \
  }                                                                                                \
  INLINE ctype combine_##ctype(int32_t reduction, ctype a, ctype b) {                              \
    switch (reduction) {                                                                           \
    case TESSERA_PRODUCT:                                                                          \
      return a * b;                                                                                \
    case TESSERA_MAX:                                                                              \
      return a != a ? a : (b != b ? b : larger_##ctype(a, b));                                     \
    case TESSERA_MIN:                                                                              \
      return a != a ? a : (b != b ? b : smaller_##ctype(a, b));                                    \
    case TESSERA_MAXNUM:                                                                           \
      return a != a ? b : (b != b ? a : larger_##ctype(a, b));                                     \
    case TESSERA_MINNUM:                                                                           \
      return a != a ? b : (b != b ? a : smaller_##ctype(a, b));                                    \
    default:                                                                                       \
      return a + b;                                                                                \
    }                                                                                              \
  }                                                                                                \
  KERNEL name(combine_parameters p) {                                                              \
    int64_t in_size = size_of(p.input), out_size = size_of(p.kind);                                \
    for (int64_t i = first_index(); i < p.count; i += index_step()) {                              \
      ctype sum = 0;                                                                               \
      for (int32_t member = 0; member < p.members; member++) {                                     \
        number read = load_number(p.input, piece_of(&p, member) + i * in_size);                    \
        ctype value = (ctype)as_number_of(read, p.input, p.accumulator).real;                      \
        sum = member > 0 ? combine_##ctype(p.reduction, sum, value) : value;                       \
      }                                                                                            \
      if (p.divisor)                                                                               \
        sum /= (ctype)p.divisor;                                                                   \
      store_number(p.kind, (number){.real = sum}, p.output + i * out_size);                        \
    }                                                                                              \
  }

FLOAT_KERNEL(tessera_combine_f32, float)
FLOAT_KERNEL(tessera_combine_f64, double)

/* ---- complex numbers: sums and products ------------------------------------------------------ */

#define COMPLEX_KERNEL(name, ctype)                                                                \
  KERNEL name(combine_parameters p) {                                                              \
    int64_t in_size = size_of(p.input), out_size = size_of(p.kind);                                \
    for (int64_t i = first_index(); i < p.count; i += index_step()) {                              \
      ctype real = 0, imaginary = 0;                                                               \
      for (int32_t member = 0; member < p.members; member++) {                                     \
        number read = load_number(p.input, piece_of(&p, member) + i * in_size);                    \
        read = as_number_of(read, p.input, p.accumulator);                                         \
        ctype x = (ctype)read.real, y = (ctype)read.imaginary, before = real;                      \
        bool multiplies = p.reduction == TESSERA_PRODUCT;                                          \
        real = member == 0 ? x : multiplies ? before * x - imaginary * y : before + x;             \
        imaginary = member == 0 ? y : multiplies ? before * y + imaginary * x : imaginary + y;     \
      }                                                                                            \
      if (p.divisor) {                                                                             \
        real /= (ctype)p.divisor;                                                                  \
        imaginary /= (ctype)p.divisor;                                                             \
      }                                                                                            \
      store_number(p.kind, (number){.real = real, .imaginary = imaginary},                         \
                   p.output + i * out_size);                                                       \
    }                                                                                              \
  }

COMPLEX_KERNEL(tessera_combine_c64, float)
COMPLEX_KERNEL(tessera_combine_c128, double)
