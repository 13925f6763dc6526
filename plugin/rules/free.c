/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Values that are built anew in whatever layout a use wants: constants, empty tensors, splats,
 * fills, and what is generated from indices. It knows how to build a piece; it must not know who
 * wants it, and not which op is which: its row has its form. */
#include "mlir-c/AffineExpr.h"
#include "mlir-c/AffineMap.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include "capi/capi.h"
#include "rules/build_loops.h"
#include "rules/constant.h"
#include "rules/linalg.h"
#include "rules/linear_terms.h"
#include "rules/rows.h"
#include "support/captured.h"

typedef struct builder {
  ts_emit *emit;
  MlirOperation op;
  const ts_sharding *layout;
  MlirType global, local;
} builder;

struct ts_free_form {
  bool (*is)(MlirOperation op); /* NULL: every op whose row has the form is of it */
  /* The constant that all elements are; NULL, or null, if they are not one constant. */
  MlirAttribute (*element)(MlirOperation op);
  bool (*is_same_anywhere)(MlirOperation op); /* NULL: no */
  MlirValue (*build)(builder *b);
};

/* ---- which ----------------------------------------------------------------------------------- */

static const ts_free_form *form_of(MlirOperation op) {
  const ts_rule *rule = ts_rule_named(op);
  const ts_free_form *form = rule ? rule->free : NULL;
  return form && form->is && !form->is(op) ? NULL : form;
}

/* Whether every loop runs along one dimension of the only result. */
static bool is_pointwise(MlirOperation op) {
  MlirAffineMap map = ts_linalg_map(op, ts_linalg_num_inputs(op));
  intptr_t num_loops = ts_linalg_num_loops(op);
  if (mlirAffineMapGetNumResults(map) != num_loops)
    return false;
  for (intptr_t d = 0; d < num_loops; d++)
    if (ts_linalg_iterator(op, d) != 0)
      return false;
  return mlirAffineMapIsPermutation(map);
}

static bool has_static_shape(MlirOperation op) {
  return mlirShapedTypeHasStaticShape(mlirValueGetType(mlirOperationGetResult(op, 0)));
}

/* Memory of whatever contents. */
static bool is_empty(const ts_free_form *form) {
  return form == &ts_free_empty || form == &ts_free_poison;
}

static bool has_tensor_inputs(MlirOperation op) {
  for (intptr_t i = 0; i + 1 < mlirOperationGetNumOperands(op); i++)
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
  const ts_free_form *form = mlirOperationIsNull(maker) ? NULL : form_of(maker);
  if (is_empty(form))
    return true;
  if (!has_static_shape(op) || !(form == &ts_free_constant || form == &ts_free_splat))
    return false;
  MlirValue read = mlirBlockGetArgument(ts_linalg_body(op), init);
  return mlirOpOperandIsNull(mlirValueGetFirstUse(read));
}

static bool makes_tensor_of_scalars(MlirOperation op) {
  if (has_tensor_inputs(op) || ts_linalg_num_inits(op) != 1 || mlirOperationGetNumResults(op) != 1)
    return false;
  return has_bare_destination(op);
}

static bool is_generated(MlirOperation op) {
  return ts_op_is_memory_effect_free(op) && mlirValueIsNull(ts_captured_tensor(op));
}

/* Every value is asked, so what walks the body comes last. */
static bool is_of_indices(MlirOperation op) {
  return makes_tensor_of_scalars(op) && is_pointwise(op) && is_generated(op);
}

bool ts_is_free(MlirValue value) {
  MlirOperation op = ts_defining_op(value);
  return !mlirOperationIsNull(op) && mlirTypeIsARankedTensor(mlirValueGetType(value)) &&
         form_of(op);
}

/* ---- elements -------------------------------------------------------------------------------- */

static MlirAttribute element_of_scalar(MlirOperation op) {
  MlirOperation scalar = ts_defining_op(mlirOperationGetOperand(op, 0));
  return mlirOperationIsNull(scalar) || form_of(scalar) != &ts_free_constant
             ? mlirAttributeGetNull()
             : ts_constant_value(scalar);
}

static bool is_splat(MlirOperation op) {
  return !mlirAttributeIsNull(ts_constant_splat(op));
}

static bool is_always_same(MlirOperation op) {
  (void)op;
  return true;
}

/* A fill takes its sizes from its destination. */
static bool is_same_as_destination(MlirOperation op) {
  return ts_free_is_same_anywhere(mlirOperationGetOperand(op, ts_linalg_num_inputs(op)));
}

/* True as well where the value may simply take part on every device, because it counts once anyway.
 */
bool ts_free_is_neutral(MlirValue value, ts_reduction kind) {
  if (!ts_is_free(value))
    return false;
  if (ts_is_idempotent(kind))
    return true;
  MlirOperation op = ts_defining_op(value);
  const ts_free_form *form = form_of(op);
  MlirAttribute element = form->element ? form->element(op) : mlirAttributeGetNull();
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
  const ts_free_form *form = form_of(op);
  return form && form->is_same_anywhere && form->is_same_anywhere(op);
}

/* ---- building -------------------------------------------------------------------------------- */

/* The extent that an operand says; null for an extent that the type says. */
static MlirValue get_extent(void *user, int d) {
  const builder *b = user;
  ts_size_operand size = ts_size_operand_of(mlirOperationGetResult(b->op, 0), d);
  return size.op.ptr ? mlirOperationGetOperand(size.op, size.number) : (MlirValue){NULL};
}

/* Sizes of the local type's dynamic dimensions. */
static intptr_t local_sizes(builder *b, MlirValue *sizes) {
  intptr_t num = 0;
  for (int d = 0; d < b->layout->rank; d++)
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
    d++;
  return d;
}

static MlirValue get_loop_extent(void *user, int l) {
  return get_extent(user, dim_of_loop(user, l));
}

/* The sharding of an op's loops that gives its result the wanted layout. */
static ts_loop_sharding loops_of_layout(const builder *b) {
  ts_loop_sharding loops = {.grid = b->layout->grid, .num_loops = b->layout->rank};
  loops.loops = TS_NEW(b->emit->arena, ts_dim, loops.num_loops);
  for (int l = 0; l < loops.num_loops; l++)
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
  for (int d = 0; d < b->layout->rank; d++)
    if (ts_dim_is_split(&b->layout->dims[d]) && !shift_index(b, clone, d))
      return (MlirValue){NULL};
  return mlirOperationGetResult(clone, 0);
}

static MlirValue build_constant(builder *b) {
  return ts_constant_build(b->emit, b->op, b->layout);
}

MlirValue ts_free_build(ts_emit *emit, MlirValue value, const ts_sharding *layout) {
  builder b = {.emit = emit,
               .op = ts_defining_op(value),
               .layout = layout,
               .global = mlirValueGetType(value)};
  b.local = ts_local_type(layout, b.global);
  return form_of(b.op)->build(&b);
}

/* ---- forms ----------------------------------------------------------------------------------- */

const ts_free_form ts_free_constant = {NULL, ts_constant_splat, is_splat, build_constant};
const ts_free_form ts_free_empty = {NULL, NULL, is_always_same, build_empty};
const ts_free_form ts_free_poison = {has_static_shape, NULL, is_always_same, build_empty};
const ts_free_form ts_free_splat = {NULL, element_of_scalar, is_always_same, build_splat};
const ts_free_form ts_free_fill = {makes_tensor_of_scalars, element_of_scalar,
                                   is_same_as_destination, build_structured};
const ts_free_form ts_free_indices = {is_of_indices, NULL, NULL, build_structured};
const ts_free_form ts_free_generate = {is_generated, NULL, NULL, build_generate};
