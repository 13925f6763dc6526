/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* What one thread does of a nest: elements, and loops that it goes through alone. It knows nests
 * and scf; it must not know how threads share the rest. */
#include "lowering/targets/cuda/thread.h"

#include <string.h>

#include "capi/capi.h"
#include "ir/control_flow.h"
#include "lowering/targets/combine.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

/* ---- indices --------------------------------------------------------------------------------- */

MlirValue ts_thread_extents(ts_emitter *e, const ts_maker *build, const ts_nest *nest, int num,
                            const int *loops) {
  MlirValue total = {NULL};
  int64_t factor = 1;
  for (int i = 0; i < num; i++) {
    const ts_product *extent = &nest->loops[loops[i]].extent;
    if (ts_product_is_number(extent)) {
      factor *= extent->factor;
      continue;
    }
    MlirValue size = ts_body_number(e, build, extent);
    total = mlirValueIsNull(total) ? size : ts_body_arithmetic(e, build, "arith.muli", total, size);
  }
  if (mlirValueIsNull(total))
    return ts_make_index(build, factor);
  return factor == 1
             ? total
             : ts_body_arithmetic(e, build, "arith.muli", total, ts_make_index(build, factor));
}

int64_t ts_thread_known_extents(const ts_nest *nest, int num, const int *loops) {
  int64_t total = 1;
  for (int i = 0; i < num; i++) {
    int64_t extent = ts_product_number(&nest->loops[loops[i]].extent, -1);
    if (extent < 0 || __builtin_mul_overflow(total, extent, &total))
      return -1;
  }
  return total;
}

static MlirValue cast(const ts_maker *build, const char *name, MlirValue value, MlirType type) {
  return ts_make_value(build, name, 1, &value, type, 0, NULL);
}

/* Divisions of 32 bits are several times as fast as those of 64. */
static bool is_short(const ts_nest *nest, int num, const int *loops) {
  int64_t total = ts_thread_known_extents(nest, num, loops);
  return total >= 0 && total <= INT32_MAX;
}

void ts_thread_indices(ts_emitter *e, const ts_maker *build, const ts_nest *nest, int num,
                       const int *loops, MlirValue number, MlirValue *indices) {
  if (num == 0)
    return;
  if (num == 1) {
    indices[0] = number;
    return;
  }
  MlirType index = mlirIndexTypeGet(build->context), i32 = ts_i32_type(build->context);
  bool narrow = is_short(nest, num, loops);
  MlirValue rest = narrow ? cast(build, "arith.index_cast", number, i32) : number;
  for (int i = num - 1; i >= 0; i--) {
    const ts_product *extent = &nest->loops[loops[i]].extent;
    MlirValue part = rest;
    if (i > 0) {
      MlirValue size = narrow ? ts_make_constant(build, ts_int_attribute(i32, extent->factor))
                              : ts_body_number(e, build, extent);
      part = ts_make_binary(build, "arith.remui", rest, size);
      rest = ts_make_binary(build, "arith.divui", rest, size);
    }
    indices[i] = narrow ? cast(build, "arith.index_cast", part, index) : part;
  }
}

void ts_thread_advance(ts_emitter *e, const ts_maker *build, const ts_nest *nest, int num,
                       const int *loops, const MlirValue *indices, const MlirValue *from,
                       MlirValue *to) {
  for (int a = 0; a < nest->num_accesses; a++) {
    to[a] = from ? from[a] : (MlirValue){NULL};
    for (int i = 0; i < num; i++)
      to[a] = ts_body_advance(e, build, to[a], indices[i], &nest->accesses[a].strides[loops[i]]);
  }
}

/* ---- elements -------------------------------------------------------------------------------- */

bool ts_thread_may_keep(MlirType type) {
  return mlirTypeIsAFloat(type) || mlirTypeIsAIndex(type) ||
         (mlirTypeIsAInteger(type) && mlirIntegerTypeIsSignless(type));
}

MlirValue ts_thread_any_value(const ts_maker *build, MlirType type) {
  return ts_make_constant(build, mlirTypeIsAFloat(type)
                                     ? mlirFloatAttrDoubleGet(build->context, type, 0)
                                     : ts_int_attribute(type, 0));
}

static MlirValue place_of(ts_emitter *e, const ts_maker *build, const ts_access *access,
                          MlirValue index) {
  if (ts_product_is(&access->offset, 0))
    return mlirValueIsNull(index) ? ts_make_index(build, 0) : index;
  MlirValue offset = ts_body_number(e, build, &access->offset);
  return mlirValueIsNull(index) ? offset
                                : ts_body_arithmetic(e, build, "arith.addi", index, offset);
}

MlirValue ts_thread_load(const ts_thread *t, const ts_maker *build, int access, MlirValue index) {
  int pointer = t->e->kernel->pointer_of[t->number][access];
  if (t->kept && t->kept[pointer])
    return *t->kept[pointer];
  MlirValue operands[] = {t->e->memory[pointer],
                          place_of(t->e, build, &t->nest->accesses[access], index)};
  return ts_make_value(build, "memref.load", 2, operands, t->e->kernel->pointers[pointer].element,
                       0, NULL);
}

void ts_thread_store(const ts_thread *t, const ts_maker *build, MlirValue value, int access,
                     MlirValue index) {
  int pointer = t->e->kernel->pointer_of[t->number][access];
  if (t->kept && t->kept[pointer]) {
    *t->kept[pointer] = value;
    return;
  }
  MlirValue operands[] = {value, t->e->memory[pointer],
                          place_of(t->e, build, &t->nest->accesses[access], index)};
  ts_make_op(build, &(ts_new_op){.name = "memref.store", .num_operands = 3, .operands = operands});
}

void ts_thread_element(const ts_thread *t, const ts_maker *build, const MlirValue *indices,
                       const MlirValue *given, const MlirValue *outputs, MlirValue *results) {
  const ts_nest *nest = t->nest;
  MlirValue *arguments = TS_NEW(t->e->arena, MlirValue, nest->num_inputs + nest->num_outputs);
  for (int i = 0; i < nest->num_inputs; i++) {
    const ts_access *access = &nest->accesses[i];
    if (!access->memory)
      arguments[i] = ts_body_value(t->e, build, mlirOperationGetOperand(nest->op, i));
    else if (given && !mlirValueIsNull(given[i]))
      arguments[i] = given[i];
    else if (access->reads)
      arguments[i] = ts_thread_load(t, build, i, indices[i]);
  }
  for (int o = 0; o < nest->num_outputs; o++)
    arguments[nest->num_inputs + o] = outputs[o];
  ts_body_emit(t->e, build, nest, arguments, indices, results);
}

void ts_thread_load_outputs(const ts_thread *t, const ts_maker *build, const MlirValue *indices,
                            MlirValue *values) {
  for (int o = 0; o < t->nest->num_outputs; o++) {
    int a = t->nest->num_inputs + o;
    values[o] =
        t->nest->accesses[a].reads ? ts_thread_load(t, build, a, indices[a]) : (MlirValue){NULL};
  }
}

void ts_thread_store_outputs(const ts_thread *t, const ts_maker *build, const MlirValue *indices,
                             const MlirValue *values) {
  for (int o = 0; o < t->nest->num_outputs; o++) {
    int a = t->nest->num_inputs + o;
    ts_thread_store(t, build, values[o], a, indices[a]);
  }
}

/* ---- loops ----------------------------------------------------------------------------------- */

/* The first of the loops from which on all outputs stay in registers. */
static int first_carried(const ts_nest *nest, int num, const int *loops) {
  int first = num;
  if (!ts_nest_reads_outputs(nest))
    while (first > 0 && ts_nest_keeps_outputs(nest, loops[first - 1]))
      first--;
  return first;
}

static void emit_from(const ts_thread *t, const ts_maker *build, int num, const int *loops, int at,
                      int carried, const MlirValue *indices, MlirValue *outputs);

static void emit_loop(const ts_thread *t, const ts_maker *build, int num, const int *loops, int at,
                      int carried, const MlirValue *indices, MlirValue *outputs) {
  int num_carried = at >= carried ? t->nest->num_outputs : 0;
  ts_for loop = ts_make_for(build, ts_make_index(build, 0),
                            ts_body_number(t->e, build, &t->nest->loops[loops[at]].extent),
                            ts_make_index(build, 1), num_carried, outputs);
  ts_maker inside = ts_make_at_end(loop.body, build->location);
  MlirValue *within = TS_NEW(t->e->arena, MlirValue, t->nest->num_accesses);
  ts_thread_advance(t->e, &inside, t->nest, 1, &loops[at], &loop.iv, indices, within);
  MlirValue values[TS_CUDA_OPERANDS];
  for (int i = 0; i < num_carried; i++)
    values[i] = mlirBlockGetArgument(loop.body, 1 + i);
  emit_from(t, &inside, num, loops, at + 1, carried, within, values);
  ts_make_yield(&inside, num_carried, values);
  for (int i = 0; i < num_carried; i++)
    outputs[i] = mlirOperationGetResult(loop.op, i);
}

/* Loops from `at` on. Behind `carried` `outputs` are the values so far, and become those after. */
static void emit_from(const ts_thread *t, const ts_maker *build, int num, const int *loops, int at,
                      int carried, const MlirValue *indices, MlirValue *outputs) {
  MlirValue values[TS_CUDA_OPERANDS], results[TS_CUDA_OPERANDS];
  if (at < carried) {
    emit_loop(t, build, num, loops, at, carried, indices, NULL);
    return;
  }
  bool is_entry = at == carried;
  if (is_entry)
    ts_thread_load_outputs(t, build, indices, values);
  MlirValue *current = is_entry ? values : outputs;
  if (at < num) {
    emit_loop(t, build, num, loops, at, carried, indices, current);
  } else {
    ts_thread_element(t, build, indices, NULL, current, results);
    memcpy(current, results, sizeof(MlirValue) * (size_t)t->nest->num_outputs);
  }
  if (is_entry)
    ts_thread_store_outputs(t, build, indices, values);
}

void ts_thread_loops(const ts_thread *t, const ts_maker *build, int num, const int *loops,
                     const MlirValue *indices) {
  emit_from(t, build, num, loops, 0, first_carried(t->nest, num, loops), indices, NULL);
}
