/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* A reduction that is only cut afterwards as a reduce-scatter, which receives half; reduced pieces
 * that are only joined as one reduction, which is one message less. What is new stands where the
 * reduction stood, so that it passes nothing. It knows what collectives do to dimensions; it must
 * not know where they come from. */
#include "capi/capi.h"
#include "ir/build.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "optimize/communication.h"
#include "optimize/optimize.h"

static bool is_kind(const ts_communication *c, tessera_site_kind kind) {
  return c->row->kind == kind && c->row->extents == TS_EXTENTS_OF_INPUT;
}

/* The reduction that `c` takes, in the same trip and for nobody else. */
static bool find_reduction(const ts_communication *c, tessera_site_kind kind,
                           ts_communication *found) {
  MlirValue input = ts_communication_input(c);
  return ts_communication_of(input, found) && is_kind(found, kind) && ts_has_one_use(input) &&
         mlirAttributeEqual(c->grid, found->grid) &&
         mlirBlockEqual(mlirOperationGetBlock(c->op), mlirOperationGetBlock(found->op));
}

static MlirNamedAttribute axes_attribute(const ts_maker *build, int num, const int *axes) {
  int16_t words[TS_MAX_AXES];
  for (int i = 0; i < num; i++)
    words[i] = (int16_t)axes[i];
  return ts_named(build->context, "grid_axes", ts_dense_i16_create(build->context, num, words));
}

/* The same reduction as `from` does, by `kind` over `axes`; `cut` is TS_NO_DIM if nothing is. */
static MlirValue reduce(const ts_maker *build, const ts_communication *from, tessera_site_kind kind,
                        int num_axes, const int *axes, int cut, MlirValue input, MlirType type) {
  const ts_collective *row = ts_collective_find(kind, TS_EXTENTS_OF_INPUT);
  MlirNamedAttribute attributes[5];
  intptr_t num = 0;
  attributes[num++] = ts_named(build->context, "grid", from->grid);
  attributes[num++] = axes_attribute(build, num_axes, axes);
  MlirAttribute reduction = ts_attribute(from->op, "reduction");
  MlirAttribute flavour = ts_attribute(from->op, "tessera.reduction");
  if (!mlirAttributeIsNull(reduction))
    attributes[num++] = ts_named(build->context, "reduction", reduction);
  if (!mlirAttributeIsNull(flavour))
    attributes[num++] = ts_named(build->context, "tessera.reduction", flavour);
  if (cut != TS_NO_DIM)
    attributes[num++] = ts_named(build->context, row->cuts,
                                 ts_int_attribute(mlirIndexTypeGet(build->context), cut));
  return ts_make_value(build, row->op, 1, &input, type, num, attributes);
}

static void replace(ts_arena *arena, const ts_communication *c, const ts_communication *reduction,
                    MlirValue by) {
  ts_causes_join(arena, mlirOpResultGetOwner(by), reduction->op);
  ts_causes_join(arena, mlirOpResultGetOwner(by), c->op);
  mlirValueReplaceAllUsesOfWith(ts_communication_result(c), by);
  mlirOperationDestroy(c->op);
  mlirOperationDestroy(reduction->op);
}

/* Of the axes of `all`, those that `some` does not have. */
static int other_axes(const ts_communication *all, ts_axes some, int *axes) {
  int num = 0;
  for (int i = 0; i < all->num_axes; i++)
    if (!(some >> all->axes[i] & 1))
      axes[num++] = all->axes[i];
  return num;
}

/* An average of integers in two steps would be rounded twice. */
static bool may_take_two_steps(const ts_communication *reduction) {
  MlirType element =
      mlirShapedTypeGetElementType(mlirValueGetType(ts_communication_result(reduction)));
  MlirAttribute kind = ts_attribute(reduction->op, "reduction");
  return mlirAttributeIsNull(kind) || ts_partial_get(kind) != TS_AVERAGE ||
         mlirTypeIsAFloat(element);
}

static void scatter(ts_arena *arena, const ts_communication *slice) {
  ts_communication reduction;
  if (!find_reduction(slice, TESSERA_SITE_ALL_REDUCE, &reduction) ||
      (slice->set & ~reduction.set) != 0 || slice->set == 0 ||
      (slice->set != reduction.set && !may_take_two_steps(&reduction)))
    return;
  ts_maker build = ts_make_before(reduction.op);
  build.location = mlirOperationGetLocation(reduction.op);
  MlirType type = mlirValueGetType(ts_communication_result(slice));
  MlirValue value = reduce(&build, &reduction, TESSERA_SITE_REDUCE_SCATTER, slice->num_axes,
                           slice->axes, slice->cut, ts_communication_input(&reduction), type);
  int others[TS_MAX_AXES];
  int num = other_axes(&reduction, slice->set, others);
  if (num > 0)
    value =
        reduce(&build, &reduction, TESSERA_SITE_ALL_REDUCE, num, others, TS_NO_DIM, value, type);
  replace(arena, slice, &reduction, value);
}

static void complete(ts_arena *arena, const ts_communication *gather) {
  ts_communication reduction;
  MlirType type = mlirValueGetType(ts_communication_result(gather));
  if (!find_reduction(gather, TESSERA_SITE_REDUCE_SCATTER, &reduction) ||
      !ts_same_group(gather, &reduction) || gather->joined != reduction.cut)
    return;
  MlirValue input = ts_communication_input(&reduction);
  MlirType whole = mlirValueGetType(input);
  for (int d = 0; d < mlirShapedTypeGetRank(type); d++)
    if (mlirShapedTypeGetDimSize(whole, d) != mlirShapedTypeGetDimSize(type, d))
      return;
  ts_maker build = ts_make_before(reduction.op);
  build.location = mlirOperationGetLocation(reduction.op);
  MlirValue value = reduce(&build, &reduction, TESSERA_SITE_ALL_REDUCE, gather->num_axes,
                           gather->axes, TS_NO_DIM, input, type);
  replace(arena, gather, &reduction, value);
}

static void join(MlirOperation op, void *user) {
  ts_communication c;
  if (!ts_communication_read(op, &c))
    return;
  if (is_kind(&c, TESSERA_SITE_ALL_SLICE))
    scatter(user, &c);
  else if (is_kind(&c, TESSERA_SITE_ALL_GATHER))
    complete(user, &c);
}

void ts_join_reductions(ts_optimizer *optimizer, MlirOperation function) {
  ts_each_op(function, join, optimizer->arena);
}
