/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Places: addresses in the memory of a call that is planned, before it is known where that lies.
 * They may be moved along as addresses are, and must not be followed. */
#ifndef TESSERA_RUNTIME_PLANES_PLACE_H
#define TESSERA_RUNTIME_PLANES_PLACE_H

#include <stdint.h>

/* What a call works on. Where input and output begin at one address, both are TR_INPUT. */
typedef enum tr_memory { TR_INPUT = 1, TR_OUTPUT, TR_SCRATCH, TR_NUM_MEMORIES } tr_memory;

/* A place has its memory's number in the highest bits; offsets go both ways from its middle. */
enum { TR_PLACE_BITS = 56 };
static const uintptr_t tr_place_middle = (uintptr_t)1 << (TR_PLACE_BITS - 1);

static inline char *tr_place(tr_memory memory, size_t offset) {
  return (char *)(((uintptr_t)memory << TR_PLACE_BITS) + tr_place_middle + offset);
}

/* What to add to a place in memory that lies at `address`: one for each memory. */
static inline uintptr_t tr_base(const void *address, tr_memory memory) {
  return (uintptr_t)address - (uintptr_t)tr_place(memory, 0);
}

/* The address of a place. */
static inline char *tr_resolve(const uintptr_t *bases, const char *place) {
  return (char *)((uintptr_t)place + bases[(uintptr_t)place >> TR_PLACE_BITS]);
}

#endif /* TESSERA_RUNTIME_PLANES_PLACE_H */
