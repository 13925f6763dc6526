/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* What slices, pads and concatenations share. It knows how such ops list numbers; it must not know
 * what the numbers cut. */
#include "rules/tensor_numbers.h"

#include "mlir-c/BuiltinAttributes.h"

#include "rules/build_loops.h"

const ts_list_number *ts_numbers_read(ts_arena *arena, MlirOperation op, const char *name,
                                      intptr_t *next) {
  MlirAttribute list = ts_attribute(op, name);
  intptr_t num = mlirDenseArrayGetNumElements(list);
  ts_list_number *numbers = TS_NEW(arena, ts_list_number, num);
  for (intptr_t d = 0; d < num; d++) {
    numbers[d] = (ts_list_number){mlirDenseI64ArrayGetElement(list, d), -1};
    if (numbers[d].value != TS_DYNAMIC)
      continue;
    numbers[d].operand = (*next)++;
    numbers[d].value = ts_index_value(mlirOperationGetOperand(op, numbers[d].operand));
  }
  return numbers;
}

void ts_numbers_keep_whole(ts_arena *arena, MlirOperation op, int d, const char *why,
                           const char **remark) {
  ts_add_remark(arena, remark, "dimension", d, op, why);
}

void ts_terms_of_parts(ts_op_loops *out, int num) {
  if (num == 1) {
    ts_terms_copy(out, 0, 0);
    return;
  }
  if (num > TS_MAX_TERMS)
    return;
  out->terms[0] = (ts_terms){.kind = TS_SUM, .num_terms = num};
  for (int i = 0; i < num; i++)
    out->terms[0].sets[i] = UINT32_C(1) << i;
}

void ts_ports_read_along(ts_arena *arena, ts_port *port, int d, int loop, int64_t stride,
                         int64_t offset, int64_t every) {
  ts_window_step *step = TS_NEW(arena, ts_window_step, 1);
  *step = (ts_window_step){loop, stride};
  ts_window *window = TS_NEW(arena, ts_window, 1);
  *window = (ts_window){
      .num_steps = 1, .steps = step, .offset = offset, .every = every, .leader = loop + 1};
  ts_ports_window(arena, port, d, window);
}

int ts_numbers_loop_of(const ts_dim_loops *dim) {
  if (dim->num_loops)
    return dim->loops[0];
  return dim->window ? dim->window->leader - 1 : -1;
}

ts_number_list ts_numbers_start(ts_arena *arena, int rank, MlirValue *operands) {
  return (ts_number_list){.values = TS_NEW(arena, int64_t, rank), .operands = operands};
}

void ts_numbers_say(ts_number_list *list, int d, MlirValue value) {
  list->values[d] = ts_index_value(value);
  if (list->values[d] == TS_DYNAMIC)
    list->operands[list->num++] = value;
}

void ts_numbers_say_again(const ts_localize *context, ts_number_list *list, int d,
                          const ts_list_number *number) {
  list->values[d] = number->operand >= 0 ? TS_DYNAMIC : number->value;
  if (number->operand >= 0)
    list->operands[list->num++] = context->operands[number->operand];
}
