/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Teams of threads go through rows that they keep in registers: memory is read once and written
 * once, however many nests there are. It knows nests and teams; it must not know how they were
 * chosen. */
#include "capi/capi.h"
#include "ir/control_flow.h"
#include "lowering/targets/combine.h"
#include "lowering/targets/cuda/kernel_code.h"
#include "lowering/targets/cuda/quotients.h"
#include "lowering/targets/cuda/thread.h"
#include "lowering/targets/cuda/warps.h"
#include "lowering/targets/cuda/wide.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

enum { LESS_UNSIGNED = 6, EQUAL = 0 }; /* arith's predicates */
enum { ENOUGH = 4 };                   /* quotients that are worth a reciprocal */

typedef struct rows {
  ts_team team;
  ts_cuda_code *code;
  int64_t chunks;    /* that a thread has of the row, of `width` neighbouring elements each */
  MlirValue **known; /* by pointer: what the thread keeps, null where it does not know it yet */
  int *last_writer;  /* by pointer: the nest; -1: none */
  /* Divisors, whose quotients are replaced when all code is there: values known may be quotients.
   */
  int num_quotients;
  ts_quotients *quotients;
} rows;

/* A nest whose code is written. */
typedef struct row_nest {
  rows *r;
  ts_thread t;
  int loop;          /* through the row; -1: none */
  MlirValue *at;     /* by access, where the row begins */
  MlirValue *ones;   /* by access, the value that is the same all along the row; else null */
  MlirValue *places; /* by access and chunk, those of its elements; else null */
} row_nest;

static int64_t width_of(const rows *r) {
  return r->code->grid.width;
}

static int64_t kept_count(const rows *r, int pointer) {
  return r->code->grid.kept[pointer] == TS_KEPT_ROW ? r->chunks * width_of(r) : 1;
}

static int pointer_of(const row_nest *n, int access) {
  return n->r->code->e.kernel->pointer_of[n->t.number][access];
}

/* ---- places of the row ----------------------------------------------------------------------- */

static MlirValue start_of(const row_nest *n, const ts_maker *build, int64_t chunk) {
  const rows *r = n->r;
  int64_t apart = chunk * r->code->grid.team * width_of(r);
  MlirValue start = ts_body_arithmetic(&r->code->e, build, "arith.muli", r->team.lane,
                                       ts_make_index(build, width_of(r)));
  return apart == 0 ? start
                    : ts_body_arithmetic(&r->code->e, build, "arith.addi", start,
                                         ts_make_index(build, apart));
}

/* i1: the row goes so far; null: it does for all threads. */
static MlirValue reaches(const row_nest *n, const ts_maker *build, int64_t chunk) {
  const rows *r = n->r;
  if ((chunk + 1) * r->code->grid.team * width_of(r) <= r->code->grid.row)
    return (MlirValue){NULL};
  return ts_make_compare(build, "arith.cmpi", LESS_UNSIGNED, start_of(n, build, chunk),
                         ts_make_index(build, r->code->grid.row));
}

/* All accesses at element `j` of the chunk. */
static MlirValue *element_at(const row_nest *n, const ts_maker *build, int64_t chunk, int64_t j) {
  ts_emitter *e = &n->r->code->e;
  MlirValue *within = TS_NEW(e->arena, MlirValue, n->t.nest->num_accesses);
  MlirValue place = start_of(n, build, chunk);
  if (j > 0)
    place = ts_body_arithmetic(e, build, "arith.addi", place, ts_make_index(build, j));
  ts_thread_advance(e, build, n->t.nest, 1, &n->loop, &place, n->at, within);
  return within;
}

/* ---- what is the same all along the row ------------------------------------------------------ */

/* Whoever reads what the first thread writes later on has read it before. */
static MlirValue load_one(const row_nest *n, const ts_maker *build, int access) {
  rows *r = n->r;
  int p = pointer_of(n, access);
  if (r->known[p] && !mlirValueIsNull(r->known[p][0]))
    return r->known[p][0];
  MlirValue value = ts_thread_load(&n->t, build, access, n->at[access]);
  if (r->code->e.kernel->pointers[p].is_written)
    ts_team_wait(&r->team, build);
  if (r->known[p])
    r->known[p][0] = value;
  return value;
}

static bool is_read(const ts_nest *nest, int access) {
  return nest->accesses[access].memory && nest->accesses[access].reads;
}

static bool is_along(const row_nest *n, int access) {
  return n->loop >= 0 && !ts_product_is(&n->t.nest->accesses[access].strides[n->loop], 0);
}

static void load_ones(const row_nest *n, const ts_maker *build) {
  const ts_nest *nest = n->t.nest;
  for (int a = 0; a < nest->num_inputs + nest->num_outputs; a++)
    if (is_read(nest, a) && !is_along(n, a))
      n->ones[a] = load_one(n, build, a);
}

/* All threads know the outputs' elements from now on, and the first one writes what has to be. */
static void keep_ones(const row_nest *n, const ts_maker *build, const MlirValue *values) {
  rows *r = n->r;
  const ts_kernel *kernel = r->code->e.kernel;
  bool is_made = false;
  ts_maker first = *build;
  for (int o = 0; o < n->t.nest->num_outputs; o++) {
    int a = n->t.nest->num_inputs + o, p = pointer_of(n, a);
    r->known[p][0] = values[o];
    if (kernel->pointers[p].elements || r->last_writer[p] != n->t.number)
      continue;
    if (!is_made)
      first = ts_make_if(build, ts_make_compare(build, "arith.cmpi", EQUAL, r->team.lane,
                                                ts_make_index(build, 0)));
    is_made = true;
    ts_thread_store(&n->t, &first, values[o], a, n->at[a]);
  }
}

/* ---- elements of the row --------------------------------------------------------------------- */

static MlirType element_type(const row_nest *n, int access) {
  return n->r->code->e.kernel->pointers[pointer_of(n, access)].element;
}

/* Where the values of `access` at the chunk are or become known. */
static MlirValue *values_at(const row_nest *n, int access, int64_t chunk) {
  int64_t width = width_of(n->r);
  MlirValue *kept = n->r->known[pointer_of(n, access)];
  MlirValue *all = kept ? kept : &n->places[access * n->r->chunks * width];
  return &all[chunk * width];
}

static void load_along(const row_nest *n, const ts_maker *build, int access, int64_t chunk,
                       MlirValue *values) {
  const rows *r = n->r;
  int64_t width = width_of(r);
  /* The kernel's own memory, of which nothing was written. */
  if (r->code->e.kernel->pointers[pointer_of(n, access)].elements) {
    for (int64_t j = 0; j < width; j++)
      values[j] = ts_thread_any_value(build, element_type(n, access));
    return;
  }
  if (ts_grid_is_wide(n->t.nest, &n->t.nest->accesses[access], n->loop, width)) {
    ts_wide_load(r->code, build, &n->t, access, element_at(n, build, chunk, 0)[access], width,
                 values);
    return;
  }
  for (int64_t j = 0; j < width; j++)
    values[j] = ts_thread_load(&n->t, build, access, element_at(n, build, chunk, j)[access]);
}

/* What the nest reads of the chunk and the thread does not know yet. */
static void load_chunk(const row_nest *n, const ts_maker *build, int64_t chunk) {
  const ts_nest *nest = n->t.nest;
  int64_t width = width_of(n->r);
  int wanted[2 * TS_CUDA_OPERANDS], num = 0;
  for (int a = 0; a < nest->num_inputs + nest->num_outputs; a++)
    if (is_read(nest, a) && is_along(n, a) && mlirValueIsNull(*values_at(n, a, chunk))) {
      wanted[num++] = a;
      /* The same memory may be read twice. */
      values_at(n, a, chunk)[0] = n->r->team.lane;
    }
  MlirValue inside = num > 0 ? reaches(n, build, chunk) : (MlirValue){NULL};
  if (mlirValueIsNull(inside)) {
    for (int i = 0; i < num; i++)
      load_along(n, build, wanted[i], chunk, values_at(n, wanted[i], chunk));
    return;
  }
  MlirValue *otherwise = TS_NEW(n->r->code->e.arena, MlirValue, num * width);
  MlirValue *loaded = TS_NEW(n->r->code->e.arena, MlirValue, num * width);
  for (int i = 0; i < num * width; i++)
    otherwise[i] = ts_thread_any_value(build, element_type(n, wanted[i / width]));
  ts_if guarded = ts_make_if_of(build, inside, num * width, otherwise);
  ts_maker then = ts_make_at_end(guarded.then, build->location);
  for (int i = 0; i < num; i++)
    load_along(n, &then, wanted[i], chunk, &loaded[i * width]);
  ts_make_yield(&then, num * width, loaded);
  for (int i = 0; i < num; i++)
    for (int64_t j = 0; j < width; j++)
      values_at(n, wanted[i], chunk)[j] =
          mlirOperationGetResult(guarded.op, (intptr_t)(i * width + j));
}

/* Element `j` of the chunk: of `outputs` so far, which become those after. */
static void emit_element(const row_nest *n, const ts_maker *build, int64_t chunk, int64_t j,
                         MlirValue *outputs) {
  const ts_nest *nest = n->t.nest;
  MlirValue *given = TS_NEW(n->r->code->e.arena, MlirValue, nest->num_inputs + nest->num_outputs);
  MlirValue results[TS_CUDA_OPERANDS];
  for (int a = 0; a < nest->num_inputs; a++)
    if (is_read(nest, a))
      given[a] = is_along(n, a) ? values_at(n, a, chunk)[j] : n->ones[a];
  ts_thread_element(&n->t, build, element_at(n, build, chunk, j), given, outputs, results);
  for (int o = 0; o < nest->num_outputs; o++)
    outputs[o] = results[o];
}

/* ---- nests through the row ------------------------------------------------------------------- */

/* The chunk's elements go into `num` values that are carried from element to element. */
static void combine_chunk(const row_nest *n, const ts_maker *build, int64_t chunk,
                          MlirValue *parts) {
  int num = n->t.nest->num_outputs;
  MlirValue inside = reaches(n, build, chunk);
  if (mlirValueIsNull(inside)) {
    for (int64_t j = 0; j < width_of(n->r); j++)
      emit_element(n, build, chunk, j, parts);
    return;
  }
  ts_if guarded = ts_make_if_of(build, inside, num, parts);
  ts_maker then = ts_make_at_end(guarded.then, build->location);
  for (int64_t j = 0; j < width_of(n->r); j++)
    emit_element(n, &then, chunk, j, parts);
  ts_make_yield(&then, num, parts);
  for (int o = 0; o < num; o++)
    parts[o] = mlirOperationGetResult(guarded.op, o);
}

static void emit_combined(const row_nest *n, const ts_maker *build) {
  const ts_nest *nest = n->t.nest;
  MlirValue parts[TS_CUDA_OPERANDS];
  for (int o = 0; o < nest->num_outputs; o++)
    parts[o] = ts_combine_neutral(
        build, ts_combine_op(nest, o),
        mlirValueGetType(mlirBlockGetArgument(nest->body, nest->num_inputs + o)));
  for (int64_t c = 0; c < n->r->chunks; c++)
    combine_chunk(n, build, c, parts);
  ts_team_combine(&n->r->team, build, nest, parts);
  for (int o = 0; o < nest->num_outputs; o++) {
    MlirValue before = n->ones[nest->num_inputs + o];
    if (!mlirValueIsNull(before))
      parts[o] = ts_make_binary(build, ts_combine_op(nest, o), before, parts[o]);
  }
  keep_ones(n, build, parts);
}

static void store_along(const row_nest *n, const ts_maker *build, int access, int64_t chunk,
                        const MlirValue *values) {
  const rows *r = n->r;
  int64_t width = width_of(r);
  if (ts_grid_is_wide(n->t.nest, &n->t.nest->accesses[access], n->loop, width)) {
    ts_wide_store(r->code, build, &n->t, access, element_at(n, build, chunk, 0)[access], width,
                  values);
    return;
  }
  for (int64_t j = 0; j < width; j++)
    ts_thread_store(&n->t, build, values[j], access, element_at(n, build, chunk, j)[access]);
}

/* `results`: by output and element of the chunk. What a later nest overwrites is not written. */
static void emit_elements(const row_nest *n, const ts_maker *build, int64_t chunk,
                          MlirValue *results) {
  const ts_nest *nest = n->t.nest;
  const rows *r = n->r;
  int64_t width = width_of(r);
  MlirValue outputs[TS_CUDA_OPERANDS];
  for (int64_t j = 0; j < width; j++) {
    for (int o = 0; o < nest->num_outputs; o++) {
      int a = nest->num_inputs + o;
      outputs[o] = is_read(nest, a) ? values_at(n, a, chunk)[j] : (MlirValue){NULL};
    }
    emit_element(n, build, chunk, j, outputs);
    for (int o = 0; o < nest->num_outputs; o++)
      results[o * width + j] = outputs[o];
  }
  for (int o = 0; o < nest->num_outputs; o++) {
    int a = nest->num_inputs + o, p = pointer_of(n, a);
    if (!r->code->e.kernel->pointers[p].elements && r->last_writer[p] == n->t.number)
      store_along(n, build, a, chunk, &results[o * width]);
  }
}

static void emit_chunk(const row_nest *n, const ts_maker *build, int64_t chunk) {
  const ts_nest *nest = n->t.nest;
  int64_t width = width_of(n->r);
  intptr_t num = nest->num_outputs * width;
  ts_arena *arena = n->r->code->e.arena;
  MlirValue *results = TS_NEW(arena, MlirValue, num);
  MlirValue inside = reaches(n, build, chunk);
  if (mlirValueIsNull(inside)) {
    emit_elements(n, build, chunk, results);
  } else {
    MlirValue *otherwise = TS_NEW(arena, MlirValue, num);
    for (intptr_t i = 0; i < num; i++)
      otherwise[i] =
          ts_thread_any_value(build, element_type(n, nest->num_inputs + (int)(i / width)));
    ts_if guarded = ts_make_if_of(build, inside, num, otherwise);
    ts_maker then = ts_make_at_end(guarded.then, build->location);
    emit_elements(n, &then, chunk, results);
    ts_make_yield(&then, num, results);
    for (intptr_t i = 0; i < num; i++)
      results[i] = mlirOperationGetResult(guarded.op, i);
  }
  for (intptr_t i = 0; i < num; i++)
    values_at(n, nest->num_inputs + (int)(i / width), chunk)[i % width] = results[i];
}

/* The body divides by input `input`, an f32 that is the same all along the row. */
static bool divides_by(const row_nest *n, int input) {
  MlirValue divisor = n->ones[input];
  if (mlirValueIsNull(divisor) || !mlirTypeIsAF32(mlirValueGetType(divisor)) ||
      n->r->chunks * width_of(n->r) < ENOUGH)
    return false;
  MlirValue argument = mlirBlockGetArgument(n->t.nest->body, input);
  for (MlirOpOperand use = mlirValueGetFirstUse(argument); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use))
    if (mlirOpOperandGetOperandNumber(use) == 1 &&
        ts_op_is(mlirOpOperandGetOwner(use), "arith.divf"))
      return true;
  return false;
}

/* All elements of the row, of which divisions by what is the same for it are the most of the work.
 */
static void emit_all_elements(const row_nest *n, const ts_maker *build) {
  rows *r = n->r;
  for (int a = 0; a < n->t.nest->num_inputs; a++)
    if (divides_by(n, a))
      r->quotients[r->num_quotients++] = ts_quotients_prepare(build, n->ones[a]);
  for (int64_t c = 0; c < r->chunks; c++)
    emit_chunk(n, build, c);
}

/* One element a step. */
static void emit_one(const row_nest *n, const ts_maker *build) {
  const ts_nest *nest = n->t.nest;
  MlirValue outputs[TS_CUDA_OPERANDS], results[TS_CUDA_OPERANDS];
  for (int o = 0; o < nest->num_outputs; o++)
    outputs[o] = n->ones[nest->num_inputs + o];
  ts_thread_element(&n->t, build, n->at, n->ones, outputs, results);
  keep_ones(n, build, results);
}

static void emit_nest(const row_nest *n, const ts_maker *build) {
  load_ones(n, build);
  if (n->loop < 0) {
    emit_one(n, build);
    return;
  }
  /* All of the row is on its way before any of it is used. */
  for (int64_t c = 0; c < n->r->chunks; c++)
    load_chunk(n, build, c);
  if (n->t.nest->loops[n->loop].is_reduction)
    emit_combined(n, build);
  else
    emit_all_elements(n, build);
}

/* ---- the kernel ------------------------------------------------------------------------------ */

static void note_writers(rows *r) {
  const ts_kernel *kernel = r->code->e.kernel;
  for (int p = 0; p < kernel->num_pointers; p++)
    r->last_writer[p] = -1;
  for (int n = 0; n < kernel->num_nests; n++)
    for (int o = 0; o < kernel->nests[n]->num_outputs; o++) {
      int p = kernel->pointer_of[n][kernel->nests[n]->num_inputs + o];
      if (p >= 0)
        r->last_writer[p] = n;
    }
}

static void emit_step(rows *r, const ts_maker *build, MlirValue step) {
  ts_emitter *e = &r->code->e;
  const ts_kernel *kernel = e->kernel;
  const ts_grid_loops *loops = r->code->grid.loops;
  MlirValue indices[TS_NEST_LOOPS];
  ts_thread_indices(e, build, kernel->nests[0], loops[0].num_grid, loops[0].grid, step, indices);
  for (int i = 0; i < kernel->num_nests; i++) {
    const ts_nest *nest = kernel->nests[i];
    ts_maker here = *build;
    here.location = mlirOperationGetLocation(nest->op);
    row_nest n = {r,
                  {e, nest, i, NULL},
                  loops[i].num_rest > 0 ? loops[i].rest[0] : -1,
                  TS_NEW(e->arena, MlirValue, nest->num_accesses),
                  TS_NEW(e->arena, MlirValue, nest->num_accesses),
                  TS_NEW(e->arena, MlirValue, nest->num_accesses * r->chunks * width_of(r))};
    ts_thread_advance(e, &here, nest, loops[i].num_grid, loops[i].grid, indices, NULL, n.at);
    emit_nest(&n, &here);
  }
}

static void emit_rows(ts_cuda_code *code, const ts_maker *build) {
  const ts_kernel *kernel = code->e.kernel;
  int64_t once = code->grid.team * code->grid.width;
  rows r = {.code = code,
            .chunks = (code->grid.row + once - 1) / once,
            .known = TS_NEW(code->e.arena, MlirValue *, kernel->num_pointers),
            .last_writer = TS_NEW(code->e.arena, int, kernel->num_pointers)};
  for (int p = 0; p < kernel->num_pointers; p++)
    if (code->grid.kept[p] != TS_KEPT_NOT)
      r.known[p] = TS_NEW(code->e.arena, MlirValue, kept_count(&r, p));
  int num_inputs = 0;
  for (int n = 0; n < kernel->num_nests; n++)
    num_inputs += kernel->nests[n]->num_inputs;
  r.quotients = TS_NEW(code->e.arena, ts_quotients, num_inputs);
  note_writers(&r);
  MlirValue step;
  ts_maker inside = ts_team_start(code, build, &r.team, &step);
  emit_step(&r, &inside, step);
  for (int q = 0; q < r.num_quotients; q++)
    ts_quotients_replace(&r.quotients[q]);
}

/* Where memory does not begin at multiples of 16 bytes teams go through it as others do. */
void ts_cuda_emit_rows(ts_cuda_code *code, const ts_maker *build) {
  ts_emitter *e = &code->e;
  if (code->grid.width == 1) {
    emit_rows(code, build);
    return;
  }
  int *inner = TS_NEW(e->arena, int, e->kernel->num_nests);
  for (int n = 0; n < e->kernel->num_nests; n++)
    inner[n] = code->grid.loops[n].num_rest > 0 ? code->grid.loops[n].rest[0] : -1;
  MlirValue aligned = ts_wide_is_aligned(code, build, inner, code->grid.width);
  ts_maker wide = ts_make_if(build, aligned);
  emit_rows(code, &wide);
  ts_maker other = ts_make_if(build, ts_make_not(build, aligned));
  ts_cuda_emit_teams(code, &other);
}
