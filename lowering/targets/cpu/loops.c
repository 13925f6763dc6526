/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Kernels for CPUs: scalar loops that LLVM vectorizes. It knows nests and scf; it must not know how
 * kernels were formed. */
#include "lowering/targets/cpu/loops.h"

#include <string.h>

#include "capi/capi.h"
#include "ir/control_flow.h"
#include "lowering/targets/body.h"
#include "lowering/targets/cpu/levels.h"
#include "lowering/targets/cpu/split.h"
#include "lowering/targets/cpu/tap_maxima.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

enum { MOST_OPERANDS = 256 };

/* ---- loops ----------------------------------------------------------------------------------- */

typedef struct walk {
  const ts_nest *nest;
  int number; /* of the nest in the kernel */
  ts_levels levels;
} walk;

static MlirValue zero_index(const ts_maker *build, MlirValue index) {
  return mlirValueIsNull(index) ? ts_make_index(build, 0) : index;
}

static MlirValue load(ts_emitter *e, const ts_maker *build, int pointer, MlirValue index) {
  MlirValue operands[] = {e->memory[pointer], zero_index(build, index)};
  return ts_make_value(build, "memref.load", 2, operands, e->kernel->pointers[pointer].element, 0,
                       NULL);
}

static void store(ts_emitter *e, const ts_maker *build, MlirValue value, int pointer,
                  MlirValue index) {
  MlirValue operands[] = {value, e->memory[pointer], zero_index(build, index)};
  ts_make_op(build, &(ts_new_op){.name = "memref.store", .num_operands = 3, .operands = operands});
}

/* Indices that still lack the accesses' offsets get them. */
static MlirValue place_of(ts_emitter *e, const ts_maker *build, const ts_access *access,
                          MlirValue index) {
  if (ts_product_is(&access->offset, 0))
    return index;
  MlirValue offset = ts_body_number(e, build, &access->offset);
  return mlirValueIsNull(index) ? offset
                                : ts_body_arithmetic(e, build, "arith.addi", index, offset);
}

static void load_outputs(ts_emitter *e, const ts_maker *build, const walk *w,
                         const MlirValue *indices, MlirValue *values) {
  for (int o = 0; o < w->nest->num_outputs; o++) {
    int a = w->nest->num_inputs + o;
    values[o] = w->nest->accesses[a].reads
                    ? load(e, build, e->kernel->pointer_of[w->number][a],
                           place_of(e, build, &w->nest->accesses[a], indices[a]))
                    : (MlirValue){NULL};
  }
}

static void store_outputs(ts_emitter *e, const ts_maker *build, const walk *w,
                          const MlirValue *indices, const MlirValue *values) {
  for (int o = 0; o < w->nest->num_outputs; o++) {
    int a = w->nest->num_inputs + o;
    store(e, build, values[o], e->kernel->pointer_of[w->number][a],
          place_of(e, build, &w->nest->accesses[a], indices[a]));
  }
}

/* Input `i` of the body; null if it does not ask for it. */
static MlirValue input(ts_emitter *e, const ts_maker *build, const walk *w,
                       const MlirValue *indices, int i) {
  const ts_access *access = &w->nest->accesses[i];
  if (!access->memory)
    return ts_body_value(e, build, mlirOperationGetOperand(w->nest->op, i));
  if (!access->reads)
    return (MlirValue){NULL};
  return load(e, build, e->kernel->pointer_of[w->number][i],
              place_of(e, build, access, indices[i]));
}

static void emit_element(ts_emitter *e, const ts_maker *build, const walk *w,
                         const MlirValue *indices, const MlirValue *outputs, MlirValue *results) {
  const ts_nest *nest = w->nest;
  MlirValue *arguments = TS_NEW(e->arena, MlirValue, nest->num_inputs + nest->num_outputs);
  for (int i = 0; i < nest->num_inputs; i++)
    arguments[i] = input(e, build, w, indices, i);
  for (int o = 0; o < nest->num_outputs; o++)
    arguments[nest->num_inputs + o] = outputs[o];
  ts_body_emit(e, build, nest, arguments, indices, results);
}

/* Where the loop begins, and where it ends. */
static MlirValue first_step(ts_emitter *e, const ts_maker *build, int loop) {
  return loop == e->split ? e->from : ts_make_index(build, 0);
}

static MlirValue end_step(ts_emitter *e, const ts_maker *build, const ts_nest *nest, int loop) {
  return loop == e->split ? e->to : ts_body_number(e, build, &nest->loops[loop].extent);
}

/* The end of the tile that begins at `from`. */
static MlirValue tile_end(ts_emitter *e, const ts_maker *build, MlirValue from, const ts_nest *nest,
                          const ts_level *level) {
  const ts_product *extent = &nest->loops[level->loop].extent;
  MlirValue end =
      ts_body_arithmetic(e, build, "arith.addi", from, ts_make_index(build, level->tile));
  if (level->loop != e->split && extent->num == 0 && extent->factor % level->tile == 0)
    return end;
  return ts_make_binary(build, "arith.minsi", end, end_step(e, build, nest, level->loop));
}

static void emit_levels(ts_emitter *e, const ts_maker *build, const walk *w, int at,
                        const MlirValue *indices, MlirValue *outputs);

/* ---- picked steps ---------------------------------------------------------------------------- */

/* The first step of the loop that is picked; no step's number if there is none. */
static MlirValue picked_step(ts_emitter *e, const ts_maker *build, const walk *w,
                             const MlirValue *indices, const ts_pick *pick) {
  const ts_nest *nest = w->nest;
  MlirValue *arguments = TS_NEW(e->arena, MlirValue, nest->num_inputs + nest->num_outputs);
  for (int i = 0; i < nest->num_inputs; i++)
    if (pick->needs[i])
      arguments[i] = input(e, build, w, indices, i);
  MlirValue step = ts_body_emit_pick(e, build, nest, arguments, indices, pick);
  if (pick->bits >= 63)
    return step;
  return ts_make_binary(build, "arith.andi", step,
                        ts_make_index(build, (INT64_C(1) << pick->bits) - 1));
}

/* The levels inside, at step `step`; leaves `values` as these make them. */
static void emit_at_step(ts_emitter *e, const ts_maker *build, const walk *w, int at,
                         const MlirValue *indices, MlirValue step, MlirValue *values) {
  int loop = w->levels.levels[at].loop, num = w->nest->num_accesses;
  MlirValue *within = TS_NEW(e->arena, MlirValue, num);
  for (int a = 0; a < num; a++)
    within[a] = ts_body_advance(e, build, indices[a], step, &w->nest->accesses[a].strides[loop]);
  emit_levels(e, build, w, at + 1, within, values);
}

/* What is done if there is such a step, else nothing. */
static void emit_picked(ts_emitter *e, const ts_maker *build, const walk *w, int at,
                        const MlirValue *indices, MlirValue *outputs) {
  enum { UNSIGNED_LESS = 6 }; /* arith's number: what is below 0 is large */
  const ts_nest_loop *loop = &w->nest->loops[w->levels.levels[at].loop];
  int num_carried = at >= w->levels.first_carried ? w->nest->num_outputs : 0;
  MlirValue num = ts_body_number(e, build, &loop->extent);
  MlirValue step = picked_step(e, build, w, indices, loop->pick), values[MOST_OPERANDS];
  ts_maker inside;
  MlirOperation made;
  if (loop->pick->is_one) {
    MlirValue is_there = ts_make_compare(build, "arith.cmpi", UNSIGNED_LESS, step, num);
    ts_if chosen = ts_make_if_of(build, is_there, num_carried, outputs);
    inside = ts_make_at_end(chosen.then, build->location);
    made = chosen.op;
    for (int i = 0; i < num_carried; i++)
      values[i] = outputs[i];
  } else {
    MlirValue further = ts_make_index(build, INT64_C(1) << loop->pick->bits);
    ts_for all = ts_make_for(build, step, num, further, num_carried, outputs);
    inside = ts_make_at_end(all.body, build->location);
    made = all.op;
    step = all.iv;
    for (int i = 0; i < num_carried; i++)
      values[i] = mlirBlockGetArgument(all.body, 1 + i);
  }
  emit_at_step(e, &inside, w, at, indices, step, values);
  ts_make_yield(&inside, num_carried, values);
  for (int i = 0; i < num_carried; i++)
    outputs[i] = mlirOperationGetResult(made, i);
}

/* Minus zero, which adds nothing to any number. */
static MlirValue zero_like(const ts_maker *build, MlirValue value) {
  MlirNamedAttribute zero =
      ts_named(build->context, "value",
               mlirFloatAttrDoubleGet(build->context, mlirValueGetType(value), -0.0));
  return ts_make_value(build, "arith.constant", 0, NULL, mlirValueGetType(value), 1, &zero);
}

/* What LLVM is told of such loops. Told only not to unroll, it would take one vector at a time. */
static const char *const kept_as[] = {
    [TS_KEPT_VECTORS] =
        "#llvm.loop_annotation<unroll = <disable = true>, interleave = <count = 4 : i32>>",
    [TS_KEPT_SHORT] =
        "#llvm.loop_annotation<unroll = <disable = true>, vectorize = <disable = false>>",
    [TS_KEPT_SCALAR] =
        "#llvm.loop_annotation<unroll = <disable = true>, vectorize = <disable = true>>",
};

static void keep_loop(ts_emitter *e, ts_level_kept kept, MlirOperation loop) {
  if (kept == TS_KEPT_NOT)
    return;
  mlirOperationSetAttributeByName(
      loop, mlirStringRefCreateFromCString("llvm.loop_annotation"),
      mlirAttributeParseGet(e->context, mlirStringRefCreateFromCString(kept_as[kept])));
}

/* ---- steps without loops --------------------------------------------------------------------- */

typedef struct taps {
  int input, num;
  MlirValue values[TS_MOST_TAPS + 1];
} taps;

/* What the input is at each step of the levels from `at` on. */
static void load_taps(ts_emitter *e, const ts_maker *build, const walk *w, int at,
                      const MlirValue *indices, taps *taps) {
  const ts_access *access = &w->nest->accesses[taps->input];
  if (at == w->levels.num) {
    taps->values[taps->num++] = input(e, build, w, indices, taps->input);
    return;
  }
  int loop = w->levels.levels[at].loop;
  MlirValue *within = TS_NEW(e->arena, MlirValue, w->nest->num_accesses);
  for (int64_t step = 0; step < w->nest->loops[loop].extent.factor; step++) {
    within[taps->input] = ts_body_advance(e, build, indices[taps->input],
                                          ts_make_index(build, step), &access->strides[loop]);
    load_taps(e, build, w, at + 1, within, taps);
  }
}

/* The levels inside, once for each step of the loop; these carry the outputs. */
static void emit_unrolled(ts_emitter *e, const ts_maker *build, const walk *w, int at,
                          const MlirValue *indices, MlirValue *outputs) {
  taps taps = {.input = ts_tap_maxima_input(w->nest), .num = 1};
  if (taps.input >= 0 && at == w->levels.first_carried) {
    taps.values[0] = outputs[0];
    load_taps(e, build, w, at, indices, &taps);
    outputs[0] = ts_tap_maxima_of(build, w->nest, taps.num, taps.values);
    return;
  }
  int64_t steps = w->nest->loops[w->levels.levels[at].loop].extent.factor;
  for (int64_t step = 0; step < steps; step++)
    emit_at_step(e, build, w, at, indices, ts_make_index(build, step), outputs);
}

/* ---- levels ---------------------------------------------------------------------------------- */

/* One level as an scf.for; `outputs` are carried through if it is from first_carried on. */
static void emit_level(ts_emitter *e, const ts_maker *build, const walk *w, int at,
                       const MlirValue *indices, MlirValue *outputs) {
  const ts_level *l = &w->levels.levels[at];
  if (l->kind == TS_LEVEL_PICKED) {
    emit_picked(e, build, w, at, indices, outputs);
    return;
  }
  if (l->kind == TS_LEVEL_UNROLLED) {
    emit_unrolled(e, build, w, at, indices, outputs);
    return;
  }
  int num_carried = at >= w->levels.first_carried ? w->nest->num_outputs : 0;
  MlirValue from =
      l->kind == TS_LEVEL_IN_TILE ? e->tile_starts[l->loop] : first_step(e, build, l->loop);
  MlirValue to = l->kind == TS_LEVEL_IN_TILE ? tile_end(e, build, from, w->nest, l)
                                             : end_step(e, build, w->nest, l->loop);
  MlirValue before[MOST_OPERANDS];
  for (int i = 0; i < num_carried; i++) {
    before[i] = outputs[i];
    if (at == w->levels.sum_level)
      outputs[i] = zero_like(build, outputs[i]);
  }
  MlirValue step = ts_make_index(build, l->kind == TS_LEVEL_TILES ? l->tile : 1);
  ts_for made = ts_make_for(build, from, to, step, num_carried, outputs);
  keep_loop(e, l->kept, made.op);
  ts_maker inside = ts_make_at_end(made.body, build->location);
  MlirValue *within = TS_NEW(e->arena, MlirValue, w->nest->num_accesses);
  for (int a = 0; a < w->nest->num_accesses; a++)
    within[a] = l->kind == TS_LEVEL_TILES ? indices[a]
                                          : ts_body_advance(e, &inside, indices[a], made.iv,
                                                            &w->nest->accesses[a].strides[l->loop]);
  e->tile_starts[l->loop] = made.iv;
  MlirValue carried[MOST_OPERANDS];
  for (int i = 0; i < num_carried; i++)
    carried[i] = mlirBlockGetArgument(made.body, 1 + i);
  emit_levels(e, &inside, w, at + 1, within, carried);
  ts_make_yield(&inside, num_carried, carried);
  for (int i = 0; i < num_carried; i++) {
    outputs[i] = mlirOperationGetResult(made.op, i);
    if (at == w->levels.sum_level)
      outputs[i] = ts_make_binary(build, "arith.addf", before[i], outputs[i]);
  }
}

/* Levels from `at` on. Within carried ones `outputs` are the values so far, and become those after.
 */
static void emit_levels(ts_emitter *e, const ts_maker *build, const walk *w, int at,
                        const MlirValue *indices, MlirValue *outputs) {
  MlirValue values[MOST_OPERANDS];
  if (at < w->levels.first_carried && at < w->levels.num) {
    emit_level(e, build, w, at, indices, NULL);
    return;
  }
  bool is_entry = at == w->levels.first_carried;
  if (is_entry)
    load_outputs(e, build, w, indices, values);
  MlirValue *current = is_entry ? values : outputs;
  if (at < w->levels.num) {
    emit_level(e, build, w, at, indices, current);
  } else {
    MlirValue results[MOST_OPERANDS];
    emit_element(e, build, w, indices, current, results);
    memcpy(current, results, sizeof(MlirValue) * (size_t)w->nest->num_outputs);
  }
  if (is_entry)
    store_outputs(e, build, w, indices, values);
}

/* ---- the kernel ------------------------------------------------------------------------------ */

static void emit_nest(ts_emitter *e, const ts_maker *build, int n, const MlirValue *indices) {
  walk w = {.nest = e->kernel->nests[n], .number = n};
  ts_maker inside = *build;
  inside.location = mlirOperationGetLocation(w.nest->op);
  ts_levels_choose(w.nest, e->kernel->num_shared, &w.levels);
  emit_levels(e, &inside, &w, 0, indices, NULL);
}

/* The loops that all nests share, then one nest after the other. */
static void emit_shared(ts_emitter *e, const ts_maker *build, int at, MlirValue **indices) {
  const ts_kernel *kernel = e->kernel;
  if (at == kernel->num_shared) {
    for (int n = 0; n < kernel->num_nests; n++)
      emit_nest(e, build, n, indices[n]);
    return;
  }
  MlirValue to = end_step(e, build, kernel->nests[0], at);
  MlirValue from = first_step(e, build, at);
  ts_for made = ts_make_for(build, from, to, ts_make_index(build, 1), 0, NULL);
  ts_maker inside = ts_make_at_end(made.body, build->location);
  for (int n = 0; n < kernel->num_nests; n++)
    for (int a = 0; a < kernel->nests[n]->num_accesses; a++)
      indices[n][a] = ts_body_advance(e, &inside, indices[n][a], made.iv,
                                      &kernel->nests[n]->accesses[a].strides[at]);
  emit_shared(e, &inside, at + 1, indices);
  ts_make_yield(&inside, 0, NULL);
}

static MlirValue own_memory(const ts_maker *build, const ts_pointer *pointer) {
  int32_t segments[] = {0, 0};
  MlirNamedAttribute attributes[] = {
      ts_named(build->context, "operandSegmentSizes",
               mlirDenseI32ArrayGet(build->context, 2, segments)),
      ts_named(build->context, "alignment",
               mlirIntegerAttrGet(mlirIntegerTypeGet(build->context, 64), 64)),
  };
  return ts_make_value(build, "memref.alloca", 0, NULL,
                       ts_body_flat_type(pointer->element, pointer->elements), 2, attributes);
}

/* Loops stay functions of their own: LLVM's time grows faster than the size of a function, and
 * profilers tell them apart. */
static void keep_apart(const ts_kernel *kernel, MlirOperation function) {
  MlirContext context = mlirOperationGetContext(function);
  int num_loops = 0;
  for (int n = 0; n < kernel->num_nests; n++)
    num_loops += kernel->nests[n]->num_loops;
  MlirAttribute name = ts_text_attribute(context, "noinline");
  if (num_loops)
    mlirOperationSetAttributeByName(function, mlirStringRefCreateFromCString("passthrough"),
                                    mlirArrayAttrGet(context, 1, &name));
}

/* What one step of the loop costs. */
static MlirValue step_cost(ts_emitter *e, const ts_maker *build, int loop) {
  MlirValue sum = {NULL};
  for (int n = 0; n < e->kernel->num_nests; n++) {
    const ts_nest *nest = e->kernel->nests[n];
    MlirValue cost = ts_make_index(build, ts_split_cost(nest));
    for (int l = 0; l < nest->num_loops; l++)
      if (l != loop && !nest->loops[l].pick)
        cost = ts_body_arithmetic(e, build, "arith.muli", cost,
                                  ts_body_number(e, build, &nest->loops[l].extent));
    sum = n == 0 ? cost : ts_body_arithmetic(e, build, "arith.addi", sum, cost);
  }
  return sum;
}

/* The loop that threads share, if any: its ends are values that another stage makes others of. */
static void mark_split(ts_emitter *e, const ts_maker *build) {
  ts_split split = ts_split_choose(e->kernel);
  e->split = split.loop;
  if (split.loop < 0)
    return;
  MlirType index = mlirIndexTypeGet(e->context);
  MlirNamedAttribute from = ts_named(e->context, TS_SPLIT_FROM, mlirUnitAttrGet(e->context));
  MlirNamedAttribute to = ts_named(e->context, TS_SPLIT_TO, ts_int_attribute(index, split.unit));
  MlirValue zero = ts_make_index(build, 0);
  MlirValue product[] = {step_cost(e, build, split.loop), zero};
  MlirValue sum[] = {ts_body_number(e, build, &e->kernel->nests[0]->loops[split.loop].extent),
                     zero};
  e->from = ts_make_value(build, "arith.muli", 2, product, index, 1, &from);
  e->to = ts_make_value(build, "arith.addi", 2, sum, index, 1, &to);
}

static void emit(const ts_kernel *kernel, MlirOperation function) {
  keep_apart(kernel, function);
  MlirContext context = mlirOperationGetContext(function);
  ts_arena *arena = kernel->memories->arena;
  ts_emitter e = {.kernel = kernel, .arena = arena, .context = context};
  e.nsw = mlirAttributeParseGet(context, mlirStringRefCreateFromCString("#arith.overflow<nsw>"));
  e.symbols = TS_NEW(arena, MlirValue, kernel->memories->num_symbols);
  e.memory = TS_NEW(arena, MlirValue, kernel->num_pointers);
  MlirBlock entry = ts_function_entry(function);
  ts_maker build = ts_make_at_end(entry, mlirOperationGetLocation(function));
  intptr_t argument = 0;
  for (int p = 0; p < kernel->num_pointers; p++)
    e.memory[p] = kernel->pointers[p].elements
                      ? own_memory(&build, &kernel->pointers[p])
                      : ts_body_flat_memref(&build, mlirBlockGetArgument(entry, argument++),
                                            kernel->pointers[p].element);
  for (int s = 0; s < kernel->num_symbols; s++)
    e.symbols[kernel->symbols[s]] = mlirBlockGetArgument(entry, argument++);
  for (int c = 0; c < kernel->num_captured; c++)
    ts_body_know(&e, kernel->captured[c], mlirBlockGetArgument(entry, argument++));
  MlirValue **indices = TS_NEW(arena, MlirValue *, kernel->num_nests);
  for (int n = 0; n < kernel->num_nests; n++)
    indices[n] = TS_NEW(arena, MlirValue, kernel->nests[n]->num_accesses);
  mark_split(&e, &build);
  emit_shared(&e, &build, 0, indices);
  ts_make_op(&build, &(ts_new_op){.name = "func.return"});
}

/* A step fits a core's cache, and what it keeps a thread's stack. */
const ts_kernel_target ts_cpu_kernels = {.name = "cpu",
                                         .order = TS_NEST_NEAR_INNERMOST,
                                         .most_step_bytes = 128 << 10,
                                         .count = ts_steps_span,
                                         .most_private_bytes = 64 << 10,
                                         .picks_steps = true,
                                         .emit = emit};
