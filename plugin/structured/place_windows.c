/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Reads of a tensor by the body of a linalg.generic at sums of its loops' indices (pools that give
 * the places of what they find, patches of images), as inputs with such maps: windows, of which
 * pieces need a few rows of others. It must not know layouts. */
#include "structured/place_sums.h"

#include "capi/capi.h"
#include "mlir-c/AffineExpr.h"
#include "mlir-c/BuiltinTypes.h"
#include "rules/rules.h"
#include "structured/places.h"
#include "structured/slices.h"
#include "support/arena.h"

/* The one loop that the place is as it is, or -1. */
static intptr_t loop_as_it_is(MlirOperation op, const ts_place_sum *sum) {
  intptr_t found = -1;
  for (intptr_t l = 0; l < ts_linalg_num_loops(op); l++) {
    if (sum->steps[l] == 0)
      continue;
    if (sum->steps[l] != 1 || sum->offset != 0 || found >= 0)
      return -1;
    found = l;
  }
  return found;
}

/* Added from the first loop on, as a map that is read from text is. */
static MlirAffineExpr expression(MlirOperation op, const ts_place_sum *sum) {
  MlirContext context = mlirOperationGetContext(op);
  MlirAffineExpr total = {NULL};
  for (intptr_t l = 0; l < ts_linalg_num_loops(op); l++) {
    MlirAffineExpr step = mlirAffineConstantExprGet(context, sum->steps[l]);
    MlirAffineExpr part = mlirAffineMulExprGet(mlirAffineDimExprGet(context, l), step);
    if (sum->steps[l] != 0)
      total = mlirAffineExprIsNull(total) ? part : mlirAffineAddExprGet(total, part);
  }
  MlirAffineExpr offset = mlirAffineConstantExprGet(context, sum->offset);
  return mlirAffineExprIsNull(total) ? offset : mlirAffineAddExprGet(total, offset);
}

/* Notes the loops of `sum`. False if one has been noted, of another dimension: what is read is
 * neither a window of that nor of this one. */
static bool note_loops(const ts_place_sum *sum, bool seen[TS_MAX_RANK]) {
  for (intptr_t l = 0; l < TS_MAX_RANK; l++) {
    if (sum->steps[l] != 0 && seen[l])
      return false;
    seen[l] |= sum->steps[l] != 0;
  }
  return true;
}

/* ---- what it costs --------------------------------------------------------------------------- */

/* Nothing but a destination, and what says the loop's extent alone, follows the loop, which
 * reduces. */
static bool only_reduces(MlirOperation op, intptr_t loop) {
  bool only = ts_linalg_iterator(op, loop) != 0;
  for (intptr_t i = 0; only && i < ts_linalg_num_inputs(op); i++) {
    MlirOperation made = ts_defining_op(mlirOperationGetOperand(op, i));
    MlirAffineMap map = ts_linalg_map(op, i);
    for (intptr_t d = 0; d < mlirAffineMapGetNumResults(map); d++)
      only &= !mlirAffineExprIsFunctionOfDim(mlirAffineMapGetResult(map, d), loop) ||
              (made.ptr && ts_op_is(made, "tensor.empty"));
  }
  return only;
}

/* The loop whose steps go farthest, which alone may be split for what is read through a window; or
 * -1 where none may be: what is read goes backwards, or is nearly all of it each time, or another
 * loop is not as short as that of a kernel and may be worth splitting. */
static intptr_t leader_of(MlirOperation op, const ts_place_sum *sum) {
  enum { MOST_OF_KERNEL = 8 };
  intptr_t leader = -1;
  int64_t range = sum->most - sum->least + 1, span = 0;
  for (intptr_t l = 0; l < ts_linalg_num_loops(op); l++) {
    int64_t own = sum->steps[l] * (ts_place_extent(op, l) - 1);
    if ((own < 0 ? -own : own) <= span)
      continue;
    span = own < 0 ? -own : own;
    leader = l;
  }
  for (intptr_t l = 0; l < ts_linalg_num_loops(op); l++)
    if (l != leader && sum->steps[l] != 0 && ts_place_extent(op, l) > MOST_OF_KERNEL &&
        !only_reduces(op, l))
      return -1;
  return leader >= 0 && sum->steps[leader] > 0 && range >= 2 * (range - span) ? leader : -1;
}

/* Rows that a device receives of a dimension of `extent`, at most, if that is split: what places
 * that go along with `leader` have of the next piece, and what shifts the pieces because it is not
 * read. */
static int64_t rows_received(MlirOperation op, const ts_place_sum *sum, intptr_t leader,
                             int64_t extent) {
  int64_t range = sum->most - sum->least + 1, step = sum->steps[leader];
  int64_t widest = range - step * (ts_place_extent(op, leader) - 1);
  return (widest > step ? widest - step : 0) + extent - range;
}

static int64_t num_elements(MlirType type) {
  int64_t num = 1;
  for (intptr_t d = 0; d < mlirShapedTypeGetRank(type); d++)
    num *= mlirShapedTypeIsDynamicDim(type, d) ? 1 : mlirShapedTypeGetDimSize(type, d);
  return num;
}

/* What is read, by dimensions. */
typedef struct reads {
  intptr_t rank;
  MlirAffineExpr results[TS_MAX_RANK];              /* of the map */
  ts_told offsets[TS_MAX_RANK], sizes[TS_MAX_RANK]; /* of the slice that it is of */
  int64_t rows[TS_MAX_RANK];                        /* that a device receives */
  bool seen[TS_MAX_RANK];                           /* loops */
  bool is_window;                                   /* a place is a sum */
  bool is_cut;                                      /* the slice is not all */
  bool is_known;                                    /* all extents are */
} reads;

/* As a lookup, the tensor would stay where it is, and the results be sums of what each device
 * finds: of two devices, each receives as many elements as these have. Whichever dimension is
 * split, a window has to be as good. */
static bool is_worth_it(MlirOperation op, const reads *r) {
  int64_t found = 0, all = 1;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); i++)
    found += num_elements(mlirValueGetType(mlirOperationGetResult(op, i)));
  for (intptr_t d = 0; d < r->rank; d++)
    all *= ts_told_is_known(r->sizes[d]) ? r->sizes[d].known : 1;
  for (intptr_t d = 0; d < r->rank; d++)
    if (r->rows[d] > 0 && all / r->sizes[d].known * r->rows[d] > found)
      return false;
  return true;
}

/* ---- inputs ---------------------------------------------------------------------------------- */

/* Whether dimension `d` of `tensor`, whose extent only the run knows, surely has that of `loop`:
 * some operand of the op has both. */
static bool has_extent_of(MlirOperation op, MlirValue tensor, intptr_t d, intptr_t loop) {
  ts_arena arena = {0};
  bool same = false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
    MlirAffineMap map = ts_linalg_map(op, i);
    for (intptr_t e = 0; e < mlirAffineMapGetNumResults(map) && !same; e++) {
      MlirAffineExpr expr = mlirAffineMapGetResult(map, e);
      same = mlirAffineExprIsADim(expr) && mlirAffineDimExprGetPosition(expr) == loop &&
             ts_extents_are_same(&arena, tensor, (int)d, mlirOperationGetOperand(op, i), (int)e);
    }
  }
  ts_arena_free(&arena);
  return same;
}

/* A dimension whose extent only the run knows, as a loop is that has the same. */
static bool read_all(MlirOperation op, MlirOperation extract, intptr_t d, reads *r) {
  ts_coordinate place;
  if (!ts_place_read(op, mlirOperationGetOperand(extract, 1 + d), &place) || place.loop < 0 ||
      place.loop >= TS_MAX_RANK || place.sign != 1 || place.offset != 0 || r->seen[place.loop] ||
      !has_extent_of(op, mlirOperationGetOperand(extract, 0), d, place.loop))
    return false;
  r->seen[place.loop] = true;
  r->is_known = false;
  r->results[d] = mlirAffineDimExprGet(mlirOperationGetContext(op), place.loop);
  r->sizes[d] = ts_told_known(mlirShapedTypeGetDynamicSize());
  return true;
}

/* A dimension of `extent`, all of whose places are inside of it. */
static bool read_places(MlirOperation op, MlirValue index, int64_t extent, intptr_t d, reads *r) {
  ts_place_sum sum;
  if (!ts_place_read_sum(op, index, &sum) || sum.least < 0 || sum.most >= extent ||
      !note_loops(&sum, r->seen))
    return false;
  /* A map has loops as they are of all of a dimension, and one number would ask for all of it. */
  bool is_part = sum.least == sum.most || loop_as_it_is(op, &sum) >= 0;
  intptr_t leader = is_part ? -1 : leader_of(op, &sum);
  if (!is_part && leader < 0)
    return false;
  int64_t offset = is_part ? sum.least : 0, size = is_part ? sum.most - sum.least + 1 : extent;
  r->offsets[d] = ts_told_known(offset);
  r->sizes[d] = ts_told_known(size);
  r->rows[d] = size == 1                  ? 0
               : is_part && size < extent ? (size + 1) / 2
               : is_part                  ? 0
                                          : rows_received(op, &sum, leader, extent);
  r->is_cut |= size != extent;
  r->is_window |= sum.is_new;
  sum.offset -= offset;
  r->results[d] = expression(op, &sum);
  return true;
}

bool ts_place_window(MlirOperation op, MlirOperation extract, MlirValue *tensor,
                     MlirAffineMap *map) {
  MlirValue whole = mlirOperationGetOperand(extract, 0);
  MlirType type = mlirValueGetType(whole);
  reads r = {.rank = mlirShapedTypeGetRank(type), .is_known = true};
  for (intptr_t d = 0; d < r.rank; d++)
    if (mlirShapedTypeIsDynamicDim(type, d)
            ? !read_all(op, extract, d, &r)
            : !read_places(op, mlirOperationGetOperand(extract, 1 + d),
                           mlirShapedTypeGetDimSize(type, d), d, &r))
      return false;
  if (!r.is_window || (r.is_cut && !r.is_known) || !is_worth_it(op, &r))
    return false;
  ts_maker build = ts_make_before(op);
  *tensor = r.is_cut ? ts_make_extract_slice(&build, whole, r.rank, r.offsets, r.sizes) : whole;
  *map = mlirAffineMapGet(build.context, ts_linalg_num_loops(op), 0, r.rank, r.results);
  return true;
}
