/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The kernels of reductions, and the table of those that have a meaning.
 * It must not know views, groups or ranks. */
#include "collectives/reduction.h"

#include <complex.h>
#include <math.h>

#include "dtype.h"
#include "error.h"
#include "program/tensor.h"
#include "tessera/reductions.h"

/* ---- kernels ----------------------------------------------------------------------------------
 */

#define KERNEL(name, ctype, expression)                                                            \
  static void name(void *accumulator, const void *values, int64_t count) {                         \
    ctype *restrict left = accumulator;                                                            \
    const ctype *restrict right = values;                                                          \
    for (int64_t i = 0; i < count; i++) {                                                          \
      ctype a = left[i], b = right[i];                                                             \
      left[i] = (ctype)(expression);                                                               \
    }                                                                                              \
  }

/* Sums and products wrap around, which only unsigned arithmetic of full width may do in C. */
#define INTEGER_KERNELS(suffix, ctype)                                                             \
  KERNEL(sum_##suffix, ctype, (uint64_t)a + (uint64_t)b)                                           \
  KERNEL(product_##suffix, ctype, (uint64_t)a *(uint64_t)b)                                        \
  KERNEL(max_##suffix, ctype, a > b ? a : b)                                                       \
  KERNEL(min_##suffix, ctype, a < b ? a : b)                                                       \
  KERNEL(and_##suffix, ctype, a &b)                                                                \
  KERNEL(or_##suffix, ctype, a | b)                                                                \
  KERNEL(xor_##suffix, ctype, a ^ b)

INTEGER_KERNELS(i8, int8_t)
INTEGER_KERNELS(i16, int16_t)
INTEGER_KERNELS(i32, int32_t)
INTEGER_KERNELS(i64, int64_t)
INTEGER_KERNELS(u8, uint8_t)
INTEGER_KERNELS(u16, uint16_t)
INTEGER_KERNELS(u32, uint32_t)
INTEGER_KERNELS(u64, uint64_t)

/* IEEE 754's maximum and minimum: a NaN wins, and -0 is less than +0. Then maximumNumber and
 * minimumNumber, where a number wins. */
#define FLOAT_KERNELS(suffix, ctype)                                                               \
  static inline ctype larger_##suffix(ctype a, ctype b) {                                          \
    return a == b ? (signbit(a) ? b : a) : (a > b ? a : b);                                        \
  }                                                                                                \
  static inline ctype smaller_##suffix(ctype a, ctype b) {                                         \
    return a == b ? (signbit(a) ? a : b) : (a < b ? a : b);                                        \
  }                                                                                                \
  KERNEL(sum_##suffix, ctype, a + b)                                                               \
  KERNEL(product_##suffix, ctype, a *b)                                                            \
  KERNEL(max_##suffix, ctype, a != a ? a : (b != b ? b : larger_##suffix(a, b)))                   \
  KERNEL(min_##suffix, ctype, a != a ? a : (b != b ? b : smaller_##suffix(a, b)))                  \
  KERNEL(maxnum_##suffix, ctype, a != a ? b : (b != b ? a : larger_##suffix(a, b)))                \
  KERNEL(minnum_##suffix, ctype, a != a ? b : (b != b ? a : smaller_##suffix(a, b)))

FLOAT_KERNELS(f32, float)
FLOAT_KERNELS(f64, double)

KERNEL(sum_c64, float complex, a + b)
KERNEL(product_c64, float complex, a *b)
KERNEL(sum_c128, double complex, a + b)
KERNEL(product_c128, double complex, a *b)

/* ---- the table --------------------------------------------------------------------------------
 */

enum { NUM_TYPES = TESSERA_F8 + 1, NUM_REDUCTIONS = TESSERA_MINNUM + 1 };

/* Unsigned views of signless integers have been turned into unsigned types before. */
#define ENTRY(suffix, reduction, kernel) [TESSERA_##reduction] = kernel##_##suffix,

static const tr_combine kernels[NUM_TYPES][NUM_REDUCTIONS] = {
    [TESSERA_I1] = {TESSERA_BOOLEAN_REDUCTIONS(ENTRY, u8)},
    [TESSERA_I8] = {TESSERA_INTEGER_REDUCTIONS(ENTRY, i8)},
    [TESSERA_I16] = {TESSERA_INTEGER_REDUCTIONS(ENTRY, i16)},
    [TESSERA_I32] = {TESSERA_INTEGER_REDUCTIONS(ENTRY, i32)},
    [TESSERA_I64] = {TESSERA_INTEGER_REDUCTIONS(ENTRY, i64)},
    [TESSERA_INDEX] = {TESSERA_INTEGER_REDUCTIONS(ENTRY, i64)},
    [TESSERA_U8] = {TESSERA_INTEGER_REDUCTIONS(ENTRY, u8)},
    [TESSERA_U16] = {TESSERA_INTEGER_REDUCTIONS(ENTRY, u16)},
    [TESSERA_U32] = {TESSERA_INTEGER_REDUCTIONS(ENTRY, u32)},
    [TESSERA_U64] = {TESSERA_INTEGER_REDUCTIONS(ENTRY, u64)},
    [TESSERA_F32] = {TESSERA_FLOAT_REDUCTIONS(ENTRY, f32)},
    [TESSERA_F64] = {TESSERA_FLOAT_REDUCTIONS(ENTRY, f64)},
    [TESSERA_C64] = {TESSERA_COMPLEX_REDUCTIONS(ENTRY, c64)},
    [TESSERA_C128] = {TESSERA_COMPLEX_REDUCTIONS(ENTRY, c128)},
};

static bool reads_unsigned(tessera_reduction reduction) {
  return reduction == TESSERA_UMAX || reduction == TESSERA_UMIN;
}

/* 16-bit floats add up in f32; the sum of an integer average in 64 bits, where it cannot wrap. */
static tessera_dtype accumulator_type(const tr_reducer *reducer) {
  if (reducer->output == TESSERA_F16 || reducer->output == TESSERA_BF16)
    return TESSERA_F32;
  if (reducer->reduction == TESSERA_AVERAGE && reducer->output != TESSERA_I1 &&
      tr_is_integer(reducer->output))
    return tr_unsigned_of(reducer->output) == reducer->output ? TESSERA_U64 : TESSERA_I64;
  return reducer->output;
}

tessera_status tr_reducer_find(tessera_dtype input, tessera_dtype output,
                               tessera_reduction reduction, tr_reducer *reducer) {
  bool is_known = reduction > 0 && (size_t)reduction < NUM_REDUCTIONS;
  reducer->input = reads_unsigned(reduction) ? tr_unsigned_of(input) : input;
  reducer->output = reads_unsigned(reduction) ? tr_unsigned_of(output) : output;
  reducer->reduction = reduction;
  reducer->accumulator = accumulator_type(reducer);
  if (!tr_can_convert(reducer->input, reducer->output))
    return tr_fail(TESSERA_ERROR_UNSUPPORTED, "no reduction from %s to %s", tr_dtype_name(input),
                   tr_dtype_name(output));
  reducer->combine = is_known ? kernels[reducer->accumulator][reduction] : NULL;
  if (!reducer->combine)
    return tr_fail(TESSERA_ERROR_UNSUPPORTED, "the reduction '%s' has no meaning for %s",
                   is_known ? tessera_reduction_name((int32_t)reduction) : "unknown",
                   tr_dtype_name(output));
  return TESSERA_OK;
}

#define DIVIDE(ctype, divisor)                                                                     \
  do {                                                                                             \
    ctype *values = accumulator;                                                                   \
    for (int64_t i = 0; i < count; i++)                                                            \
      values[i] /= (divisor);                                                                      \
  } while (0)

void tr_reducer_divide(const tr_reducer *reducer, void *accumulator, int64_t count,
                       int64_t divisor) {
  switch (reducer->accumulator) {
  case TESSERA_I64:
    DIVIDE(int64_t, divisor);
    break;
  case TESSERA_U64:
    DIVIDE(uint64_t, (uint64_t)divisor);
    break;
  case TESSERA_F32:
    DIVIDE(float, (float)divisor);
    break;
  case TESSERA_F64:
    DIVIDE(double, (double)divisor);
    break;
  case TESSERA_C64:
    DIVIDE(float complex, (float)divisor);
    break;
  case TESSERA_C128:
    DIVIDE(double complex, (double)divisor);
    break;
  default:
    break;
  }
}
