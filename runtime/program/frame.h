/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* What a packed function is called with: pointers to scalars and memref descriptors.
 * It must not know layouts, or what the function does. */
#ifndef TESSERA_RUNTIME_PROGRAM_FRAME_H
#define TESSERA_RUNTIME_PROGRAM_FRAME_H

#include <stdbool.h>

#include "tessera/program.h"

/* A memref descriptor as 64-bit words: allocated, aligned, offset, sizes[rank], strides[rank]. */
enum { TR_WORD_ALLOCATED = 0, TR_WORD_ALIGNED = 1, TR_WORD_OFFSET = 2, TR_WORD_SIZES = 3 };

/* What one call passes: the packed arrays and the memory they point to. */
typedef struct tr_frame {
  void **arguments; /* num_arguments pointers */
  void **results;   /* num_results pointers */
  int64_t *words;   /* descriptors and scalar results, one after the other */
} tr_frame;

/* False if there is no memory. To be destroyed in either case. */
bool tr_frame_create(const tessera_entry *entry, tr_frame *frame);
/* Lets the frame point to the arguments. */
void tr_frame_fill(const tessera_entry *entry, const tessera_tensor *arguments, tr_frame *frame);
void tr_frame_destroy(tr_frame *frame);

#endif /* TESSERA_RUNTIME_PROGRAM_FRAME_H */
