/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Contractions on memrefs to calls of the runtime's matrix product. Knows strides: a transposed
 * operand is one whose strides say so. */
#include "lowering/calls/gemm.h"

#include <string.h>

#include "capi/capi.h"
#include "lowering/prepare/contractions.h"
#include "mlir-c/AffineExpr.h"
#include "mlir-c/AffineMap.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "tessera/runtime.h"

enum { A, B, C, NUM_OPERANDS };

/* An operand's memory: where it begins, and per dimension its size and stride. */
typedef struct operand {
  MlirValue memref, base, offset;
  MlirValue sizes[TS_MAX_RANK], strides[TS_MAX_RANK];
  int64_t static_strides[TS_MAX_RANK];
  int dim_of_loop[TS_MAX_LOOPS]; /* -1: the operand does not follow the loop */
} operand;

/* Loops of one role that act as one: adjacent in every operand, without gaps. */
typedef struct group {
  MlirValue extent;
  MlirValue strides[NUM_OPERANDS]; /* null where the operand does not follow the role */
} group;

typedef struct product {
  ts_maker build;
  MlirOperation op;
  operand operands[NUM_OPERANDS];
  int num_groups[TS_NUM_ROLES];
  group groups[TS_NUM_ROLES][TS_MAX_LOOPS];
} product;

/* ---- reading ----------------------------------------------------------------------------------
 */

static void read_operand(product *p, int i) {
  operand *o = &p->operands[i];
  MlirAffineMap map = ts_linalg_map(p->op, i);
  o->memref = mlirOperationGetOperand(p->op, i);
  MlirType type = mlirValueGetType(o->memref), index = mlirIndexTypeGet(p->build.context);
  intptr_t rank = mlirShapedTypeGetRank(type);
  int64_t offset;
  mlirMemRefTypeGetStridesAndOffset(type, o->static_strides, &offset);
  MlirType results[2 + 2 * TS_MAX_RANK];
  results[0] = mlirMemRefTypeContiguousGet(mlirShapedTypeGetElementType(type), 0, NULL,
                                           mlirAttributeGetNull());
  for (intptr_t r = 1; r < 2 + 2 * rank; r++)
    results[r] = index;
  MlirOperation metadata =
      ts_make_op(&p->build, &(ts_new_op){.name = "memref.extract_strided_metadata",
                                         .num_operands = 1,
                                         .operands = &o->memref,
                                         .num_results = 2 + 2 * rank,
                                         .results = results});
  o->base = mlirOperationGetResult(metadata, 0);
  o->offset = mlirOperationGetResult(metadata, 1);
  memset(o->dim_of_loop, -1, sizeof o->dim_of_loop);
  for (intptr_t d = 0; d < rank; d++) {
    o->sizes[d] = mlirOperationGetResult(metadata, 2 + d);
    o->strides[d] = mlirOperationGetResult(metadata, 2 + rank + d);
    o->dim_of_loop[mlirAffineDimExprGetPosition(mlirAffineMapGetResult(map, d))] = (int)d;
  }
}

/* In memory of type `type`, is dimension `outer` the one around `inner` without a gap? */
static bool follows_directly(const operand *o, int outer, int inner) {
  MlirType type = mlirValueGetType(o->memref);
  if (inner == outer + 1 && ts_is_identity_memref(type))
    return true;
  int64_t dynamic = mlirShapedTypeGetDynamicStrideOrOffset();
  return !mlirShapedTypeIsDynamicDim(type, inner) && o->static_strides[outer] != dynamic &&
         o->static_strides[inner] != dynamic &&
         o->static_strides[outer] ==
             o->static_strides[inner] * mlirShapedTypeGetDimSize(type, inner);
}

static bool can_merge(const product *p, int outer, int inner) {
  for (int i = 0; i < NUM_OPERANDS; i++) {
    const operand *o = &p->operands[i];
    if (o->dim_of_loop[outer] >= 0 &&
        !follows_directly(o, o->dim_of_loop[outer], o->dim_of_loop[inner]))
      return false;
  }
  return true;
}

/* Appends `loop` to the groups of its role, or merges it with the last. */
static void add_loop(product *p, int role, int loop, int previous) {
  group made = {.extent = {NULL}};
  for (int i = 0; i < NUM_OPERANDS; i++) {
    const operand *o = &p->operands[i];
    if (o->dim_of_loop[loop] < 0)
      continue;
    made.extent = o->sizes[o->dim_of_loop[loop]];
    made.strides[i] = o->strides[o->dim_of_loop[loop]];
  }
  if (previous >= 0 && can_merge(p, previous, loop)) {
    group *last = &p->groups[role][p->num_groups[role] - 1];
    made.extent = ts_make_binary(&p->build, "arith.muli", last->extent, made.extent);
    *last = made;
    return;
  }
  p->groups[role][p->num_groups[role]++] = made;
}

static void read_product(product *p, const ts_contraction *contraction) {
  for (int i = 0; i < NUM_OPERANDS; i++)
    read_operand(p, i);
  for (int role = 0; role < TS_NUM_ROLES; role++)
    for (int l = 0; l < contraction->num[role]; l++)
      add_loop(p, role, contraction->loops[role][l], l > 0 ? contraction->loops[role][l - 1] : -1);
}

/* ---- the zero before it -----------------------------------------------------------------------
 */

static bool is_zero(MlirValue value) {
  if (!mlirValueIsAOpResult(value))
    return false;
  MlirOperation op = mlirOpResultGetOwner(value);
  MlirAttribute constant = ts_attribute(op, "value");
  if (!ts_op_is(op, "arith.constant") || mlirAttributeIsNull(constant))
    return false;
  if (mlirAttributeIsAFloat(constant))
    return mlirFloatAttrGetValueDouble(constant) == 0.0;
  return mlirAttributeIsAInteger(constant) && mlirIntegerAttrGetValueInt(constant) == 0;
}

static bool is_view(MlirOperation op) {
  static const char *const views[] = {"memref.cast",
                                      "memref.subview",
                                      "memref.expand_shape",
                                      "memref.collapse_shape",
                                      "memref.transpose",
                                      "memref.reinterpret_cast",
                                      "memref.extract_strided_metadata"};
  for (size_t i = 0; i < sizeof views / sizeof views[0]; i++)
    if (ts_op_is(op, views[i]))
      return true;
  return false;
}

/* The value that a chain of views begins with. */
static MlirValue root_of(MlirValue value) {
  while (mlirValueIsAOpResult(value) && is_view(mlirOpResultGetOwner(value)))
    value = mlirOperationGetOperand(mlirOpResultGetOwner(value), 0);
  return value;
}

/* The op of `block` that is `op` or has it inside; null if there is none. */
static MlirOperation ancestor_in(MlirBlock block, MlirOperation op) {
  while (op.ptr && !mlirBlockEqual(mlirOperationGetBlock(op), block))
    op = mlirOperationGetParentOperation(op);
  return op;
}

/* Does anything between `first` and `last` use the memory of `value`, or can it have another name?
 */
static bool is_used_between(MlirValue value, MlirOperation first, MlirOperation last) {
  for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    bool view = is_view(user);
    for (intptr_t r = 0; r < mlirOperationGetNumResults(user); r++) {
      MlirValue result = mlirOperationGetResult(user, r);
      if (mlirTypeIsAMemRef(mlirValueGetType(result)) &&
          (!view || is_used_between(result, first, last)))
        return true;
    }
    MlirOperation place = ancestor_in(mlirOperationGetBlock(last), user);
    if (!view && place.ptr && mlirOperationIsBeforeInBlock(first, place) &&
        mlirOperationIsBeforeInBlock(place, last))
      return true;
  }
  return false;
}

/* The linalg.fill with zero whose value `op` alone would see in its destination; null if there is
 * none. */
static MlirOperation find_zero_fill(MlirOperation op) {
  MlirValue destination = mlirOperationGetOperand(op, C), root = root_of(destination);
  MlirOperation found = {NULL};
  if (!mlirValueIsAOpResult(root) || !ts_op_is(mlirOpResultGetOwner(root), "memref.alloc"))
    return found;
  for (MlirOpOperand use = mlirValueGetFirstUse(destination); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation fill = mlirOpOperandGetOwner(use);
    if (ts_op_is(fill, "linalg.fill") && mlirOpOperandGetOperandNumber(use) == 1 &&
        mlirBlockEqual(mlirOperationGetBlock(fill), mlirOperationGetBlock(op)) &&
        mlirOperationIsBeforeInBlock(fill, op) && is_zero(mlirOperationGetOperand(fill, 0)) &&
        !is_used_between(root, fill, op))
      found = fill;
  }
  return found;
}

/* ---- the call ---------------------------------------------------------------------------------
 */

static bool is_batched(const product *p) {
  return p->num_groups[TS_ROLE_BATCH] > 0;
}

/* The matrix that operand `i` is for one call: `roles` of its dimensions after the batch. */
static MlirValue matrix(const product *p, const ts_maker *build, int i, const ts_role *roles,
                        MlirValue offset) {
  const group *chosen[3];
  int num = 0;
  if (is_batched(p))
    chosen[num++] = &p->groups[TS_ROLE_BATCH][p->num_groups[TS_ROLE_BATCH] - 1];
  group missing[2];
  for (int r = 1; r >= 0; r--) {
    int groups = p->num_groups[roles[r]];
    if (groups > 0) {
      chosen[num + r] = &p->groups[roles[r]][groups - 1];
      continue;
    }
    /* One row or column: a stride that keeps the matrix row-major. */
    missing[r].extent = ts_make_index(build, 1);
    missing[r].strides[i] = r == 1 ? ts_make_index(build, 1)
                                   : ts_make_binary(build, "arith.muli", chosen[num + 1]->extent,
                                                    chosen[num + 1]->strides[i]);
    chosen[num + r] = &missing[r];
  }
  num += 2;
  MlirValue operands[2 + 2 * 3];
  int64_t dynamic_sizes[3], dynamic_strides[3], dynamic_offset;
  dynamic_offset = mlirShapedTypeGetDynamicStrideOrOffset();
  operands[0] = p->operands[i].base;
  operands[1] = offset;
  for (int d = 0; d < num; d++) {
    operands[2 + d] = chosen[d]->extent;
    operands[2 + num + d] = chosen[d]->strides[i];
    dynamic_sizes[d] = mlirShapedTypeGetDynamicSize();
    dynamic_strides[d] = dynamic_offset;
  }
  int32_t segments[] = {1, 1, num, num};
  MlirContext context = build->context;
  MlirNamedAttribute attributes[] = {
      ts_named(context, "static_offsets", mlirDenseI64ArrayGet(context, 1, &dynamic_offset)),
      ts_named(context, "static_sizes", mlirDenseI64ArrayGet(context, num, dynamic_sizes)),
      ts_named(context, "static_strides", mlirDenseI64ArrayGet(context, num, dynamic_strides)),
      ts_named(context, "operandSegmentSizes", mlirDenseI32ArrayGet(context, 4, segments)),
  };
  MlirType element = mlirShapedTypeGetElementType(mlirValueGetType(p->operands[i].memref));
  return ts_make_value(build, "memref.reinterpret_cast", 2 + 2 * num, operands,
                       ts_any_strides_type(element, num), 4, attributes);
}

/* Builds `for (i = 0; i < extent; i++)` and goes inside; returns i. */
static MlirValue enter_loop(ts_maker *build, MlirValue extent) {
  MlirType index = mlirIndexTypeGet(build->context);
  MlirValue bounds[] = {ts_make_index(build, 0), extent, ts_make_index(build, 1)};
  MlirBlock block = mlirBlockCreate(1, &index, &build->location);
  MlirRegion region = mlirRegionCreate();
  mlirRegionAppendOwnedBlock(region, block);
  ts_make_op(
      build,
      &(ts_new_op){.name = "scf.for", .num_operands = 3, .operands = bounds, .region = region});
  ts_maker inside = ts_make_at_end(block, build->location);
  MlirOperation yield = ts_make_op(&inside, &(ts_new_op){.name = "scf.yield"});
  inside.before = yield;
  *build = inside;
  return mlirBlockGetArgument(block, 0);
}

/* Loops over all groups but the last of each role, which the call takes; moves the offsets. */
static void enter_outer_loops(const product *p, ts_maker *build, MlirValue *offsets) {
  for (int role = 0; role < TS_NUM_ROLES; role++)
    for (int g = 0; g + 1 < p->num_groups[role]; g++) {
      const group *outer = &p->groups[role][g];
      MlirValue i = enter_loop(build, outer->extent);
      for (int o = 0; o < NUM_OPERANDS; o++)
        if (outer->strides[o].ptr)
          offsets[o] = ts_make_binary(build, "arith.addi", offsets[o],
                                      ts_make_binary(build, "arith.muli", i, outer->strides[o]));
    }
}

typedef struct gemm_walk {
  ts_sites *sites;
  ts_wrappers *wrappers;
} gemm_walk;

static int32_t dtype_of(MlirOperation op, int i) {
  return ts_dtype(mlirShapedTypeGetElementType(mlirValueGetType(mlirOperationGetOperand(op, i))));
}

static void call_gemm(const gemm_walk *walk, product *p) {
  static const ts_role roles[NUM_OPERANDS][2] = {
      [A] = {TS_ROLE_M, TS_ROLE_K}, [B] = {TS_ROLE_K, TS_ROLE_N}, [C] = {TS_ROLE_M, TS_ROLE_N}};
  MlirOperation fill = {NULL};
  if (p->num_groups[TS_ROLE_K] == 1)
    fill = find_zero_fill(p->op);
  ts_maker build = p->build;
  MlirValue offsets[NUM_OPERANDS], matrices[NUM_OPERANDS];
  for (int i = 0; i < NUM_OPERANDS; i++)
    offsets[i] = p->operands[i].offset;
  enter_outer_loops(p, &build, offsets);
  ts_call call = {.name = "gemm", .num_memrefs = 3, .num_words = TS_CALL_NO_WORDS};
  for (int i = 0; i < NUM_OPERANDS; i++) {
    matrices[i] = matrix(p, &build, i, roles[i], offsets[i]);
    call.memrefs[i] = mlirValueGetType(matrices[i]);
  }
  const char *site =
      ts_sites_add_gemm(walk->sites, build.location, is_batched(p) ? 3 : 2, dtype_of(p->op, A),
                        dtype_of(p->op, C), fill.ptr ? TESSERA_SITE_OVERWRITE : 0);
  ts_wrappers_add(walk->wrappers, &call);
  ts_make_wrapper_call(&build, &call, ts_make_address_of(&build, site), matrices, NULL);
  if (fill.ptr)
    mlirOperationDestroy(fill);
  mlirOperationDestroy(p->op);
}

static void lower_product(MlirOperation op, void *user) {
  ts_contraction contraction;
  if (!ts_contraction_read(op, &contraction) || mlirOperationGetNumResults(op) > 0)
    return;
  ts_arena scratch = {0};
  product *p = TS_NEW(&scratch, product, 1);
  p->op = op;
  p->build = ts_make_before(op);
  read_product(p, &contraction);
  call_gemm(user, p);
  ts_arena_free(&scratch);
}

void ts_gemm_lower(ts_sites *sites, ts_wrappers *wrappers) {
  gemm_walk walk = {sites, wrappers};
  ts_each_op(sites->records->module, lower_product, &walk);
}
