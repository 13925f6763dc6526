/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* What slices, pads and concatenations share: numbers that are attributes or operands, and
 * dimensions that are read in part. It knows how such ops list numbers; it must not know what the
 * numbers cut. */
#ifndef TESSERA_PLUGIN_RULES_TENSOR_NUMBERS_H
#define TESSERA_PLUGIN_RULES_TENSOR_NUMBERS_H

#include "rules/rules.h"

/* ---- in the source --------------------------------------------------------------------------- */

/* An offset, a size, a stride, or a width of padding. */
typedef struct ts_list_number {
  int64_t value;    /* TS_DYNAMIC if it is not known now */
  intptr_t operand; /* that says it; -1: an attribute does */
} ts_list_number;

/* The list `name` of `op`, whose operands begin at `*next`, which then is behind them. */
const ts_list_number *ts_numbers_read(ts_arena *arena, MlirOperation op, const char *name,
                                      intptr_t *next);

/* Remarks on a dimension that is kept whole. */
void ts_numbers_keep_whole(ts_arena *arena, MlirOperation op, int d, const char *why,
                           const char **remark);

/* The result is put together of operands 0 to `num` - 1: their sum, if each had zeros where it does
 * not reach. */
void ts_terms_of_parts(ts_op_loops *out, int num);

/* Dimension `d` of `port` is read at `stride` times loop `loop`, plus `offset`, divided by `every`.
 */
void ts_ports_read_along(ts_arena *arena, ts_port *port, int d, int loop, int64_t stride,
                         int64_t offset, int64_t every);
/* The loop that a dimension goes along, or -1. */
int ts_numbers_loop_of(const ts_dim_loops *dim);

/* ---- in the local op ------------------------------------------------------------------------- */

/* The numbers of one list of a local slice: attributes, or operands at the end of `operands`. */
typedef struct ts_number_list {
  int64_t *values;
  MlirValue *operands;
  int32_t num;
} ts_number_list;

ts_number_list ts_numbers_start(ts_arena *arena, int rank, MlirValue *operands);
void ts_numbers_say(ts_number_list *list, int d, MlirValue value);
/* As the op says it. */
void ts_numbers_say_again(const ts_localize *context, ts_number_list *list, int d,
                          const ts_list_number *number);

#endif /* TESSERA_PLUGIN_RULES_TENSOR_NUMBERS_H */
