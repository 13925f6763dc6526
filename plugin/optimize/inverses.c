/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Gathers of slices and slices of gathers over one group and dimension: nothing is left of both, or
 * what one does more than the other. Gathers and slices over other axes of other dimensions may lie
 * between. It knows what they do to dimensions; it must not know where they come from. */
#include "capi/capi.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "optimize/communication.h"
#include "optimize/optimize.h"
#include "optimize/same.h"

/* The most ops between a gather and its slice: no more have axes of their own. */
enum { MOST_BETWEEN = TS_MAX_AXES };

typedef struct inverses {
  ts_arena *arena;
  ts_sameness same;
  int num, max;
  MlirOperation *ops;
} inverses;

/* Ops of one kind, the last one first. */
typedef struct chain {
  int num;
  ts_communication links[MOST_BETWEEN];
} chain;

static bool is_slice(const ts_communication *c) {
  return c->row->kind == TESSERA_SITE_ALL_SLICE && c->row->extents == TS_EXTENTS_OF_INPUT;
}

static bool is_gather(const ts_communication *c) {
  return c->row->kind == TESSERA_SITE_ALL_GATHER && c->row->extents == TS_EXTENTS_OF_INPUT;
}

static int dimension(const ts_communication *c) {
  return is_slice(c) ? c->cut : c->joined;
}

/* May `a` and `b`, which follow each other, change places? */
static bool may_swap(const ts_communication *a, const ts_communication *b) {
  return ts_is_apart(a, b) && dimension(a) != dimension(b);
}

/* ---- what is left of both -------------------------------------------------------------------- */

/* How many axes of `a` are left where those of `b` are taken from its end, or from its beginning;
 * -1 if they do not lie there. */
static int without_last(const ts_communication *a, const ts_communication *b) {
  int num = a->num_axes - b->num_axes;
  for (int i = 0; num >= 0 && i < b->num_axes; i++)
    if (a->axes[num + i] != b->axes[i])
      return -1;
  return num < 0 ? -1 : num;
}

static int without_first(const ts_communication *a, const ts_communication *b) {
  int num = a->num_axes - b->num_axes;
  for (int i = 0; num >= 0 && i < b->num_axes; i++)
    if (a->axes[i] != b->axes[i])
      return -1;
  return num < 0 ? -1 : num;
}

static bool is_static(MlirValue value, int dim) {
  return !mlirShapedTypeIsDynamicDim(mlirValueGetType(value), dim);
}

/* `c` over `num` of its axes, from number `first` on, of `input`. */
static MlirValue over_axes(const ts_communication *c, MlirOperation before, int first, int num,
                           MlirValue input, MlirType type) {
  int16_t axes[TS_MAX_AXES];
  for (int i = 0; i < num; i++)
    axes[i] = (int16_t)c->axes[first + i];
  MlirValue result = ts_communication_again(c, before, input, type);
  mlirOperationSetInherentAttributeByName(
      mlirOpResultGetOwner(result), mlirStringRefCreateFromCString("grid_axes"),
      ts_dense_i16_create(mlirOperationGetContext(before), num, axes));
  return result;
}

/* ---- chains ---------------------------------------------------------------------------------- */

typedef bool is_kind(const ts_communication *c);

/* Follows `value` up through ops of a kind that may change places with `c`, to the first that
 * `fits` it. False if there is none; else it is the last link. */
static bool find_inverse(const ts_communication *c, MlirValue value, is_kind *between,
                         is_kind *inverse,
                         bool (*fits)(const ts_communication *c, const ts_communication *other),
                         chain *found) {
  for (found->num = 0; found->num < MOST_BETWEEN;
       value = ts_communication_input(&found->links[found->num - 1])) {
    ts_communication *link = &found->links[found->num++];
    if (!ts_communication_of(value, link))
      return false;
    if (inverse(link) && mlirAttributeEqual(c->grid, link->grid) &&
        dimension(c) == dimension(link) && fits(c, link))
      return true;
    if (!between(link) || !may_swap(c, link))
      return false;
  }
  return false;
}

/* What lies between, again, on `value`, whose dimension `dim` has another extent than before; each
 * where it stands, so that none passes anything. */
static MlirValue repeat_between(inverses *in, const chain *between, MlirValue value, int dim) {
  for (int i = between->num - 2; i >= 0; i--) {
    const ts_communication *link = &between->links[i];
    MlirType type = mlirValueGetType(ts_communication_result(link));
    int64_t extent = mlirShapedTypeGetDimSize(mlirValueGetType(value), dim);
    value = ts_communication_again(link, link->op, value, ts_with_extent(type, dim, extent));
    ts_sameness_add(&in->same, mlirOpResultGetOwner(value));
  }
  return value;
}

static void replace(const ts_communication *c, MlirValue by) {
  if (mlirTypeEqual(mlirValueGetType(ts_communication_result(c)), mlirValueGetType(by)))
    mlirValueReplaceAllUsesOfWith(ts_communication_result(c), by);
}

/* ---- gathers of slices ----------------------------------------------------------------------- */

/* The gather joins again what the slice's last axes cut. */
static bool takes_back(const ts_communication *gather, const ts_communication *slice) {
  int left = without_last(slice, gather);
  return left == 0 || (left > 0 && is_static(ts_communication_input(slice), slice->cut));
}

/* Each member has cut its piece of something: that all have the same has to be known. */
static void cancel_gather(inverses *in, const ts_communication *gather) {
  chain found;
  if (!find_inverse(gather, ts_communication_input(gather), is_slice, is_slice, takes_back, &found))
    return;
  const ts_communication *slice = &found.links[found.num - 1];
  MlirValue whole = ts_communication_input(slice);
  if (!ts_is_same_along(&in->same, whole, mlirFlatSymbolRefAttrGetValue(gather->grid), gather->set))
    return;
  int left = without_last(slice, gather);
  MlirType type = mlirValueGetType(whole);
  if (left > 0) {
    int64_t extent =
        mlirShapedTypeGetDimSize(mlirValueGetType(ts_communication_result(gather)), gather->joined);
    whole = over_axes(slice, slice->op, 0, left, whole, ts_with_extent(type, slice->cut, extent));
    ts_sameness_add(&in->same, mlirOpResultGetOwner(whole));
  }
  replace(gather, repeat_between(in, &found, whole, gather->joined));
}

/* ---- slices of gathers ----------------------------------------------------------------------- */

/* One cuts what the other has joined, all of it or by its outer axes; or more than that. */
static bool cuts_again(const ts_communication *slice, const ts_communication *gather) {
  MlirValue whole = ts_communication_result(gather), piece = ts_communication_input(gather);
  return slice->num_axes == gather->num_axes
             ? without_first(slice, gather) == 0
             : (without_first(gather, slice) > 0 || without_first(slice, gather) > 0) &&
                   is_static(whole, gather->joined) && is_static(piece, gather->joined) &&
                   is_static(ts_communication_result(slice), slice->cut);
}

/* Gathers that are done anew have to be in the place of others, or there would be more of them. */
static bool is_in_place(const chain *gathers, int num, const ts_communication *slice) {
  for (int i = 0; i < num; i++)
    if (!ts_has_one_use(ts_communication_result(&gathers->links[i])) ||
        !mlirBlockEqual(mlirOperationGetBlock(gathers->links[i].op),
                        mlirOperationGetBlock(slice->op)))
      return false;
  return true;
}

static void cancel_slice(inverses *in, const ts_communication *slice) {
  chain found;
  if (!find_inverse(slice, ts_communication_input(slice), is_gather, is_gather, cuts_again, &found))
    return;
  const ts_communication *gather = &found.links[found.num - 1];
  MlirValue piece = ts_communication_input(gather);
  int joins = without_first(gather, slice), cuts = without_first(slice, gather);
  bool is_alone = found.num == 1 && joins <= 0;
  if (!is_alone && !is_in_place(&found, found.num, slice))
    return;
  int64_t extent =
      mlirShapedTypeGetDimSize(mlirValueGetType(ts_communication_result(slice)), slice->cut);
  MlirType type = ts_with_extent(mlirValueGetType(piece), slice->cut, extent);
  if (joins > 0)
    piece = over_axes(gather, gather->op, slice->num_axes, joins, piece, type);
  else if (cuts > 0)
    piece = over_axes(slice, gather->op, gather->num_axes, cuts, piece, type);
  if (joins > 0 || cuts > 0)
    ts_sameness_add(&in->same, mlirOpResultGetOwner(piece));
  replace(slice, repeat_between(in, &found, piece, slice->cut));
}

/* ---- functions ------------------------------------------------------------------------------- */

static MlirWalkResult collect(MlirOperation op, void *user) {
  inverses *in = user;
  ts_communication c;
  if (ts_communication_read(op, &c) && (is_slice(&c) || is_gather(&c))) {
    in->ops = ts_arena_grow(in->arena, in->ops, in->num, &in->max, sizeof(in->ops[0]));
    in->ops[in->num++] = op;
  }
  return MlirWalkResultAdvance;
}

void ts_cancel_inverses(ts_optimizer *optimizer, MlirOperation function) {
  inverses in = {.arena = optimizer->arena};
  mlirOperationWalk(function, collect, &in, MlirWalkPreOrder);
  if (in.num < 2)
    return;
  ts_sameness_find(&in.same, optimizer, function);
  for (int i = 0; i < in.num; i++) {
    ts_communication c;
    ts_communication_read(in.ops[i], &c);
    if (is_gather(&c))
      cancel_gather(&in, &c);
    else
      cancel_slice(&in, &c);
  }
}
