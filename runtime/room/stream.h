/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Copies of blocks: past the caches, for what nobody reads soon (a plain store of a line reads it
 * first), and through them. It must not know what is copied. */
#ifndef TESSERA_RUNTIME_ROOM_STREAM_H
#define TESSERA_RUNTIME_ROOM_STREAM_H

#include <stdint.h>
#include <string.h>

#if defined(__x86_64__)
#include <emmintrin.h>

enum { TR_STREAM_LINE = 64 };

/* `bytes` from `from` to `to`, which do not overlap. */
static inline void tr_stream_copy(char *to, const char *from, size_t bytes) {
  size_t head = -(uintptr_t)to & (TR_STREAM_LINE - 1);
  head = head < bytes ? head : bytes;
  memcpy(to, from, head);
  for (bytes -= head, to += head, from += head; bytes >= TR_STREAM_LINE;
       bytes -= TR_STREAM_LINE, to += TR_STREAM_LINE, from += TR_STREAM_LINE)
    for (int i = 0; i < TR_STREAM_LINE; i += (int)sizeof(__m128i))
      _mm_stream_si128((__m128i *)(void *)(to + i),
                       _mm_loadu_si128((const __m128i *)(const void *)(from + i)));
  memcpy(to, from, bytes);
}

/* Stores past the caches are in no order with others until this: before
 * another thread is told of them. */
static inline void tr_stream_settle(void) {
  _mm_sfence();
}

#else

static inline void tr_stream_copy(char *to, const char *from, size_t bytes) {
  memcpy(to, from, bytes);
}

static inline void tr_stream_settle(void) {
}

#endif

/* The same through the caches, for blocks of kilobytes. */
void tr_block_copy(char *to, const char *from, size_t bytes);

#endif /* TESSERA_RUNTIME_ROOM_STREAM_H */
