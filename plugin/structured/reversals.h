/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* What structured ops read backwards, and what may be read so because the order does not count. It
 * knows maps and scalar code; it must not know layouts. */
#ifndef TESSERA_PLUGIN_STRUCTURED_REVERSALS_H
#define TESSERA_PLUGIN_STRUCTURED_REVERSALS_H

#include <stdbool.h>

#include "mlir-c/IR.h"
#include "support/arena.h"

/* How a dimension of an operand follows the loops. */
typedef struct ts_reading {
  intptr_t loop;     /* -1: none, or in another way than forwards or backwards */
  bool is_backwards; /* from the last index to the first */
} ts_reading;

/* How structured op `op` reads, or writes, dimension `d` of operand `k`, all of which is read. */
ts_reading ts_reading_of(MlirOperation op, intptr_t k, intptr_t d);
/* Lets a linalg.generic read the dimension in the other direction. The arena is for scratch. */
void ts_reverse_reading(ts_arena *arena, MlirOperation op, intptr_t k, intptr_t d);

/* What `value` is the reversal of along dimension `d`, and nothing else; null for other values. */
MlirValue ts_reversed_value(MlirValue value, intptr_t d);
/* The op gives its one input as it is, so that this may be used instead. */
bool ts_is_copy(MlirOperation op);
/* The value is its own reversal along dimension `d`, by what makes it. */
bool ts_is_symmetric(MlirValue value, intptr_t d);

/* The structured op may go through loop `loop` from the end, once all that it reads and writes
 * along it is reversed. In `beside` the loop that then has to be reversed too, as the body compares
 * the indices of the two, or -1. */
bool ts_may_reverse_loop(MlirOperation op, intptr_t loop, intptr_t *beside);
/* Lets the body compare as if both were reversed. */
void ts_reverse_compared(MlirOperation op, intptr_t loop, intptr_t beside);

#endif /* TESSERA_PLUGIN_STRUCTURED_REVERSALS_H */
