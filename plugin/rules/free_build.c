/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Pieces of values that are built anew, and the forms of these. It knows how to build a piece; it
 * must not know who wants it. */
#include "mlir-c/AffineExpr.h"
#include "mlir-c/AffineMap.h"
#include "mlir-c/BuiltinTypes.h"

#include "capi/capi.h"
#include "rules/build_loops.h"
#include "rules/constant.h"
#include "rules/free.h"
#include "rules/linalg.h"

/* The extent that an operand says; null for an extent that the type says. */
static MlirValue get_extent(void *user, int d) {
  const ts_free_builder *b = user;
  ts_size_operand size = ts_size_operand_of(mlirOperationGetResult(b->op, 0), d);
  return size.op.ptr ? mlirOperationGetOperand(size.op, size.number) : (MlirValue){NULL};
}

/* Sizes of the local type's dynamic dimensions. */
static intptr_t local_sizes(ts_free_builder *b, MlirValue *sizes) {
  intptr_t num = 0;
  for (int d = 0; d < b->layout->rank; d++)
    if (mlirShapedTypeIsDynamicDim(b->local, d))
      sizes[num++] = ts_emit_local_size(b->emit, b->layout, d, get_extent(b, d));
  return num;
}

static MlirValue build_empty(ts_free_builder *b) {
  MlirValue *sizes = TS_NEW(b->emit->arena, MlirValue, b->layout->rank);
  intptr_t num = local_sizes(b, sizes);
  return ts_emit_empty(b->emit, b->local, num, sizes);
}

static MlirValue build_splat(ts_free_builder *b) {
  MlirValue *operands = TS_NEW(b->emit->arena, MlirValue, 1 + b->layout->rank);
  operands[0] = mlirOperationGetOperand(b->op, 0);
  intptr_t num = local_sizes(b, operands + 1);
  return mlirOperationGetResult(
      ts_emit_op(b->emit, "tensor.splat", 1 + num, operands, 1, &b->local, 0, NULL), 0);
}

/* The dimension of the result that loop `l` runs along. */
static int dim_of_loop(const ts_free_builder *b, int l) {
  MlirAffineMap map = ts_linalg_map(b->op, ts_linalg_num_inputs(b->op));
  int d = 0;
  while (mlirAffineDimExprGetPosition(mlirAffineMapGetResult(map, d)) != l)
    d++;
  return d;
}

static MlirValue get_loop_extent(void *user, int l) {
  return get_extent(user, dim_of_loop(user, l));
}

/* The sharding of an op's loops that gives its result the wanted layout. */
static ts_loop_sharding loops_of_layout(const ts_free_builder *b) {
  ts_loop_sharding loops = {.grid = b->layout->grid, .num_loops = b->layout->rank};
  loops.loops = TS_NEW(b->emit->arena, ts_dim, loops.num_loops);
  for (int l = 0; l < loops.num_loops; l++)
    loops.loops[l] = b->layout->dims[dim_of_loop(b, l)];
  return loops;
}

/* Sizes that are known only at run time come from the empty tensor that the op is into. */
static MlirValue build_destination(ts_free_builder *b, intptr_t init) {
  ts_free_builder empty = *b;
  empty.op = ts_defining_op(mlirOperationGetOperand(b->op, init));
  return build_empty(&empty);
}

/* A structured op into an empty piece; indices stay global. */
static MlirValue build_structured(ts_free_builder *b) {
  intptr_t init = ts_linalg_num_inputs(b->op);
  MlirValue destination = build_destination(b, init);
  MlirOperation clone = ts_clone_here(b->emit, b->op);
  mlirOperationSetOperand(clone, init, destination);
  MlirValue result = mlirOperationGetResult(clone, 0);
  mlirValueSetType(result, b->local);
  if (ts_linalg_uses_index(clone)) {
    ts_loop_sharding loops = loops_of_layout(b);
    ts_extents extents = {get_loop_extent, b};
    if (!ts_linalg_shift_indices(b->emit, clone, &loops, &extents))
      return (MlirValue){NULL};
  }
  return result;
}

/* Lets all that read index `d` in the clone of a tensor.generate see the global one. */
static bool shift_index(ts_free_builder *b, MlirOperation clone, int d) {
  MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(clone, 0));
  ts_extents extents = {get_extent, b};
  ts_indexed indexed = {clone, b->layout->grid, &b->layout->dims[d], &extents, d};
  return ts_shift_argument(b->emit, mlirBlockGetArgument(body, d), &indexed);
}

static MlirValue build_generate(ts_free_builder *b) {
  MlirOperation clone = ts_clone_here(b->emit, b->op);
  MlirValue *sizes = TS_NEW(b->emit->arena, MlirValue, b->layout->rank);
  ts_place back = ts_place_before(b->emit, clone);
  intptr_t num = local_sizes(b, sizes);
  ts_place_back(b->emit, back);
  mlirOperationSetOperands(clone, num, sizes);
  mlirValueSetType(mlirOperationGetResult(clone, 0), b->local);
  for (int d = 0; d < b->layout->rank; d++)
    if (ts_dim_is_split(&b->layout->dims[d]) && !shift_index(b, clone, d))
      return (MlirValue){NULL};
  return mlirOperationGetResult(clone, 0);
}

static MlirValue build_constant(ts_free_builder *b) {
  return ts_constant_build(b->emit, b->op, b->layout);
}

MlirValue ts_free_build(ts_emit *emit, MlirValue value, const ts_sharding *layout) {
  ts_free_builder b = {.emit = emit,
                       .op = ts_defining_op(value),
                       .layout = layout,
                       .global = mlirValueGetType(value)};
  b.local = ts_local_type(layout, b.global);
  return ts_free_form_of(b.op)->build(&b);
}

/* ---- forms ----------------------------------------------------------------------------------- */

const ts_free_form ts_free_constant = {TS_FREE_CONSTANT, NULL, ts_constant_splat, ts_free_is_splat,
                                       build_constant};
const ts_free_form ts_free_empty = {TS_FREE_EMPTY, NULL, NULL, ts_free_is_always_same, build_empty};
const ts_free_form ts_free_poison = {TS_FREE_EMPTY, ts_free_has_static_shape, NULL,
                                     ts_free_is_always_same, build_empty};
const ts_free_form ts_free_splat = {TS_FREE_SPLAT, NULL, ts_free_element_of_scalar,
                                    ts_free_is_always_same, build_splat};
const ts_free_form ts_free_fill = {TS_FREE_COMPUTED, ts_free_makes_tensor_of_scalars,
                                   ts_free_element_of_scalar, ts_free_is_same_as_destination,
                                   build_structured};
const ts_free_form ts_free_indices = {TS_FREE_COMPUTED, ts_free_is_of_indices, NULL, NULL,
                                      build_structured};
const ts_free_form ts_free_generate = {TS_FREE_COMPUTED, ts_free_is_generated, NULL, NULL,
                                       build_generate};
