/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* What each rule file gives to the table in table.c. Must not know what a rule does. */
#ifndef TESSERA_PLUGIN_RULES_ROWS_H
#define TESSERA_PLUGIN_RULES_ROWS_H

#include "rules/rules.h"

bool ts_elementwise_loops(ts_arena *arena, MlirOperation op, ts_op_loops *out, const char **reason,
                          const char **remark);
bool ts_elementwise_localize(const ts_localize *context, MlirValue *results);
bool ts_materialize_loops(ts_arena *arena, MlirOperation op, ts_op_loops *out, const char **reason,
                          const char **remark);
bool ts_cast_loops(ts_arena *arena, MlirOperation op, ts_op_loops *out, const char **reason,
                   const char **remark);
bool ts_reshape_loops(ts_arena *arena, MlirOperation op, ts_op_loops *out, const char **reason,
                      const char **remark);
bool ts_expand_shape_localize(const ts_localize *context, MlirValue *results);
bool ts_extract_slice_loops(ts_arena *arena, MlirOperation op, ts_op_loops *out,
                            const char **reason, const char **remark);
bool ts_insert_slice_loops(ts_arena *arena, MlirOperation op, ts_op_loops *out, const char **reason,
                           const char **remark);
bool ts_slice_localize(const ts_localize *context, MlirValue *results);
bool ts_pad_loops(ts_arena *arena, MlirOperation op, ts_op_loops *out, const char **reason,
                  const char **remark);
bool ts_pad_localize(const ts_localize *context, MlirValue *results);
bool ts_concat_loops(ts_arena *arena, MlirOperation op, ts_op_loops *out, const char **reason,
                     const char **remark);

#endif /* TESSERA_PLUGIN_RULES_ROWS_H */
