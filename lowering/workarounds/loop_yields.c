/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Works around one-shot-bufferize, which takes the results of a loop, and of a call, for separate
 * memory, though a loop may yield a tensor and a slice of it, and a function return one twice; and
 * which does not know that what the second region of
 * an scf.while yields is what the first one may write, be it a tensor from outside of the loop. Can
 * go when upstream copies both. It knows which ops may give the memory of an operand. */
#include "lowering/workarounds/loop_yields.h"

#include "capi/capi.h"
#include "ir/build.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "support/blocks.h"
#include "support/map.h"

/* ---- memory of outside ----------------------------------------------------------------------- */

typedef struct tracing {
  ts_arena arena;
  MlirBlock block; /* of the second region */
  ts_map answers;  /* value -> whether it may be one of outside */
} tracing;

static const char yes, no;

static bool may_be_outside(tracing *t, MlirValue value);

/* One of the operands `first` to `end` that is a tensor may be. */
static bool may_operands(tracing *t, MlirOperation op, intptr_t first, intptr_t end) {
  for (intptr_t i = first; i < end; i++) {
    MlirValue operand = mlirOperationGetOperand(op, i);
    if (mlirTypeIsATensor(mlirValueGetType(operand)) && may_be_outside(t, operand))
      return true;
  }
  return false;
}

/* Result `number` of a branch is what one of its blocks yields. */
static bool may_branches(tracing *t, MlirOperation op, intptr_t number) {
  for (intptr_t i = 0; i < mlirOperationGetNumRegions(op); i++) {
    MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, i));
    if (block.ptr &&
        may_be_outside(t, mlirOperationGetOperand(mlirBlockGetTerminator(block), number)))
      return true;
  }
  return false;
}

/* Tensors have no memory that upstream would tell views of: what bufferizes as one. */
static bool is_view(MlirOperation op) {
  static const char *const names[] = {"tensor.extract_slice",  "tensor.cast",
                                      "tensor.collapse_shape", "tensor.expand_shape",
                                      "tensor.reshape",        "bufferization.to_tensor"};
  for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
    if (ts_op_is(op, names[i]))
      return true;
  return false;
}

/* Ops that compute, and insertions, give memory that nobody else reads; views give their source's.
 */
static bool may_result(tracing *t, MlirOperation op, MlirValue value) {
  if (is_view(op))
    return may_operands(t, op, 0, 1);
  if (ts_op_is(op, "scf.if"))
    return may_branches(t, op, mlirOpResultGetResultNumber(value));
  if (ts_op_is(op, "func.call") || ts_op_is(op, "arith.select"))
    return may_operands(t, op, 0, mlirOperationGetNumOperands(op));
  return ts_op_is(op, "arith.constant") ||
         (mlirOperationGetNumRegions(op) > 0 && !ts_op_is_linalg(op));
}

static bool may_be_outside(tracing *t, MlirValue value) {
  const char *known = ts_map_get(&t->answers, value.ptr);
  if (known)
    return known == &yes;
  bool answer = true;
  if (mlirValueIsAOpResult(value)) {
    MlirOperation op = mlirOpResultGetOwner(value);
    answer = !ts_ancestor_in(t->block, op).ptr || may_result(t, op, value);
  } else {
    answer = !mlirBlockEqual(mlirBlockArgumentGetOwner(value), t->block);
  }
  ts_map_set(&t->answers, &t->arena, value.ptr, (void *)(answer ? &yes : &no));
  return answer;
}

static MlirValue copy(const ts_maker *build, MlirValue value) {
  int32_t segments[] = {0, 1, 0};
  MlirNamedAttribute attribute = ts_named(build->context, "operandSegmentSizes",
                                          mlirDenseI32ArrayGet(build->context, 3, segments));
  return ts_make_value(build, "bufferization.alloc_tensor", 1, &value, mlirValueGetType(value), 1,
                       &attribute);
}

/* ---- memory that two share ------------------------------------------------------------------- */

enum { NUM_BOUNDS = 3 }; /* operands of scf.for before what it carries */

/* Whose memory each yielded tensor may lie in. */
typedef struct owners {
  ts_arena arena;
  ts_map seen;  /* value -> whoever asked last */
  ts_map owner; /* value -> the first that lies in it */
} owners;

static bool note_owners(owners *o, MlirValue value, const void *who);

static bool note_operands(owners *o, MlirOperation op, const void *who) {
  bool is_shared = false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++)
    is_shared |= note_owners(o, mlirOperationGetOperand(op, i), who);
  return is_shared;
}

/* Notes in whose memory `value` may lie, for `who`; true if another one does. */
static bool note_owners(owners *o, MlirValue value, const void *who) {
  if (!mlirTypeIsATensor(mlirValueGetType(value)) || ts_map_get(&o->seen, value.ptr) == who)
    return false;
  ts_map_set(&o->seen, &o->arena, value.ptr, (void *)who);
  const void *owner = ts_map_get(&o->owner, value.ptr);
  bool is_shared = owner && owner != who;
  if (!owner)
    ts_map_set(&o->owner, &o->arena, value.ptr, (void *)who);
  MlirOperation op = ts_defining_op(value);
  if (!op.ptr)
    return is_shared;
  if (is_view(op))
    return note_owners(o, mlirOperationGetOperand(op, 0), who) || is_shared;
  if (ts_op_is(op, "arith.select"))
    return note_operands(o, op, who) || is_shared;
  if (ts_op_is(op, "scf.for")) {
    intptr_t first = NUM_BOUNDS + mlirOpResultGetResultNumber(value);
    return note_owners(o, mlirOperationGetOperand(op, first), who) || is_shared;
  }
  for (intptr_t i = 0; ts_op_is(op, "scf.if") && i < mlirOperationGetNumRegions(op); i++) {
    MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, i));
    if (block.ptr)
      is_shared |= note_owners(o,
                               mlirOperationGetOperand(mlirBlockGetTerminator(block),
                                                       mlirOpResultGetResultNumber(value)),
                               who);
  }
  return is_shared;
}

/* Copies what `end` passes on behind another one in whose memory it may lie. */
static void copy_shared(MlirOperation end) {
  owners o = {.arena = {0}};
  ts_maker build = ts_make_before(end);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(end); i++) {
    MlirValue value = mlirOperationGetOperand(end, i);
    void *who = ts_arena_copy(&o.arena, &i, sizeof(i));
    if (note_owners(&o, value, who))
      mlirOperationSetOperand(end, i, copy(&build, value));
  }
  ts_arena_free(&o.arena);
}

/* ---- loops ----------------------------------------------------------------------------------- */

static MlirBlock block_of(MlirOperation loop, intptr_t region) {
  return mlirRegionGetFirstBlock(mlirOperationGetRegion(loop, region));
}

static void copy_from_outside(MlirOperation loop) {
  tracing t = {.block = block_of(loop, 1)};
  MlirOperation yield = mlirBlockGetTerminator(t.block);
  ts_maker build = ts_make_before(yield);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(yield); i++) {
    MlirValue value = mlirOperationGetOperand(yield, i);
    if (mlirTypeIsATensor(mlirValueGetType(value)) && may_be_outside(&t, value))
      mlirOperationSetOperand(yield, i, copy(&build, value));
  }
  ts_arena_free(&t.arena);
}

static void visit(MlirOperation op, void *user) {
  (void)user;
  bool is_while = ts_op_is(op, "scf.while");
  if (is_while)
    copy_from_outside(op);
  for (intptr_t i = 0; (is_while || ts_op_is(op, "scf.for")) && i < mlirOperationGetNumRegions(op);
       i++)
    copy_shared(mlirBlockGetTerminator(block_of(op, i)));
}

/* ---- functions ------------------------------------------------------------------------------- */

/* Functions that are called, by the addresses of their names. */
typedef struct called {
  ts_arena arena;
  ts_map names;
} called;

static const void *name_of(MlirOperation op, const char *attribute) {
  MlirStringRef symbol = ts_op_symbol(op, attribute);
  return mlirIdentifierStr(mlirIdentifierGet(mlirOperationGetContext(op), symbol)).data;
}

static void note_call(MlirOperation op, void *user) {
  called *c = user;
  if (ts_op_is(op, "func.call"))
    ts_map_set(&c->names, &c->arena, name_of(op, "callee"), op.ptr);
}

/* Callers may write one result; what tools get is told apart by its wrapper. */
static void visit_return(MlirOperation op, void *user) {
  const called *c = user;
  if (!ts_op_is(op, "func.return") || mlirOperationGetNumOperands(op) < 2)
    return;
  MlirOperation function = ts_parent_named(op, "func.func");
  if (ts_map_get(&c->names, name_of(function, "sym_name")))
    copy_shared(op);
}

void ts_loop_yields_copy(MlirOperation module) {
  called c = {.arena = {0}};
  ts_each_op(module, visit, NULL);
  ts_each_op(module, note_call, &c);
  ts_each_op(module, visit_return, &c);
  ts_arena_free(&c.arena);
}
