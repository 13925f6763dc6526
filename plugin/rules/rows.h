/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* What each rule file gives to the rows in table.c, and the rows that rule files ask. It must not
 * know what a rule does. */
#ifndef TESSERA_PLUGIN_RULES_ROWS_H
#define TESSERA_PLUGIN_RULES_ROWS_H

#include "rules/rules.h"

/* The rows of ops, sorted by name. */
extern const ts_rule ts_rules[];
extern const int ts_num_rules;

/* The row of the op alone, or NULL: what it leaves open is its family's. */
const ts_rule *ts_rule_named(MlirOperation op);

/* ---- loops and local forms ------------------------------------------------------------------- */

bool ts_elementwise_loops(ts_arena *arena, MlirOperation op, ts_op_loops *out, const char **reason,
                          const char **remark);
bool ts_unfolded_localize(const ts_localize *context, MlirValue *results);
bool ts_foreign_loops(ts_arena *arena, MlirOperation op, ts_op_loops *out, const char **reason,
                      const char **remark);
bool ts_copy_loops(ts_arena *arena, MlirOperation op, ts_op_loops *out, const char **reason,
                   const char **remark);
bool ts_bits_loops(ts_arena *arena, MlirOperation op, ts_op_loops *out, const char **reason,
                   const char **remark);
bool ts_scalars_loops(ts_arena *arena, MlirOperation op, ts_op_loops *out, const char **reason,
                      const char **remark);
bool ts_reshape_loops(ts_arena *arena, MlirOperation op, ts_op_loops *out, const char **reason,
                      const char **remark);
bool ts_expand_shape_localize(const ts_localize *context, MlirValue *results);
bool ts_extract_slice_loops(ts_arena *arena, MlirOperation op, ts_op_loops *out,
                            const char **reason, const char **remark);
bool ts_insert_slice_loops(ts_arena *arena, MlirOperation op, ts_op_loops *out, const char **reason,
                           const char **remark);
bool ts_moved_extract_loops(ts_arena *arena, MlirOperation op, ts_op_loops *out,
                            const char **reason, const char **remark);
bool ts_moved_extract_localize(const ts_localize *context, MlirValue *results);
bool ts_moved_insert_loops(ts_arena *arena, MlirOperation op, ts_op_loops *out, const char **reason,
                           const char **remark);
bool ts_moved_insert_localize(const ts_localize *context, MlirValue *results);
bool ts_slice_localize(const ts_localize *context, MlirValue *results);
bool ts_scatter_loops(ts_arena *arena, MlirOperation op, ts_op_loops *out, const char **reason,
                      const char **remark);
bool ts_scatter_localize(const ts_localize *context, MlirValue *results);
bool ts_extract_loops(ts_arena *arena, MlirOperation op, ts_op_loops *out, const char **reason,
                      const char **remark);
bool ts_extract_localize(const ts_localize *context, MlirValue *results);
bool ts_pad_loops(ts_arena *arena, MlirOperation op, ts_op_loops *out, const char **reason,
                  const char **remark);
bool ts_pad_localize(const ts_localize *context, MlirValue *results);
bool ts_concat_loops(ts_arena *arena, MlirOperation op, ts_op_loops *out, const char **reason,
                     const char **remark);
bool ts_concat_localize(const ts_localize *context, MlirValue *results);
bool ts_linalg_loops(ts_arena *arena, MlirOperation op, ts_op_loops *out, const char **reason,
                     const char **remark);
bool ts_linalg_localize(const ts_localize *context, MlirValue *results);

/* ---- sizes.c: operands like a result --------------------------------------------------------- */

MlirValue ts_like_first(MlirOperation op, intptr_t r);
MlirValue ts_like_second(MlirOperation op, intptr_t r);
/* The first operand, if it is a tensor. */
MlirValue ts_like_first_tensor(MlirOperation op, intptr_t r);
MlirValue ts_like_destination(MlirOperation op, intptr_t r);

/* ---- free_build.c: forms of free values
 * ------------------------------------------------------------ */

typedef struct ts_free_form ts_free_form;
extern const ts_free_form ts_free_constant, ts_free_empty, ts_free_poison, ts_free_splat,
    ts_free_fill, ts_free_indices, ts_free_generate;

#endif /* TESSERA_PLUGIN_RULES_ROWS_H */
