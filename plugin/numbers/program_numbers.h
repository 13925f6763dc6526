/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The SSA values behind halo sizes and shard offsets that only the launch knows. Knows values and
 * numbers, not shardings. */
#ifndef TESSERA_PLUGIN_SHARDING_NUMBERS_H
#define TESSERA_PLUGIN_SHARDING_NUMBERS_H

#include "mlir-c/IR.h"

#include "sharding/sharding.h"
#include "support/map.h"

/* Run-time numbers. A value is kept as an operand where it can be, because passes replace values.
 */
typedef struct ts_numbers {
  ts_arena *arena;
  int64_t num, max;
  struct ts_number *all;
  ts_map known; /* MlirValue -> its entry in `all`, counted from 1 */
} ts_numbers;

/* The number that operand `operand` of `op` gives: a constant's value, or a run-time number. Casts
 * between index and i64 make no difference. */
int64_t ts_number_of_operand(ts_numbers *numbers, MlirOperation op, intptr_t operand);
/* The same of a value that nothing replaces as long as its number is used. */
int64_t ts_number_of_value(ts_numbers *numbers, MlirValue value);
/* The value behind a run-time number, an index or an integer; null if it is not known. */
MlirValue ts_number_value(const ts_numbers *numbers, int64_t number);
/* `value` without the casts between index and i64 that it comes through. */
MlirValue ts_number_root(MlirValue value);

#endif /* TESSERA_PLUGIN_SHARDING_NUMBERS_H */
