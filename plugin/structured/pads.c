/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Pads by negative widths as slices and pads by the others; pads by more than one number as
 * insertions into what is generated. It knows extents; it must not know layouts. */
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "structured/slices.h"
#include "structured/structured.h"
#include "support/captured.h"

static MlirValue index_of(const ts_maker *build, ts_told n) {
  return ts_told_is_known(n) ? ts_make_index(build, n.known) : n.at_last;
}

static ts_told sum(const ts_maker *build, ts_told a, ts_told b) {
  if (ts_told_is_known(a) && ts_told_is_known(b))
    return (ts_told){.known = a.known + b.known};
  if (ts_told_is_known(b) && b.known == 0)
    return a;
  return ts_told_by(ts_make_binary(build, "arith.addi", index_of(build, a), index_of(build, b)));
}

typedef struct pad {
  MlirOperation op;
  MlirValue source;
  intptr_t rank;
  ts_told size[TS_MAX_RANK], low[TS_MAX_RANK], high[TS_MAX_RANK]; /* of the source, and around it */
} pad;

static pad read_pad(const ts_maker *build, MlirOperation op) {
  pad p = {.op = op, .source = mlirOperationGetOperand(op, 0)};
  p.rank = mlirShapedTypeGetRank(mlirValueGetType(p.source));
  MlirAttribute low = ts_attribute(op, "static_low"), high = ts_attribute(op, "static_high");
  intptr_t next = 1;
  ts_told *lists[] = {p.low, p.high};
  for (int list = 0; list < 2; list++)
    for (intptr_t d = 0; d < p.rank; d++) {
      lists[list][d].known = mlirDenseI64ArrayGetElement(list == 0 ? low : high, d);
      if (!ts_told_is_known(lists[list][d]))
        lists[list][d].at_last = mlirOperationGetOperand(op, next++);
    }
  MlirType type = mlirValueGetType(p.source);
  for (intptr_t d = 0; d < p.rank; d++)
    p.size[d] = mlirShapedTypeIsDynamicDim(type, d)
                    ? ts_told_by(ts_make_size(build, p.source, d))
                    : (ts_told){.known = mlirShapedTypeGetDimSize(type, d)};
  return p;
}

/* ---- negative widths ------------------------------------------------------------------------- */

static ts_told difference(const ts_maker *build, ts_told a, ts_told b) {
  if (ts_told_is_known(b))
    return sum(build, a, (ts_told){.known = -b.known});
  return ts_told_by(ts_make_binary(build, "arith.subi", index_of(build, a), index_of(build, b)));
}

static ts_told least(const ts_maker *build, ts_told a, ts_told b) {
  if (ts_told_is_known(a) && ts_told_is_known(b))
    return a.known < b.known ? a : b;
  return ts_told_by(ts_make_binary(build, "arith.minsi", index_of(build, a), index_of(build, b)));
}

static ts_told most(const ts_maker *build, ts_told a, ts_told b) {
  if (ts_told_is_known(a) && ts_told_is_known(b))
    return a.known > b.known ? a : b;
  return ts_told_by(ts_make_binary(build, "arith.maxsi", index_of(build, a), index_of(build, b)));
}

static bool cuts(ts_told width) {
  return ts_told_is_known(width) && width.known < 0;
}

static bool may_add(ts_told width) {
  return !ts_told_is_known(width) || width.known > 0;
}

/* Cuts dimension `d` of the source to what the result has of it: where that begins, of `size`
 * indices; widths are not negative then. Where one end adds, the other may cut more than there is,
 * and so some of what is added; else it does not, for no result has a negative extent. */
static void cut(const ts_maker *build, pad *p, intptr_t d, ts_told *begin) {
  const ts_told none = {.known = 0}, low = p->low[d], high = p->high[d];
  *begin = none;
  if (cuts(low)) {
    *begin = (ts_told){.known = -low.known};
    if (may_add(high)) {
      *begin = least(build, *begin, p->size[d]);
      p->high[d] = sum(build, high, sum(build, *begin, low));
    }
    p->size[d] = difference(build, p->size[d], *begin);
    p->low[d] = none;
  }
  if (cuts(high)) {
    p->size[d] = sum(build, p->size[d], high);
    if (may_add(low)) {
      p->low[d] = sum(build, low, least(build, p->size[d], none));
      p->size[d] = most(build, p->size[d], none);
    }
    p->high[d] = none;
  }
}

static bool has_negative(MlirOperation op) {
  MlirAttribute lists[] = {ts_attribute(op, "static_low"), ts_attribute(op, "static_high")};
  for (int list = 0; list < 2; list++)
    for (intptr_t d = 0; d < mlirDenseArrayGetNumElements(lists[list]); d++) {
      int64_t width = mlirDenseI64ArrayGetElement(lists[list], d);
      if (width < 0 && width != mlirShapedTypeGetDynamicSize())
        return true;
    }
  return false;
}

static bool has_nothing(const pad *p) {
  for (intptr_t d = 0; d < p->rank; d++)
    if (ts_told_is_known(p->size[d]) && p->size[d].known == 0)
      return true;
  return false;
}

static bool pads_nothing(const pad *p) {
  for (intptr_t d = 0; d < p->rank; d++)
    if (!ts_told_is_known(p->low[d]) || !ts_told_is_known(p->high[d]) || p->low[d].known ||
        p->high[d].known)
      return false;
  return true;
}

static MlirValue cast_to(const ts_maker *build, MlirValue tensor, MlirType type) {
  if (mlirTypeEqual(mlirValueGetType(tensor), type))
    return tensor;
  return ts_make_value(build, "tensor.cast", 1, &tensor, type, 0, NULL);
}

/* ---- bodies as tensors ----------------------------------------------------------------------- */

/* A tensor of the pad's result's type that has everywhere what the pad's body computes. Takes the
 * body. */
static MlirOperation generate(const ts_maker *build, const pad *p) {
  MlirType type = mlirValueGetType(mlirOperationGetResult(p->op, 0));
  MlirValue sizes[TS_MAX_RANK];
  intptr_t num = 0;
  for (intptr_t d = 0; d < p->rank; d++)
    if (mlirShapedTypeIsDynamicDim(type, d))
      sizes[num++] = index_of(build, sum(build, sum(build, p->size[d], p->low[d]), p->high[d]));
  MlirRegion region = mlirRegionCreate();
  mlirRegionTakeBody(region, mlirOperationGetRegion(p->op, 0));
  return ts_make_op(build, &(ts_new_op){.name = "tensor.generate",
                                        .num_operands = num,
                                        .operands = sizes,
                                        .num_results = 1,
                                        .results = &type,
                                        .region = region});
}

static void replace(MlirOperation op, MlirValue by) {
  mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, 0), by);
  mlirOperationDestroy(op);
}

static void generate_and_insert(MlirOperation op) {
  ts_maker build = ts_make_before(op);
  pad p = read_pad(&build, op);
  MlirValue result = mlirOperationGetResult(op, 0);
  MlirOperation around = generate(&build, &p);
  if (has_nothing(&p)) {
    replace(op, mlirOperationGetResult(around, 0));
    ts_structure_generate(around);
    return;
  }
  MlirValue made = ts_make_insert_slice(&build, p.source, mlirOperationGetResult(around, 0), p.rank,
                                        p.low, p.size);
  mlirValueReplaceAllUsesOfWith(result, made);
  mlirOperationDestroy(op);
  ts_structure_generate(around);
}

/* ---- rewriting ------------------------------------------------------------------------------- */

/* The pad of the slice, by widths that are not negative: the op itself, changed in place; null if
 * nothing is left of the source or to pad, and the op is gone. */
static MlirOperation cut_first(MlirOperation op) {
  ts_maker build = ts_make_before(op);
  pad p = read_pad(&build, op);
  ts_told begin[TS_MAX_RANK] = {0};
  for (intptr_t d = 0; d < p.rank; d++)
    cut(&build, &p, d, &begin[d]);
  if (has_nothing(&p)) {
    MlirOperation all = generate(&build, &p);
    replace(op, mlirOperationGetResult(all, 0));
    ts_structure_generate(all);
    return (MlirOperation){NULL};
  }
  MlirValue source = ts_make_extract_slice(&build, p.source, p.rank, begin, p.size);
  if (pads_nothing(&p)) {
    replace(op, cast_to(&build, source, mlirValueGetType(mlirOperationGetResult(op, 0))));
    return (MlirOperation){NULL};
  }
  MlirValue operands[1 + 2 * TS_MAX_RANK] = {source};
  intptr_t num = 1;
  MlirAttribute low = ts_told_list(build.context, p.rank, p.low, &num, operands);
  int32_t segments[] = {1, (int32_t)num - 1, 0};
  MlirAttribute high = ts_told_list(build.context, p.rank, p.high, &num, operands);
  segments[2] = (int32_t)num - 1 - segments[1];
  mlirOperationSetOperands(op, num, operands);
  mlirOperationSetAttributeByName(op, mlirStringRefCreateFromCString("static_low"), low);
  mlirOperationSetAttributeByName(op, mlirStringRefCreateFromCString("static_high"), high);
  mlirOperationSetAttributeByName(op, mlirStringRefCreateFromCString("operandSegmentSizes"),
                                  mlirDenseI32ArrayGet(build.context, 3, segments));
  return op;
}

/* What the pad adds depends on the place, or on a tensor. */
static bool adds_more_than_a_number(MlirOperation op) {
  MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 0));
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(body); i++)
    if (!mlirOpOperandIsNull(mlirValueGetFirstUse(mlirBlockGetArgument(body, i))))
      return true;
  return !mlirValueIsNull(ts_captured_tensor(op));
}

void ts_structure_pad(MlirOperation op) {
  if (has_negative(op))
    op = cut_first(op);
  if (op.ptr && adds_more_than_a_number(op))
    generate_and_insert(op);
}

static void cut_negative(MlirOperation op, void *user) {
  (void)user;
  if (ts_op_is(op, "tensor.pad") && has_negative(op))
    cut_first(op);
}

void ts_structure_negative_pads(MlirOperation module) {
  ts_each_op(module, cut_negative, NULL);
}
