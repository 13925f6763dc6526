/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Contractions on memrefs to calls of the runtime's matrix product. It knows strides: a transposed
 * operand is one whose strides say so. */
#include "lowering/calls/gemm.h"

#include <string.h>

#include "capi/capi.h"
#include "ir/control_flow.h"
#include "lowering/calls/epilogues.h"
#include "lowering/calls/strided.h"
#include "lowering/calls/zero_fills.h"
#include "lowering/prepare/contractions.h"
#include "mlir-c/AffineExpr.h"
#include "mlir-c/AffineMap.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "tessera/runtime.h"

enum { A, B, C, NUM_OPERANDS };

typedef struct operand {
  ts_strided memory;
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

/* ---- reading --------------------------------------------------------------------------------- */

static void read_operand(product *p, int i) {
  operand *o = &p->operands[i];
  MlirAffineMap map = ts_linalg_map(p->op, i);
  ts_strided_read(&p->build, mlirOperationGetOperand(p->op, i), &o->memory);
  MlirType type = mlirValueGetType(o->memory.memref);
  int64_t offset;
  mlirMemRefTypeGetStridesAndOffset(type, o->static_strides, &offset);
  memset(o->dim_of_loop, -1, sizeof(o->dim_of_loop));
  for (intptr_t d = 0; d < mlirShapedTypeGetRank(type); d++)
    o->dim_of_loop[mlirAffineDimExprGetPosition(mlirAffineMapGetResult(map, d))] = (int)d;
}

/* In memory of type `type`, is dimension `outer` the one around `inner` without a gap? */
static bool follows_directly(const operand *o, int outer, int inner) {
  MlirType type = mlirValueGetType(o->memory.memref);
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
    made.extent = o->memory.sizes[o->dim_of_loop[loop]];
    made.strides[i] = o->memory.strides[o->dim_of_loop[loop]];
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

/* ---- the call -------------------------------------------------------------------------------- */

static bool is_batched(const product *p) {
  return p->num_groups[TS_ROLE_BATCH] > 0;
}

/* The matrix that operand `i` is for one call, or other memory that lies alike: `roles` of its
 * dimensions after the batch. */
static MlirValue matrix(const product *p, const ts_maker *build, int i, const ts_strided *memory,
                        const ts_role *roles, MlirValue offset) {
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
  MlirValue sizes[3], strides[3];
  for (int d = 0; d < num; d++) {
    sizes[d] = chosen[d]->extent;
    strides[d] = chosen[d]->strides[i];
  }
  return ts_strided_view(build, memory, offset, num, sizes, strides);
}

/* Builds `for (i = 0; i < extent; i++)` and goes inside; returns i. */
static MlirValue enter_loop(ts_maker *build, MlirValue extent) {
  MlirValue from = ts_make_index(build, 0);
  ts_for loop = ts_make_for(build, from, extent, ts_make_index(build, 1), 0, NULL);
  ts_maker inside = ts_make_at_end(loop.body, build->location);
  ts_make_yield(&inside, 0, NULL);
  inside.before = mlirBlockGetTerminator(loop.body);
  *build = inside;
  return loop.iv;
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
  const ts_activations *activations; /* that the device has, which adds then; NULL: it does not */
} gemm_walk;

static int32_t dtype_of(MlirOperation op, int i) {
  return ts_dtype(mlirShapedTypeGetElementType(mlirValueGetType(mlirOperationGetOperand(op, i))));
}

static const ts_role roles_of[NUM_OPERANDS][2] = {
    [A] = {TS_ROLE_M, TS_ROLE_K}, [B] = {TS_ROLE_K, TS_ROLE_N}, [C] = {TS_ROLE_M, TS_ROLE_N}};

/* The call's memory and flags for what follows; what there is none of stands for nothing. */
static void add_epilogue(const product *p, const ts_maker *build, const ts_epilogue *epilogue,
                         MlirValue *matrices, uint32_t *flags) {
  static const uint32_t activations[] = {[TS_RELU] = TESSERA_SITE_RELU,
                                         [TS_GELU] = TESSERA_SITE_GELU};
  MlirValue *residual = &matrices[NUM_OPERANDS], *bias = &matrices[NUM_OPERANDS + 1];
  *residual = *bias = matrices[C];
  *flags |= activations[epilogue->activation];
  if (epilogue->residual.ptr) {
    ts_strided memory;
    ts_strided_read(
        build,
        ts_epilogue_in_shape(build, epilogue, epilogue->residual, p->operands[C].memory.memref),
        &memory);
    *residual = matrix(p, build, C, &memory, roles_of[C], memory.offset);
    *flags |= TESSERA_SITE_RESIDUAL;
  }
  if (epilogue->bias.ptr) {
    *bias = epilogue->bias;
    *flags |= TESSERA_SITE_BIAS;
  }
}

/* `fill` has what c starts from, if that is zero. */
static void call_gemm(const gemm_walk *walk, product *p, MlirOperation fill,
                      const ts_epilogue *epilogue) {
  ts_maker build = p->build;
  MlirValue offsets[NUM_OPERANDS], matrices[TS_MAX_CALL_MEMREFS];
  uint32_t flags = fill.ptr && !epilogue->accumulates ? TESSERA_SITE_OVERWRITE : 0;
  for (int i = 0; i < NUM_OPERANDS; i++)
    offsets[i] = p->operands[i].memory.offset;
  enter_outer_loops(p, &build, offsets);
  for (int i = 0; i < NUM_OPERANDS; i++)
    matrices[i] = matrix(p, &build, i, &p->operands[i].memory, roles_of[i], offsets[i]);
  ts_call call = {.name = "gemm", .num_memrefs = NUM_OPERANDS, .num_words = TS_CALL_NO_WORDS};
  if (epilogue->residual.ptr || epilogue->bias.ptr || epilogue->activation > TS_NO_ACTIVATION) {
    call.name = "gemm_plus";
    call.num_memrefs = NUM_OPERANDS + 2;
    add_epilogue(p, &build, epilogue, matrices, &flags);
  }
  for (int i = 0; i < call.num_memrefs; i++)
    call.memrefs[i] = mlirValueGetType(matrices[i]);
  const char *site = ts_sites_add_gemm(walk->sites, build.location, is_batched(p) ? 3 : 2,
                                       dtype_of(p->op, A), dtype_of(p->op, C), flags);
  ts_wrappers_add(walk->wrappers, &call);
  ts_make_wrapper_call(&build, &call, ts_make_address_of(&build, site), matrices, NULL);
  if (fill.ptr)
    mlirOperationDestroy(fill);
  mlirOperationDestroy(p->op);
}

/* All loops of a role act as one: a single call does it. */
static bool is_one_call(const product *p) {
  for (int role = 0; role < TS_NUM_ROLES; role++)
    if (p->num_groups[role] > 1)
      return false;
  return true;
}

/* With what follows the product, in that place and to that memory. False: nothing does, or one call
 * does not do it. */
static bool lower_with_epilogue(const gemm_walk *walk, ts_arena *scratch, MlirOperation op,
                                const ts_contraction *contraction) {
  MlirOperation fill = ts_zero_fill_of(op, C);
  ts_epilogue epilogue = ts_epilogue_of(op, contraction, fill, walk->activations);
  if (!epilogue.op.ptr)
    return false;
  product *p = TS_NEW(scratch, product, 1);
  MlirValue multiplied = mlirOperationGetOperand(op, C);
  p->op = op;
  p->build = ts_make_before(epilogue.op);
  p->build.location = mlirOperationGetLocation(op);
  mlirOperationSetOperand(op, C,
                          ts_epilogue_in_shape(&p->build, &epilogue, epilogue.result, multiplied));
  read_product(p, contraction);
  if (!is_one_call(p)) {
    mlirOperationSetOperand(op, C, multiplied);
    return false;
  }
  call_gemm(walk, p, fill, &epilogue);
  ts_epilogue_drop(&epilogue, multiplied);
  return true;
}

static void lower_product(const gemm_walk *walk, MlirOperation op) {
  ts_contraction contraction;
  ts_contraction_read(op, &contraction);
  ts_arena scratch = {0};
  if (!walk->activations || !lower_with_epilogue(walk, &scratch, op, &contraction)) {
    const ts_epilogue none = {.op = {NULL}};
    product *p = TS_NEW(&scratch, product, 1);
    p->op = op;
    p->build = ts_make_before(op);
    read_product(p, &contraction);
    MlirOperation fill =
        p->num_groups[TS_ROLE_K] == 1 ? ts_zero_fill_of(op, C) : (MlirOperation){NULL};
    call_gemm(walk, p, fill, &none);
  }
  ts_arena_free(&scratch);
}

/* Found before any is lowered, which takes ops around it away. */
typedef struct found_products {
  ts_arena arena;
  MlirOperation *ops;
  int num, max;
} found_products;

static void find_product(MlirOperation op, void *user) {
  found_products *found = user;
  ts_contraction contraction;
  if (!ts_contraction_read(op, &contraction) || mlirOperationGetNumResults(op) > 0)
    return;
  found->ops =
      ts_arena_grow(&found->arena, found->ops, found->num, &found->max, sizeof(*found->ops));
  found->ops[found->num++] = op;
}

void ts_gemm_lower(ts_sites *sites, ts_wrappers *wrappers, const ts_activations *activations) {
  const gemm_walk walk = {sites, wrappers, activations};
  found_products found = {.num = 0};
  ts_each_op(sites->records->module, find_product, &found);
  for (int i = 0; i < found.num; i++)
    lower_product(&walk, found.ops[i]);
  ts_arena_free(&found.arena);
}
