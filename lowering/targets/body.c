/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Scalar code of a kernel: numbers of sizes and strides, and an op's body for one element. It knows
 * nests; it must not know the loops around. */
#include "lowering/targets/body.h"

#include "capi/capi.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

/* ---- numbers --------------------------------------------------------------------------------- */

MlirValue ts_body_arithmetic(ts_emitter *e, const ts_maker *build, const char *name, MlirValue a,
                             MlirValue b) {
  MlirNamedAttribute flags = ts_named(e->context, "overflowFlags", e->nsw);
  MlirValue operands[] = {a, b};
  return ts_make_value(build, name, 2, operands, mlirIndexTypeGet(e->context), 1, &flags);
}

MlirValue ts_body_number(ts_emitter *e, const ts_maker *build, const ts_product *product) {
  if (product->num == 0)
    return ts_make_index(build, product->factor);
  MlirValue value = e->symbols[product->symbols[0]];
  for (int i = 1; i < product->num; i++)
    value = ts_body_arithmetic(e, build, "arith.muli", value, e->symbols[product->symbols[i]]);
  if (product->factor != 1)
    value =
        ts_body_arithmetic(e, build, "arith.muli", value, ts_make_index(build, product->factor));
  return value;
}

MlirValue ts_body_advance(ts_emitter *e, const ts_maker *build, MlirValue sum, MlirValue iv,
                          const ts_product *stride) {
  if (ts_product_is(stride, 0))
    return sum;
  MlirValue step = iv;
  if (!ts_product_is(stride, 1))
    step = ts_body_arithmetic(e, build, "arith.muli", iv, ts_body_number(e, build, stride));
  return mlirValueIsNull(sum) ? step : ts_body_arithmetic(e, build, "arith.addi", sum, step);
}

/* ---- bodies ---------------------------------------------------------------------------------- */

static void map_to(ts_emitter *e, ts_map *map, MlirValue value, MlirValue inside) {
  ts_map_set(map, e->arena, value.ptr, (void *)(uintptr_t)inside.ptr);
}

static MlirValue mapped(ts_emitter *e, ts_map *locals, const ts_maker *build, MlirValue value) {
  void *known = ts_map_get(locals, value.ptr);
  if (!known)
    known = ts_map_get(&e->map, value.ptr);
  if (known)
    return (MlirValue){known};
  MlirOperation op = ts_defining_op(value);
  if (!op.ptr || !ts_op_is_constant_like(op))
    return value; /* inside the body's own regions */
  MlirOperation copy = mlirOperationClone(op);
  ts_insert(build, copy);
  return mlirOperationGetResult(copy, 0);
}

void ts_body_know(ts_emitter *e, MlirValue value, MlirValue inside) {
  map_to(e, &e->map, value, inside);
}

MlirValue ts_body_value(ts_emitter *e, const ts_maker *build, MlirValue value) {
  return mapped(e, &e->map, build, value);
}

typedef struct remapping {
  ts_emitter *e;
  ts_map *locals;
  const ts_maker *build; /* before the copied op */
  const ts_nest *nest;
  const MlirValue *indices; /* by access: values of the nest's loops */
} remapping;

static MlirValue loop_index(const remapping *r, MlirOperation op) {
  int64_t dim = ts_op_int(op, "dim", 0);
  const ts_nest *nest = r->nest;
  for (int a = nest->num_inputs + nest->num_outputs; a < nest->num_accesses; a++)
    if (nest->index_loops[a] == dim && !mlirValueIsNull(r->indices[a]))
      return r->indices[a];
  return ts_make_index(r->build, 0);
}

static MlirWalkResult remap_operands(MlirOperation op, void *user) {
  const remapping *r = user;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++)
    mlirOperationSetOperand(op, i,
                            mapped(r->e, r->locals, r->build, mlirOperationGetOperand(op, i)));
  if (ts_op_is(op, "linalg.index") && mlirOperationGetNumResults(op) == 1)
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, 0), loop_index(r, op));
  return MlirWalkResultAdvance;
}

static void erase_index(MlirOperation op, void *user) {
  (void)user;
  if (ts_op_is(op, "linalg.index"))
    mlirOperationDestroy(op);
}

static void know_arguments(const remapping *r, const MlirValue *arguments) {
  const ts_nest *nest = r->nest;
  for (int i = 0; i < nest->num_inputs + nest->num_outputs; i++)
    if (!mlirValueIsNull(arguments[i]) && i < mlirBlockGetNumArguments(nest->body))
      map_to(r->e, r->locals, mlirBlockGetArgument(nest->body, i), arguments[i]);
}

/* Comparisons that picked the step need not be made again. */
static void know_picks(const remapping *r) {
  for (int l = 0; l < r->nest->num_loops; l++) {
    const ts_pick *pick = r->nest->loops[l].pick;
    if (!pick)
      continue;
    bool is_equal = ts_op_int(pick->compare, "predicate", 0) == 0;
    map_to(r->e, r->locals, mlirOperationGetResult(pick->compare, 0),
           ts_make_constant(r->build, mlirBoolAttrGet(r->e->context, is_equal)));
  }
}

void ts_body_emit(ts_emitter *e, const ts_maker *build, const ts_nest *nest,
                  const MlirValue *arguments, const MlirValue *indices, MlirValue *results) {
  ts_map locals = {0};
  remapping r = {e, &locals, build, nest, indices};
  know_arguments(&r, arguments);
  know_picks(&r);
  for (MlirOperation op = mlirBlockGetFirstOperation(nest->body); op.ptr;
       op = mlirOperationGetNextInBlock(op)) {
    if (ts_op_is(op, "linalg.yield")) {
      for (int i = 0; i < nest->num_outputs; i++)
        results[i] = mapped(e, &locals, build, mlirOperationGetOperand(op, i));
      return;
    }
    if (ts_op_is(op, "linalg.index")) {
      map_to(e, &locals, mlirOperationGetResult(op, 0), loop_index(&r, op));
      continue;
    }
    if (mlirOperationGetNumResults(op) > 0 &&
        ts_map_get(&locals, mlirOperationGetResult(op, 0).ptr))
      continue;
    MlirOperation copy = mlirOperationClone(op);
    ts_insert(build, copy); /* constants that it needs come before it */
    ts_maker before = *build;
    before.before = copy;
    r.build = &before;
    mlirOperationWalk(copy, remap_operands, &r, MlirWalkPreOrder);
    if (mlirOperationGetNumRegions(copy))
      ts_each_op(copy, erase_index, NULL);
    r.build = build;
    for (intptr_t i = 0; i < mlirOperationGetNumResults(op); i++)
      map_to(e, &locals, mlirOperationGetResult(op, i), mlirOperationGetResult(copy, i));
  }
}

/* ---- picked steps ---------------------------------------------------------------------------- */

/* A value of the body that is not yet there, and what it is made of. */
static MlirValue emit_value(const remapping *r, MlirValue value) {
  ts_emitter *e = r->e;
  MlirOperation op = ts_defining_op(value);
  if (ts_map_get(r->locals, value.ptr) || !op.ptr ||
      !mlirBlockEqual(mlirOperationGetBlock(op), r->nest->body))
    return mapped(e, r->locals, r->build, value);
  if (ts_op_is(op, "linalg.index"))
    return loop_index(r, op);
  MlirOperation copy = mlirOperationClone(op);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++)
    mlirOperationSetOperand(copy, i, emit_value(r, mlirOperationGetOperand(op, i)));
  ts_insert(r->build, copy);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); i++)
    map_to(e, r->locals, mlirOperationGetResult(op, i), mlirOperationGetResult(copy, i));
  return mapped(e, r->locals, r->build, value);
}

/* The same number in a type that has as many bits or more. */
static MlirValue widen(const ts_maker *build, MlirValue number, MlirType type) {
  MlirType from = mlirValueGetType(number);
  if (mlirTypeEqual(from, type))
    return number;
  bool is_index = mlirTypeIsAIndex(from) || mlirTypeIsAIndex(type);
  return ts_make_value(build, is_index ? "arith.index_castui" : "arith.extui", 1, &number, type, 0,
                       NULL);
}

MlirValue ts_body_emit_pick(ts_emitter *e, const ts_maker *build, const ts_nest *nest,
                            const MlirValue *arguments, const MlirValue *indices,
                            const ts_pick *pick) {
  ts_map locals = {0};
  remapping r = {e, &locals, build, nest, indices};
  know_arguments(&r, arguments);
  MlirValue step = emit_value(&r, mlirOperationGetOperand(pick->compare, 1 - pick->side));
  MlirOperation op = ts_defining_op(mlirOperationGetOperand(pick->compare, pick->side));
  /* What was done to the index is undone to the number, the last first. */
  for (int depth = 0; !ts_op_is(op, "linalg.index"); depth++) {
    bool is_sum = ts_op_is(op, "arith.addi"), is_difference = ts_op_is(op, "arith.subi");
    int side = is_sum || is_difference ? (int)(pick->path >> depth & 1) : 0;
    MlirValue inner = mlirOperationGetOperand(op, side);
    if (is_sum || is_difference)
      step = ts_make_binary(build, is_sum ? "arith.subi" : "arith.addi", step,
                            emit_value(&r, mlirOperationGetOperand(op, 1 - side)));
    else
      step = widen(build, step, mlirValueGetType(inner));
    op = ts_defining_op(inner);
  }
  return widen(build, step, mlirIndexTypeGet(e->context));
}

/* ---- memory ---------------------------------------------------------------------------------- */

MlirType ts_body_flat_type(MlirType element, int64_t size) {
  return mlirMemRefTypeContiguousGet(element, 1, &size, mlirAttributeGetNull());
}

MlirValue ts_body_flat_memref(const ts_maker *build, MlirValue pointer, MlirType element) {
  MlirType type = ts_descriptor_type(build->context, 1);
  int64_t aligned = 1;
  MlirValue none = ts_make_value(build, "llvm.mlir.poison", 0, NULL, type, 0, NULL);
  MlirValue descriptor = ts_make_insert_value(build, none, pointer, 1, &aligned);
  return ts_make_cast(build, descriptor,
                      ts_body_flat_type(element, mlirShapedTypeGetDynamicSize()));
}

/* ---- reductions ------------------------------------------------------------------------------ */

bool ts_body_may_reorder(MlirOperation add) {
  MlirAttribute flags = ts_attribute(add, "fastmath");
  MlirContext context = mlirOperationGetContext(add);
  static const char *const names[] = {"#arith.fastmath<reassoc>", "#arith.fastmath<fast>"};
  for (int i = 0; i < 2 && !mlirAttributeIsNull(flags); i++)
    if (mlirAttributeEqual(
            flags, mlirAttributeParseGet(context, mlirStringRefCreateFromCString(names[i]))))
      return true;
  return false;
}

bool ts_body_is_only_use(MlirValue value, MlirOperation user) {
  MlirOpOperand use = mlirValueGetFirstUse(value);
  return !mlirOpOperandIsNull(use) && mlirOperationEqual(mlirOpOperandGetOwner(use), user) &&
         mlirOpOperandIsNull(mlirOpOperandGetNextUse(use));
}
