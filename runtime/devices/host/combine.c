/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The kernels of reductions, and how members' values are combined in the host's memory.
 * It must not know views, groups or ranks. */
#include <complex.h>
#include <math.h>

#include "devices/host/host.h"
#include "tessera/reductions.h"

/* ---- kernels --------------------------------------------------------------------------------- */

/* The result may be one of the operands, element by element, but not lie across them: vectors do
 * not depend on each other, which the compiler cannot see. */
#if defined(__clang__)
#define INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#else
#define INDEPENDENT _Pragma("GCC ivdep")
#endif

#define KERNEL(name, target, ctype, expression)                                                    \
  target static void name(void *result, const void *left, const void *right, int64_t count) {      \
    ctype *to = result;                                                                            \
    const ctype *from_left = left, *from_right = right;                                            \
    INDEPENDENT for (int64_t i = 0; i < count; i++) {                                              \
      ctype a = from_left[i], b = from_right[i];                                                   \
      to[i] = (ctype)(expression);                                                                 \
    }                                                                                              \
  }

/* Sums and products wrap around, which only unsigned arithmetic of full width may do in C. */
#define INTEGER_KERNELS(suffix, target, ctype)                                                     \
  KERNEL(sum_##suffix, target, ctype, (uint64_t)a + (uint64_t)b)                                   \
  KERNEL(product_##suffix, target, ctype, (uint64_t)a *(uint64_t)b)                                \
  KERNEL(max_##suffix, target, ctype, a > b ? a : b)                                               \
  KERNEL(min_##suffix, target, ctype, a < b ? a : b)                                               \
  KERNEL(and_##suffix, target, ctype, a &b)                                                        \
  KERNEL(or_##suffix, target, ctype, a | b)                                                        \
  KERNEL(xor_##suffix, target, ctype, a ^ b)

/* IEEE 754's maximum and minimum: a NaN wins, and -0 is less than +0. Then maximumNumber and
 * minimumNumber, where a number wins. */
#define FLOAT_KERNELS(suffix, target, ctype)                                                       \
  target static inline ctype larger_##suffix(ctype a, ctype b) {                                   \
    return a == b ? (signbit(a) ? b : a) : (a > b ? a : b);                                        \
  }                                                                                                \
  target static inline ctype smaller_##suffix(ctype a, ctype b) {                                  \
    return a == b ? (signbit(a) ? a : b) : (a < b ? a : b);                                        \
  }                                                                                                \
  KERNEL(sum_##suffix, target, ctype, a + b)                                                       \
  KERNEL(product_##suffix, target, ctype, a *b)                                                    \
  KERNEL(max_##suffix, target, ctype, a != a ? a : (b != b ? b : larger_##suffix(a, b)))           \
  KERNEL(min_##suffix, target, ctype, a != a ? a : (b != b ? b : smaller_##suffix(a, b)))          \
  KERNEL(maxnum_##suffix, target, ctype, a != a ? b : (b != b ? a : larger_##suffix(a, b)))        \
  KERNEL(minnum_##suffix, target, ctype, a != a ? b : (b != b ? a : smaller_##suffix(a, b)))

#define COMPLEX_KERNELS(suffix, target, ctype)                                                     \
  KERNEL(sum_##suffix, target, ctype, a + b)                                                       \
  KERNEL(product_##suffix, target, ctype, a *b)

#define ALL_KERNELS(variant, target)                                                               \
  INTEGER_KERNELS(i8##variant, target, int8_t)                                                     \
  INTEGER_KERNELS(i16##variant, target, int16_t)                                                   \
  INTEGER_KERNELS(i32##variant, target, int32_t)                                                   \
  INTEGER_KERNELS(i64##variant, target, int64_t)                                                   \
  INTEGER_KERNELS(u8##variant, target, uint8_t)                                                    \
  INTEGER_KERNELS(u16##variant, target, uint16_t)                                                  \
  INTEGER_KERNELS(u32##variant, target, uint32_t)                                                  \
  INTEGER_KERNELS(u64##variant, target, uint64_t)                                                  \
  FLOAT_KERNELS(f32##variant, target, float)                                                       \
  FLOAT_KERNELS(f64##variant, target, double)                                                      \
  COMPLEX_KERNELS(c64##variant, target, float complex)                                             \
  COMPLEX_KERNELS(c128##variant, target, double complex)

/* ---- the table ------------------------------------------------------------------------------- */

enum { NUM_TYPES = TESSERA_F8 + 1, NUM_REDUCTIONS = TESSERA_MINNUM + 1 };

/* result[i] = left[i] op right[i]. */
typedef void (*kernel)(void *result, const void *left, const void *right, int64_t count);

/* Unsigned views of signless integers have been turned into unsigned types before. */
#define ENTRY(suffix, reduction, kernel) [TESSERA_##reduction] = kernel##_##suffix,

#define ALL_ENTRIES(variant)                                                                       \
  {                                                                                                \
      [TESSERA_I1] = {TESSERA_BOOLEAN_REDUCTIONS(ENTRY, u8##variant)},                             \
      [TESSERA_I8] = {TESSERA_INTEGER_REDUCTIONS(ENTRY, i8##variant)},                             \
      [TESSERA_I16] = {TESSERA_INTEGER_REDUCTIONS(ENTRY, i16##variant)},                           \
      [TESSERA_I32] = {TESSERA_INTEGER_REDUCTIONS(ENTRY, i32##variant)},                           \
      [TESSERA_I64] = {TESSERA_INTEGER_REDUCTIONS(ENTRY, i64##variant)},                           \
      [TESSERA_INDEX] = {TESSERA_INTEGER_REDUCTIONS(ENTRY, i64##variant)},                         \
      [TESSERA_U8] = {TESSERA_INTEGER_REDUCTIONS(ENTRY, u8##variant)},                             \
      [TESSERA_U16] = {TESSERA_INTEGER_REDUCTIONS(ENTRY, u16##variant)},                           \
      [TESSERA_U32] = {TESSERA_INTEGER_REDUCTIONS(ENTRY, u32##variant)},                           \
      [TESSERA_U64] = {TESSERA_INTEGER_REDUCTIONS(ENTRY, u64##variant)},                           \
      [TESSERA_F32] = {TESSERA_FLOAT_REDUCTIONS(ENTRY, f32##variant)},                             \
      [TESSERA_F64] = {TESSERA_FLOAT_REDUCTIONS(ENTRY, f64##variant)},                             \
      [TESSERA_C64] = {TESSERA_COMPLEX_REDUCTIONS(ENTRY, c64##variant)},                           \
      [TESSERA_C128] = {TESSERA_COMPLEX_REDUCTIONS(ENTRY, c128##variant)},                         \
  }

#define ANY /* what every processor of this kind has */
ALL_KERNELS(, ANY)
static const kernel kernels[NUM_TYPES][NUM_REDUCTIONS] = ALL_ENTRIES();

#ifdef __x86_64__

/* Vectors twice as wide. Without fused products: but for which of two NaNs it is, results are the
 * same to the last bit. */
ALL_KERNELS(_avx2, __attribute__((target("avx2"))))
static const kernel avx2_kernels[NUM_TYPES][NUM_REDUCTIONS] = ALL_ENTRIES(_avx2);

static kernel kernel_of(tessera_dtype type, tessera_reduction reduction) {
  return __builtin_cpu_supports("avx2") ? avx2_kernels[type][reduction] : kernels[type][reduction];
}

#else

static kernel kernel_of(tessera_dtype type, tessera_reduction reduction) {
  return kernels[type][reduction];
}

#endif

#define DIVIDE(ctype, divisor)                                                                     \
  do {                                                                                             \
    ctype *values = accumulator;                                                                   \
    for (int64_t i = 0; i < count; i++)                                                            \
      values[i] /= (divisor);                                                                      \
  } while (0)

/* The last step of an average; integers towards zero. */
static void divide(tessera_dtype type, void *accumulator, int64_t count, int64_t divisor) {
  switch (type) {
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

/* ---- combining ------------------------------------------------------------------------------- */

enum { CHUNK = 1024, LARGEST_ELEMENT = 16 };

/* True if pieces can be combined where the result will be: it is of their type, and none of those
 * that are read after it has been written. */
static bool combines_in_place(const tr_combination *what, char *const *pieces, const char *output) {
  for (int32_t i = 2; i < what->members; i++)
    if (pieces[i] == output)
      return false;
  return what->input == what->accumulator && what->output == what->accumulator;
}

/* What each chunk goes through; `converted` has room for one. */
typedef struct rooms {
  char *accumulator, *converted;
} rooms;

/* Elements of a piece as the accumulator has them. */
static const char *read_piece(const tr_combination *what, const char *piece, int64_t count,
                              char *converted) {
  if (what->input == what->accumulator)
    return piece;
  tr_host_convert(what->input, piece, what->accumulator, converted, count);
  return converted;
}

/* Reduces `count` elements from `start` on to the accumulator, which holds as many. The first two
 * are added on the way there. */
static void combine_chunk(const tr_combination *what, char *const *pieces, int64_t start,
                          int64_t count, const rooms *rooms) {
  size_t offset = (size_t)start * tessera_dtype_size(what->input);
  kernel kernel = kernel_of(what->accumulator, what->reduction);
  char *accumulator = rooms->accumulator;
  const char *first = read_piece(what, pieces[0] + offset, count, accumulator);
  if (what->members == 1 && first != accumulator)
    tr_host_convert(what->input, first, what->accumulator, accumulator, count);
  for (int32_t i = 1; i < what->members; i++) {
    kernel(accumulator, first, read_piece(what, pieces[i] + offset, count, rooms->converted),
           count);
    first = accumulator;
  }
  if (what->divisor)
    divide(what->accumulator, accumulator, count, what->divisor);
}

/* Chunks keep the accumulator in cache. */
void tr_host_combine(const tr_combination *what, char *const *pieces, char *output) {
  _Alignas(64) char accumulator[CHUNK * LARGEST_ELEMENT];
  _Alignas(64) char converted[CHUNK * LARGEST_ELEMENT];
  size_t out_size = tessera_dtype_size(what->output);
  bool in_place = combines_in_place(what, pieces, output);
  for (int64_t done = 0; done < what->count; done += CHUNK) {
    int64_t part = what->count - done < CHUNK ? what->count - done : CHUNK;
    char *result = output + (size_t)done * out_size;
    rooms rooms = {in_place ? result : accumulator, converted};
    combine_chunk(what, pieces, done, part, &rooms);
    if (!in_place)
      tr_host_convert(what->accumulator, accumulator, what->output, result, part);
  }
}
