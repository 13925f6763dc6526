/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* What is known of memrefs: sizes, strides, and which memory they are views of. It knows memref
 * ops; it must not know loops. */
#ifndef TESSERA_LOWERING_KERNELS_BUFFER_H
#define TESSERA_LOWERING_KERNELS_BUFFER_H

#include "ir/build.h"
#include "lowering/kernels/product.h"
#include "support/arena.h"
#include "support/map.h"

typedef struct ts_buffer {
  MlirValue memref;
  int rank;
  ts_product *sizes, *strides; /* in elements */
  MlirValue root;              /* the memory that it is a view of */
  bool is_fresh;               /* the root is an allocation */
} ts_buffer;

/* The memrefs of a function, and the symbols of their sizes and strides. */
typedef struct ts_buffers {
  ts_arena *arena;
  ts_map known;      /* memref -> ts_buffer */
  ts_map symbols;    /* index value -> its number + 1 */
  MlirValue *values; /* of symbols */
  int num_symbols, max_symbols;
} ts_buffers;

/* What is known of `memref`. Sizes and strides that no op says are asked for where it is made.
 * NULL if it is no memref with strides. */
const ts_buffer *ts_buffer_of(ts_buffers *memories, MlirValue memref);

/* False if the two surely share no memory that anybody writes. */
bool ts_buffer_may_alias(const ts_buffer *a, const ts_buffer *b);
/* The same of a memref of which no more than that is asked. */
bool ts_buffer_may_be_in(const ts_buffer *a, MlirValue memref);

#endif /* TESSERA_LOWERING_KERNELS_BUFFER_H */
