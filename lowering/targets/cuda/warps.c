/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Threads of a warp or a block come together: they wait for each other, and combine what each has.
 * It knows shuffles and barriers; it must not know nests' loops. */
#include "lowering/targets/cuda/warps.h"

#include "capi/capi.h"
#include "ir/control_flow.h"
#include "lowering/targets/combine.h"
#include "lowering/targets/cuda/thread.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

enum { LESS_UNSIGNED = 6, EQUAL = 0 }; /* arith's predicates */

/* ---- together -------------------------------------------------------------------------------- */

void ts_team_wait(const ts_team *m, const ts_maker *build) {
  if (m->code->grid.team == m->code->grid.threads) {
    ts_make_op(build, &(ts_new_op){.name = "gpu.barrier"});
    return;
  }
  MlirValue all = ts_make_llvm_int(build, 32, -1);
  ts_make_op(build,
             &(ts_new_op){.name = "nvvm.bar.warp.sync", .num_operands = 1, .operands = &all});
}

static MlirValue block_buffer(const ts_team *m, int64_t size, MlirType element) {
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

/* ---- from thread to thread of a warp --------------------------------------------------------- */

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
                                     mlirStringRefCreateFromCString("#nvvm<shfl_kind bfly>")));
  return ts_make_value(build, "nvvm.shfl.sync", 4, operands, bits_type(build, 32), 1, &kind);
}

/* What the thread has whose number in the warp differs in the bit `distance`, of any type that is a
 * number: word by word. */
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

/* Of `threads` neighbours each combines what it has with what another one has, then both with what
 * two others have, and so on: all of them have the same results, always in the same order. */
static void combine_neighbours(const ts_maker *build, const ts_nest *nest, int64_t threads,
                               MlirValue *parts) {
  for (int64_t half = threads / 2; half > 0; half /= 2)
    for (int o = 0; o < nest->num_outputs; o++)
      parts[o] =
          ts_make_binary(build, ts_combine_op(nest, o), parts[o], shuffle(build, parts[o], half));
}

/* Warps by themselves, then the block's warps. */
void ts_team_combine(const ts_team *m, const ts_maker *build, const ts_nest *nest,
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
  ts_team_wait(m, build);
  MlirValue own = ts_make_binary(build, "arith.remui", lane, ts_make_index(build, warps));
  for (int o = 0; o < nest->num_outputs; o++)
    parts[o] = load_part(build, buffers[o], own);
  combine_neighbours(build, nest, warps, parts);
}

/* ---- the grid -------------------------------------------------------------------------------- */

ts_maker ts_team_start(ts_cuda_code *code, const ts_maker *build, ts_team *m, MlirValue *step) {
  ts_emitter *e = &code->e;
  const ts_grid_loops *loops = &code->grid.loops[0];
  *m = (ts_team){code, ts_make_index(build, 0), code->thread};
  *step = code->block;
  if (code->grid.team == code->grid.threads)
    return *build;
  MlirValue size = ts_make_index(build, code->grid.team);
  m->number = ts_make_binary(build, "arith.divui", code->thread, size);
  m->lane = ts_make_binary(build, "arith.remui", code->thread, size);
  *step = ts_body_arithmetic(e, build, "arith.muli", code->block,
                             ts_make_index(build, code->grid.threads / code->grid.team));
  *step = ts_body_arithmetic(e, build, "arith.addi", *step, m->number);
  MlirValue steps = ts_thread_extents(e, build, e->kernel->nests[0], loops->num_grid, loops->grid);
  return ts_make_if(build, ts_make_compare(build, "arith.cmpi", LESS_UNSIGNED, *step, steps));
}
