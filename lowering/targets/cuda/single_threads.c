/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Each thread does steps by itself: one, or neighbouring ones with accesses of 16 bytes. It knows
 * nests; it must not know teams. */
#include "lowering/targets/cuda/kernel_code.h"

#include <stdlib.h>

#include "capi/capi.h"
#include "ir/control_flow.h"
#include "lowering/targets/cuda/thread.h"
#include "lowering/targets/cuda/wide.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

enum { LESS_UNSIGNED = 6, LESS_OR_EQUAL_UNSIGNED = 7 }; /* arith's predicates */

/* ---- memory that is one value ---------------------------------------------------------------- */

static bool may_keep(const ts_pointer *pointer) {
  return pointer->elements == 1 && ts_thread_may_keep(pointer->element);
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
      kept[p][j] = ts_thread_any_value(build, kernel->pointers[p].element);
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

static bool is_kept(const ts_thread *t, int access) {
  int pointer = t->e->kernel->pointer_of[t->number][access];
  return t->kept && pointer >= 0 && t->kept[pointer];
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
      ts_wide_load(code, build, &t, a, indices[a], width, &loaded[a * width]);
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
      ts_wide_store(code, build, &t, a, indices[a], width, &stored[a * width]);
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
  int *inner = TS_NEW(e->arena, int, e->kernel->num_nests);
  for (int n = 0; n < e->kernel->num_nests; n++)
    inner[n] = code->grid.loops[n].grid[code->grid.loops[n].num_grid - 1];
  MlirValue width = ts_make_index(build, code->grid.width);
  MlirValue first = ts_body_arithmetic(e, build, "arith.muli", number, width);
  MlirValue end = ts_body_arithmetic(e, build, "arith.addi", first, width);
  MlirValue wide =
      ts_make_binary(build, "arith.andi", ts_wide_is_aligned(code, build, inner, code->grid.width),
                     ts_make_compare(build, "arith.cmpi", LESS_OR_EQUAL_UNSIGNED, end, steps));
  ts_maker inside = ts_make_if(build, wide);
  emit_wide(code, &inside, first);
  ts_maker other = ts_make_if(build, ts_make_not(build, wide));
  ts_for each = ts_make_for(&other, first, ts_make_binary(&other, "arith.minui", end, steps),
                            ts_make_index(&other, 1), 0, NULL);
  ts_maker one = ts_make_at_end(each.body, build->location);
  emit_step(code, &one, each.iv);
  ts_make_yield(&one, 0, NULL);
}
