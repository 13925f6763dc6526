/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The table of run-time numbers. Knows values and numbers, not shardings. */
#include "numbers/program_numbers.h"

#include <string.h>

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include "support/ir.h"

struct ts_number {
  MlirOperation op; /* null: it is `value` */
  intptr_t operand;
  MlirValue value;
};

static bool is_wide(MlirType type) {
  return mlirTypeIsAIndex(type) ||
         (mlirTypeIsAInteger(type) && mlirIntegerTypeGetWidth(type) == 64);
}

MlirValue ts_number_root(MlirValue value) {
  while (mlirValueIsAOpResult(value)) {
    MlirOperation op = mlirOpResultGetOwner(value);
    if (!ts_op_is(op, "arith.index_cast") || !is_wide(mlirValueGetType(value)) ||
        !is_wide(mlirValueGetType(mlirOperationGetOperand(op, 0))))
      break;
    value = mlirOperationGetOperand(op, 0);
  }
  return value;
}

/* Whether `value` is a constant, and which. */
static bool read_constant(MlirValue value, int64_t *constant) {
  if (!mlirValueIsAOpResult(value) || !ts_op_is(mlirOpResultGetOwner(value), "arith.constant"))
    return false;
  MlirAttribute attribute = ts_attribute(mlirOpResultGetOwner(value), "value");
  if (!mlirAttributeIsAInteger(attribute))
    return false;
  *constant = mlirIntegerAttrGetValueInt(attribute);
  return true;
}

static int64_t add(ts_numbers *numbers, struct ts_number number) {
  if (numbers->num == numbers->max) {
    numbers->max = numbers->max ? numbers->max * 2 : 8;
    struct ts_number *all = TS_NEW(numbers->arena, struct ts_number, numbers->max);
    if (numbers->num)
      memcpy(all, numbers->all, sizeof(*all) * (size_t)numbers->num);
    numbers->all = all;
  }
  numbers->all[numbers->num] = number;
  return ++numbers->num;
}

/* The number that `root` is, entered as `number` if it is a new one. */
static int64_t number_of(ts_numbers *numbers, MlirValue root, struct ts_number number) {
  int64_t constant;
  if (read_constant(root, &constant) && !ts_is_run_time(constant))
    return constant;
  intptr_t known = (intptr_t)ts_map_get(&numbers->known, root.ptr);
  if (!known) {
    known = (intptr_t)add(numbers, number);
    ts_map_set(&numbers->known, numbers->arena, root.ptr, (void *)known);
  }
  return TS_DYNAMIC + known;
}

int64_t ts_number_of_operand(ts_numbers *numbers, MlirOperation op, intptr_t operand) {
  MlirValue root = ts_number_root(mlirOperationGetOperand(op, operand));
  return number_of(numbers, root, (struct ts_number){.op = op, .operand = operand});
}

int64_t ts_number_of_value(ts_numbers *numbers, MlirValue value) {
  MlirValue root = ts_number_root(value);
  return number_of(numbers, root, (struct ts_number){.value = root});
}

MlirValue ts_number_value(const ts_numbers *numbers, int64_t number) {
  if (!numbers || number == TS_DYNAMIC)
    return (MlirValue){NULL};
  const struct ts_number *entry = &numbers->all[number - TS_DYNAMIC - 1];
  return entry->op.ptr ? ts_number_root(mlirOperationGetOperand(entry->op, entry->operand))
                       : entry->value;
}
