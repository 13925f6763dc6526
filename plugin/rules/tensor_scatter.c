/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* tensor.scatter: slices written at listed places. The whole tensor and the result may be split
 * along any dimension: of the listed ones each device writes what lies in its piece, and so gets
 * all slices; along the others slices are split with it. It must not know where the places come
 * from. */
#include "mlir-c/BuiltinTypes.h"

#include "ir/control_flow.h"
#include "ir/listed.h"
#include "rules/build_loops.h"
#include "rules/linalg.h"
#include "rules/rows.h"

enum { SLICES, WHOLE };

bool ts_scatter_loops(ts_arena *arena, MlirOperation op, ts_op_loops *out, const char **reason,
                      const char **remark) {
  (void)remark;
  ts_listed l = ts_listed_read(op);
  if (!ts_ports_init(arena, op, (int)l.whole_rank, out, reason))
    return false;
  const int64_t *shape = ts_shape_of(arena, mlirValueGetType(l.whole));
  for (int d = 0; d < (int)l.whole_rank; d++) {
    int loop = ts_ports_add_loop(out, TS_LOOP_PARALLEL, shape[d]);
    ts_ports_follow(arena, out, &out->operands[WHOLE], d, loop, shape[d]);
    ts_ports_follow(arena, out, &out->results[0], d, loop, shape[d]);
    if (ts_listed_coordinate(&l, d) < 0)
      ts_ports_follow(arena, out, &out->operands[SLICES], (int)ts_listed_dim(&l, d), loop,
                      shape[d]);
  }
  out->result_init[0] = WHOLE;
  out->init_is_read[0] = true;
  /* The sum of both, if each had zeros where the other counts. */
  out->terms[0] = (ts_terms){.kind = TS_SUM, .num_terms = 2};
  out->terms[0].sets[0] = UINT32_C(1) << SLICES;
  out->terms[0].sets[1] = UINT32_C(1) << WHOLE;
  return true;
}

/* ---- the local form -------------------------------------------------------------------------- */

typedef struct writer {
  const ts_localize *context;
  ts_emit *emit;
  ts_listed listed;              /* of the op as it was */
  MlirOperation outermost;       /* loop, or the op as long as there is none */
  MlirValue slices, indices;     /* this device's */
  MlirValue at[TS_MAX_RANK];     /* in the slices' tensor */
  MlirValue place[TS_MAX_RANK];  /* in the piece of the whole */
  MlirValue extent[TS_MAX_RANK]; /* of the whole, where a coordinate says the place */
} writer;

/* Builds at the end of `block` from now on. */
static void enter(ts_emit *emit, MlirBlock block) {
  emit->block = block;
  emit->before = (MlirOperation){NULL};
}

static MlirValue extract(const writer *w, MlirValue tensor, intptr_t num, const MlirValue *at) {
  ts_maker place = ts_emit_place(w->emit);
  MlirValue operands[1 + TS_MAX_RANK] = {tensor};
  for (intptr_t i = 0; i < num; i++)
    operands[1 + i] = at[i];
  return ts_make_value(&place, "tensor.extract", 1 + num, operands,
                       mlirShapedTypeGetElementType(mlirValueGetType(tensor)), 0, NULL);
}

static const ts_dim *split_of(const writer *w, intptr_t d) {
  return &w->context->loop_sharding->loops[d];
}

/* Coordinate number `k`, which says the place in dimension `d`; fails outside of the tensor. */
static MlirValue coordinate(const writer *w, intptr_t d, intptr_t k) {
  enum { UNSIGNED_LESS = 6 }; /* arith's number: what is negative is large */
  MlirValue at[TS_MAX_RANK];
  for (intptr_t i = 0; i < w->listed.leading; i++)
    at[i] = w->at[i];
  at[w->listed.leading] = ts_emit_index(w->emit, k);
  ts_maker place = ts_emit_place(w->emit);
  MlirValue number = ts_make_coordinate(&place, extract(w, w->indices, w->listed.leading + 1, at));
  char message[TS_LISTED_MESSAGE];
  ts_listed_message(d, message);
  MlirValue holds = ts_make_compare(&place, "arith.cmpi", UNSIGNED_LESS, number, w->extent[d]);
  MlirNamedAttribute text =
      ts_named(place.context, "msg", ts_text_attribute(place.context, message));
  ts_make_op(&place, &(ts_new_op){.name = "cf.assert",
                                  .num_operands = 1,
                                  .operands = &holds,
                                  .num_attributes = 1,
                                  .attributes = &text});
  return number;
}

/* Finds the places that are listed, in this device's piece. `*here`: whether it has them; null: it
 * surely has. False after a located error. */
static bool find_places(writer *w, MlirValue *here) {
  *here = (MlirValue){NULL};
  for (intptr_t d = 0; d < w->listed.whole_rank; d++) {
    intptr_t k = ts_listed_coordinate(&w->listed, d);
    if (k < 0)
      continue;
    w->place[d] = coordinate(w, d, k);
    if (!ts_dim_is_split(split_of(w, d)))
      continue;
    ts_indexed indexed = {w->outermost, w->context->loop_sharding->grid, split_of(w, d),
                          &w->context->loop_extents, (int)d};
    w->place[d] = ts_emit_piece_index(w->emit, &indexed, w->place[d], here);
    if (mlirValueIsNull(w->place[d]))
      return false;
  }
  return true;
}

static MlirValue write_element(writer *w, MlirValue into) {
  intptr_t rank = mlirShapedTypeGetRank(mlirValueGetType(w->slices));
  MlirValue operands[2 + TS_MAX_RANK] = {extract(w, w->slices, rank, w->at), into};
  for (intptr_t d = 0; d < w->listed.whole_rank; d++)
    operands[2 + d] =
        ts_listed_coordinate(&w->listed, d) < 0 ? w->at[ts_listed_dim(&w->listed, d)] : w->place[d];
  ts_maker place = ts_emit_place(w->emit);
  return ts_make_value(&place, "tensor.insert", 2 + w->listed.whole_rank, operands,
                       mlirValueGetType(into), 0, NULL);
}

static MlirValue write_from(writer *w, intptr_t d, MlirValue into);

/* What is listed at this place of the list, if this device has it. Null after a located error. */
static MlirValue write_listed(writer *w, MlirValue into) {
  MlirValue here;
  if (!find_places(w, &here))
    return (MlirValue){NULL};
  if (mlirValueIsNull(here))
    return write_from(w, w->listed.leading, into);
  ts_place back = ts_emit_place(w->emit);
  ts_arm then = {.block = mlirBlockCreate(0, NULL, NULL)};
  ts_arm otherwise = {.block = mlirBlockCreate(0, NULL, NULL), .value = into};
  enter(w->emit, then.block);
  then.value = write_from(w, w->listed.leading, into);
  ts_place_back(w->emit, back);
  return ts_make_branch(&back, here, &then, &otherwise);
}

/* The loops from dimension `d` of the slices on, which carry the whole; at `d`, what is listed
 * there is found already. Null after a located error. */
static MlirValue loop_over(writer *w, intptr_t d, MlirValue into) {
  ts_place back = ts_emit_place(w->emit);
  MlirValue from = ts_emit_index(w->emit, 0);
  MlirValue to = ts_emit_tensor_size(w->emit, w->slices, (int)d);
  ts_for loop = ts_make_for(&back, from, to, ts_emit_index(w->emit, 1), 1, &into);
  if (d == 0)
    w->outermost = loop.op;
  enter(w->emit, loop.body);
  w->at[d] = loop.iv;
  MlirValue carried = mlirBlockGetArgument(loop.body, 1);
  bool is_last = d + 1 == w->listed.leading;
  carried = is_last ? write_listed(w, carried) : write_from(w, d + 1, carried);
  if (mlirValueIsNull(carried))
    return carried;
  ts_maker end = ts_emit_place(w->emit);
  ts_make_yield(&end, 1, &carried);
  ts_place_back(w->emit, back);
  return mlirOperationGetResult(loop.op, 0);
}

static MlirValue write_from(writer *w, intptr_t d, MlirValue into) {
  bool is_all = d == mlirShapedTypeGetRank(mlirValueGetType(w->slices));
  return is_all ? write_element(w, into) : loop_over(w, d, into);
}

static bool splits_listed(const ts_localize *context, const ts_listed *l) {
  for (intptr_t d = 0; d < l->whole_rank; d++)
    if (ts_listed_coordinate(l, d) >= 0 && ts_dim_is_split(&context->loop_sharding->loops[d]))
      return true;
  return false;
}

bool ts_scatter_localize(const ts_localize *context, MlirValue *results) {
  writer w = {.context = context,
              .emit = context->emit,
              .outermost = context->op,
              .listed = ts_listed_read(context->op),
              .slices = context->operands[SLICES],
              .indices = context->operands[2]};
  if (!splits_listed(context, &w.listed))
    return ts_run_on_pieces(context, results);
  MlirType global = context->global_types[0];
  for (intptr_t d = 0; d < w.listed.whole_rank; d++) {
    if (ts_listed_coordinate(&w.listed, d) < 0)
      continue;
    w.extent[d] = mlirShapedTypeIsDynamicDim(global, d)
                      ? context->loop_extents.get(context->loop_extents.user, (int)d)
                      : ts_emit_index(w.emit, mlirShapedTypeGetDimSize(global, d));
    if (mlirValueIsNull(w.extent[d]))
      return false;
    ts_move_behind(context->op, w.extent[d]);
  }
  MlirValue into = context->operands[WHOLE];
  results[0] = w.listed.leading ? write_from(&w, 0, into) : write_listed(&w, into);
  return !mlirValueIsNull(results[0]);
}
