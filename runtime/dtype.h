/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Element types: their sizes and conversion between them.
 * It must not know reductions, memory layouts or ranks. */
#ifndef TESSERA_RUNTIME_DTYPE_H
#define TESSERA_RUNTIME_DTYPE_H

#include <stdbool.h>

#include "tessera/runtime.h"

/* True if numbers of type `from` have a meaning in type `to`; types that are no numbers only in
 * themselves. */
bool tr_can_convert(tessera_dtype from, tessera_dtype to);

/* True if some of them are not there, or not exactly. */
bool tr_narrows(tessera_dtype from, tessera_dtype to);

/* Converts `count` contiguous elements, for types that tr_can_convert allows: floats are rounded
 * once, to nearest even, integers cut to their low bits. i1 counts as 0 or 1. `to` and `from` do
 * not overlap. */
void tr_convert(tessera_dtype from_type, const void *from, tessera_dtype to_type, void *to,
                int64_t count);

/* The unsigned integer of the same width; other types unchanged. */
tessera_dtype tr_unsigned_of(tessera_dtype type);

bool tr_is_integer(tessera_dtype type);

#endif /* TESSERA_RUNTIME_DTYPE_H */
