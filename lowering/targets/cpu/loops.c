/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Kernels for CPUs: scalar loops that LLVM vectorizes. Knows nests and scf, not how kernels were
 * formed. */
#include "lowering/targets/cpu/loops.h"

#include <string.h>

#include "capi/capi.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "support/map.h"

enum {
  TILE = 32,          /* of loops of which each goes through some memory in order */
  STRIP = 2048,       /* elements of a row that is combined with others: stays in cache */
  LEAST_BLOCKS = 4,   /* of a long sum */
  SUM_BLOCK = 4096,   /* elements that are summed up before they are added to the rest */
  MOST_OPERANDS = 256
};

/* One loop of the code. A loop of the nest is one of these, or two: one that goes from tile to
 * tile, and one inside the tile. */
typedef enum level_kind { LEVEL_FULL, LEVEL_TILES, LEVEL_IN_TILE } level_kind;
typedef struct level {
  level_kind kind;
  int loop;
  int64_t tile;
} level;

typedef struct emitter {
  const ts_kernel *kernel;
  ts_arena *arena;
  MlirContext context;
  MlirAttribute nsw;
  MlirValue *symbols;  /* by number */
  MlirValue *memory;   /* by pointer: a memref of one dimension */
  ts_map map;          /* values outside the kernel -> the same inside */
  MlirValue tile_starts[TS_NEST_LOOPS];
} emitter;

/* ---- numbers ----------------------------------------------------------------------------------
 */

static MlirValue arithmetic(emitter *e, const ts_maker *build, const char *name, MlirValue a,
                            MlirValue b) {
  MlirNamedAttribute flags = ts_named(e->context, "overflowFlags", e->nsw);
  MlirValue operands[] = {a, b};
  return ts_make_value(build, name, 2, operands, mlirIndexTypeGet(e->context), 1, &flags);
}

static MlirValue number(emitter *e, const ts_maker *build, const ts_product *product) {
  if (product->num == 0)
    return ts_make_index(build, product->factor);
  MlirValue value = e->symbols[product->symbols[0]];
  for (int i = 1; i < product->num; i++)
    value = arithmetic(e, build, "arith.muli", value, e->symbols[product->symbols[i]]);
  if (product->factor != 1)
    value = arithmetic(e, build, "arith.muli", value, ts_make_index(build, product->factor));
  return value;
}

/* sum + iv * stride. `sum` may be null: 0. */
static MlirValue advance(emitter *e, const ts_maker *build, MlirValue sum, MlirValue iv,
                         const ts_product *stride) {
  if (ts_product_is(stride, 0))
    return sum;
  MlirValue step = iv;
  if (!ts_product_is(stride, 1))
    step = arithmetic(e, build, "arith.muli", iv, number(e, build, stride));
  return mlirValueIsNull(sum) ? step : arithmetic(e, build, "arith.addi", sum, step);
}

/* ---- bodies -----------------------------------------------------------------------------------
 */

static void map_to(emitter *e, ts_map *map, MlirValue value, MlirValue inside) {
  ts_map_set(map, e->arena, value.ptr, (void *)(uintptr_t)inside.ptr);
}

static MlirValue mapped(emitter *e, ts_map *locals, const ts_maker *build, MlirValue value) {
  void *known = ts_map_get(locals, value.ptr);
  if (!known)
    known = ts_map_get(&e->map, value.ptr);
  if (known)
    return (MlirValue){known};
  MlirOperation op = ts_defining_op(value);
  if (!op.ptr || !ts_op_is_constant_like(op))
    return value; /* inside the body's own regions */
  MlirOperation copy = mlirOperationClone(op);
  if (build->before.ptr)
    mlirBlockInsertOwnedOperationBefore(build->block, build->before, copy);
  else
    mlirBlockAppendOwnedOperation(build->block, copy);
  return mlirOperationGetResult(copy, 0);
}

typedef struct remapping {
  emitter *e;
  ts_map *locals;
  const ts_maker *build; /* before the copied op */
  const ts_nest *nest;
  const MlirValue *indices; /* by access: values of the nest's loops */
} remapping;

static MlirValue loop_index(const remapping *r, MlirOperation op) {
  int64_t dim = ts_op_int(op, "dim", 0);
  const ts_nest *nest = r->nest;
  for (int a = nest->num_inputs + nest->num_outputs; a < nest->num_accesses; a++)
    if (nest->index_loops[a] == dim && !mlirValueIsNull(r->indices[a]))
      return r->indices[a];
  return ts_make_index(r->build, 0);
}

static MlirWalkResult remap_operands(MlirOperation op, void *user) {
  const remapping *r = user;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++)
    mlirOperationSetOperand(
        op, i, mapped(r->e, r->locals, r->build, mlirOperationGetOperand(op, i)));
  if (ts_op_is(op, "linalg.index") && mlirOperationGetNumResults(op) == 1)
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, 0), loop_index(r, op));
  return MlirWalkResultAdvance;
}

static void erase_index(MlirOperation op, void *user) {
  (void)user;
  if (ts_op_is(op, "linalg.index"))
    mlirOperationDestroy(op);
}

/* The body for one element: `arguments` are its block's; stores what it yields in `results`. */
static void emit_body(emitter *e, const ts_maker *build, const ts_nest *nest,
                      const MlirValue *arguments, const MlirValue *indices, MlirValue *results) {
  ts_map locals = {0};
  for (int i = 0; i < nest->num_inputs + nest->num_outputs; i++)
    if (!mlirValueIsNull(arguments[i]) && i < mlirBlockGetNumArguments(nest->body))
      map_to(e, &locals, mlirBlockGetArgument(nest->body, i), arguments[i]);
  remapping r = {e, &locals, build, nest, indices};
  for (MlirOperation op = mlirBlockGetFirstOperation(nest->body); op.ptr;
       op = mlirOperationGetNextInBlock(op)) {
    if (ts_op_is(op, "linalg.yield")) {
      for (int i = 0; i < nest->num_outputs; i++)
        results[i] = mapped(e, &locals, build, mlirOperationGetOperand(op, i));
      return;
    }
    if (ts_op_is(op, "linalg.index")) {
      map_to(e, &locals, mlirOperationGetResult(op, 0), loop_index(&r, op));
      continue;
    }
    MlirOperation copy = mlirOperationClone(op);
    /* Constants that it needs come before it. */
    mlirBlockAppendOwnedOperation(build->block, copy);
    ts_maker before = *build;
    before.before = copy;
    r.build = &before;
    mlirOperationWalk(copy, remap_operands, &r, MlirWalkPreOrder);
    if (mlirOperationGetNumRegions(copy))
      ts_each_op(copy, erase_index, NULL);
    r.build = build;
    for (intptr_t i = 0; i < mlirOperationGetNumResults(op); i++)
      map_to(e, &locals, mlirOperationGetResult(op, i), mlirOperationGetResult(copy, i));
  }
}

/* ---- loops ------------------------------------------------------------------------------------
 */

typedef struct walk {
  const ts_nest *nest;
  int number; /* of the nest in the kernel */
  int num_levels;
  const level *levels;
  int first_carried; /* levels from here on carry the outputs in registers */
  int sum_level;     /* this one adds up what it carries from zero; -1: none */
} walk;

static MlirValue zero_index(const ts_maker *build, MlirValue index) {
  return mlirValueIsNull(index) ? ts_make_index(build, 0) : index;
}

static MlirValue load(emitter *e, const ts_maker *build, int pointer, MlirValue index) {
  MlirValue operands[] = {e->memory[pointer], zero_index(build, index)};
  return ts_make_value(build, "memref.load", 2, operands, e->kernel->pointers[pointer].element, 0,
                       NULL);
}

static void store(emitter *e, const ts_maker *build, MlirValue value, int pointer,
                  MlirValue index) {
  MlirValue operands[] = {value, e->memory[pointer], zero_index(build, index)};
  ts_make_op(build, &(ts_new_op){.name = "memref.store", .num_operands = 3, .operands = operands});
}

/* Indices that still lack the accesses' offsets get them. */
static MlirValue place_of(emitter *e, const ts_maker *build, const ts_access *access,
                          MlirValue index) {
  if (ts_product_is(&access->offset, 0))
    return index;
  MlirValue offset = number(e, build, &access->offset);
  return mlirValueIsNull(index) ? offset : arithmetic(e, build, "arith.addi", index, offset);
}

static void load_outputs(emitter *e, const ts_maker *build, const walk *w, const MlirValue *indices,
                         MlirValue *values) {
  for (int o = 0; o < w->nest->num_outputs; o++) {
    int a = w->nest->num_inputs + o;
    values[o] =
        w->nest->accesses[a].reads
            ? load(e, build, e->kernel->pointer_of[w->number][a],
                   place_of(e, build, &w->nest->accesses[a], indices[a]))
            : (MlirValue){NULL};
  }
}

static void store_outputs(emitter *e, const ts_maker *build, const walk *w,
                          const MlirValue *indices, const MlirValue *values) {
  for (int o = 0; o < w->nest->num_outputs; o++) {
    int a = w->nest->num_inputs + o;
    store(e, build, values[o], e->kernel->pointer_of[w->number][a],
          place_of(e, build, &w->nest->accesses[a], indices[a]));
  }
}

static void emit_element(emitter *e, const ts_maker *build, const walk *w, const MlirValue *indices,
                         const MlirValue *outputs, MlirValue *results) {
  const ts_nest *nest = w->nest;
  MlirValue *arguments = TS_NEW(e->arena, MlirValue, nest->num_inputs + nest->num_outputs);
  for (int i = 0; i < nest->num_inputs; i++) {
    const ts_access *access = &nest->accesses[i];
    if (!access->memory)
      arguments[i] = mapped(e, &e->map, build, mlirOperationGetOperand(nest->op, i));
    else if (access->reads)
      arguments[i] = load(e, build, e->kernel->pointer_of[w->number][i],
                          place_of(e, build, access, indices[i]));
  }
  for (int o = 0; o < nest->num_outputs; o++)
    arguments[nest->num_inputs + o] = outputs[o];
  emit_body(e, build, nest, arguments, indices, results);
}

typedef struct for_loop {
  MlirOperation op;
  MlirBlock body;
  MlirValue iv;
} for_loop;

static for_loop make_for(const ts_maker *build, MlirValue from, MlirValue to, int64_t step,
                         int num_carried, const MlirValue *carried) {
  MlirType types[1 + MOST_OPERANDS] = {mlirIndexTypeGet(build->context)};
  MlirLocation locations[1 + MOST_OPERANDS] = {build->location};
  MlirValue operands[3 + MOST_OPERANDS] = {from, to, ts_make_index(build, step)};
  for (int i = 0; i < num_carried; i++) {
    types[1 + i] = mlirValueGetType(carried[i]);
    locations[1 + i] = build->location;
    operands[3 + i] = carried[i];
  }
  MlirBlock body = mlirBlockCreate(1 + num_carried, types, locations);
  MlirRegion region = mlirRegionCreate();
  mlirRegionAppendOwnedBlock(region, body);
  MlirOperation op = ts_make_op(build, &(ts_new_op){.name = "scf.for",
                                                .num_operands = 3 + num_carried,
                                                .operands = operands,
                                                .num_results = num_carried,
                                                .results = types + 1,
                                                .region = region});
  return (for_loop){op, body, mlirBlockGetArgument(body, 0)};
}

static void yield(const ts_maker *build, int num, const MlirValue *values) {
  ts_make_op(build, &(ts_new_op){.name = "scf.yield", .num_operands = num, .operands = values});
}

/* The end of the tile that begins at `from`. */
static MlirValue tile_end(emitter *e, const ts_maker *build, MlirValue from, const ts_loop *loop,
                          int64_t tile) {
  MlirValue end = arithmetic(e, build, "arith.addi", from, ts_make_index(build, tile));
  if (loop->extent.num == 0 && loop->extent.factor % tile == 0)
    return end;
  return ts_make_binary(build, "arith.minsi", end, number(e, build, &loop->extent));
}

static void emit_levels(emitter *e, const ts_maker *build, const walk *w, int at,
                        const MlirValue *indices, MlirValue *outputs);

static MlirValue zero_like(const ts_maker *build, MlirValue value) {
  MlirNamedAttribute zero = ts_named(
      build->context, "value", mlirFloatAttrDoubleGet(build->context, mlirValueGetType(value), 0));
  return ts_make_value(build, "arith.constant", 0, NULL, mlirValueGetType(value), 1, &zero);
}

/* One level as an scf.for; `outputs` are carried through if it is from first_carried on. */
static void emit_level(emitter *e, const ts_maker *build, const walk *w, int at,
                       const MlirValue *indices, MlirValue *outputs) {
  const level *l = &w->levels[at];
  const ts_loop *loop = &w->nest->loops[l->loop];
  int num_carried = at >= w->first_carried ? w->nest->num_outputs : 0;
  MlirValue from = l->kind == LEVEL_IN_TILE ? e->tile_starts[l->loop] : ts_make_index(build, 0);
  MlirValue to = l->kind == LEVEL_IN_TILE ? tile_end(e, build, from, loop, l->tile)
                                          : number(e, build, &loop->extent);
  MlirValue before[MOST_OPERANDS];
  for (int i = 0; i < num_carried; i++) {
    before[i] = outputs[i];
    if (at == w->sum_level)
      outputs[i] = zero_like(build, outputs[i]);
  }
  for_loop made =
      make_for(build, from, to, l->kind == LEVEL_TILES ? l->tile : 1, num_carried, outputs);
  ts_maker inside = ts_make_at_end(made.body, build->location);
  MlirValue *within = TS_NEW(e->arena, MlirValue, w->nest->num_accesses);
  for (int a = 0; a < w->nest->num_accesses; a++)
    within[a] = l->kind == LEVEL_TILES ? indices[a]
                                       : advance(e, &inside, indices[a], made.iv,
                                                 &w->nest->accesses[a].strides[l->loop]);
  e->tile_starts[l->loop] = made.iv;
  MlirValue carried[MOST_OPERANDS];
  for (int i = 0; i < num_carried; i++)
    carried[i] = mlirBlockGetArgument(made.body, 1 + i);
  emit_levels(e, &inside, w, at + 1, within, carried);
  yield(&inside, num_carried, carried);
  for (int i = 0; i < num_carried; i++) {
    outputs[i] = mlirOperationGetResult(made.op, i);
    if (at == w->sum_level)
      outputs[i] = ts_make_binary(build, "arith.addf", before[i], outputs[i]);
  }
}

/* Levels from `at` on. Within carried ones `outputs` are the values so far, and become those after.
 */
static void emit_levels(emitter *e, const ts_maker *build, const walk *w, int at,
                        const MlirValue *indices, MlirValue *outputs) {
  MlirValue values[MOST_OPERANDS];
  if (at < w->first_carried && at < w->num_levels) {
    emit_level(e, build, w, at, indices, NULL);
    return;
  }
  bool is_entry = at == w->first_carried;
  if (is_entry)
    load_outputs(e, build, w, indices, values);
  MlirValue *current = is_entry ? values : outputs;
  if (at < w->num_levels) {
    emit_level(e, build, w, at, indices, current);
  } else {
    MlirValue results[MOST_OPERANDS];
    emit_element(e, build, w, indices, current, results);
    memcpy(current, results, sizeof(MlirValue) * (size_t)w->nest->num_outputs);
  }
  if (is_entry)
    store_outputs(e, build, w, indices, values);
}

/* ---- choosing levels --------------------------------------------------------------------------
 */

static int64_t far(const ts_product *stride) {
  int64_t number = ts_product_number(stride, INT64_MAX);
  return number < 0 ? -number : number;
}

static int64_t steps(const ts_loop *loop) {
  return ts_product_number(&loop->extent, INT64_MAX);
}

/* A loop other than the innermost one that goes through some memory in order, in which the
 * innermost takes large steps; -1 if there is none. */
static int crossing_loop(const ts_nest *nest, int first) {
  int inner = nest->num_loops - 1;
  for (int a = 0; a < nest->num_inputs; a++) {
    const ts_access *access = &nest->accesses[a];
    if (!access->memory || far(&access->strides[inner]) < 16)
      continue;
    for (int l = first; l < inner; l++)
      if (ts_product_is(&access->strides[l], 1) && steps(&nest->loops[l]) > TILE &&
          steps(&nest->loops[inner]) > TILE)
        return l;
  }
  return -1;
}

static bool all_parallel(const ts_nest *nest, int first) {
  for (int l = first; l < nest->num_loops; l++)
    if (nest->loops[l].is_reduction)
      return false;
  return true;
}

static int tiled_levels(const ts_nest *nest, int first, int crossing, level *levels) {
  int inner = nest->num_loops - 1, num = 0;
  for (int l = first; l < inner; l++)
    levels[num++] = (level){l == crossing ? LEVEL_TILES : LEVEL_FULL, l, TILE};
  levels[num++] = (level){LEVEL_TILES, inner, TILE};
  levels[num++] = (level){LEVEL_IN_TILE, crossing, TILE};
  levels[num++] = (level){LEVEL_IN_TILE, inner, TILE};
  return num;
}

static int plain_levels(const ts_nest *nest, int first, level *levels) {
  int inner = nest->num_loops - 1, num = 0, reduction = -1;
  for (int l = inner; l >= first; l--)
    if (nest->loops[l].is_reduction)
      reduction = l;
  /* A long row that others are added to is done in strips. */
  bool strips = reduction >= 0 && !nest->loops[inner].is_reduction &&
                steps(&nest->loops[inner]) > 2 * STRIP;
  for (int l = first; l < nest->num_loops; l++) {
    if (strips && l == reduction)
      levels[num++] = (level){LEVEL_TILES, inner, STRIP};
    levels[num++] = (level){strips && l == inner ? LEVEL_IN_TILE : LEVEL_FULL, l, STRIP};
  }
  return num;
}

static int choose_levels(const ts_nest *nest, int first, level *levels) {
  int crossing = all_parallel(nest, first) ? crossing_loop(nest, first) : -1;
  return crossing >= 0 ? tiled_levels(nest, first, crossing, levels)
                       : plain_levels(nest, first, levels);
}

/* From which level on all outputs stay where they are. */
static int first_carried(const ts_nest *nest, int num, const level *levels) {
  int first = num;
  for (; first > 0; first--) {
    const level *l = &levels[first - 1];
    if (l->kind != LEVEL_FULL || !nest->loops[l->loop].is_reduction)
      break;
    for (int o = 0; o < nest->num_outputs; o++) {
      const ts_access *access = &nest->accesses[nest->num_inputs + o];
      if (!access->reads || !ts_product_is(&access->strides[l->loop], 0))
        return first;
    }
  }
  return first;
}

/* ---- long sums --------------------------------------------------------------------------------
 */

/* The body adds a value to each output, in an order that may change. */
static bool is_sum(const ts_nest *nest) {
  MlirOperation yielded = mlirBlockGetTerminator(nest->body);
  for (int o = 0; o < nest->num_outputs; o++) {
    MlirOperation add = ts_defining_op(mlirOperationGetOperand(yielded, o));
    MlirValue argument = mlirBlockGetArgument(nest->body, nest->num_inputs + o);
    MlirOpOperand use = mlirValueGetFirstUse(argument);
    if (!add.ptr || !ts_op_is(add, "arith.addf") || mlirOpOperandIsNull(use) ||
        !mlirOperationEqual(mlirOpOperandGetOwner(use), add) ||
        !mlirOpOperandIsNull(mlirOpOperandGetNextUse(use)))
      return false;
    MlirAttribute flags = ts_attribute(add, "fastmath");
    if (mlirAttributeIsNull(flags) ||
        mlirAttributeEqual(flags, mlirAttributeParseGet(
                                      mlirOperationGetContext(add),
                                      mlirStringRefCreateFromCString("#arith.fastmath<none>"))))
      return false;
  }
  return true;
}

/* Splits a last loop that adds up many values, so that rounding grows with blocks rather than
 * values. */
static bool split_sum(ts_nest *nest) {
  int last = nest->num_loops - 1;
  if (last < 0 || !nest->loops[last].is_reduction || !is_sum(nest))
    return false;
  int64_t extent = ts_product_number(&nest->loops[last].extent, 0);
  if (extent < LEAST_BLOCKS * SUM_BLOCK)
    return false;
  for (int64_t block = SUM_BLOCK; block >= SUM_BLOCK / 8; block--)
    if (extent % block == 0) {
      ts_product inner = ts_product_of_number(block);
      return ts_nest_split(nest, last, &inner);
    }
  return false;
}

/* ---- the kernel -------------------------------------------------------------------------------
 */

static void emit_nest(emitter *e, const ts_maker *build, int n, const MlirValue *indices) {
  ts_nest *nest = e->kernel->nests[n];
  level levels[2 * TS_NEST_LOOPS];
  bool in_blocks = split_sum(nest);
  int num = choose_levels(nest, e->kernel->num_shared, levels);
  walk w = {.nest = nest,
            .number = n,
            .num_levels = num,
            .levels = levels,
            .first_carried = first_carried(nest, num, levels),
            .sum_level = -1};
  if (in_blocks && w.first_carried <= num - 2)
    w.sum_level = num - 1;
  emit_levels(e, build, &w, 0, indices, NULL);
}

/* The loops that all nests share, then one nest after the other. */
static void emit_shared(emitter *e, const ts_maker *build, int at, MlirValue **indices) {
  const ts_kernel *kernel = e->kernel;
  if (at == kernel->num_shared) {
    for (int n = 0; n < kernel->num_nests; n++)
      emit_nest(e, build, n, indices[n]);
    return;
  }
  for_loop made = make_for(build, ts_make_index(build, 0),
                           number(e, build, &kernel->nests[0]->loops[at].extent), 1, 0, NULL);
  ts_maker inside = ts_make_at_end(made.body, build->location);
  for (int n = 0; n < kernel->num_nests; n++)
    for (int a = 0; a < kernel->nests[n]->num_accesses; a++)
      indices[n][a] = advance(e, &inside, indices[n][a], made.iv,
                              &kernel->nests[n]->accesses[a].strides[at]);
  emit_shared(e, &inside, at + 1, indices);
  yield(&inside, 0, NULL);
}

static MlirType flat_type(MlirType element, int64_t size) {
  return mlirMemRefTypeContiguousGet(element, 1, &size, mlirAttributeGetNull());
}

static MlirValue insert(const ts_maker *build, MlirValue container, MlirValue value, int num,
                        const int64_t *position) {
  MlirNamedAttribute at =
      ts_named(build->context, "position", mlirDenseI64ArrayGet(build->context, num, position));
  MlirValue operands[] = {container, value};
  return ts_make_value(build, "llvm.insertvalue", 2, operands, mlirValueGetType(container), 1, &at);
}

/* A memref that begins at `pointer`. */
static MlirValue flat_memref(const ts_maker *build, MlirValue pointer, MlirType element) {
  MlirType type = ts_descriptor_type(build->context, 1);
  MlirValue d = ts_make_value(build, "llvm.mlir.poison", 0, NULL, type, 0, NULL);
  const int64_t members[][2] = {{0}, {1}, {2}, {3, 0}, {4, 0}};
  MlirValue zero = ts_make_llvm_int(build, 64, 0), one = ts_make_llvm_int(build, 64, 1);
  const MlirValue values[] = {pointer, pointer, zero, one, one};
  for (int i = 0; i < 5; i++)
    d = insert(build, d, values[i], i < 3 ? 1 : 2, members[i]);
  return ts_make_cast(build, d, flat_type(element, mlirShapedTypeGetDynamicSize()));
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
                       flat_type(pointer->element, pointer->elements), 2, attributes);
}

static void emit(const ts_kernel *kernel, int num_symbols, const int *symbols,
                 MlirOperation function) {
  MlirContext context = mlirOperationGetContext(function);
  ts_arena *arena = kernel->memories->arena;
  emitter e = {.kernel = kernel, .arena = arena, .context = context};
  e.nsw = mlirAttributeParseGet(context, mlirStringRefCreateFromCString("#arith.overflow<nsw>"));
  e.symbols = TS_NEW(arena, MlirValue, kernel->memories->num_symbols);
  e.memory = TS_NEW(arena, MlirValue, kernel->num_pointers);
  MlirBlock entry = ts_function_entry(function);
  ts_maker build = ts_make_at_end(entry, mlirLocationUnknownGet(context));
  intptr_t argument = 0;
  for (int p = 0; p < kernel->num_pointers; p++)
    e.memory[p] =
        kernel->pointers[p].elements
            ? own_memory(&build, &kernel->pointers[p])
            : flat_memref(&build, mlirBlockGetArgument(entry, argument++),
                          kernel->pointers[p].element);
  for (int s = 0; s < num_symbols; s++)
    e.symbols[symbols[s]] = mlirBlockGetArgument(entry, argument++);
  for (int c = 0; c < kernel->num_captured; c++)
    map_to(&e, &e.map, kernel->captured[c], mlirBlockGetArgument(entry, argument++));
  MlirValue **indices = TS_NEW(arena, MlirValue *, kernel->num_nests);
  for (int n = 0; n < kernel->num_nests; n++)
    indices[n] = TS_NEW(arena, MlirValue, kernel->nests[n]->num_accesses);
  emit_shared(&e, &build, 0, indices);
  ts_make_op(&build, &(ts_new_op){.name = "func.return"});
}

const ts_kernel_target ts_cpu_kernels = {"cpu", emit};
