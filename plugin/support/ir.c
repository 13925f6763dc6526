/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Words about operations and attributes. It must not know any op in particular. */
#include "support/ir.h"

#include <string.h>

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

const char *ts_op_name(MlirOperation op) {
  return mlirIdentifierStr(mlirOperationGetName(op)).data;
}

bool ts_op_is(MlirOperation op, const char *name) {
  MlirStringRef text = mlirIdentifierStr(mlirOperationGetName(op));
  return text.length == strlen(name) && memcmp(text.data, name, text.length) == 0;
}

bool ts_op_is_any(MlirOperation op, const char *const *names) {
  for (; *names; names++)
    if (ts_op_is(op, *names))
      return true;
  return false;
}

MlirAttribute ts_attribute(MlirOperation op, const char *name) {
  return mlirOperationGetAttributeByName(op, mlirStringRefCreateFromCString(name));
}

MlirNamedAttribute ts_named(MlirContext context, const char *name, MlirAttribute value) {
  return mlirNamedAttributeGet(mlirIdentifierGet(context, mlirStringRefCreateFromCString(name)),
                               value);
}

bool ts_same_attributes(MlirOperation a, MlirOperation b) {
  bool same = mlirOperationGetNumAttributes(a) == mlirOperationGetNumAttributes(b);
  for (intptr_t i = 0; same && i < mlirOperationGetNumAttributes(a); i++) {
    MlirNamedAttribute attribute = mlirOperationGetAttribute(a, i);
    same = mlirAttributeEqual(
        attribute.attribute, mlirOperationGetAttributeByName(b, mlirIdentifierStr(attribute.name)));
  }
  return same;
}

MlirOperation ts_defining_op(MlirValue value) {
  if (!mlirValueIsAOpResult(value))
    return (MlirOperation){NULL};
  return mlirOpResultGetOwner(value);
}

MlirOperation ts_owner_of(MlirValue value) {
  if (mlirValueIsAOpResult(value))
    return mlirOpResultGetOwner(value);
  return mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value));
}

bool ts_is_inside(MlirOperation op, MlirOperation around) {
  while (op.ptr && !mlirOperationEqual(op, around))
    op = mlirOperationGetParentOperation(op);
  return op.ptr;
}

typedef struct operand_check {
  bool (*is_good)(MlirValue operand, void *user);
  void *user;
  bool all_good;
} operand_check;

static MlirWalkResult check_operands(MlirOperation op, void *user) {
  operand_check *c = user;
  for (intptr_t i = 0; c->all_good && i < mlirOperationGetNumOperands(op); i++)
    c->all_good = c->is_good(mlirOperationGetOperand(op, i), c->user);
  return c->all_good ? MlirWalkResultAdvance : MlirWalkResultInterrupt;
}

bool ts_all_operands(MlirOperation op, bool (*is_good)(MlirValue operand, void *user), void *user) {
  operand_check c = {is_good, user, true};
  mlirOperationWalk(op, check_operands, &c, MlirWalkPreOrder);
  return c.all_good;
}

intptr_t ts_num_uses(MlirValue value) {
  intptr_t num = 0;
  for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use))
    num++;
  return num;
}

bool ts_has_one_use(MlirValue value) {
  MlirOpOperand use = mlirValueGetFirstUse(value);
  return !mlirOpOperandIsNull(use) && mlirOpOperandIsNull(mlirOpOperandGetNextUse(use));
}

bool ts_constant_integer(MlirValue value, int64_t *number) {
  MlirOperation op = ts_defining_op(value);
  MlirAttribute attribute =
      op.ptr && ts_op_is(op, "arith.constant") ? ts_attribute(op, "value") : (MlirAttribute){NULL};
  if (mlirAttributeIsNull(attribute) || !mlirAttributeIsAInteger(attribute))
    return false;
  *number = mlirIntegerAttrGetValueInt(attribute);
  return true;
}

MlirStringRef ts_op_symbol(MlirOperation op, const char *name) {
  MlirAttribute attribute = ts_attribute(op, name);
  if (!mlirAttributeIsNull(attribute) && mlirAttributeIsAFlatSymbolRef(attribute))
    return mlirFlatSymbolRefAttrGetValue(attribute);
  if (!mlirAttributeIsNull(attribute) && mlirAttributeIsAString(attribute))
    return mlirStringAttrGetValue(attribute);
  return mlirStringRefCreate("", 0);
}

int64_t ts_op_int(MlirOperation op, const char *name, int64_t fallback) {
  MlirAttribute attribute = ts_attribute(op, name);
  if (mlirAttributeIsNull(attribute) || !mlirAttributeIsAInteger(attribute))
    return fallback;
  return mlirIntegerAttrGetValueInt(attribute);
}

bool ts_string_equal(MlirStringRef a, const char *b) {
  return a.length == strlen(b) && memcmp(a.data, b, a.length) == 0;
}

typedef struct text_buffer {
  char *data;
  size_t size, used;
} text_buffer;

static void append_text(MlirStringRef text, void *user) {
  text_buffer *buffer = user;
  for (size_t i = 0; i < text.length; i++, buffer->used++)
    if (buffer->used + 1 < buffer->size)
      buffer->data[buffer->used] = text.data[i];
}

size_t ts_type_text(MlirType type, char *buffer, size_t size) {
  text_buffer text = {buffer, size, 0};
  mlirTypePrint(type, append_text, &text);
  if (size > 0)
    buffer[text.used < size ? text.used : size - 1] = '\0';
  return text.used;
}

MlirBlock ts_module_body(MlirOperation module) {
  return mlirRegionGetFirstBlock(mlirOperationGetRegion(module, 0));
}

MlirOperation ts_module_symbol(MlirOperation module, const char *symbol) {
  for (MlirOperation op = mlirBlockGetFirstOperation(ts_module_body(module)); op.ptr;
       op = mlirOperationGetNextInBlock(op))
    if (ts_string_equal(ts_op_symbol(op, "sym_name"), symbol))
      return op;
  return (MlirOperation){NULL};
}

MlirBlock ts_function_entry(MlirOperation function) {
  return mlirRegionGetFirstBlock(mlirOperationGetRegion(function, 0));
}

MlirOperation ts_parent_named(MlirOperation op, const char *name) {
  while (op.ptr && !ts_op_is(op, name))
    op = mlirOperationGetParentOperation(op);
  return op;
}

typedef struct walk_visit {
  void (*visit)(MlirOperation op, void *user);
  void *user;
} walk_visit;

static MlirWalkResult visit_op(MlirOperation op, void *user) {
  const walk_visit *walk = user;
  walk->visit(op, walk->user);
  return MlirWalkResultAdvance;
}

void ts_each_op(MlirOperation op, void (*visit)(MlirOperation op, void *user), void *user) {
  walk_visit walk = {visit, user};
  mlirOperationWalk(op, visit_op, &walk, MlirWalkPostOrder);
}

bool ts_is_public(MlirOperation function) {
  MlirAttribute visibility = ts_attribute(function, "sym_visibility");
  return mlirAttributeIsNull(visibility) ||
         mlirStringRefEqual(mlirStringAttrGetValue(visibility),
                            mlirStringRefCreateFromCString("public"));
}

int64_t ts_known_extent(MlirType type, intptr_t d) {
  return mlirShapedTypeIsDynamicDim(type, d) ? -1 : mlirShapedTypeGetDimSize(type, d);
}

bool ts_has_no_elements(MlirType type) {
  for (intptr_t d = 0; d < mlirShapedTypeGetRank(type); d++)
    if (!mlirShapedTypeIsDynamicDim(type, d) && mlirShapedTypeGetDimSize(type, d) == 0)
      return true;
  return false;
}
