/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The table of rules: by op name, then by interface. Knows which file serves which op, nothing
 * else. */
#include <stdlib.h>
#include <string.h>

#include "capi/capi.h"
#include "rules/linalg.h"
#include "rules/rows.h"
#include "support/ir.h"

/* Sorted by name. */
static const ts_rule named[] = {
    {"bufferization.materialize_in_destination", ts_materialize_loops, ts_run_on_pieces},
    {"tensor.cast", ts_cast_loops, ts_run_on_pieces},
    {"tensor.collapse_shape", ts_reshape_loops, ts_run_on_pieces},
    {"tensor.concat", ts_concat_loops, ts_run_on_pieces},
    {"tensor.expand_shape", ts_reshape_loops, ts_expand_shape_localize},
    {"tensor.extract_slice", ts_extract_slice_loops, ts_slice_localize},
    {"tensor.insert_slice", ts_insert_slice_loops, ts_slice_localize},
    {"tensor.pad", ts_pad_loops, ts_pad_localize},
    {"tosa.cast", ts_elementwise_loops, ts_run_on_pieces},
    {"tosa.identity", ts_elementwise_loops, ts_run_on_pieces},
    {"tosa.mul", ts_elementwise_loops, ts_run_on_pieces},
};

static const ts_rule linalg = {NULL, ts_linalg_loops, ts_linalg_localize};
static const ts_rule elementwise = {NULL, ts_elementwise_loops, ts_elementwise_localize};

static int compare(const void *name, const void *rule) {
  return strcmp(name, ((const ts_rule *)rule)->op);
}

const ts_rule *ts_rule_find(MlirOperation op) {
  const char *name = ts_op_name(op);
  const ts_rule *rule =
      bsearch(name, named, sizeof(named) / sizeof(named[0]), sizeof(named[0]), compare);
  if (rule)
    return rule;
  if (ts_op_is_linalg(op))
    return &linalg;
  return ts_op_is_elementwise(op) ? &elementwise : NULL;
}
