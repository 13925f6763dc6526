/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Teams of threads, warps or blocks, do steps together: rows that are combined, and what uses what
 * came of that. It knows nests and barriers; it must not know how teams were chosen. */
#include "capi/capi.h"
#include "lowering/targets/cuda/combine.h"
#include "lowering/targets/cuda/steps.h"
#include "lowering/targets/cuda/thread.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

enum { LESS_UNSIGNED = 6, EQUAL = 0 }; /* arith's predicates */

typedef struct team {
  ts_cuda_code *code;
  MlirValue number, lane; /* of the team in the block, of the thread in the team */
} team;

/* ---- together -------------------------------------------------------------------------------- */

/* What threads of the team have written before, all of them see after. */
static void wait_for_team(const team *m, const ts_maker *build) {
  if (m->code->grid.team == m->code->grid.threads) {
    ts_make_op(build, &(ts_new_op){.name = "gpu.barrier"});
    return;
  }
  MlirValue all = ts_make_llvm_int(build, 32, -1);
  ts_make_op(build,
             &(ts_new_op){.name = "nvvm.bar.warp.sync", .num_operands = 1, .operands = &all});
}

static MlirValue block_buffer(const team *m, MlirType element) {
  int64_t size = m->code->grid.threads;
  MlirAttribute space = mlirAttributeParseGet(
      m->code->e.context, mlirStringRefCreateFromCString("#gpu.address_space<workgroup>"));
  return mlirBlockAddArgument(m->code->launched,
                              mlirMemRefTypeContiguousGet(element, 1, &size, space),
                              mlirLocationUnknownGet(m->code->e.context));
}

static MlirValue load_part(const ts_maker *build, MlirValue buffer, MlirValue index) {
  MlirValue operands[] = {buffer, index};
  return ts_make_value(build, "memref.load", 2, operands,
                       mlirShapedTypeGetElementType(mlirValueGetType(buffer)), 0, NULL);
}

static void store_part(const ts_maker *build, MlirValue buffer, MlirValue index, MlirValue value) {
  MlirValue operands[] = {value, buffer, index};
  ts_make_op(build, &(ts_new_op){.name = "memref.store", .num_operands = 3, .operands = operands});
}

/* Half of the threads add what the other half has, and so on: always in the same order. The
 * results are the first thread's. */
static void combine_parts(const team *m, const ts_maker *build, const ts_nest *nest,
                          MlirValue *parts) {
  ts_emitter *e = &m->code->e;
  MlirValue buffers[TS_CUDA_OPERANDS];
  int64_t size = m->code->grid.team;
  for (int o = 0; o < nest->num_outputs; o++) {
    buffers[o] = block_buffer(m, mlirValueGetType(parts[o]));
    store_part(build, buffers[o], m->code->thread, parts[o]);
  }
  for (int64_t half = size / 2; half > 0; half /= 2) {
    wait_for_team(m, build);
    ts_maker inside = ts_thread_if(build, ts_make_compare(build, "arith.cmpi", LESS_UNSIGNED,
                                                          m->lane, ts_make_index(build, half)));
    MlirValue other =
        ts_body_arithmetic(e, &inside, "arith.addi", m->code->thread, ts_make_index(&inside, half));
    for (int o = 0; o < nest->num_outputs; o++) {
      MlirValue own = load_part(&inside, buffers[o], m->code->thread);
      MlirValue both = ts_make_binary(&inside, ts_combine_op(nest, o), own,
                                      load_part(&inside, buffers[o], other));
      store_part(&inside, buffers[o], m->code->thread, both);
    }
  }
  wait_for_team(m, build);
  for (int o = 0; o < nest->num_outputs; o++)
    parts[o] = load_part(build, buffers[o], m->code->thread);
}

/* ---- nests ----------------------------------------------------------------------------------- */

/* Every thread its part of the reduction, at the parallel step that `indices` stand for. */
static void emit_combined(const team *m, const ts_maker *build, const ts_thread *t,
                          const ts_grid_loops *loops, const MlirValue *indices) {
  ts_emitter *e = t->e;
  const ts_nest *nest = t->nest;
  MlirValue parts[TS_CUDA_OPERANDS], at[TS_NEST_LOOPS], outputs[TS_CUDA_OPERANDS];
  for (int o = 0; o < nest->num_outputs; o++)
    parts[o] = ts_combine_neutral(
        build, ts_combine_op(nest, o),
        mlirValueGetType(mlirBlockGetArgument(nest->body, nest->num_inputs + o)));
  ts_for loop = ts_thread_for(
      build, m->lane, ts_thread_extents(e, build, nest, loops->num_reductions, loops->reductions),
      ts_make_index(build, m->code->grid.team), nest->num_outputs, parts);
  ts_maker inside = ts_make_at_end(loop.body, build->location);
  MlirValue *within = TS_NEW(e->arena, MlirValue, nest->num_accesses);
  ts_thread_indices(e, &inside, nest, loops->num_reductions, loops->reductions, loop.iv, at);
  ts_thread_advance(e, &inside, nest, loops->num_reductions, loops->reductions, at, indices,
                    within);
  for (int o = 0; o < nest->num_outputs; o++)
    parts[o] = mlirBlockGetArgument(loop.body, 1 + o);
  ts_thread_element(t, &inside, within, NULL, parts, outputs);
  ts_thread_yield(&inside, nest->num_outputs, outputs);
  for (int o = 0; o < nest->num_outputs; o++)
    parts[o] = mlirOperationGetResult(loop.op, o);
  combine_parts(m, build, nest, parts);
  ts_maker first = ts_thread_if(
      build, ts_make_compare(build, "arith.cmpi", EQUAL, m->lane, ts_make_index(build, 0)));
  ts_thread_load_outputs(t, &first, indices, outputs);
  for (int o = 0; o < nest->num_outputs; o++)
    if (!mlirValueIsNull(outputs[o]))
      parts[o] = ts_make_binary(&first, ts_combine_op(nest, o), outputs[o], parts[o]);
  ts_thread_store_outputs(t, &first, indices, parts);
}

/* Parallel steps beside those of the grid, `step` apart from `from` on. */
static ts_maker begin_parallel(ts_emitter *e, const ts_maker *build, const ts_thread *t,
                               const ts_grid_loops *loops, MlirValue from, int64_t step,
                               const MlirValue *indices, MlirValue *within) {
  MlirValue at[TS_NEST_LOOPS];
  ts_for loop = ts_thread_for(
      build, from, ts_thread_extents(e, build, t->nest, loops->num_parallel, loops->parallel),
      ts_make_index(build, step), 0, NULL);
  ts_maker inside = ts_make_at_end(loop.body, build->location);
  ts_thread_indices(e, &inside, t->nest, loops->num_parallel, loops->parallel, loop.iv, at);
  ts_thread_advance(e, &inside, t->nest, loops->num_parallel, loops->parallel, at, indices, within);
  return inside;
}

static void emit_nest(const team *m, const ts_maker *build, int n, const MlirValue *indices) {
  ts_emitter *e = &m->code->e;
  ts_thread t = {e, e->kernel->nests[n], n, NULL};
  const ts_grid_loops *loops = &m->code->grid.loops[n];
  MlirValue *within = TS_NEW(e->arena, MlirValue, t.nest->num_accesses);
  if (ts_grid_team_work(t.nest, loops) == TS_TEAM_COMBINES) {
    if (loops->num_parallel == 0) {
      emit_combined(m, build, &t, loops, indices);
      return;
    }
    ts_maker inside =
        begin_parallel(e, build, &t, loops, ts_make_index(build, 0), 1, indices, within);
    emit_combined(m, &inside, &t, loops, within);
    wait_for_team(m, &inside);
    ts_thread_yield(&inside, 0, NULL);
    return;
  }
  ts_maker inside =
      begin_parallel(e, build, &t, loops, m->lane, m->code->grid.team, indices, within);
  ts_thread_loops(&t, &inside, loops->num_reductions, loops->reductions, within);
  ts_thread_yield(&inside, 0, NULL);
}

/* ---- the grid -------------------------------------------------------------------------------- */

/* Memory of the kernel's own is as many times there as a block has teams. */
static void move_to_team(const team *m, const ts_maker *build, int n, MlirValue *indices) {
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

static void emit_step(const team *m, const ts_maker *build, MlirValue step) {
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
      wait_for_team(m, &here);
  }
}

void ts_cuda_emit_teams(ts_cuda_code *code, const ts_maker *build) {
  ts_emitter *e = &code->e;
  const ts_grid_loops *loops = &code->grid.loops[0];
  team m = {code, ts_make_index(build, 0), code->thread};
  if (code->grid.team == code->grid.threads) {
    emit_step(&m, build, code->block);
    return;
  }
  MlirValue size = ts_make_index(build, code->grid.team);
  m.number = ts_make_binary(build, "arith.divui", code->thread, size);
  m.lane = ts_make_binary(build, "arith.remui", code->thread, size);
  MlirValue step = ts_body_arithmetic(e, build, "arith.muli", code->block,
                                      ts_make_index(build, code->grid.threads / code->grid.team));
  step = ts_body_arithmetic(e, build, "arith.addi", step, m.number);
  MlirValue steps = ts_thread_extents(e, build, e->kernel->nests[0], loops->num_grid, loops->grid);
  ts_maker inside =
      ts_thread_if(build, ts_make_compare(build, "arith.cmpi", LESS_UNSIGNED, step, steps));
  emit_step(&m, &inside, step);
}
