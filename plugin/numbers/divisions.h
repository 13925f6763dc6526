/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Which integer divisions and powers may have no result. It knows divisors; it must not know what
 * is done about it. */
#ifndef TESSERA_PLUGIN_NUMBERS_DIVISIONS_H
#define TESSERA_PLUGIN_NUMBERS_DIVISIONS_H

#include <stdbool.h>

#include "mlir-c/IR.h"

/* When an op has no result. */
typedef enum ts_division_failure {
  TS_DIVISION_SUCCEEDS,
  TS_DIVISION_BY_ZERO,
  TS_DIVISION_BY_ZERO_OR_TOO_LARGE,
  TS_DIVISION_BY_ZERO_ELSE_SMALL, /* a remainder, whose quotient alone may be too large */
  TS_DIVISION_ZERO_TO_NEGATIVE    /* a power */
} ts_division_failure;

/* That of a quotient, remainder or power of integers, whose operands are 0 and 1: scalars, or
 * tensors of them. TS_DIVISION_SUCCEEDS for any other op, and where operand 1 is a constant for
 * which there is always a result. */
ts_division_failure ts_division_failure_of(MlirOperation op);

/* There may be no result. */
bool ts_division_may_fail(MlirOperation op);

#endif /* TESSERA_PLUGIN_NUMBERS_DIVISIONS_H */
