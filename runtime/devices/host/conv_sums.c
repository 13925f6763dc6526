/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Sums of products beside each other, in vectors that stay in registers: a kernel for each sort of
 * processor. It must not know convolutions, nor which strides come from where. */
#include "devices/host/conv_sums.h"

#include <stddef.h>

#include "devices/host/blas.h"

bool tr_sums_are_vectors(int64_t a_lane, int64_t b_lane) {
  return (a_lane == 1 && (b_lane == 1 || b_lane == 0)) || (a_lane == 0 && b_lane == 1);
}

/* Goes through all that is summed up: `a` and `b` are the factors of lane `from`, and STEP is done
 * for each. */
#define EACH_STEP(ctype, STEP)                                                                     \
  for (int64_t plane = 0; plane < s->planes; plane++)                                              \
    for (int64_t row = 0; row < s->rows; row++) {                                                  \
      const ctype *a =                                                                             \
          (const ctype *)s->a.data + plane * s->a.plane + row * s->a.row + from * s->a.lane;       \
      const ctype *b =                                                                             \
          (const ctype *)s->b.data + plane * s->b.plane + row * s->b.row + from * s->b.lane;       \
      for (int64_t i = 0; i < s->steps; i++, a += s->a.step, b += s->b.step)                       \
        STEP                                                                                       \
    }

/* `num` vectors of `bytes`, from lane `from` on; `factor` is the second factor, of vector v. The
 * accumulators' number is known, so that they are registers. */
#define BLOCK(name, target, ctype, bytes, num, factor)                                             \
  target static inline void name(const tr_sums *s, int64_t from, ctype *results) {                 \
    typedef ctype vector __attribute__((vector_size(bytes)));                                      \
    typedef ctype loose __attribute__((vector_size(bytes), aligned(sizeof(ctype)), may_alias));    \
    enum { WIDTH = (bytes) / sizeof(ctype) };                                                      \
    vector sums[num] = {{0}};                                                                      \
    EACH_STEP(ctype, _Pragma("GCC unroll 8") for (ptrdiff_t v = 0; v < (num); v++) sums[v] +=      \
                     *(const loose *)(a + v * WIDTH) * (factor);)                                  \
    for (ptrdiff_t v = 0; v < (num); v++)                                                          \
      *(loose *)(results + from + v * WIDTH) = sums[v];                                            \
  }

/* Blocks in which both factors have lanes, and in which the second is one number for all. */
#define BLOCKS(suffix, target, ctype, bytes, num)                                                  \
  BLOCK(pairs_##suffix##_##bytes##_##num, target, ctype, bytes, num,                               \
        *(const loose *)(b + v * WIDTH))                                                           \
  BLOCK(scaled_##suffix##_##bytes##_##num, target, ctype, bytes, num, *b)

/* As many such blocks as there are lanes for. */
#define DO_BLOCKS(suffix, ctype, bytes, num)                                                       \
  for (; s->lanes - from >= (int64_t)((bytes) / sizeof(ctype) * (num));                            \
       from += (bytes) / sizeof(ctype) * (num)) {                                                  \
    if (s->b.lane == 1)                                                                            \
      pairs_##suffix##_##bytes##_##num(s, from, results);                                          \
    else                                                                                           \
      scaled_##suffix##_##bytes##_##num(s, from, results);                                         \
  }

/* `num` lanes of any strides. */
#define SINGLES(name, ctype, num)                                                                  \
  static void name(const tr_sums *s, int64_t from, ctype *results) {                               \
    ctype sums[num] = {0};                                                                         \
    EACH_STEP(ctype, _Pragma("GCC unroll 8") for (ptrdiff_t v = 0; v < (num); v++) sums[v] +=      \
                     a[v * s->a.lane] * b[v * s->b.lane];)                                         \
    for (ptrdiff_t v = 0; v < (num); v++)                                                          \
      results[from + v] = sums[v];                                                                 \
  }

#define ALL_SINGLES(suffix, ctype)                                                                 \
  SINGLES(eight_##suffix, ctype, 8)                                                                \
  SINGLES(one_##suffix, ctype, 1)                                                                  \
  static void singles_##suffix(const tr_sums *s, int64_t from, ctype *results) {                   \
    for (; s->lanes - from >= 8; from += 8)                                                        \
      eight_##suffix(s, from, results);                                                            \
    for (; from < s->lanes; from++)                                                                \
      one_##suffix(s, from, results);                                                              \
  }

/* Factors in the order that blocks want: lanes of the second are those of the first, or none. */
#define KERNEL(suffix, target, singles, ctype, blocks)                                             \
  target static void vectors_##suffix(const tr_sums *s, ctype *results) {                          \
    int64_t from = 0;                                                                              \
    blocks singles(s, from, results);                                                              \
  }                                                                                                \
  static void kernel_##suffix(const tr_sums *sums, void *results) {                                \
    tr_sums turned = *sums;                                                                        \
    if (!tr_sums_are_vectors(sums->a.lane, sums->b.lane)) {                                        \
      singles(sums, 0, results);                                                                   \
      return;                                                                                      \
    }                                                                                              \
    if (sums->a.lane == 0) {                                                                       \
      turned.a = sums->b;                                                                          \
      turned.b = sums->a;                                                                          \
    }                                                                                              \
    vectors_##suffix(&turned, results);                                                            \
  }

#define OF_16(suffix, target, ctype) BLOCKS(suffix, target, ctype, 16, 1)
#define DO_16(suffix, ctype) DO_BLOCKS(suffix, ctype, 16, 1)

#define ANY /* what every processor of this kind has */
#define PLAIN(suffix, ctype)                                                                       \
  BLOCKS(suffix, ANY, ctype, 16, 8)                                                                \
  OF_16(suffix, ANY, ctype)                                                                        \
  KERNEL(suffix, ANY, singles_##suffix, ctype, DO_BLOCKS(suffix, ctype, 16, 8) DO_16(suffix, ctype))

ALL_SINGLES(f32, float)
ALL_SINGLES(f64, double)
PLAIN(f32, float)
PLAIN(f64, double)

#ifdef __x86_64__

#define AVX2 __attribute__((target("avx2,fma")))
#define WITH_AVX2(suffix, singles, ctype)                                                          \
  BLOCKS(suffix, AVX2, ctype, 32, 8)                                                               \
  BLOCKS(suffix, AVX2, ctype, 32, 4)                                                               \
  BLOCKS(suffix, AVX2, ctype, 32, 1)                                                               \
  OF_16(suffix, AVX2, ctype)                                                                       \
  KERNEL(suffix, AVX2, singles, ctype,                                                             \
         DO_BLOCKS(suffix, ctype, 32, 8) DO_BLOCKS(suffix, ctype, 32, 4)                           \
             DO_BLOCKS(suffix, ctype, 32, 1) DO_16(suffix, ctype))

WITH_AVX2(f32_avx2, singles_f32, float)
WITH_AVX2(f64_avx2, singles_f64, double)

#define AVX512 __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx2,fma")))
#define WITH_AVX512(suffix, singles, ctype)                                                        \
  BLOCKS(suffix, AVX512, ctype, 64, 4)                                                             \
  BLOCKS(suffix, AVX512, ctype, 64, 2)                                                             \
  BLOCKS(suffix, AVX512, ctype, 64, 1)                                                             \
  BLOCKS(suffix, AVX512, ctype, 32, 1)                                                             \
  OF_16(suffix, AVX512, ctype)                                                                     \
  KERNEL(suffix, AVX512, singles, ctype,                                                           \
         DO_BLOCKS(suffix, ctype, 64, 4) DO_BLOCKS(suffix, ctype, 64, 2)                           \
             DO_BLOCKS(suffix, ctype, 64, 1) DO_BLOCKS(suffix, ctype, 32, 1) DO_16(suffix, ctype))

WITH_AVX512(f32_avx512, singles_f32, float)
WITH_AVX512(f64_avx512, singles_f64, double)

/* The kernels of a sort of processor: f32, f64. */
static tr_sums_kernel *const *kernels_here(void) {
  static tr_sums_kernel *const plain[] = {kernel_f32, kernel_f64};
  static tr_sums_kernel *const avx2[] = {kernel_f32_avx2, kernel_f64_avx2};
  static tr_sums_kernel *const avx512[] = {kernel_f32_avx512, kernel_f64_avx512};
  if (tr_blas_has_avx512())
    return avx512;
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? avx2 : plain;
}

#else

static tr_sums_kernel *const *kernels_here(void) {
  static tr_sums_kernel *const plain[] = {kernel_f32, kernel_f64};
  return plain;
}

#endif

tr_sums_kernel *tr_sums_kernel_of(tessera_dtype type) {
  if (type != TESSERA_F32 && type != TESSERA_F64)
    return NULL;
  return kernels_here()[type == TESSERA_F64];
}
