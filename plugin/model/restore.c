/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Annotations that canonicalization deleted, because nothing used them, or put behind branches, of
 * arguments whose layouts have numbers that only the launch knows. It knows where numbers are kept;
 * it must not know what they are for. */
#include "model/restore.h"

#include <inttypes.h>

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "model/signature.h"
#include "numbers/scalar_code.h"
#include "support/blocks.h"
#include "support/diagnostics.h"

typedef struct restorer {
  ts_arena *arena;
  ts_grids grids;
  MlirBlock module;
  MlirOperation function; /* at hand */
  MlirBlock entry;        /* of the function */
} restorer;

/* An argument without its annotation. */
typedef struct lost {
  int argument;
  const ts_sharding *layout;
  int64_t first; /* of its numbers among those of the function */
} lost;

/* ---- what is lost ---------------------------------------------------------------------------- */

/* The annotation that defines the argument; null if it has none. */
static MlirOperation definition_of(MlirValue argument) {
  for (MlirOpOperand use = mlirValueGetFirstUse(argument); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use))
    if (ts_op_is(mlirOpOperandGetOwner(use), "shard.shard"))
      return mlirOpOperandGetOwner(use);
  return (MlirOperation){NULL};
}

/* Where canonicalization has put what was in a region into blocks of the function, the annotation
 * may be behind a branch, where its numbers are known to nobody who calls. */
static bool is_annotated(const restorer *r, MlirValue argument) {
  MlirOperation definition = definition_of(argument);
  return definition.ptr && (mlirBlockEqual(mlirOperationGetBlock(definition), r->entry) ||
                            !ts_is_propagated(r->function));
}

/* Fills `all` with the arguments that lost numbers with their annotations and returns how many they
 * are; `*total` counts the numbers of all arguments and results. */
static int find_lost(restorer *r, lost *all, int64_t *total) {
  int num = 0;
  MlirType global;
  MlirAttribute arguments = ts_attribute(r->function, "arg_attrs");
  MlirAttribute results = ts_attribute(r->function, "res_attrs");
  *total = 0;
  for (int i = 0; i < mlirBlockGetNumArguments(r->entry); i++) {
    const ts_sharding *layout = ts_recorded_layout(&r->grids, arguments, i, &global);
    int64_t numbers = layout ? ts_sharding_run_time(layout, NULL) : 0;
    MlirValue argument = mlirBlockGetArgument(r->entry, i);
    if (numbers && mlirTypeEqual(global, mlirValueGetType(argument)) && !is_annotated(r, argument))
      all[num++] = (lost){i, layout, *total};
    *total += numbers;
  }
  intptr_t num_results = mlirAttributeIsNull(results) ? 0 : mlirArrayAttrGetNumElements(results);
  for (intptr_t i = 0; num && i < num_results; i++) {
    const ts_sharding *layout = ts_recorded_layout(&r->grids, results, i, &global);
    *total += layout ? ts_sharding_run_time(layout, NULL) : 0;
  }
  return num;
}

/* ---- where it is kept ------------------------------------------------------------------------ */

static bool takes_the_same(MlirBlock entry, MlirBlock other) {
  intptr_t num = mlirBlockGetNumArguments(entry);
  bool same = num == mlirBlockGetNumArguments(other);
  for (intptr_t i = 0; i < num && same; i++)
    same = mlirTypeEqual(mlirValueGetType(mlirBlockGetArgument(entry, i)),
                         mlirValueGetType(mlirBlockGetArgument(other, i)));
  return same;
}

static bool gives_numbers(MlirOperation returned, int64_t total) {
  MlirType i64 = mlirIntegerTypeGet(mlirOperationGetContext(returned), 64);
  bool gives = mlirOperationGetNumOperands(returned) == total;
  for (int64_t i = 0; i < total && gives; i++)
    gives = mlirTypeEqual(mlirValueGetType(mlirOperationGetOperand(returned, (intptr_t)i)), i64);
  return gives;
}

static MlirOperation find_resolver(const restorer *r) {
  MlirStringRef name = ts_resolver_name(r->function);
  MlirOperation op = mlirBlockGetFirstOperation(r->module);
  for (; op.ptr; op = mlirOperationGetNextInBlock(op))
    if (name.length && ts_op_is(op, "func.func") &&
        mlirStringRefEqual(mlirStringAttrGetValue(ts_attribute(op, "sym_name")), name))
      break;
  return op;
}

/* The func.return whose operands are the `total` numbers of the function; null, and why in
 * `*reason`, if tessera.resolve does not lead to one. */
static MlirOperation find_numbers(const restorer *r, int64_t total, const char **reason) {
  MlirOperation none = {NULL}, resolver = find_resolver(r);
  *reason = "it names no function of one block";
  if (!resolver.ptr)
    return none;
  MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(resolver, 0));
  if (!body.ptr || mlirBlockGetNextInRegion(body).ptr)
    return none;
  *reason = "what it names does not take the same arguments";
  if (!takes_the_same(r->entry, body))
    return none;
  MlirOperation returned = mlirBlockGetTerminator(body);
  if (ts_op_is(returned, "func.return") && gives_numbers(returned, total))
    return returned;
  *reason = ts_arena_format(r->arena,
                            "what it names gives something else than the %" PRId64
                            " numbers, as i64, that `tessera.layout` leaves open",
                            total);
  return none;
}

/* ---- writing it anew ------------------------------------------------------------------------- */

/* `number`, or if it is not known that of the next value. */
static ts_number take(ts_numbers *numbers, ts_number number, const MlirValue **next) {
  return ts_is_run_time(number) ? ts_number_of_value(numbers, *(*next)++) : number;
}

/* `layout` with its unknown numbers, in their order, those of `values`. */
static const ts_sharding *with_numbers(ts_arena *arena, ts_numbers *numbers,
                                       const ts_sharding *layout, const MlirValue *values) {
  const ts_sharding *known = layout;
  for (int d = 0; d < layout->rank; d++) {
    ts_dim dim = ts_dim_copy(arena, layout->grid, &layout->dims[d]);
    for (int side = 0; side < 2; side++)
      dim.halo[side] = take(numbers, dim.halo[side], &values);
    int64_t num = dim.offsets ? ts_dim_shards(layout->grid, &dim) + 1 : 0;
    ts_number *offsets = TS_NEW(arena, ts_number, num);
    for (int64_t i = 0; i < num; i++)
      offsets[i] = take(numbers, dim.offsets[i], &values);
    dim.offsets = num ? offsets : NULL;
    known = ts_sharding_with_dim(arena, known, d, dim);
  }
  return known;
}

/* The copies of those of the numbers that belong to `layout`, or NULL. */
static const MlirValue *copy_numbers(ts_scalar_copier *copier, MlirOperation numbers,
                                     const lost *one) {
  int64_t num = ts_sharding_run_time(one->layout, NULL);
  MlirValue *copies = TS_NEW(copier->arena, MlirValue, num);
  for (int64_t i = 0; i < num; i++) {
    MlirValue number = mlirOperationGetOperand(numbers, (intptr_t)(one->first + i));
    copies[i] = ts_copy_scalar(copier, number);
    if (mlirValueIsNull(copies[i]))
      return NULL;
  }
  return copies;
}

/* The shard.sharding that an annotation takes; null if its sharding comes from elsewhere. */
static MlirOperation sharding_of(MlirOperation annotation) {
  MlirOperation op = ts_defining_op(mlirOperationGetOperand(annotation, 1));
  return op.ptr && ts_op_is(op, "shard.sharding") ? op : (MlirOperation){NULL};
}

/* `annotated` is what the annotation `old` of the same argument was, and has the same numbers: some
 * are the same values, and one value may be several of them. */
static void take_over(ts_arena *arena, MlirValue annotated, MlirOperation old) {
  MlirOperation told = sharding_of(old), tells = sharding_of(mlirOpResultGetOwner(annotated));
  intptr_t num = told.ptr ? mlirOperationGetNumOperands(told) : 0;
  if (num != mlirOperationGetNumOperands(tells))
    num = 0;
  MlirValue *numbers = TS_NEW(arena, MlirValue, num + 1);
  for (intptr_t i = 0; i < num; i++)
    numbers[i] = mlirOperationGetOperand(told, i);
  for (intptr_t i = 0; i < num; i++) {
    MlirValue number = mlirOperationGetOperand(tells, i);
    if (ts_known_before(numbers[i], tells)) /* as what an annotation before this one has */
      mlirOperationSetOperand(tells, i, numbers[i]);
    else if (!mlirValueEqual(numbers[i], number))
      mlirValueReplaceAllUsesOfWith(numbers[i], number);
  }
  mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(old, 0), annotated);
  mlirOperationDestroy(old);
}

/* Why it cannot be done, or NULL. */
static const char *annotate_lost(restorer *r, MlirOperation returned, int num, const lost *all) {
  MlirOperation first = mlirBlockGetFirstOperation(r->entry);
  ts_scalar_copier copier = {.arena = r->arena, .block = r->entry, .before = first};
  ts_numbers numbers = {.arena = r->arena};
  ts_annotation_writer writer = {.arena = r->arena, .entry = r->entry};
  ts_copy_arguments(&copier, mlirOperationGetBlock(returned), r->entry);
  for (int i = 0; i < num; i++) {
    const MlirValue *values = copy_numbers(&copier, returned, &all[i]);
    if (!values)
      return "what it names computes them from more than scalars and shapes";
    MlirValue argument = mlirBlockGetArgument(r->entry, all[i].argument);
    MlirOperation old = definition_of(argument);
    MlirValue annotated = ts_annotation_write(
        &writer, r->entry, first, mlirOperationGetLocation(r->function), argument,
        with_numbers(r->arena, &numbers, all[i].layout, values), TS_FOR_DEFINITION);
    if (old.ptr)
      take_over(r->arena, annotated, old);
  }
  return NULL;
}

static bool restore(restorer *r) {
  lost *all = TS_NEW(r->arena, lost, mlirBlockGetNumArguments(r->entry));
  int64_t total;
  int num = find_lost(r, all, &total);
  if (num == 0)
    return true;
  const char *reason;
  MlirOperation returned = find_numbers(r, total, &reason);
  if (returned.ptr)
    reason = annotate_lost(r, returned, num, all);
  if (!reason || !ts_is_public(r->function))
    return true; /* a private function has one if its numbers are what a caller could know */
  MlirStringRef name = mlirStringAttrGetValue(ts_attribute(r->function, "sym_name"));
  return ts_error(
      r->function,
      "argument %d of @%.*s has halo sizes or shard offsets that only the launch knows, but no "
      "annotation any more, and `tessera.resolve` does not say what computes them: %s; "
      "annotate the argument anew, or remove its `tessera.layout`",
      all[0].argument, (int)name.length, name.data, reason);
}

static MlirWalkResult find_annotation(MlirOperation op, void *user) {
  bool *found = user;
  *found = ts_op_is(op, "shard.shard");
  return *found ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

/* It is to be partitioned, and has layouts of arguments. */
static bool is_asked_for(MlirOperation op) {
  if (!ts_op_is(op, "func.func") || mlirAttributeIsNull(ts_attribute(op, "arg_attrs")) ||
      !mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 0)).ptr)
    return false;
  bool found = ts_is_propagated(op);
  if (!found)
    mlirOperationWalk(op, find_annotation, &found, MlirWalkPreOrder);
  return found;
}

bool ts_restore_annotations(MlirOperation module) {
  ts_arena arena = {0};
  restorer r = {.arena = &arena,
                .module = mlirRegionGetFirstBlock(mlirOperationGetRegion(module, 0))};
  bool ok = ts_grids_collect(&r.grids, &arena, module);
  for (MlirOperation op = mlirBlockGetFirstOperation(r.module); ok && op.ptr;
       op = mlirOperationGetNextInBlock(op)) {
    if (!is_asked_for(op))
      continue;
    r.function = op;
    r.entry = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 0));
    ok = restore(&r);
  }
  ts_arena_free(&arena);
  return ok;
}
