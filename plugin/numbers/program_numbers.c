/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Values as numbers. It knows values and numbers; it must not know shardings. */
#include "numbers/program_numbers.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include "support/ir.h"

struct ts_program_number {
  MlirOperation op; /* null: it is `value` */
  intptr_t operand;
  MlirValue value;
};

static bool is_wide(MlirType type) {
  return mlirTypeIsAIndex(type) ||
         (mlirTypeIsAInteger(type) && mlirIntegerTypeGetWidth(type) == 64);
}

/* `value` without the casts between index and i64 that it comes through. */
static MlirValue root_of(MlirValue value) {
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

/* The number that `root` is, entered as `number` if it is a new one. */
static ts_number number_of(ts_numbers *numbers, MlirValue root, struct ts_program_number number) {
  int64_t constant;
  if (read_constant(root, &constant) && constant != TS_DYNAMIC)
    return ts_known_number(constant);
  void *known = ts_map_get(&numbers->known, root.ptr);
  if (!known) {
    known = ts_arena_copy(numbers->arena, &number, sizeof(number));
    ts_map_set(&numbers->known, numbers->arena, root.ptr, known);
  }
  return (ts_number){.value = known};
}

ts_number ts_number_of_operand(ts_numbers *numbers, MlirOperation op, intptr_t operand) {
  MlirValue root = root_of(mlirOperationGetOperand(op, operand));
  return number_of(numbers, root, (struct ts_program_number){.op = op, .operand = operand});
}

ts_number ts_number_of_value(ts_numbers *numbers, MlirValue value) {
  MlirValue root = root_of(value);
  return number_of(numbers, root, (struct ts_program_number){.value = root});
}

MlirValue ts_number_value(ts_number number) {
  const struct ts_program_number *entry = number.value;
  if (!entry || entry == ts_unknown_number.value)
    return (MlirValue){NULL};
  return entry->op.ptr ? root_of(mlirOperationGetOperand(entry->op, entry->operand)) : entry->value;
}
