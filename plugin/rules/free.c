/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Values that are built anew in whatever layout a use wants: constants, empty tensors, splats,
 * fills, and what is generated from indices. Knows how to build a piece, not who wants it. */
#include "mlir-c/AffineExpr.h"
#include "mlir-c/AffineMap.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include "capi/capi.h"
#include "rules/build_loops.h"
#include "rules/constant.h"
#include "rules/linalg.h"
#include "rules/linear_terms.h"

/* ---- which ------------------------------------------------------------------------------------
 */

typedef enum free_kind {
  NOT_FREE,
  FREE_CONSTANT,
  FREE_EMPTY,
  FREE_SPLAT,
  FREE_FILL,    /* linalg.fill with a bare destination */
  FREE_INDICES, /* linalg.generic without tensor inputs with a bare destination */
  FREE_GENERATE /* tensor.generate */
} free_kind;

/* Whether every loop runs along one dimension of the only result. */
static bool is_pointwise(MlirOperation op) {
  MlirAffineMap map = ts_linalg_map(op, ts_linalg_num_inputs(op));
  intptr_t num_loops = ts_linalg_num_loops(op);
  if (mlirAffineMapGetNumResults(map) != num_loops)
    return false;
  for (intptr_t d = 0; d < num_loops; ++d)
    if (ts_linalg_iterator(op, d) != 0)
      return false;
  return mlirAffineMapIsPermutation(map);
}

static bool has_static_shape(MlirOperation op) {
  return mlirShapedTypeHasStaticShape(mlirValueGetType(mlirOperationGetResult(op, 0)));
}

static bool is_empty(MlirOperation op) {
  return ts_op_is(op, "tensor.empty") || (ts_op_is(op, "ub.poison") && has_static_shape(op));
}

static bool is_constant(MlirOperation op) {
  return ts_op_is(op, "arith.constant") || ts_op_is(op, "tosa.const");
}

static bool has_tensor_inputs(MlirOperation op) {
  for (intptr_t i = 0; i + 1 < mlirOperationGetNumOperands(op); ++i)
    if (mlirTypeIsAShaped(mlirValueGetType(mlirOperationGetOperand(op, i))))
      return true;
  return false;
}

/* Looks at the op that made the destination, never further: what is built for each use must not
 * take a chain of others with it. A destination that is not read counts if it is free whatever it
 * is made from, as one that propagation annotates is another in the next pass. */
static bool has_bare_destination(MlirOperation op) {
  intptr_t init = ts_linalg_num_inputs(op);
  MlirOperation maker = ts_defining_op(mlirOperationGetOperand(op, init));
  if (mlirOperationIsNull(maker))
    return false;
  if (is_empty(maker))
    return true;
  if (!has_static_shape(op) || !(is_constant(maker) || ts_op_is(maker, "tensor.splat")))
    return false;
  MlirValue read = mlirBlockGetArgument(ts_linalg_body(op), init);
  return mlirOpOperandIsNull(mlirValueGetFirstUse(read));
}

static bool makes_tensor_of_scalars(MlirOperation op) {
  if (has_tensor_inputs(op) || !ts_op_is_linalg(op) || ts_linalg_num_inits(op) != 1 ||
      mlirOperationGetNumResults(op) != 1)
    return false;
  return has_bare_destination(op);
}

static free_kind kind_of(MlirOperation op) {
  if (is_constant(op))
    return FREE_CONSTANT;
  if (is_empty(op))
    return FREE_EMPTY;
  if (ts_op_is(op, "tensor.splat"))
    return FREE_SPLAT;
  if (ts_op_is(op, "linalg.fill"))
    return makes_tensor_of_scalars(op) ? FREE_FILL : NOT_FREE;
  /* Every value is asked, so what walks the body comes last. */
  bool generate = ts_op_is(op, "tensor.generate");
  if (!generate &&
      !(ts_op_is(op, "linalg.generic") && makes_tensor_of_scalars(op) && is_pointwise(op)))
    return NOT_FREE;
  if (!ts_op_is_memory_effect_free(op) || !mlirValueIsNull(ts_captured_tensor(op)))
    return NOT_FREE;
  return generate ? FREE_GENERATE : FREE_INDICES;
}

bool ts_is_free(MlirValue value) {
  MlirOperation op = ts_defining_op(value);
  return !mlirOperationIsNull(op) && mlirTypeIsARankedTensor(mlirValueGetType(value)) &&
         kind_of(op) != NOT_FREE;
}

/* ---- neutral ----------------------------------------------------------------------------------
 */

/* The constant that all elements of a free value are; null if they are not one constant. */
static MlirAttribute uniform_element(MlirOperation op) {
  switch (kind_of(op)) {
  case FREE_CONSTANT:
    return ts_constant_splat(op);
  case FREE_SPLAT:
  case FREE_FILL: {
    MlirOperation scalar = ts_defining_op(mlirOperationGetOperand(op, 0));
    if (!mlirOperationIsNull(scalar) && ts_op_is(scalar, "arith.constant"))
      return ts_attribute(scalar, "value");
    return mlirAttributeGetNull();
  }
  default:
    return mlirAttributeGetNull();
  }
}

/* True as well where the value may simply take part on every device, because it counts once anyway.
 */
bool ts_free_is_neutral(MlirValue value, ts_reduction kind) {
  if (!ts_is_free(value))
    return false;
  if (ts_is_idempotent(kind))
    return true;
  MlirAttribute element = uniform_element(ts_defining_op(value));
  if (mlirAttributeIsNull(element))
    return false;
  MlirAttribute neutral =
      ts_neutral_element(kind, mlirShapedTypeGetElementType(mlirValueGetType(value)));
  if (mlirAttributeIsNull(neutral))
    return false;
  if (kind == TS_SUM && mlirAttributeIsAFloat(element)) /* -0.0 too */
    return mlirFloatAttrGetValueDouble(element) == 0;
  return mlirAttributeEqual(element, neutral);
}

bool ts_free_is_same_anywhere(MlirValue value) {
  MlirOperation op = ts_defining_op(value);
  switch (kind_of(op)) {
  case FREE_CONSTANT:
    return !mlirAttributeIsNull(ts_constant_splat(op));
  case FREE_EMPTY:
  case FREE_SPLAT:
    return true;
  case FREE_FILL:
    return ts_free_is_same_anywhere(mlirOperationGetOperand(op, ts_linalg_num_inputs(op)));
  case FREE_INDICES:
  case FREE_GENERATE:
  case NOT_FREE:
    return false;
  }
  return false;
}

/* ---- building ---------------------------------------------------------------------------------
 */

typedef struct builder {
  ts_emit *emit;
  MlirOperation op;
  const ts_sharding *layout;
  MlirType global, local;
} builder;

/* The extent that an operand says; null for an extent that the type says. */
static MlirValue get_extent(void *user, int d) {
  const builder *b = user;
  ts_size_operand size = ts_size_operand_of(mlirOperationGetResult(b->op, 0), d);
  return size.op.ptr ? mlirOperationGetOperand(size.op, size.number) : (MlirValue){NULL};
}

/* Sizes of the local type's dynamic dimensions. */
static intptr_t local_sizes(builder *b, MlirValue *sizes) {
  intptr_t num = 0;
  for (int d = 0; d < b->layout->rank; ++d)
    if (mlirShapedTypeIsDynamicDim(b->local, d))
      sizes[num++] = ts_emit_local_size(b->emit, b->layout, d, get_extent(b, d));
  return num;
}

static MlirValue build_empty(builder *b) {
  MlirValue *sizes = TS_NEW(b->emit->arena, MlirValue, b->layout->rank);
  intptr_t num = local_sizes(b, sizes);
  return ts_emit_empty(b->emit, b->local, num, sizes);
}

static MlirValue build_splat(builder *b) {
  MlirValue *operands = TS_NEW(b->emit->arena, MlirValue, 1 + b->layout->rank);
  operands[0] = mlirOperationGetOperand(b->op, 0);
  intptr_t num = local_sizes(b, operands + 1);
  return mlirOperationGetResult(
      ts_emit_op(b->emit, "tensor.splat", 1 + num, operands, 1, &b->local, 0, NULL), 0);
}

/* The dimension of the result that loop `l` runs along. */
static int dim_of_loop(const builder *b, int l) {
  MlirAffineMap map = ts_linalg_map(b->op, ts_linalg_num_inputs(b->op));
  int d = 0;
  while (mlirAffineDimExprGetPosition(mlirAffineMapGetResult(map, d)) != l)
    ++d;
  return d;
}

static MlirValue get_loop_extent(void *user, int l) {
  return get_extent(user, dim_of_loop(user, l));
}

/* The sharding of an op's loops that gives its result the wanted layout. */
static ts_loop_sharding loops_of_layout(const builder *b) {
  ts_loop_sharding loops = {.grid = b->layout->grid, .num_loops = b->layout->rank};
  loops.loops = TS_NEW(b->emit->arena, ts_dim, loops.num_loops);
  for (int l = 0; l < loops.num_loops; ++l)
    loops.loops[l] = b->layout->dims[dim_of_loop(b, l)];
  return loops;
}

/* Sizes that are known only at run time come from the empty tensor that the op is into. */
static MlirValue build_destination(builder *b, intptr_t init) {
  builder empty = *b;
  empty.op = ts_defining_op(mlirOperationGetOperand(b->op, init));
  return build_empty(&empty);
}

/* A structured op into an empty piece; indices stay global. */
static MlirValue build_structured(builder *b) {
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
static bool shift_index(builder *b, MlirOperation clone, int d) {
  MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(clone, 0));
  ts_extents extents = {get_extent, b};
  ts_indexed indexed = {clone, b->layout->grid, &b->layout->dims[d], &extents, d};
  return ts_shift_argument(b->emit, mlirBlockGetArgument(body, d), &indexed);
}

static MlirValue build_generate(builder *b) {
  MlirOperation clone = ts_clone_here(b->emit, b->op);
  MlirValue *sizes = TS_NEW(b->emit->arena, MlirValue, b->layout->rank);
  ts_place back = ts_place_before(b->emit, clone);
  intptr_t num = local_sizes(b, sizes);
  ts_place_back(b->emit, back);
  mlirOperationSetOperands(clone, num, sizes);
  mlirValueSetType(mlirOperationGetResult(clone, 0), b->local);
  for (int d = 0; d < b->layout->rank; ++d)
    if (ts_dim_is_split(&b->layout->dims[d]) && !shift_index(b, clone, d))
      return (MlirValue){NULL};
  return mlirOperationGetResult(clone, 0);
}

MlirValue ts_free_build(ts_emit *emit, MlirValue value, const ts_sharding *layout) {
  builder b = {.emit = emit,
               .op = ts_defining_op(value),
               .layout = layout,
               .global = mlirValueGetType(value)};
  b.local = ts_local_type(layout, b.global);
  switch (kind_of(b.op)) {
  case FREE_CONSTANT:
    return ts_constant_build(emit, b.op, layout);
  case FREE_EMPTY:
    return build_empty(&b);
  case FREE_SPLAT:
    return build_splat(&b);
  case FREE_FILL:
  case FREE_INDICES:
    return build_structured(&b);
  case FREE_GENERATE:
    return build_generate(&b);
  case NOT_FREE:
    break;
  }
  return (MlirValue){NULL};
}
