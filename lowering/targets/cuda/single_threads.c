/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Each thread does steps by itself: one, or neighbouring ones with accesses of 16 bytes. It knows
 * nests; it must not know teams. */
#include "lowering/targets/cuda/kernel_code.h"

#include <stdlib.h>

#include "capi/capi.h"
#include "ir/control_flow.h"
#include "lowering/targets/cuda/thread.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

enum { LESS_UNSIGNED = 6, LESS_OR_EQUAL_UNSIGNED = 7, EQUAL = 0 }; /* arith's predicates */

/* ---- memory that is one value ---------------------------------------------------------------- */

static bool is_plain_integer(MlirType type) {
  return mlirTypeIsAInteger(type) && mlirIntegerTypeIsSignless(type);
}

static bool may_keep(const ts_pointer *pointer) {
  return pointer->elements == 1 &&
         (mlirTypeIsAFloat(pointer->element) || is_plain_integer(pointer->element) ||
          mlirTypeIsAIndex(pointer->element));
}

/* What was never written has any value. */
static MlirValue any_value(const ts_maker *build, MlirType type) {
  return ts_make_constant(build, mlirTypeIsAFloat(type)
                                     ? mlirFloatAttrDoubleGet(build->context, type, 0)
                                     : ts_int_attribute(type, 0));
}

/* By pointer, a place for the value of each step that a thread does at once. */
static MlirValue **make_kept(ts_cuda_code *code, const ts_maker *build) {
  const ts_kernel *kernel = code->e.kernel;
  MlirValue **kept = TS_NEW(code->e.arena, MlirValue *, kernel->num_pointers);
  for (int p = 0; p < kernel->num_pointers; p++) {
    if (!may_keep(&kernel->pointers[p]))
      continue;
    kept[p] = TS_NEW(code->e.arena, MlirValue, code->grid.width);
    for (int64_t j = 0; j < code->grid.width; j++)
      kept[p][j] = any_value(build, kernel->pointers[p].element);
  }
  return kept;
}

/* ---- one step -------------------------------------------------------------------------------- */

static MlirValue **lane_of(ts_cuda_code *code, MlirValue **kept, int64_t lane) {
  int num = code->e.kernel->num_pointers;
  MlirValue **own = TS_NEW(code->e.arena, MlirValue *, num);
  for (int p = 0; p < num; p++)
    own[p] = kept[p] ? &kept[p][lane] : NULL;
  return own;
}

static bool has_rest(const ts_cuda_code *code) {
  for (int n = 0; n < code->e.kernel->num_nests; n++)
    if (code->grid.loops[n].num_rest > 0)
      return true;
  return false;
}

/* All nests, at the step whose number is `step`. */
static void emit_step(ts_cuda_code *code, const ts_maker *build, MlirValue step) {
  const ts_kernel *kernel = code->e.kernel;
  MlirValue indices[TS_NEST_LOOPS];
  const ts_grid_loops *loops = code->grid.loops;
  MlirValue **kept = has_rest(code) ? NULL : lane_of(code, make_kept(code, build), 0);
  ts_thread_indices(&code->e, build, kernel->nests[0], loops[0].num_grid, loops[0].grid, step,
                    indices);
  for (int n = 0; n < kernel->num_nests; n++) {
    ts_thread t = {&code->e, kernel->nests[n], n, kept};
    MlirValue *at = TS_NEW(code->e.arena, MlirValue, t.nest->num_accesses);
    ts_maker here = *build;
    here.location = mlirOperationGetLocation(t.nest->op);
    ts_thread_advance(&code->e, &here, t.nest, loops[n].num_grid, loops[n].grid, indices, NULL, at);
    ts_thread_loops(&t, &here, loops[n].num_rest, loops[n].rest, at);
  }
}

/* ---- neighbouring steps ---------------------------------------------------------------------- */

static MlirValue wide_place(ts_cuda_code *code, const ts_maker *build, const ts_thread *t,
                            int access, MlirValue index) {
  int pointer = code->e.kernel->pointer_of[t->number][access];
  const ts_access *a = &t->nest->accesses[access];
  MlirType element = code->e.kernel->pointers[pointer].element;
  MlirValue at = mlirValueIsNull(index) ? ts_make_index(build, 0) : index;
  if (!ts_product_is(&a->offset, 0))
    at = ts_body_arithmetic(&code->e, build, "arith.addi", at,
                            ts_body_number(&code->e, build, &a->offset));
  MlirValue operands[] = {
      code->pointers[pointer],
      ts_make_value(build, "arith.index_cast", 1, &at, ts_i64_type(build->context), 0, NULL)};
  int32_t dynamic = INT32_MIN; /* LLVM::GEPOp's mark of an operand */
  MlirNamedAttribute attributes[] = {
      ts_named(build->context, "elem_type", mlirTypeAttrGet(element)),
      ts_named(build->context, "rawConstantIndices",
               mlirDenseI32ArrayGet(build->context, 1, &dynamic)),
  };
  return ts_make_value(build, "llvm.getelementptr", 2, operands, ts_pointer_type(build->context), 2,
                       attributes);
}

static MlirType wide_type(ts_cuda_code *code, const ts_thread *t, int access) {
  int pointer = code->e.kernel->pointer_of[t->number][access];
  return mlirVectorTypeGet(1, &code->grid.width, code->e.kernel->pointers[pointer].element);
}

static int64_t wide_bytes(ts_cuda_code *code, const ts_thread *t, int access) {
  MlirType element = mlirShapedTypeGetElementType(wide_type(code, t, access));
  unsigned bits =
      mlirTypeIsAFloat(element) ? mlirFloatTypeGetWidth(element) : mlirIntegerTypeGetWidth(element);
  return code->grid.width * bits / 8;
}

static MlirNamedAttribute alignment(ts_cuda_code *code, const ts_thread *t, int access) {
  return ts_named(code->e.context, "alignment",
                  ts_int_attribute(ts_i64_type(code->e.context), wide_bytes(code, t, access)));
}

static MlirValue lane_number(const ts_maker *build, int64_t lane) {
  return ts_make_llvm_int(build, 32, lane);
}

static bool is_kept(const ts_thread *t, int access) {
  int pointer = t->e->kernel->pointer_of[t->number][access];
  return t->kept && pointer >= 0 && t->kept[pointer];
}

/* What the neighbouring steps find at `access`, in `values`. */
static void load_wide(ts_cuda_code *code, const ts_maker *build, const ts_thread *t, int access,
                      MlirValue index, MlirValue *values) {
  MlirType type = wide_type(code, t, access);
  MlirNamedAttribute aligned = alignment(code, t, access);
  MlirValue place = wide_place(code, build, t, access, index);
  MlirValue vector = ts_make_value(build, "llvm.load", 1, &place, type, 1, &aligned);
  for (int64_t j = 0; j < code->grid.width; j++) {
    MlirValue operands[] = {vector, lane_number(build, j)};
    values[j] = ts_make_value(build, "llvm.extractelement", 2, operands,
                              mlirShapedTypeGetElementType(type), 0, NULL);
  }
}

static void store_wide(ts_cuda_code *code, const ts_maker *build, const ts_thread *t, int access,
                       MlirValue index, const MlirValue *values) {
  MlirType type = wide_type(code, t, access);
  MlirNamedAttribute aligned = alignment(code, t, access);
  MlirValue vector = ts_make_value(build, "llvm.mlir.poison", 0, NULL, type, 0, NULL);
  for (int64_t j = 0; j < code->grid.width; j++) {
    MlirValue operands[] = {vector, values[j], lane_number(build, j)};
    vector = ts_make_value(build, "llvm.insertelement", 3, operands, type, 0, NULL);
  }
  MlirValue operands[] = {vector, wide_place(code, build, t, access, index)};
  ts_make_op(build, &(ts_new_op){.name = "llvm.store",
                                 .num_operands = 2,
                                 .operands = operands,
                                 .num_attributes = 1,
                                 .attributes = &aligned});
}

/* A nest at neighbouring steps, the first of which is at `indices`. */
static void emit_wide_nest(ts_cuda_code *code, const ts_maker *build, int n, MlirValue **kept,
                           const MlirValue *indices) {
  const ts_nest *nest = code->e.kernel->nests[n];
  const ts_grid_loops *loops = &code->grid.loops[n];
  int inner = loops->grid[loops->num_grid - 1], num = nest->num_inputs + nest->num_outputs;
  int64_t width = code->grid.width;
  ts_arena *arena = code->e.arena;
  ts_thread t = {&code->e, nest, n, lane_of(code, kept, 0)};
  MlirValue *loaded = TS_NEW(arena, MlirValue, num * width);
  MlirValue *stored = TS_NEW(arena, MlirValue, num * width);
  for (int a = 0; a < num; a++)
    if (nest->accesses[a].reads && !is_kept(&t, a) &&
        ts_grid_is_wide(nest, &nest->accesses[a], inner, width))
      load_wide(code, build, &t, a, indices[a], &loaded[a * width]);
  for (int64_t j = 0; j < width; j++) {
    MlirValue *at = TS_NEW(arena, MlirValue, nest->num_accesses);
    MlirValue step = ts_make_index(build, j), outputs[TS_CUDA_OPERANDS], results[TS_CUDA_OPERANDS];
    MlirValue *given = TS_NEW(arena, MlirValue, num);
    for (int a = 0; a < num; a++)
      given[a] = loaded[a * width + j];
    t.kept = lane_of(code, kept, j);
    ts_thread_advance(&code->e, build, nest, 1, &inner, &step, indices, at);
    for (int o = 0; o < nest->num_outputs; o++) {
      int a = nest->num_inputs + o;
      outputs[o] = !nest->accesses[a].reads     ? (MlirValue){NULL}
                   : !mlirValueIsNull(given[a]) ? given[a]
                                                : ts_thread_load(&t, build, a, at[a]);
    }
    ts_thread_element(&t, build, at, given, outputs, results);
    for (int o = 0; o < nest->num_outputs; o++) {
      int a = nest->num_inputs + o;
      stored[a * width + j] = results[o];
      if (is_kept(&t, a) || !ts_grid_is_wide(nest, &nest->accesses[a], inner, width))
        ts_thread_store(&t, build, results[o], a, at[a]);
    }
  }
  for (int a = nest->num_inputs; a < num; a++)
    if (!is_kept(&t, a) && ts_grid_is_wide(nest, &nest->accesses[a], inner, width))
      store_wide(code, build, &t, a, indices[a], &stored[a * width]);
}

static void emit_wide(ts_cuda_code *code, const ts_maker *build, MlirValue step) {
  const ts_kernel *kernel = code->e.kernel;
  const ts_grid_loops *loops = code->grid.loops;
  MlirValue indices[TS_NEST_LOOPS];
  MlirValue **kept = make_kept(code, build);
  ts_thread_indices(&code->e, build, kernel->nests[0], loops[0].num_grid, loops[0].grid, step,
                    indices);
  for (int n = 0; n < kernel->num_nests; n++) {
    const ts_nest *nest = kernel->nests[n];
    MlirValue *at = TS_NEW(code->e.arena, MlirValue, nest->num_accesses);
    ts_maker here = *build;
    here.location = mlirOperationGetLocation(nest->op);
    ts_thread_advance(&code->e, &here, nest, loops[n].num_grid, loops[n].grid, indices, NULL, at);
    emit_wide_nest(code, &here, n, kept, at);
  }
}

/* i1: all memory that is accessed in 16 bytes begins at a multiple of them. */
static MlirValue is_aligned(ts_cuda_code *code, const ts_maker *build) {
  const ts_kernel *kernel = code->e.kernel;
  MlirType i64 = ts_i64_type(build->context);
  MlirValue bits = {NULL};
  bool *seen = TS_NEW(code->e.arena, bool, kernel->num_pointers);
  for (int n = 0; n < kernel->num_nests; n++) {
    const ts_nest *nest = kernel->nests[n];
    int inner = code->grid.loops[n].grid[code->grid.loops[n].num_grid - 1];
    for (int a = 0; a < nest->num_accesses; a++) {
      int p = kernel->pointer_of[n][a];
      if (p < 0 || seen[p] || mlirValueIsNull(code->pointers[p]) ||
          !ts_grid_is_wide(nest, &nest->accesses[a], inner, code->grid.width))
        continue;
      seen[p] = true;
      MlirValue address =
          ts_make_value(build, "llvm.ptrtoint", 1, &code->pointers[p], i64, 0, NULL);
      bits = mlirValueIsNull(bits) ? address : ts_make_binary(build, "arith.ori", bits, address);
    }
  }
  if (mlirValueIsNull(bits))
    return ts_make_constant(build, ts_int_attribute(mlirIntegerTypeGet(build->context, 1), 1));
  MlirValue low =
      ts_make_binary(build, "arith.andi", bits, ts_make_constant(build, ts_int_attribute(i64, 15)));
  return ts_make_compare(build, "arith.cmpi", EQUAL, low,
                         ts_make_constant(build, ts_int_attribute(i64, 0)));
}

static MlirValue negated(const ts_maker *build, MlirValue condition) {
  MlirType type = mlirValueGetType(condition);
  return ts_make_binary(build, "arith.xori", condition,
                        ts_make_constant(build, ts_int_attribute(type, 1)));
}

/* ---- the grid -------------------------------------------------------------------------------- */

void ts_cuda_emit_threads(ts_cuda_code *code, const ts_maker *build) {
  ts_emitter *e = &code->e;
  const ts_grid_loops *loops = &code->grid.loops[0];
  MlirValue number = ts_body_arithmetic(e, build, "arith.muli", code->block,
                                        ts_make_index(build, code->grid.threads));
  number = ts_body_arithmetic(e, build, "arith.addi", number, code->thread);
  MlirValue steps = ts_thread_extents(e, build, e->kernel->nests[0], loops->num_grid, loops->grid);
  if (code->grid.width == 1) {
    ts_maker inside =
        ts_make_if(build, ts_make_compare(build, "arith.cmpi", LESS_UNSIGNED, number, steps));
    emit_step(code, &inside, number);
    return;
  }
  MlirValue width = ts_make_index(build, code->grid.width);
  MlirValue first = ts_body_arithmetic(e, build, "arith.muli", number, width);
  MlirValue end = ts_body_arithmetic(e, build, "arith.addi", first, width);
  MlirValue wide =
      ts_make_binary(build, "arith.andi", is_aligned(code, build),
                     ts_make_compare(build, "arith.cmpi", LESS_OR_EQUAL_UNSIGNED, end, steps));
  ts_maker inside = ts_make_if(build, wide);
  emit_wide(code, &inside, first);
  ts_maker other = ts_make_if(build, negated(build, wide));
  ts_for each = ts_make_for(&other, first, ts_make_binary(&other, "arith.minui", end, steps),
                            ts_make_index(&other, 1), 0, NULL);
  ts_maker one = ts_make_at_end(each.body, build->location);
  emit_step(code, &one, each.iv);
  ts_make_yield(&one, 0, NULL);
}
