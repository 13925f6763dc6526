/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* How scalar code depends on its inputs: sums (or maxima, ...) of products, found op by op. What
 * may be done with the answer is not decided here. It knows arithmetic; it must not know loops,
 * tensors or devices. */
#ifndef TESSERA_PLUGIN_RULES_LINEAR_TERMS_H
#define TESSERA_PLUGIN_RULES_LINEAR_TERMS_H

#include "mlir-c/IR.h"

#include "loops/loops.h"

/* A value as combination of terms, each a product of inputs (a set of input numbers) and of factors
 * that are the same on every device. The empty set is a constant. Without terms: zero. */
typedef struct ts_poly {
  bool is_linear;    /* false: no such combination is known; only `depends` says something */
  ts_reduction kind; /* NONE: a copy of one input, a constant, or zero */
  int num_terms;
  uint32_t sets[TS_MAX_TERMS];
  uint32_t must_be_complete;
  uint32_t depends; /* all inputs that it depends on */
} ts_poly;

ts_poly ts_poly_input(int number);
ts_poly ts_poly_constant(void);
/* The value of an op that is defined outside of what is looked at: zero or another constant. */
ts_poly ts_poly_of_constant(MlirValue value);

/* `a` and `b` combined by `kind`. */
ts_poly ts_poly_combine(ts_reduction kind, const ts_poly *a, const ts_poly *b);
ts_poly ts_poly_multiply(const ts_poly *a, const ts_poly *b);

/* The result of `op`, an op on scalars or elementwise on tensors, from its operands' polynomials.
 */
ts_poly ts_poly_of_op(MlirOperation op, const ts_poly *operands);

/* The reduction that `op` does if its operand `accumulator` is what was reduced so far; NONE if it
 * is none. */
ts_reduction ts_combiner_of(MlirOperation op, intptr_t accumulator);
/* What such a combiner adds to its operand `accumulator`. */
ts_poly ts_combiner_contribution(intptr_t accumulator, const ts_poly *operands);

/* The polynomial as the loops of an op say it. */
ts_terms ts_poly_terms(const ts_poly *poly);

#endif /* TESSERA_PLUGIN_RULES_LINEAR_TERMS_H */
