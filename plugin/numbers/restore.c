/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Annotations that canonicalization deleted, because nothing used them, of arguments whose layouts
 * have numbers that only the launch knows. Knows where numbers are kept, not what they are for. */
#include <inttypes.h>

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include "model/model.h"
#include "numbers/scalar_code.h"

/* An argument without its annotation. */
typedef struct lost {
  int argument;
  const ts_sharding *layout;
  int64_t first; /* of its numbers among those of the function */
} lost;

/* ---- what is lost -------------------------------------------------------------------------------
 */

static bool is_annotated(MlirValue value) {
  for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use))
    if (ts_op_is(mlirOpOperandGetOwner(use), "shard.shard"))
      return true;
  return false;
}

/* Fills `all` with the arguments that lost numbers with their annotations and returns how many they
 * are; `*total` counts the numbers of all arguments and results. */
static int find_lost(ts_model *model, const ts_function *function, MlirBlock entry, lost *all,
                     int64_t *total) {
  int num = 0;
  MlirType global;
  MlirAttribute arguments = ts_attribute(function->handle, "arg_attrs");
  MlirAttribute results = ts_attribute(function->handle, "res_attrs");
  *total = 0;
  for (int i = 0; i < function->num_arguments; ++i) {
    const ts_sharding *layout = ts_recorded_layout(model, arguments, i, &global);
    int64_t numbers = layout ? ts_sharding_run_time(layout, NULL) : 0;
    MlirValue argument = mlirBlockGetArgument(entry, i);
    if (numbers && mlirTypeEqual(global, mlirValueGetType(argument)) && !is_annotated(argument))
      all[num++] = (lost){i, layout, *total};
    *total += numbers;
  }
  for (int i = 0; num && i < function->num_results; ++i) {
    const ts_sharding *layout = ts_recorded_layout(model, results, i, &global);
    *total += layout ? ts_sharding_run_time(layout, NULL) : 0;
  }
  return num;
}

/* ---- where it is kept ---------------------------------------------------------------------------
 */

static bool takes_the_same(MlirBlock entry, MlirBlock other) {
  intptr_t num = mlirBlockGetNumArguments(entry);
  bool same = num == mlirBlockGetNumArguments(other);
  for (intptr_t i = 0; i < num && same; ++i)
    same = mlirTypeEqual(mlirValueGetType(mlirBlockGetArgument(entry, i)),
                         mlirValueGetType(mlirBlockGetArgument(other, i)));
  return same;
}

static bool gives_numbers(MlirOperation returned, int64_t total) {
  MlirType i64 = mlirIntegerTypeGet(mlirOperationGetContext(returned), 64);
  bool gives = mlirOperationGetNumOperands(returned) == total;
  for (int64_t i = 0; i < total && gives; ++i)
    gives = mlirTypeEqual(mlirValueGetType(mlirOperationGetOperand(returned, (intptr_t)i)), i64);
  return gives;
}

/* The func.return whose operands are the `total` numbers of the function whose first block is
 * `entry`; null, and why in `*reason`, if tessera.resolve does not lead to one. */
static MlirOperation find_numbers(ts_model *model, const ts_function *function, MlirBlock entry,
                                  int64_t total, const char **reason) {
  MlirOperation none = {NULL}, resolver = ts_resolver_of(model, function->handle);
  *reason = "it names no function of one block";
  if (!resolver.ptr || !ts_op_is(resolver, "func.func"))
    return none;
  MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(resolver, 0));
  if (!body.ptr || mlirBlockGetNextInRegion(body).ptr)
    return none;
  *reason = "what it names does not take the same arguments";
  if (!takes_the_same(entry, body))
    return none;
  MlirOperation returned = mlirBlockGetTerminator(body);
  if (ts_op_is(returned, "func.return") && gives_numbers(returned, total))
    return returned;
  *reason = ts_arena_format(model->arena,
                            "what it names gives something else than the %" PRId64
                            " numbers, as i64, that `tessera.layout` leaves open",
                            total);
  return none;
}

/* ---- writing it anew ----------------------------------------------------------------------------
 */

/* `number`, or if it is not known that of the next value. */
static int64_t take(ts_numbers *numbers, int64_t number, const MlirValue **next) {
  return ts_is_run_time(number) ? ts_number_of_value(numbers, *(*next)++) : number;
}

/* `layout` with its unknown numbers, in their order, those of `values`. */
static const ts_sharding *with_numbers(ts_arena *arena, ts_numbers *numbers,
                                       const ts_sharding *layout, const MlirValue *values) {
  const ts_sharding *known = layout;
  for (int d = 0; d < layout->rank; ++d) {
    ts_dim dim = ts_dim_copy(arena, layout->grid, &layout->dims[d]);
    for (int side = 0; side < 2; ++side)
      dim.halo[side] = take(numbers, dim.halo[side], &values);
    int64_t num = dim.offsets ? ts_dim_shards(layout->grid, &dim) + 1 : 0;
    int64_t *offsets = TS_NEW(arena, int64_t, num);
    for (int64_t i = 0; i < num; ++i)
      offsets[i] = take(numbers, dim.offsets[i], &values);
    dim.offsets = num ? offsets : NULL;
    known = ts_sharding_with_dim(arena, known, d, dim);
  }
  return known;
}

/* The copies of those of the numbers that belong to `layout`, or NULL. */
static const MlirValue *copy_numbers(ts_slicer *slicer, MlirOperation numbers, const lost *one) {
  int64_t num = ts_sharding_run_time(one->layout, NULL);
  MlirValue *copies = TS_NEW(slicer->arena, MlirValue, num);
  for (int64_t i = 0; i < num; ++i) {
    MlirValue number = mlirOperationGetOperand(numbers, (intptr_t)(one->first + i));
    copies[i] = ts_slice(slicer, number);
    if (mlirValueIsNull(copies[i]))
      return NULL;
  }
  return copies;
}

/* Why it cannot be done, or NULL. */
static const char *annotate_lost(ts_model *model, const ts_function *function, MlirBlock entry,
                                 MlirOperation returned, int num, const lost *all) {
  MlirOperation first = mlirBlockGetFirstOperation(entry);
  ts_slicer slicer = {.arena = model->arena, .block = entry, .before = first};
  ts_numbers numbers = {.arena = model->arena};
  ts_annotation_writer writer = {.arena = model->arena, .numbers = &numbers, .entry = entry};
  ts_slice_arguments(&slicer, mlirOperationGetBlock(returned), entry);
  for (int i = 0; i < num; ++i) {
    const MlirValue *values = copy_numbers(&slicer, returned, &all[i]);
    if (!values)
      return "what it names computes them from more than scalars and shapes";
    ts_annotation_write(&writer, entry, first, mlirOperationGetLocation(function->handle),
                        mlirBlockGetArgument(entry, all[i].argument),
                        with_numbers(model->arena, &numbers, all[i].layout, values),
                        TS_FOR_DEFINITION);
  }
  return NULL;
}

bool ts_restore_annotations(ts_model *model, const ts_function *function) {
  MlirBlock entry = mlirRegionGetFirstBlock(mlirOperationGetRegion(function->handle, 0));
  lost *all = TS_NEW(model->arena, lost, function->num_arguments);
  int64_t total;
  int num = find_lost(model, function, entry, all, &total);
  if (num == 0)
    return true;
  const char *reason;
  MlirOperation returned = find_numbers(model, function, entry, total, &reason);
  if (returned.ptr)
    reason = annotate_lost(model, function, entry, returned, num, all);
  if (!reason || !ts_is_public(function->handle))
    return true; /* a private function has one if its numbers are what a caller could know */
  ts_error(function->handle,
           "argument %d of @%s has halo sizes or shard offsets that only the launch knows, but no "
           "annotation any more, and `tessera.resolve` does not say what computes them: %s; "
           "annotate the argument anew, or remove its `tessera.layout`",
           all[0].argument, function->name, reason);
  return false;
}
