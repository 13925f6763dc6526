/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Polynomials in two unknowns, with how far each coefficient may be from what was meant: constants
 * are rounded. It must not know what they stand for. */
#ifndef TESSERA_LOWERING_CALLS_POLYNOMIALS_H
#define TESSERA_LOWERING_CALLS_POLYNOMIALS_H

#include <stdbool.h>

enum { TS_X_POWERS = 4, TS_T_POWERS = 2 }; /* x^0 to x^3, t^0 and t^1 */

/* The sum of factor[i][j] * x^i * t^j. */
typedef struct ts_polynomial {
  double factor[TS_X_POWERS][TS_T_POWERS];
  double doubt[TS_X_POWERS][TS_T_POWERS];
} ts_polynomial;

ts_polynomial ts_polynomial_number(double value, double doubt);
/* `factor` * x^i * t^j. */
ts_polynomial ts_polynomial_term(double factor, int i, int j);
/* a + factor * b. */
ts_polynomial ts_polynomial_add(const ts_polynomial *a, double factor, const ts_polynomial *b);
/* False: a power is too high. */
bool ts_polynomial_multiply(const ts_polynomial *a, const ts_polynomial *b, ts_polynomial *product);
/* Whether it is a number, without unknowns, which then is `*value`. */
bool ts_polynomial_is_number(const ts_polynomial *a, double *value, double *doubt);
/* `a` is what `meant` is, within its doubts. */
bool ts_polynomial_may_be(const ts_polynomial *a, const ts_polynomial *meant);

#endif /* TESSERA_LOWERING_CALLS_POLYNOMIALS_H */
