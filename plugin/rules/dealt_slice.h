/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Slices at the own place of a trip, in loops that are dealt out. It must not know which loops are.
 */
#ifndef TESSERA_PLUGIN_RULES_DEALT_SLICE_H
#define TESSERA_PLUGIN_RULES_DEALT_SLICE_H

#include "rules/rules.h"

/* For tensor.extract_slice and insert_slice, in place of their own rows. The trip's own place is
 * taken or written along each dimension `d` of the tensor for which `is_dealt[d]`: it follows a
 * loop that is WHOLE, so that nothing else splits it, and is split as the trips are dealt out. The
 * slice then lies in the device's piece. */
bool ts_dealt_slice_loops(ts_arena *arena, MlirOperation op, const bool *is_dealt, ts_op_loops *out,
                          const char **reason);
/* What else is known of such a slice. */
const ts_rule *ts_dealt_slice_rule(MlirOperation op);

#endif /* TESSERA_PLUGIN_RULES_DEALT_SLICE_H */
