/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Copies of blocks through the caches, by vectors as wide as the processor has: with half of that
 * they took a quarter of the time of a sum of 1 MiB between threads. memcpy of some C libraries
 * takes an instruction for these (rep movsb) that is four times slower on some processors where the
 * two addresses lie badly, and leaves the block where whoever reads it next waits for memory.
 * It must not know what is copied. */
#include "room/stream.h"

#if defined(__x86_64__)

#include <immintrin.h>

static void copy_sse2(char *to, const char *from, size_t bytes) {
  for (size_t i = 0; i < bytes; i += sizeof(__m128i))
    _mm_storeu_si128((__m128i *)(void *)(to + i),
                     _mm_loadu_si128((const __m128i *)(const void *)(from + i)));
}

__attribute__((target("avx2"))) static void copy_avx2(char *to, const char *from, size_t bytes) {
  for (size_t i = 0; i < bytes; i += sizeof(__m256i))
    _mm256_storeu_si256((__m256i *)(void *)(to + i),
                        _mm256_loadu_si256((const __m256i *)(const void *)(from + i)));
}

void tr_block_copy(char *to, const char *from, size_t bytes) {
  size_t lines = bytes / TR_STREAM_LINE * TR_STREAM_LINE;
  if (__builtin_cpu_supports("avx2"))
    copy_avx2(to, from, lines);
  else
    copy_sse2(to, from, lines);
  memcpy(to + lines, from + lines, bytes - lines);
}

#else

void tr_block_copy(char *to, const char *from, size_t bytes) {
  memcpy(to, from, bytes);
}

#endif
