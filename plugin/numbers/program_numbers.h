/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The SSA values behind numbers that only the launch knows. It knows values and numbers; it must
 * not know shardings. */
#ifndef TESSERA_PLUGIN_NUMBERS_PROGRAM_NUMBERS_H
#define TESSERA_PLUGIN_NUMBERS_PROGRAM_NUMBERS_H

#include "mlir-c/IR.h"

#include "numbers/number.h"
#include "support/map.h"

/* Those of a module, each once, so that equal ones are the same. */
typedef struct ts_numbers {
  ts_arena *arena;
  ts_map known; /* MlirValue -> its ts_program_number */
} ts_numbers;

/* The number that operand `operand` of `op` gives: a constant's value, or one that only the launch
 * knows. Casts between index and i64 make no difference. It stays an operand, because passes
 * replace values. */
ts_number ts_number_of_operand(ts_numbers *numbers, MlirOperation op, intptr_t operand);
/* The same of a value that nothing replaces as long as its number is used. */
ts_number ts_number_of_value(ts_numbers *numbers, MlirValue value);
/* The value behind a number that only the launch knows, an index or an integer; null if it is not
 * known. */
MlirValue ts_number_value(ts_number number);

#endif /* TESSERA_PLUGIN_NUMBERS_PROGRAM_NUMBERS_H */
