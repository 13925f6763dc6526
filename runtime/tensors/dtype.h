/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Facts about element types: names, sizes, and which reductions have a meaning.
 * It must not know memory, layouts or ranks. */
#ifndef TESSERA_RUNTIME_TENSORS_DTYPE_H
#define TESSERA_RUNTIME_TENSORS_DTYPE_H

#include <stdbool.h>

#include "tessera/runtime.h"

/* True if numbers of type `from` have a meaning in type `to`; types that are no numbers only in
 * themselves. */
bool tr_can_convert(tessera_dtype from, tessera_dtype to);

/* True if some of them are not there, or not exactly. */
bool tr_narrows(tessera_dtype from, tessera_dtype to);

/* The unsigned integer of the same width; other types unchanged. */
tessera_dtype tr_unsigned_of(tessera_dtype type);

bool tr_is_integer(tessera_dtype type);

/* "f32", "i1", ...: the type's name in messages. */
const char *tr_dtype_name(tessera_dtype type);

/* True if values of the type can be reduced so. Unsigned views of signless integers are those of
 * the unsigned type. */
bool tr_can_reduce(tessera_dtype type, tessera_reduction reduction);

#endif /* TESSERA_RUNTIME_TENSORS_DTYPE_H */
