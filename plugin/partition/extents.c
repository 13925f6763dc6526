/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Global extents that only the launch knows, built where they are first asked for. It knows where
 * they come from; it must not know who asks. */
#include "partition/extents.h"

#include "partition/bring.h"
#include "partition/extent_sources.h"
#include "partition/known_pieces.h"
#include "partition/reasons.h"
#include "support/diagnostics.h"

/* The sum of the extents of parts, and `added`. */
static MlirValue add_parts(ts_partitioner *p, int num, const ts_extent_part *parts, int64_t added) {
  MlirValue sum = ts_emit_index(&p->emit, added);
  for (int i = 0; i < num; i++)
    sum = ts_emit_add(&p->emit, sum, ts_extent(p, parts[i].value, (int)parts[i].dim));
  return sum;
}

/* That of a loop which a dimension of the result follows. */
static MlirValue extent_of_result(const ts_loop_asker *asker, int l) {
  const ts_op *op = asker->op;
  ts_extent_part *parts = TS_NEW(asker->p->model->arena, ts_extent_part, op->num_operands);
  const ts_port *port = &op->loops->results[0];
  int64_t added = 0;
  int num = ts_parts_of_loop(op, l, parts, &added), d = 0;
  if (num)
    return add_parts(asker->p, num, parts, added);
  while (d < port->rank - 1 && !(port->dims[d].num_loops == 1 && port->dims[d].loops[0] == l))
    d++;
  return ts_extent(asker->p, mlirOperationGetResult(op->handle, 0), d);
}

static MlirValue loop_extent(void *user, int l) {
  const ts_loop_asker *asker = user;
  int64_t known = asker->op->loops->loops[l].size;
  if (known != TS_DYNAMIC)
    return ts_emit_index(&asker->p->emit, known);
  int d = 0, operand = ts_operand_of_loop(asker->op, l, &d);
  return operand < 0 ? extent_of_result(asker, l)
                     : ts_extent(asker->p, ts_op_operand(asker->op, operand), d);
}

ts_extents ts_loop_extents(ts_loop_asker *asker) {
  return (ts_extents){loop_extent, asker};
}

static MlirValue piece_extent(void *user, int d) {
  const ts_piece_asker *asker = user;
  return ts_emit_global_size(asker->emit, asker->local, asker->layout, d);
}

ts_extents ts_piece_extents(ts_piece_asker *asker) {
  return (ts_extents){piece_extent, asker};
}

/* Often a sum is asked for and its parts are then enough. */
static void erase_if_unused(ts_partitioner *p, MlirValue sum) {
  MlirOperation extract = ts_defining_op(sum);
  if (!extract.ptr || !ts_op_is(extract, "tensor.extract"))
    return;
  MlirOperation reduce = ts_defining_op(mlirOperationGetOperand(extract, 0));
  ts_erase_later(p, ts_defining_op(mlirOperationGetOperand(reduce, 0)));
  ts_erase_later(p, reduce);
  ts_erase_later(p, extract);
}

typedef MlirValue (*build_size)(ts_emit *emit, MlirValue local, const ts_sharding *layout, int d);

/* Beside the definition of `local`, before all other pieces that are made from it. */
static MlirValue build_beside(ts_partitioner *p, MlirValue value, const ts_known_piece *piece,
                              int d, build_size build) {
  MlirValue local = piece->local;
  MlirOperation maker = ts_defining_op(local);
  MlirBlock block = maker.ptr ? mlirOperationGetBlock(maker) : mlirBlockArgumentGetOwner(local);
  if (!maker.ptr && mlirBlockEqual(block, p->emit.entry)) {
    ts_place back = ts_emit_enter(&p->emit);
    ts_say_why_summed(p, value, d);
    MlirValue size = build(&p->emit, local, piece->layout, d);
    ts_emit_leave(&p->emit, back);
    return size;
  }
  const void *key = maker.ptr ? maker.ptr : block.ptr;
  MlirOperation last = {ts_map_get(&p->sizes_of, key)};
  ts_place back = ts_emit_place(&p->emit);
  if (last.ptr || maker.ptr)
    ts_emit_after(&p->emit, last.ptr ? last : maker);
  else
    ts_emit_before(&p->emit, mlirBlockGetFirstOperation(block));
  ts_say_why_summed(p, value, d);
  MlirValue size = build(&p->emit, local, piece->layout, d);
  ts_place_back(&p->emit, back);
  if (!mlirValueIsNull(size) && ts_index_value(size) == TS_DYNAMIC)
    ts_map_set(&p->sizes_of, p->model->arena, key, mlirOpResultGetOwner(size).ptr);
  return size;
}

/* Beside a piece that is known wherever `value` is. */
static MlirValue build_early(ts_partitioner *p, MlirValue value, const ts_known_piece *piece, int d,
                             ts_extent_source *own, build_size build) {
  MlirValue size = build_beside(p, value, piece, d, build);
  if (!mlirValueIsNull(size))
    erase_if_unused(p, size);
  if (piece->everywhere)
    own->built = size;
  return size;
}

/* From a piece under a layout of numbers that only the launch knows: where the current op is, for
 * they may not be known yet where the value is. */
static MlirValue build_late(ts_partitioner *p, MlirValue value, const ts_known_piece *piece, int d,
                            ts_extent_source *own) {
  if (ts_bring_numbers(p->emit.entry, p->current, piece->layout, d)) {
    ts_place back = ts_place_before(&p->emit, p->current);
    ts_say_why_summed(p, value, d);
    MlirValue size = ts_emit_global_size(&p->emit, piece->local, piece->layout, d);
    ts_place_back(&p->emit, back);
    return size;
  }
  /* Offsets may depend on the extent itself; the sizes of all pieces tell it without them. */
  if (piece->layout->dims[d].offsets)
    return build_early(p, value, piece, d, own, ts_emit_sum_of_sizes);
  ts_error(p->current,
           "the extent of dimension %d is needed here, of a tensor whose pieces have a halo there "
           "of a size that depends on this extent, or is not known yet: expected a halo size that "
           "follows from scalar arguments, constants and other extents; pass it as an argument",
           d);
  return (MlirValue){NULL};
}

static MlirValue build_own(ts_partitioner *p, MlirValue value, int d, ts_extent_source *own) {
  ts_known_piece piece = ts_find_piece(p, value, d);
  if (piece.run_time || (!piece.everywhere && ts_sharding_run_time(piece.layout, NULL)))
    return build_late(p, value, &piece, d, own);
  return build_early(p, value, &piece, d, own, ts_emit_global_size);
}

static bool is_late(ts_partitioner *p, MlirValue value, int d) {
  if (ts_model_value(p->model, value)->shape[d] != TS_DYNAMIC)
    return false;
  const ts_extent_source *own = &ts_extent_sources(p, value)[d];
  bool late = false;
  switch (own->kind) {
  case TS_EXTENT_SAME:
    return is_late(p, own->value, own->dim);
  case TS_EXTENT_OPERAND:
    return false;
  case TS_EXTENT_PRODUCT:
  case TS_EXTENT_SUM:
    for (int i = 0; i < own->num_parts && !own->built.ptr; i++)
      late |= own->parts[i].value.ptr && is_late(p, own->parts[i].value, (int)own->parts[i].dim);
    return late;
  case TS_EXTENT_OWN:
    break;
  }
  if (own->built.ptr)
    return false;
  ts_known_piece piece = ts_find_piece(p, value, d);
  return !piece.everywhere || piece.run_time;
}

bool ts_extents_are_late(ts_partitioner *p, MlirValue value) {
  const ts_value *info = ts_model_value(p->model, value);
  for (int d = 0; d < info->rank; d++)
    if (is_late(p, value, d))
      return true;
  return false;
}

/* A product or a sum: before the op that makes the first piece, where the parts are known; or where
 * they are. */
static MlirValue build_product(ts_partitioner *p, MlirValue value, int d,
                               ts_extent_source *product) {
  ts_known_piece piece = ts_find_piece(p, value, d);
  bool late = is_late(p, value, d);
  ts_place back = ts_place_before(&p->emit, late ? p->current : ts_defining_op(piece.local));
  MlirValue size = product->kind == TS_EXTENT_SUM
                       ? add_parts(p, product->num_parts, product->parts, product->added)
                       : ts_emit_index(&p->emit, 1);
  for (int i = 0; product->kind == TS_EXTENT_PRODUCT && i < product->num_parts; i++) {
    const ts_extent_part *at = &product->parts[i];
    MlirValue factor =
        at->value.ptr ? ts_extent(p, at->value, (int)at->dim) : ts_emit_index(&p->emit, at->dim);
    size = ts_emit_mul(&p->emit, size, factor);
  }
  ts_place_back(&p->emit, back);
  if (!late)
    product->built = size;
  return size;
}

MlirValue ts_extent(ts_partitioner *p, MlirValue value, int d) {
  int64_t known = ts_model_value(p->model, value)->shape[d];
  if (known != TS_DYNAMIC)
    return ts_emit_index(&p->emit, known);
  ts_extent_source *own = &ts_extent_sources(p, value)[d];
  if (own->kind == TS_EXTENT_SAME)
    return ts_extent(p, own->value, own->dim);
  if (own->kind == TS_EXTENT_OPERAND)
    return mlirOperationGetOperand(own->operand.op, own->operand.number);
  if (own->built.ptr)
    return own->built;
  return own->kind == TS_EXTENT_OWN ? build_own(p, value, d, own) : build_product(p, value, d, own);
}
