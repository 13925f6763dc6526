/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The few words about operations and attributes that every stage needs. It must not know any op in
 * particular. */
#ifndef TESSERA_PLUGIN_SUPPORT_IR_H
#define TESSERA_PLUGIN_SUPPORT_IR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "mlir-c/IR.h"

/* The op's name, "linalg.matmul"; valid as long as the context. */
const char *ts_op_name(MlirOperation op);
bool ts_op_is(MlirOperation op, const char *name);
/* Whether it has one of the names, of which NULL is the end. */
bool ts_op_is_any(MlirOperation op, const char *const *names);
/* The op's attribute `name`, null if it has none. */
MlirAttribute ts_attribute(MlirOperation op, const char *name);
/* Both have the same attributes, inherent ones included. */
bool ts_same_attributes(MlirOperation a, MlirOperation b);
/* The op that defines `value`, or null. */
MlirOperation ts_defining_op(MlirValue value);
/* The op that defines `value`, or whose block it is an argument of. */
MlirOperation ts_owner_of(MlirValue value);
/* `op` is `around` or in its regions. */
bool ts_is_inside(MlirOperation op, MlirOperation around);
/* All operands of `op`, and of the ops in its regions, are good. */
bool ts_all_operands(MlirOperation op, bool (*is_good)(MlirValue operand, void *user), void *user);
/* How many operands `value` is; whether it is one alone. */
intptr_t ts_num_uses(MlirValue value);
bool ts_has_one_use(MlirValue value);
/* Whether `value` is a constant integer or index, which then is `*number`. */
bool ts_constant_integer(MlirValue value, int64_t *number);
/* Tools may call the function. */
bool ts_is_public(MlirOperation function);
/* `name` = `value`, as op builders take it. */
MlirNamedAttribute ts_named(MlirContext context, const char *name, MlirAttribute value);

/* The symbol that attribute `name` of `op` refers to, or that string attribute `name` spells; an
 * empty reference if there is none. */
MlirStringRef ts_op_symbol(MlirOperation op, const char *name);
/* Integer attribute `name` of `op`, or `fallback`. */
int64_t ts_op_int(MlirOperation op, const char *name, int64_t fallback);
bool ts_string_equal(MlirStringRef a, const char *b);
/* The extent of dimension `d` of a shaped type, or -1 if only the run knows it. */
int64_t ts_known_extent(MlirType type, intptr_t d);
/* A shaped type that says of a dimension that it is 0. */
bool ts_has_no_elements(MlirType type);
/* Spells a type: "f32". Returns the length that the full text has. */
size_t ts_type_text(MlirType type, char *buffer, size_t size);

MlirBlock ts_module_body(MlirOperation module);
/* The symbol table entry of the module with this name; null if there is none. */
MlirOperation ts_module_symbol(MlirOperation module, const char *symbol);
/* The body's entry block of a func.func; null for a declaration. */
MlirBlock ts_function_entry(MlirOperation function);
/* The func.func or module around `op`, or a null operation. */
MlirOperation ts_parent_named(MlirOperation op, const char *name);
/* Calls `visit` for every op under `op`, inner ones first and itself last. `visit` may erase the op
 * that it is given. */
void ts_each_op(MlirOperation op, void (*visit)(MlirOperation op, void *user), void *user);

#endif /* TESSERA_PLUGIN_SUPPORT_IR_H */
