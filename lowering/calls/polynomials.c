/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Polynomials in two unknowns, with how far each coefficient may be from what was meant: constants
 * are rounded. It must not know what they stand for. */
#include "lowering/calls/polynomials.h"

#include <math.h>

enum { NUM_TERMS = TS_X_POWERS * TS_T_POWERS };

/* The arithmetic on coefficients itself, in doubles. */
static const double computing = 1e-12;

ts_polynomial ts_polynomial_number(double value, double doubt) {
  return (ts_polynomial){.factor = {{value}}, .doubt = {{doubt}}};
}

ts_polynomial ts_polynomial_term(double factor, int i, int j) {
  ts_polynomial made = {.factor = {{0}}};
  made.factor[i][j] = factor;
  return made;
}

ts_polynomial ts_polynomial_add(const ts_polynomial *a, double factor, const ts_polynomial *b) {
  ts_polynomial sum = *a;
  for (int n = 0; n < NUM_TERMS; n++) {
    int i = n / TS_T_POWERS, j = n % TS_T_POWERS;
    sum.factor[i][j] += factor * b->factor[i][j];
    sum.doubt[i][j] += fabs(factor) * b->doubt[i][j];
  }
  return sum;
}

static bool has_term(const ts_polynomial *a, int i, int j) {
  return a->factor[i][j] != 0 || a->doubt[i][j] != 0;
}

bool ts_polynomial_multiply(const ts_polynomial *a, const ts_polynomial *b,
                            ts_polynomial *product) {
  ts_polynomial made = {.factor = {{0}}};
  for (int n = 0; n < NUM_TERMS * NUM_TERMS; n++) {
    int left = n / NUM_TERMS, right = n % NUM_TERMS;
    int i = left / TS_T_POWERS, j = left % TS_T_POWERS;
    int k = right / TS_T_POWERS, l = right % TS_T_POWERS;
    if (!has_term(a, i, j) || !has_term(b, k, l))
      continue;
    if (i + k >= TS_X_POWERS || j + l >= TS_T_POWERS)
      return false;
    double x = a->factor[i][j], y = b->factor[k][l];
    double dx = a->doubt[i][j], dy = b->doubt[k][l];
    made.factor[i + k][j + l] += x * y;
    made.doubt[i + k][j + l] += fabs(x) * dy + fabs(y) * dx + dx * dy;
  }
  *product = made;
  return true;
}

bool ts_polynomial_is_number(const ts_polynomial *a, double *value, double *doubt) {
  for (int n = 1; n < NUM_TERMS; n++)
    if (has_term(a, n / TS_T_POWERS, n % TS_T_POWERS))
      return false;
  *value = a->factor[0][0];
  *doubt = a->doubt[0][0];
  return true;
}

bool ts_polynomial_may_be(const ts_polynomial *a, const ts_polynomial *meant) {
  for (int n = 0; n < NUM_TERMS; n++) {
    int i = n / TS_T_POWERS, j = n % TS_T_POWERS;
    if (!(fabs(a->factor[i][j] - meant->factor[i][j]) <= a->doubt[i][j] + computing))
      return false;
  }
  return true;
}
