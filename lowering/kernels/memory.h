/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* What is known of memrefs: sizes, strides, and which memory they are views of. Knows memref ops,
 * nothing of loops. */
#ifndef TESSERA_LOWERING_KERNELS_MEMORY_H
#define TESSERA_LOWERING_KERNELS_MEMORY_H

#include "build.h"
#include "kernels/product.h"
#include "support/arena.h"
#include "support/map.h"

typedef struct ts_memory {
  MlirValue memref;
  int rank;
  ts_product *sizes, *strides; /* in elements */
  MlirValue root;              /* the memory that it is a view of */
  bool is_fresh;               /* the root is an allocation */
} ts_memory;

/* The memrefs of a function, and the symbols of their sizes and strides. */
typedef struct ts_memories {
  ts_arena *arena;
  ts_map known;       /* memref -> ts_memory */
  ts_map symbols;     /* index value -> its number + 1 */
  MlirValue *values;  /* of symbols */
  int num_symbols, max_symbols;
} ts_memories;

/* What is known of `memref`. Sizes and strides that no op says are asked for where it is made.
 * NULL if it is no memref with strides. */
const ts_memory *ts_memory_of(ts_memories *memories, MlirValue memref);

/* False if the two surely share no memory that anybody writes, in `block` or below. */
bool ts_memory_may_alias(const ts_memory *a, const ts_memory *b);

/* The product as an index value in the function. */
MlirValue ts_memory_number(const ts_memories *memories, const ts_maker *build,
                           const ts_product *product);

#endif /* TESSERA_LOWERING_KERNELS_MEMORY_H */
