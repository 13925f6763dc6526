/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Scans (cumulative sums, products, maxima) as importers write them: a reduction that counts an
 * element where its index is before, or behind, that of the result. One loop stands for both: each
 * device scans its piece, started with what the devices before it have in all. It knows scalar code
 * and maps; it must not know layouts of tensors. */
#include "mlir-c/AffineExpr.h"
#include "mlir-c/AffineMap.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include "capi/capi.h"
#include "ir/generic.h"
#include "rules/build_loops.h"
#include "rules/constant.h"
#include "rules/linalg.h"
#include "rules/linear_terms.h"
#include "rules/rows.h"

typedef struct scan {
  int over, along; /* the reduction, and the result's loop */
  bool forward;    /* what is before counts, else what is behind */
  MlirOperation compare;
  ts_reduction kind;
} scan;

/* ---- reading --------------------------------------------------------------------------------- */

static int loop_of_index(MlirValue value) {
  MlirOperation op = ts_defining_op(value);
  return op.ptr && ts_op_is(op, "linalg.index") ? (int)ts_op_int(op, "dim", -1) : -1;
}

static MlirOperation only_user(MlirValue value) {
  MlirOpOperand use = mlirValueGetFirstUse(value);
  if (mlirOpOperandIsNull(use) || !mlirOpOperandIsNull(mlirOpOperandGetNextUse(use)))
    return (MlirOperation){NULL};
  return mlirOpOperandGetOwner(use);
}

/* The comparison of the indices of the two loops, and nothing else that asks for them. */
static bool read_compare(MlirOperation op, scan *s) {
  MlirOperation compare = {NULL};
  for (MlirOperation inner = mlirBlockGetFirstOperation(ts_linalg_body(op)); inner.ptr;
       inner = mlirOperationGetNextInBlock(inner)) {
    if (mlirOperationGetNumRegions(inner))
      return false;
    if (!ts_op_is(inner, "linalg.index") || ts_op_int(inner, "dim", -1) != s->over)
      continue;
    MlirOperation user = only_user(mlirOperationGetResult(inner, 0));
    if (compare.ptr || !user.ptr || !ts_op_is(user, "arith.cmpi"))
      return false;
    compare = user;
  }
  if (!compare.ptr)
    return false;
  int64_t predicate = ts_op_int(compare, "predicate", 0);
  int a = loop_of_index(mlirOperationGetOperand(compare, 0));
  int b = loop_of_index(mlirOperationGetOperand(compare, 1));
  enum { SIGNED_LESS = 2, UNSIGNED_LESS = 6 }; /* arith's numbers: less, not more, more, not less */
  if (a < 0 || b < 0 || a == b || predicate < SIGNED_LESS)
    return false;
  bool is_less = (predicate - (predicate < UNSIGNED_LESS ? SIGNED_LESS : UNSIGNED_LESS)) < 2;
  s->along = a == s->over ? b : a;
  s->forward = is_less == (a == s->over);
  s->compare = compare;
  return true;
}

static bool asks_once(MlirOperation op, int loop) {
  int num = 0;
  for (MlirOperation inner = mlirBlockGetFirstOperation(ts_linalg_body(op)); inner.ptr;
       inner = mlirOperationGetNextInBlock(inner)) {
    if (!ts_op_is(inner, "linalg.index") || ts_op_int(inner, "dim", -1) != loop)
      continue;
    num++;
    if (!only_user(mlirOperationGetResult(inner, 0)).ptr)
      return false;
  }
  return num == 1;
}

static bool is_neutral(MlirValue value, ts_reduction kind) {
  MlirOperation op = ts_defining_op(value);
  if (!op.ptr || !ts_op_is(op, "arith.constant"))
    return false;
  if (kind == TS_SUM)
    return ts_poly_of_constant(value).num_terms == 0;
  return mlirAttributeEqual(ts_constant_value(op),
                            ts_neutral_element(kind, mlirValueGetType(value)));
}

/* Where the comparison does not hold, what was found so far stays as it is. */
static bool leaves_out(MlirOperation op, const scan *s) {
  MlirBlock block = ts_linalg_body(op);
  MlirValue before = mlirBlockGetArgument(block, ts_linalg_num_inputs(op));
  MlirValue yielded = mlirOperationGetOperand(mlirBlockGetTerminator(block), 0);
  MlirOperation select = only_user(mlirOperationGetResult(s->compare, 0));
  if (!select.ptr || !ts_op_is(select, "arith.select") ||
      !mlirValueEqual(mlirOperationGetOperand(select, 0), mlirOperationGetResult(s->compare, 0)))
    return false;
  MlirValue otherwise = mlirOperationGetOperand(select, 2);
  if (mlirValueEqual(yielded, mlirOperationGetResult(select, 0)))
    return mlirValueEqual(otherwise, before);
  MlirOperation combiner = only_user(mlirOperationGetResult(select, 0));
  if (!combiner.ptr || mlirOperationGetNumOperands(combiner) != 2 ||
      !mlirValueEqual(yielded, mlirOperationGetResult(combiner, 0)) ||
      !is_neutral(otherwise, s->kind))
    return false;
  intptr_t position = mlirValueEqual(mlirOperationGetOperand(combiner, 1), before);
  return mlirValueEqual(mlirOperationGetOperand(combiner, position), before) &&
         ts_combiner_of(combiner, position) == s->kind;
}

static const char *combiner_name(ts_reduction kind, MlirType element) {
  static const char *const of_floats[] = {
      [TS_SUM] = "arith.addf",     [TS_PRODUCT] = "arith.mulf",   [TS_MAX] = "arith.maximumf",
      [TS_MIN] = "arith.minimumf", [TS_MAXNUM] = "arith.maxnumf", [TS_MINNUM] = "arith.minnumf"};
  static const char *const of_integers[] = {[TS_SUM] = "arith.addi",   [TS_PRODUCT] = "arith.muli",
                                            [TS_MAX] = "arith.maxsi",  [TS_MIN] = "arith.minsi",
                                            [TS_AND] = "arith.andi",   [TS_OR] = "arith.ori",
                                            [TS_XOR] = "arith.xori",   [TS_UMAX] = "arith.maxui",
                                            [TS_UMIN] = "arith.minui", [TS_MINNUM] = NULL};
  if (mlirTypeIsAFloat(element))
    return of_floats[kind];
  return mlirTypeIsAInteger(element) || mlirTypeIsAIndex(element) ? of_integers[kind] : NULL;
}

static bool names(MlirAffineMap map, int loop) {
  for (intptr_t d = 0; d < mlirAffineMapGetNumResults(map); d++)
    if (mlirAffineExprIsFunctionOfDim(mlirAffineMapGetResult(map, d), loop))
      return true;
  return false;
}

/* Every dimension that is indexed by the loop is indexed by it alone: a window along it would begin
 * elsewhere on each device. */
static bool is_alone(MlirAffineMap map, int loop) {
  for (intptr_t d = 0; d < mlirAffineMapGetNumResults(map); d++) {
    MlirAffineExpr expr = mlirAffineMapGetResult(map, d);
    if (mlirAffineExprIsFunctionOfDim(expr, loop) && !mlirAffineExprIsADim(expr))
      return false;
  }
  return true;
}

/* The one reduction loop, or -1. */
static int only_reduction(const ts_op_loops *out, int num_loops) {
  int found = -1;
  for (int l = 0; l < num_loops; l++) {
    if (out->loops[l].kind == TS_LOOP_REDUCTION && found >= 0)
      return -1;
    if (out->loops[l].kind == TS_LOOP_REDUCTION)
      found = l;
  }
  return found;
}

/* The op is a scan of one result. `out` has its loops and its kind. */
static bool read_scan(MlirOperation op, const ts_op_loops *out, scan *s) {
  intptr_t num_inputs = ts_linalg_num_inputs(op);
  if (!ts_op_is(op, "linalg.generic") || out->num_results != 1 || !out->results[0].is_tensor)
    return false;
  *s = (scan){.kind = out->result_reduction[0]};
  MlirType element = mlirShapedTypeGetElementType(mlirValueGetType(mlirOperationGetResult(op, 0)));
  s->over = only_reduction(out, (int)ts_linalg_num_loops(op));
  if (s->over < 0 || !s->kind || !combiner_name(s->kind, element) ||
      mlirAttributeIsNull(ts_neutral_element(s->kind, element)) || !read_compare(op, s) ||
      !asks_once(op, s->along) || !leaves_out(op, s))
    return false;
  for (intptr_t i = 0; i < num_inputs; i++)
    if (names(ts_linalg_map(op, i), s->along) || !is_alone(ts_linalg_map(op, i), s->over))
      return false;
  MlirAffineMap map = ts_linalg_map(op, num_inputs);
  if (!mlirAffineMapIsProjectedPermutation(map) ||
      mlirAffineMapGetNumResults(map) != ts_linalg_num_loops(op) - 1)
    return false;
  int64_t extent = out->loops[s->over].size;
  return out->loops[s->along].kind == TS_LOOP_PARALLEL && extent != TS_DYNAMIC &&
         out->loops[s->along].size == extent;
}

/* Lets what follows the reduction follow the result's loop. */
void ts_scans_read(ts_arena *arena, MlirOperation op, ts_op_loops *out) {
  scan s;
  if (!mlirValueIsNull(ts_captured_tensor(op)) || !read_scan(op, out, &s))
    return;
  for (intptr_t i = 0; i < ts_linalg_num_inputs(op); i++)
    for (int d = 0; d < out->operands[i].rank; d++)
      if (out->operands[i].dims[d].num_loops && out->operands[i].dims[d].loops[0] == s.over)
        ts_ports_follow(arena, out, &out->operands[i], d, s.along, out->loops[s.over].size);
  out->loops[s.over].kind = TS_LOOP_WHOLE;
  out->loops[s.along].kind = TS_LOOP_SCAN;
}

/* ---- the local form -------------------------------------------------------------------------- */

typedef struct scanning {
  const ts_localize *context;
  ts_emit *emit;
  scan s;
  const ts_factor *split;
  int dim;                 /* of the result, along which it is scanned */
  ts_loop_sharding others; /* the loops' sharding, but for that of the scan */
} scanning;

/* The scan that `ts_scans_read` saw: its loops have other kinds now. */
static scan scan_again(const ts_localize *context, int along) {
  scan s = {.kind = context->loops->result_reduction[0], .over = -1};
  for (int l = 0; l < context->loops->num_loops; l++)
    if (l != along && ts_linalg_iterator(context->op, l) != 0)
      s.over = l;
  read_compare(context->op, &s);
  return s;
}

/* A copy of the op without the scan's split: its two indices are compared where both begin at 0. */
static bool localize_indices(const scanning *n, MlirOperation op) {
  return ts_linalg_shift_indices(n->emit, op, &n->others, &n->context->loop_extents);
}

/* What the device's piece adds up to: the op with one place to scan to, which counts everything.
 * Null after a located error. */
static MlirValue total_of(const scanning *n) {
  ts_emit *emit = n->emit;
  intptr_t num_inputs = ts_linalg_num_inputs(n->context->op);
  MlirValue start = n->context->operands[num_inputs];
  MlirType type = mlirValueGetType(start);
  intptr_t rank = mlirShapedTypeGetRank(type), num = 0;
  int64_t *shape = TS_NEW(emit->arena, int64_t, rank);
  MlirValue *sizes = TS_NEW(emit->arena, MlirValue, rank);
  for (intptr_t d = 0; d < rank; d++) {
    bool dynamic = mlirShapedTypeIsDynamicDim(type, d) && d != n->dim;
    shape[d] = d == n->dim ? 1 : dynamic ? TS_DYNAMIC : mlirShapedTypeGetDimSize(type, d);
    if (dynamic)
      sizes[num++] = ts_emit_tensor_size(emit, start, (int)d);
  }
  type = mlirRankedTensorTypeGet(rank, shape, mlirShapedTypeGetElementType(type),
                                 mlirRankedTensorTypeGetEncoding(type));
  MlirValue zero = ts_emit_neutral(emit, n->s.kind, type, num, sizes);
  MlirOperation total = ts_clone_here(emit, n->context->op);
  for (intptr_t i = 0; i < num_inputs; i++)
    mlirOperationSetOperand(total, i, n->context->operands[i]);
  mlirOperationSetOperand(total, num_inputs, zero);
  mlirValueSetType(mlirOperationGetResult(total, 0), type);
  scan own = n->s;
  read_compare(total, &own);
  ts_place back = ts_place_before(emit, own.compare);
  MlirType bit = mlirIntegerTypeGet(emit->context, 1);
  MlirValue yes = ts_emit_constant(emit, bit, mlirIntegerAttrGet(bit, 1));
  ts_place_back(emit, back);
  mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(own.compare, 0), yes);
  return localize_indices(n, total) ? mlirOperationGetResult(total, 0) : (MlirValue){NULL};
}

/* The body that adds the total of a device before this one. */
static MlirRegion starting_body(const scanning *n, MlirType element, MlirValue here) {
  enum { UNSIGNED_LESS = 6, UNSIGNED_MORE = 8 }; /* arith's numbers */
  ts_emit *emit = n->emit;
  MlirType types[2] = {element, element}, index = mlirIndexTypeGet(emit->context);
  MlirLocation locations[2] = {emit->location, emit->location};
  MlirBlock block = mlirBlockCreate(2, types, locations);
  ts_maker inside = ts_make_at_end(block, emit->location);
  MlirType i64 = mlirIntegerTypeGet(emit->context, 64);
  MlirNamedAttribute dim = ts_named(emit->context, "dim", mlirIntegerAttrGet(i64, 0));
  MlirValue device = ts_make_value(&inside, "linalg.index", 0, NULL, index, 1, &dim);
  MlirValue counts = ts_make_compare(&inside, "arith.cmpi",
                                     n->s.forward ? UNSIGNED_LESS : UNSIGNED_MORE, device, here);
  MlirValue none = ts_make_constant(&inside, ts_neutral_element(n->s.kind, element));
  MlirValue part = ts_make_select(&inside, counts, mlirBlockGetArgument(block, 0), none);
  MlirValue sum = ts_make_binary(&inside, combiner_name(n->s.kind, element),
                                 mlirBlockGetArgument(block, 1), part);
  return ts_end_body(block, emit->location, 1, &sum);
}

/* What the piece's scan starts with everywhere: the initial value and the totals of the devices
 * that count for this one. */
static MlirValue started(const scanning *n, MlirValue totals) {
  ts_emit *emit = n->emit;
  MlirContext context = emit->context;
  MlirValue start = n->context->operands[ts_linalg_num_inputs(n->context->op)];
  MlirType type = mlirValueGetType(start);
  intptr_t rank = mlirShapedTypeGetRank(type);
  MlirAffineExpr *of_totals = TS_NEW(emit->arena, MlirAffineExpr, 1 + rank);
  MlirAffineExpr *of_start = TS_NEW(emit->arena, MlirAffineExpr, rank);
  MlirAttribute *kinds = TS_NEW(emit->arena, MlirAttribute, 1 + rank);
  of_totals[0] = mlirAffineDimExprGet(context, 0);
  ts_parallel_iterators(context, 1 + rank, kinds);
  kinds[0] = ts_reduction_iterator(context);
  for (intptr_t d = 0; d < rank; d++) {
    of_start[d] = mlirAffineDimExprGet(context, 1 + d);
    of_totals[1 + d] = d == n->dim ? mlirAffineConstantExprGet(context, 0) : of_start[d];
  }
  MlirAttribute maps[2] = {
      mlirAffineMapAttrGet(mlirAffineMapGet(context, 1 + rank, 0, 1 + rank, of_totals)),
      mlirAffineMapAttrGet(mlirAffineMapGet(context, 1 + rank, 0, rank, of_start))};
  MlirValue operands[2] = {totals, start};
  MlirValue here = ts_emit_shard_index(emit, n->context->loop_sharding->grid, n->split);
  ts_maker place = ts_emit_place(emit);
  MlirRegion body = starting_body(n, mlirShapedTypeGetElementType(type), here);
  MlirOperation made = ts_make_generic(&place, &(ts_new_generic){.num_inputs = 1,
                                                                 .num_outputs = 1,
                                                                 .operands = operands,
                                                                 .maps = maps,
                                                                 .num_loops = 1 + rank,
                                                                 .iterators = kinds,
                                                                 .results = &type,
                                                                 .body = body});
  return mlirOperationGetResult(made, 0);
}

bool ts_scan_localize(const ts_localize *context, int along, MlirValue *results) {
  ts_emit *emit = context->emit;
  intptr_t num_inputs = ts_linalg_num_inputs(context->op);
  const ts_loop_sharding *loops = context->loop_sharding;
  scanning n = {.context = context,
                .emit = emit,
                .s = scan_again(context, along),
                .split = &loops->loops[along].factors[0],
                .others = {loops->grid, loops->num_loops, NULL}};
  n.others.loops =
      ts_arena_copy(emit->arena, loops->loops, sizeof(ts_dim) * (size_t)loops->num_loops);
  n.others.loops[along] = ts_dim_plain(emit->arena, ts_dim_size(&loops->loops[along]), 0, NULL);
  MlirAffineMap map = ts_linalg_map(context->op, num_inputs);
  while (!mlirAffineExprIsFunctionOfDim(mlirAffineMapGetResult(map, n.dim), along))
    n.dim++;
  MlirValue total = total_of(&n);
  if (mlirValueIsNull(total))
    return false;
  MlirValue *operands = ts_arena_copy(emit->arena, context->operands,
                                      sizeof(MlirValue) * (size_t)context->loops->num_operands);
  operands[num_inputs] = started(&n, ts_emit_stack(emit, total, loops->grid, n.split));
  ts_localize own = *context;
  own.operands = operands;
  return localize_indices(&n, context->op) && ts_run_on_pieces(&own, results);
}
