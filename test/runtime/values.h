/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Element types and reductions as the oracle sees them: one value at a time, written plainly.
 * It shares no code with the runtime. */
#ifndef TESSERA_TEST_RUNTIME_VALUES_H
#define TESSERA_TEST_RUNTIME_VALUES_H

#include <stdbool.h>
#include <stdint.h>

#include "tessera/runtime.h"

/* An integer, or a real or complex number. */
typedef struct value {
  int64_t integer;
  double real, imaginary;
} value;

typedef enum kind { KIND_BOOLEAN, KIND_SIGNED, KIND_UNSIGNED, KIND_FLOAT, KIND_COMPLEX } kind;

kind kind_of(tessera_dtype type);
int bits_of(tessera_dtype type);

/* True if the reduction has a meaning for the element type. */
bool has_meaning(tessera_dtype type, tessera_reduction reduction);

/* A random value whose sums and products of a few stay exact in `type`. */
value random_value(tessera_dtype type, tessera_reduction reduction, uint64_t seed);

void store_value(tessera_dtype type, value value, void *to);
value load_value(tessera_dtype type, const void *from);

/* A value of `from` as one of `to` (`is_unsigned`: signless integers count as unsigned). */
value convert_value(tessera_dtype from, tessera_dtype to, bool is_unsigned, value value);

/* Combines all values of `type`, in order. */
value reduce_values(tessera_dtype type, tessera_reduction reduction, const value *values,
                    int count);

bool values_agree(tessera_dtype type, tessera_reduction reduction, value a, value b);

#endif /* TESSERA_TEST_RUNTIME_VALUES_H */
