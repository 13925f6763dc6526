/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The windows of structured ops (convolutions, pooling, strides, shifts): index expressions as sums
 * of multiples of loops. It knows affine expressions; it must not know ops. */
#include "mlir-c/AffineExpr.h"

#include "rules/linalg.h"

/* An expression as a multiple of each loop, and a constant. */
typedef struct sum {
  int64_t *strides;
  int64_t offset;
} sum;

/* Adds `factor` times `expr`. False for what is no such sum (a quotient, a remainder). */
static bool add(sum *s, MlirAffineExpr expr, int64_t factor) {
  if (mlirAffineExprIsADim(expr)) {
    s->strides[mlirAffineDimExprGetPosition(expr)] += factor;
    return true;
  }
  if (mlirAffineExprIsAConstant(expr)) {
    s->offset += factor * mlirAffineConstantExprGetValue(expr);
    return true;
  }
  if (!mlirAffineExprIsAAdd(expr) && !mlirAffineExprIsAMul(expr))
    return false;
  MlirAffineExpr left = mlirAffineBinaryOpExprGetLHS(expr);
  MlirAffineExpr right = mlirAffineBinaryOpExprGetRHS(expr);
  if (mlirAffineExprIsAAdd(expr))
    return add(s, left, factor) && add(s, right, factor);
  return mlirAffineExprIsAConstant(right) &&
         add(s, left, factor * mlirAffineConstantExprGetValue(right));
}

const ts_window *ts_linalg_window(ts_arena *arena, int num_loops, MlirAffineExpr expr) {
  sum s = {.strides = TS_NEW(arena, int64_t, num_loops)};
  if (!add(&s, expr, 1))
    return NULL;
  ts_window_step *steps = TS_NEW(arena, ts_window_step, num_loops);
  ts_window *window = TS_NEW(arena, ts_window, 1);
  *window = (ts_window){.steps = steps, .offset = s.offset};
  for (int l = 0; l < num_loops; l++)
    if (s.strides[l] != 0)
      steps[window->num_steps++] = (ts_window_step){l, s.strides[l]};
  return window->num_steps ? window : NULL;
}
