/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Even pieces of what every device has as views of it. It knows all_slice; it must not know what
 * the pieces are for. */
#include "lowering/prepare/cuts.h"

#include "capi/capi.h"
#include "collectives/collectives.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

/* One all_slice. */
typedef struct cut {
  MlirOperation op;
  const ts_grid *grid;
  MlirAttribute axes;
  MlirType from, to;
  int64_t dim;
} cut;

/* Known sizes that fit: what does not is for the runtime to say. Upstream takes no slice of what
 * has no elements. */
static bool read_cut(ts_sites *sites, MlirOperation op, cut *c) {
  const ts_collective *row = ts_collective_of(op);
  if (!row || row->kind != TESSERA_SITE_ALL_SLICE || mlirOperationGetNumOperands(op) != 1 ||
      !ts_parent_named(op, "func.func").ptr)
    return false;
  *c = (cut){.op = op,
             .grid = ts_sites_grid(sites, op),
             .axes = ts_attribute(op, "grid_axes"),
             .from = mlirValueGetType(mlirOperationGetOperand(op, 0)),
             .to = mlirValueGetType(mlirOperationGetResult(op, 0)),
             .dim = ts_op_int(op, row->cuts, -1)};
  if (!c->grid || mlirAttributeIsNull(c->axes) || !mlirTypeIsARankedTensor(c->from) ||
      !mlirTypeIsARankedTensor(c->to) ||
      !mlirTypeEqual(mlirShapedTypeGetElementType(c->from), mlirShapedTypeGetElementType(c->to)) ||
      c->dim < 0 || c->dim >= mlirShapedTypeGetRank(c->from))
    return false;
  int64_t size = 1;
  for (intptr_t i = 0; i < mlirDenseArrayGetNumElements(c->axes); i++) {
    int16_t axis = mlirDenseI16ArrayGetElement(c->axes, i);
    int64_t extent = axis >= 0 && axis < c->grid->rank ? c->grid->shape[axis] : 0;
    if (extent <= 0 || __builtin_mul_overflow(size, extent, &size))
      return false;
  }
  for (intptr_t d = 0; d < mlirShapedTypeGetRank(c->from); d++) {
    int64_t whole = mlirShapedTypeGetDimSize(c->from, d), part = mlirShapedTypeGetDimSize(c->to, d);
    if (whole == 0 || mlirShapedTypeIsDynamicDim(c->from, d) ||
        mlirShapedTypeIsDynamicDim(c->to, d) ||
        __builtin_mul_overflow(part, d == c->dim ? size : 1, &part) || part != whole)
      return false;
  }
  return true;
}

/* At the function's entry, so that no call stands between loops that could be one kernel. */
static MlirValue coordinate(const ts_maker *at, const cut *c, int16_t axis) {
  if (c->grid->shape[axis] == 1)
    return ts_make_index(at, 0);
  MlirBlock entry = ts_function_entry(ts_parent_named(c->op, "func.func"));
  ts_maker start = *at, *build = &start;
  start.block = entry;
  start.before = mlirBlockGetFirstOperation(entry);
  MlirNamedAttribute attributes[] = {
      ts_named(build->context, "grid", ts_symbol_attribute(build->context, c->grid->name)),
      ts_named(build->context, "axes", ts_dense_i16_create(build->context, 1, &axis))};
  return ts_make_value(build, "shard.process_multi_index", 0, NULL,
                       mlirIndexTypeGet(build->context), 2, attributes);
}

/* Where this device's piece begins: pieces are numbered along the axes, the first one outermost. */
static MlirValue first_index(const ts_maker *build, const cut *c) {
  MlirValue number = ts_make_index(build, 0);
  for (intptr_t i = 0; i < mlirDenseArrayGetNumElements(c->axes); i++) {
    int16_t axis = mlirDenseI16ArrayGetElement(c->axes, i);
    number =
        ts_make_binary(build, "arith.muli", number, ts_make_index(build, c->grid->shape[axis]));
    number = ts_make_binary(build, "arith.addi", number, coordinate(build, c, axis));
  }
  return ts_make_binary(build, "arith.muli", number,
                        ts_make_index(build, mlirShapedTypeGetDimSize(c->to, c->dim)));
}

static void become_slice(const cut *c) {
  ts_maker build = ts_make_before(c->op);
  int64_t offsets[TS_MAX_RANK], sizes[TS_MAX_RANK], strides[TS_MAX_RANK];
  intptr_t rank = mlirShapedTypeGetRank(c->to);
  for (intptr_t d = 0; d < rank; d++) {
    offsets[d] = d == c->dim ? mlirShapedTypeGetDynamicSize() : 0;
    sizes[d] = mlirShapedTypeGetDimSize(c->to, d);
    strides[d] = 1;
  }
  MlirValue operands[] = {mlirOperationGetOperand(c->op, 0), first_index(&build, c)};
  int32_t segments[] = {1, 1, 0, 0};
  MlirNamedAttribute attributes[] = {
      ts_named(build.context, "static_offsets", mlirDenseI64ArrayGet(build.context, rank, offsets)),
      ts_named(build.context, "static_sizes", mlirDenseI64ArrayGet(build.context, rank, sizes)),
      ts_named(build.context, "static_strides", mlirDenseI64ArrayGet(build.context, rank, strides)),
      ts_named(build.context, "operandSegmentSizes",
               mlirDenseI32ArrayGet(build.context, 4, segments))};
  MlirValue slice =
      ts_make_value(&build, "tensor.extract_slice", 2, operands, c->to, 4, attributes);
  mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(c->op, 0), slice);
  mlirOperationDestroy(c->op);
}

static void visit(MlirOperation op, void *user) {
  cut c;
  if (read_cut(user, op, &c))
    become_slice(&c);
}

void ts_cuts_to_slices(ts_sites *sites) {
  ts_each_op(sites->records->module, visit, sites);
}
