/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Teams of threads, warps or blocks, do steps together: rows that are combined, and what uses what
 * came of that. It knows nests and barriers; it must not know how teams were chosen. */
#include "capi/capi.h"
#include "ir/control_flow.h"
#include "lowering/kernels/steps.h"
#include "lowering/targets/combine.h"
#include "lowering/targets/cuda/kernel_code.h"
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

static MlirValue block_buffer(const team *m, int64_t size, MlirType element) {
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

/* ---- from thread to thread of a warp ----------------------------------------------------------
 */

static MlirType bits_type(const ts_maker *build, unsigned width) {
  return mlirIntegerTypeGet(build->context, width);
}

static MlirValue as_type(const ts_maker *build, const char *op, MlirValue value, MlirType type) {
  return mlirTypeEqual(mlirValueGetType(value), type)
             ? value
             : ts_make_value(build, op, 1, &value, type, 0, NULL);
}

static MlirValue shifted(const ts_maker *build, const char *op, MlirValue bits, unsigned by) {
  return by == 0 ? bits
                 : ts_make_binary(
                       build, op, bits,
                       ts_make_constant(build, ts_int_attribute(mlirValueGetType(bits), by)));
}

static MlirValue shuffle_word(const ts_maker *build, MlirValue word, int64_t distance) {
  enum { LAST_LANE = TS_CUDA_WARP - 1 };
  MlirValue operands[] = {ts_make_llvm_int(build, 32, -1), word,
                          ts_make_llvm_int(build, 32, distance),
                          ts_make_llvm_int(build, 32, LAST_LANE)};
  MlirNamedAttribute kind =
      ts_named(build->context, "kind",
               mlirAttributeParseGet(build->context,
                                     mlirStringRefCreateFromCString("#nvvm<shfl_kind down>")));
  return ts_make_value(build, "nvvm.shfl.sync", 4, operands, bits_type(build, 32), 1, &kind);
}

/* What the thread `distance` further on in the warp has, of any type that is a number: word by
 * word. */
static MlirValue shuffle(const ts_maker *build, MlirValue value, int64_t distance) {
  enum { WORD = 32 };
  MlirType type = mlirValueGetType(value);
  bool is_index = mlirTypeIsAIndex(type);
  unsigned width = is_index                 ? 64
                   : mlirTypeIsAFloat(type) ? mlirFloatTypeGetWidth(type)
                                            : mlirIntegerTypeGetWidth(type);
  unsigned words = (width + WORD - 1) / WORD;
  MlirType own = bits_type(build, width), wide = bits_type(build, words * WORD);
  const char *cast = is_index ? "arith.index_cast" : "arith.bitcast";
  MlirValue bits = as_type(build, "arith.extui", as_type(build, cast, value, own), wide);
  MlirValue all = {NULL};
  for (unsigned w = 0; w < words; w++) {
    MlirValue word = as_type(build, "arith.trunci", shifted(build, "arith.shrui", bits, w * WORD),
                             bits_type(build, WORD));
    word = as_type(build, "arith.extui", shuffle_word(build, word, distance), wide);
    word = shifted(build, "arith.shli", word, w * WORD);
    all = mlirValueIsNull(all) ? word : ts_make_binary(build, "arith.ori", all, word);
  }
  return as_type(build, cast, as_type(build, "arith.trunci", all, own), type);
}

/* Half of `threads` neighbours add what the other half has, and so on: always in the same order.
 * The results are those of the first one. */
static void combine_neighbours(const ts_maker *build, const ts_nest *nest, int64_t threads,
                               MlirValue *parts) {
  for (int64_t half = threads / 2; half > 0; half /= 2)
    for (int o = 0; o < nest->num_outputs; o++)
      parts[o] =
          ts_make_binary(build, ts_combine_op(nest, o), parts[o], shuffle(build, parts[o], half));
}

/* Warps by themselves, then the block's warps. The results are the team's first thread's. */
static void combine_parts(const team *m, const ts_maker *build, const ts_nest *nest,
                          MlirValue *parts) {
  MlirValue buffers[TS_CUDA_OPERANDS];
  int64_t warps = m->code->grid.threads / TS_CUDA_WARP;
  combine_neighbours(build, nest, TS_CUDA_WARP, parts);
  if (m->code->grid.team == TS_CUDA_WARP)
    return;
  MlirValue size = ts_make_index(build, TS_CUDA_WARP);
  MlirValue lane = ts_make_binary(build, "arith.remui", m->code->thread, size);
  ts_maker first =
      ts_make_if(build, ts_make_compare(build, "arith.cmpi", EQUAL, lane, ts_make_index(build, 0)));
  MlirValue warp = ts_make_binary(&first, "arith.divui", m->code->thread, size);
  for (int o = 0; o < nest->num_outputs; o++) {
    buffers[o] = block_buffer(m, warps, mlirValueGetType(parts[o]));
    store_part(&first, buffers[o], warp, parts[o]);
  }
  wait_for_team(m, build);
  MlirValue own = ts_make_binary(build, "arith.remui", lane, ts_make_index(build, warps));
  for (int o = 0; o < nest->num_outputs; o++)
    parts[o] = load_part(build, buffers[o], own);
  combine_neighbours(build, nest, warps, parts);
}

/* ---- steps, shared by a team ------------------------------------------------------------------
 */

/* What a thread does at step `number` of those that its team shares. */
typedef struct shared_steps {
  const team *m;
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
static void emit_combined(const team *m, const ts_maker *build, const ts_thread *t,
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
  combine_parts(m, build, nest, parts);
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
  wait_for_team(steps->m, &inside);
  ts_make_yield(&inside, 0, NULL);
}

static void emit_nest(const team *m, const ts_maker *build, int n, const MlirValue *indices) {
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
      ts_make_if(build, ts_make_compare(build, "arith.cmpi", LESS_UNSIGNED, step, steps));
  emit_step(&m, &inside, step);
}
