/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Teams of threads, warps or blocks, do steps together: rows that are combined, and what uses what
 * came of that. It knows nests and barriers; it must not know how teams were chosen. */
#include "capi/capi.h"
#include "ir/control_flow.h"
#include "lowering/kernels/steps.h"
#include "lowering/targets/combine.h"
#include "lowering/targets/cuda/kernel_code.h"
#include "lowering/targets/cuda/thread.h"
#include "lowering/targets/cuda/warps.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

enum { EQUAL = 0 }; /* arith's predicate */

/* ---- steps, shared by a team ------------------------------------------------------------------
 */

/* What a thread does at step `number` of those that its team shares. */
typedef struct shared_steps {
  const ts_team *m;
  const ts_thread *t;
  const ts_grid_loops *loops;
  const MlirValue *indices; /* of the step of the grid */
} shared_steps;
typedef void step_body(const shared_steps *steps, const ts_maker *build, MlirValue number,
                       MlirValue *carried);

/* From `from` on, `unrolled` steps at a time, each `team` apart, before `to`. */
static void emit_loop(const shared_steps *steps, const ts_maker *build, MlirValue from,
                      MlirValue to, int64_t unrolled, int num, MlirValue *carried,
                      step_body *body) {
  ts_emitter *e = steps->t->e;
  int64_t team = steps->m->code->grid.team;
  ts_for loop = ts_make_for(build, from, to, ts_make_index(build, team * unrolled), num, carried);
  ts_maker inside = ts_make_at_end(loop.body, build->location);
  for (int o = 0; o < num; o++)
    carried[o] = mlirBlockGetArgument(loop.body, 1 + o);
  for (int64_t k = 0; k < unrolled; k++) {
    MlirValue number = k == 0 ? loop.iv
                              : ts_body_arithmetic(e, &inside, "arith.addi", loop.iv,
                                                   ts_make_index(&inside, k * team));
    body(steps, &inside, number, carried);
  }
  ts_make_yield(&inside, num, carried);
  for (int o = 0; o < num; o++)
    carried[o] = mlirOperationGetResult(loop.op, o);
}

/* All `extent` steps, of which the thread does each `team`th: several in a row without a branch
 * between them, so that as many loads are under way. `known` is the extent, or -1. */
static void emit_shared(const shared_steps *steps, const ts_maker *build, MlirValue extent,
                        int64_t known, int64_t unrolled, int num, MlirValue *carried,
                        step_body *body) {
  ts_emitter *e = steps->t->e;
  int64_t chunk = steps->m->code->grid.team * unrolled;
  MlirValue from = steps->m->lane;
  if (unrolled > 1 && (known < 0 || known >= chunk)) {
    MlirValue size = ts_make_index(build, chunk);
    MlirValue end = known < 0
                        ? ts_make_binary(build, "arith.muli",
                                         ts_make_binary(build, "arith.divui", extent, size), size)
                        : ts_make_index(build, known / chunk * chunk);
    emit_loop(steps, build, from, end, unrolled, num, carried, body);
    from = ts_body_arithmetic(e, build, "arith.addi", from, end);
  }
  if (known < 0 || unrolled == 1 || known % chunk != 0)
    emit_loop(steps, build, from, extent, 1, num, carried, body);
}

/* ---- nests ----------------------------------------------------------------------------------- */

/* Steps in a row: 16 bytes of the largest elements. */
static int64_t unrolled_of(const ts_nest *nest) {
  enum { BYTES = 16, MOST = 8 };
  int64_t most = BYTES / MOST;
  for (int a = 0; a < nest->num_accesses; a++) {
    const ts_access *access = &nest->accesses[a];
    int64_t bytes = access->memory ? ts_steps_element_bytes(access->memory) : 0;
    most = bytes > most ? bytes : most;
  }
  return most < BYTES ? BYTES / most : 1;
}

static void reduce_step(const shared_steps *steps, const ts_maker *build, MlirValue number,
                        MlirValue *parts) {
  ts_emitter *e = steps->t->e;
  const ts_nest *nest = steps->t->nest;
  const ts_grid_loops *loops = steps->loops;
  MlirValue at[TS_NEST_LOOPS], outputs[TS_CUDA_OPERANDS];
  MlirValue *within = TS_NEW(e->arena, MlirValue, nest->num_accesses);
  ts_thread_indices(e, build, nest, loops->num_reductions, loops->reductions, number, at);
  ts_thread_advance(e, build, nest, loops->num_reductions, loops->reductions, at, steps->indices,
                    within);
  ts_thread_element(steps->t, build, within, NULL, parts, outputs);
  for (int o = 0; o < nest->num_outputs; o++)
    parts[o] = outputs[o];
}

/* Every thread its part of the reduction, at the parallel step that `indices` stand for. */
static void emit_combined(const ts_team *m, const ts_maker *build, const ts_thread *t,
                          const ts_grid_loops *loops, const MlirValue *indices) {
  ts_emitter *e = t->e;
  const ts_nest *nest = t->nest;
  shared_steps steps = {m, t, loops, indices};
  MlirValue parts[TS_CUDA_OPERANDS], outputs[TS_CUDA_OPERANDS];
  for (int o = 0; o < nest->num_outputs; o++)
    parts[o] = ts_combine_neutral(
        build, ts_combine_op(nest, o),
        mlirValueGetType(mlirBlockGetArgument(nest->body, nest->num_inputs + o)));
  emit_shared(&steps, build,
              ts_thread_extents(e, build, nest, loops->num_reductions, loops->reductions),
              ts_thread_known_extents(nest, loops->num_reductions, loops->reductions),
              unrolled_of(nest), nest->num_outputs, parts, reduce_step);
  ts_team_combine(m, build, nest, parts);
  ts_maker first = ts_make_if(
      build, ts_make_compare(build, "arith.cmpi", EQUAL, m->lane, ts_make_index(build, 0)));
  ts_thread_load_outputs(t, &first, indices, outputs);
  for (int o = 0; o < nest->num_outputs; o++)
    if (!mlirValueIsNull(outputs[o]))
      parts[o] = ts_make_binary(&first, ts_combine_op(nest, o), outputs[o], parts[o]);
  ts_thread_store_outputs(t, &first, indices, parts);
}

/* The parallel step `number` beside those of the grid: the accesses there. */
static void advance_parallel(const shared_steps *steps, const ts_maker *build, MlirValue number,
                             MlirValue *within) {
  ts_emitter *e = steps->t->e;
  const ts_grid_loops *loops = steps->loops;
  MlirValue at[TS_NEST_LOOPS];
  ts_thread_indices(e, build, steps->t->nest, loops->num_parallel, loops->parallel, number, at);
  ts_thread_advance(e, build, steps->t->nest, loops->num_parallel, loops->parallel, at,
                    steps->indices, within);
}

static void element_step(const shared_steps *steps, const ts_maker *build, MlirValue number,
                         MlirValue *carried) {
  (void)carried;
  MlirValue *within = TS_NEW(steps->t->e->arena, MlirValue, steps->t->nest->num_accesses);
  advance_parallel(steps, build, number, within);
  ts_thread_loops(steps->t, build, steps->loops->num_reductions, steps->loops->reductions, within);
}

/* The whole team combines at each parallel step in turn. */
static void emit_combined_in_turn(const shared_steps *steps, const ts_maker *build,
                                  MlirValue extent) {
  ts_for loop =
      ts_make_for(build, ts_make_index(build, 0), extent, ts_make_index(build, 1), 0, NULL);
  ts_maker inside = ts_make_at_end(loop.body, build->location);
  MlirValue *within = TS_NEW(steps->t->e->arena, MlirValue, steps->t->nest->num_accesses);
  advance_parallel(steps, &inside, loop.iv, within);
  emit_combined(steps->m, &inside, steps->t, steps->loops, within);
  ts_team_wait(steps->m, &inside);
  ts_make_yield(&inside, 0, NULL);
}

static void emit_nest(const ts_team *m, const ts_maker *build, int n, const MlirValue *indices) {
  ts_emitter *e = &m->code->e;
  ts_thread t = {e, e->kernel->nests[n], n, NULL};
  const ts_grid_loops *loops = &m->code->grid.loops[n];
  shared_steps steps = {m, &t, loops, indices};
  bool combines = ts_grid_team_work(t.nest, loops) == TS_TEAM_COMBINES;
  if (combines && loops->num_parallel == 0) {
    emit_combined(m, build, &t, loops, indices);
    return;
  }
  MlirValue extent = ts_thread_extents(e, build, t.nest, loops->num_parallel, loops->parallel);
  if (combines) {
    emit_combined_in_turn(&steps, build, extent);
    return;
  }
  emit_shared(&steps, build, extent,
              ts_thread_known_extents(t.nest, loops->num_parallel, loops->parallel),
              loops->num_reductions == 0 ? unrolled_of(t.nest) : 1, 0, NULL, element_step);
}

/* ---- the grid -------------------------------------------------------------------------------- */

/* Memory of the kernel's own is as many times there as a block has teams. */
static void move_to_team(const ts_team *m, const ts_maker *build, int n, MlirValue *indices) {
  ts_emitter *e = &m->code->e;
  const ts_kernel *kernel = e->kernel;
  if (m->code->grid.team == m->code->grid.threads)
    return;
  for (int a = 0; a < kernel->nests[n]->num_accesses; a++) {
    int p = kernel->pointer_of[n][a];
    int64_t elements = p < 0 ? 0 : kernel->pointers[p].elements;
    if (!elements)
      continue;
    MlirValue start =
        ts_body_arithmetic(e, build, "arith.muli", m->number, ts_make_index(build, elements));
    indices[a] = mlirValueIsNull(indices[a])
                     ? start
                     : ts_body_arithmetic(e, build, "arith.addi", indices[a], start);
  }
}

static void emit_step(const ts_team *m, const ts_maker *build, MlirValue step) {
  ts_emitter *e = &m->code->e;
  const ts_kernel *kernel = e->kernel;
  const ts_grid_loops *loops = m->code->grid.loops;
  MlirValue indices[TS_NEST_LOOPS];
  ts_thread_indices(e, build, kernel->nests[0], loops[0].num_grid, loops[0].grid, step, indices);
  for (int n = 0; n < kernel->num_nests; n++) {
    ts_maker here = *build;
    here.location = mlirOperationGetLocation(kernel->nests[n]->op);
    MlirValue *at = TS_NEW(e->arena, MlirValue, kernel->nests[n]->num_accesses);
    ts_thread_advance(e, &here, kernel->nests[n], loops[n].num_grid, loops[n].grid, indices, NULL,
                      at);
    move_to_team(m, &here, n, at);
    emit_nest(m, &here, n, at);
    if (n + 1 < kernel->num_nests)
      ts_team_wait(m, &here);
  }
}

void ts_cuda_emit_teams(ts_cuda_code *code, const ts_maker *build) {
  ts_team m;
  MlirValue step;
  ts_maker inside = ts_team_start(code, build, &m, &step);
  emit_step(&m, &inside, step);
}
