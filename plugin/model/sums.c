/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* What loops do with the values that they carry. It knows terms and ties; it must not know layouts.
 */
#include "model/sums.h"

#include "support/ir.h"

bool ts_ends_loop(const ts_op *op, const ts_value *tied) {
  for (int i = 0; op->kind == TS_OP_FIXED && op != tied->definition && i < op->num_operands; i++)
    if (op->targets[i] == tied)
      return true;
  return false;
}

bool ts_is_behind(const ts_op *op, const ts_op *loop) {
  for (MlirOperation at = op->handle; at.ptr; at = mlirOperationGetParentOperation(at))
    if (mlirOperationEqual(at, loop->handle))
      return false;
  return true;
}

/* The sum of `value`, as it is, and of what does not depend on it. */
static bool adds_to(const ts_op *op, const ts_value *value) {
  if (op->kind != TS_OP_RULE || op->num_results != 1 || !op->results[0])
    return false;
  const ts_terms *terms = &op->loops->terms[0];
  uint32_t own = 0;
  for (int i = 0; i < op->num_operands && i < TS_MAX_TERM_OPERANDS; i++)
    own |= (uint32_t)(op->operands[i] == value) << i;
  int alone = 0;
  for (int t = 0; t < terms->num_terms; t++) {
    if ((terms->sets[t] & own) && terms->sets[t] != own)
      return false;
    alone += terms->sets[t] == own;
  }
  return terms->kind == TS_SUM && alone == 1 && terms->num_terms > 1 && !(own & (own - 1)) &&
         !(terms->must_be_complete & own);
}

bool ts_is_added_up(const ts_value *value) {
  if (!value->definition || value->definition->kind != TS_OP_FIXED || !value->definition->ties ||
      value->is_captured)
    return false;
  const ts_op *sum = NULL;
  for (int u = 0; u < value->num_users; u++) {
    const ts_op *user = value->users[u];
    if (user == value->definition || ts_ends_loop(user, value) ||
        ts_is_behind(user, value->definition))
      continue;
    if (sum || !adds_to(user, value))
      return false;
    sum = user;
  }
  const ts_value *result = sum ? sum->results[0] : NULL;
  return result && result->num_users == 1 && ts_ends_loop(result->users[0], value);
}
