/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Ops whose results are nothing but elements of their operands. It knows rows; it must not know
 * what is moved where. */
#include "rules/linalg.h"
#include "rules/rows.h"

bool ts_only_moves(MlirOperation op) {
  const ts_rule *rule = ts_rule_find(op);
  return rule && (rule->does == TS_MOVES_DATA || rule->loops == ts_reshape_loops ||
                  rule->loops == ts_copy_loops || ts_linalg_is_copy(op));
}
