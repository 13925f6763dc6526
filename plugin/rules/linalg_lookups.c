/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Structured ops whose body reads tensors at indices of its own (tensor.extract: embeddings,
 * gathers). A dimension that is read at the index of a loop follows it; one that is read where the
 * body computes from one is a window of it; one that is read wherever data says is a loop of its
 * own, a lookup: the device that has the place gives the result, all others what does not count. It
 * must not know where the indices come from. */
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include "capi/capi.h"
#include "ir/computed_index.h"
#include "ir/element_types.h"
#include "numbers/divisions.h"
#include "rules/build_loops.h"
#include "rules/linalg.h"
#include "support/map.h"

/* ---- what may be masked ---------------------------------------------------------------------- */

static bool reduces(MlirOperation op) {
  for (intptr_t l = 0; l < ts_linalg_num_loops(op); l++)
    if (ts_linalg_iterator(op, l) != 0)
      return true;
  return false;
}

static MlirType element_of(MlirOperation op, int r) {
  return mlirShapedTypeGetElementType(mlirValueGetType(mlirOperationGetResult(op, r)));
}

/* An op that may fail for an element that a device has in place of the one that it lacks. */
static bool is_failing(MlirOperation op) {
  return ts_division_may_fail(op) || ts_op_is(op, "cf.assert") ||
         mlirOperationGetNumRegions(op) > 0;
}

static bool reads_any(const ts_map *values, MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++)
    if (ts_map_get(values, mlirOperationGetOperand(op, i).ptr))
      return true;
  return false;
}

/* Whether the body may fail because of what it extracts. Checks of what it does not extract hold on
 * all devices. */
static bool may_fail(ts_arena *arena, MlirOperation op) {
  ts_map extracted = {0};
  for (MlirOperation inner = mlirBlockGetFirstOperation(ts_linalg_body(op)); inner.ptr;
       inner = mlirOperationGetNextInBlock(inner)) {
    bool follows = reads_any(&extracted, inner);
    if (is_failing(inner) && (follows || mlirOperationGetNumRegions(inner) > 0))
      return true;
    if (!follows && !ts_op_is(inner, "tensor.extract"))
      continue;
    for (intptr_t r = 0; r < mlirOperationGetNumResults(inner); r++)
      ts_map_set(&extracted, arena, mlirOperationGetResult(inner, r).ptr, inner.ptr);
  }
  return false;
}

/* Whether every result can leave out elements that another device gives. */
static bool can_mask(ts_arena *arena, MlirOperation op, const ts_op_loops *out) {
  bool combines = reduces(op);
  for (int r = 0; r < out->num_results; r++) {
    if (combines ? !out->result_reduction[r] : out->init_is_read[r])
      return false;
    if (!combines && !ts_kind_of_parts(element_of(op, r)))
      return false;
  }
  return !may_fail(arena, op);
}

/* ---- loops ----------------------------------------------------------------------------------- */

bool ts_lookups_extract(const ts_captured *captured) {
  for (int u = 0; u < captured->num_uses; u++)
    if (!ts_op_is(captured->uses[u].user, "tensor.extract"))
      return false;
  return true;
}

/* The loop of `op` whose index `value` is, or -1. */
static int loop_of_index(MlirOperation op, MlirValue value) {
  MlirOperation index = ts_defining_op(value);
  if (!index.ptr || !ts_op_is(index, "linalg.index"))
    return -1;
  MlirOperation owner = mlirOperationGetParentOperation(index);
  while (owner.ptr && !ts_op_is_linalg(owner))
    owner = mlirOperationGetParentOperation(owner);
  return mlirOperationEqual(owner, op) ? (int)ts_op_int(index, "dim", -1) : -1;
}

/* How the body reads dimension `d` of a captured tensor, in all its places. */
typedef struct reads {
  int loop;       /* at the index of this one; -1: not everywhere at that of one */
  bool one_place; /* at one value that the body's block has */
} reads;

static bool same_index(MlirValue a, MlirValue b) {
  int64_t known = ts_index_value(a);
  return mlirValueEqual(a, b) || (known != TS_DYNAMIC && known == ts_index_value(b));
}

static reads reads_of(MlirOperation op, const ts_captured *captured, int k, int d) {
  reads found = {.loop = -1, .one_place = true};
  MlirValue first = {NULL};
  for (int u = 0; u < captured->num_uses; u++) {
    const ts_captured_use *use = &captured->uses[u];
    if (use->value != k)
      continue;
    MlirValue index = mlirOperationGetOperand(use->user, 1 + d);
    int loop = loop_of_index(op, index);
    found.one_place &= mlirOperationGetBlock(use->user).ptr == ts_linalg_body(op).ptr;
    if (mlirValueIsNull(first)) {
      first = index;
      found.loop = loop;
      continue;
    }
    found.one_place &= same_index(first, index) || (loop >= 0 && loop == found.loop);
    if (loop != found.loop)
      found.loop = -1;
  }
  return found;
}

/* The extent of dimension `d` of `tensor`, which only the run knows, is that of the loop: some
 * operand of the op has both. */
static bool is_extent_of(ts_arena *arena, MlirOperation op, const ts_op_loops *out, int loop,
                         MlirValue tensor, int d) {
  for (int i = 0; i < (int)mlirOperationGetNumOperands(op); i++)
    for (int e = 0; e < out->operands[i].rank; e++) {
      const ts_dim_loops *dim = &out->operands[i].dims[e];
      if (dim->num_loops == 1 && dim->loops[0] == loop &&
          ts_extents_are_same(arena, tensor, d, mlirOperationGetOperand(op, i), e))
        return true;
    }
  return false;
}

/* All of dimension `d` has to be that of the loop: a part of it would be cut elsewhere. */
static bool may_follow(ts_arena *arena, MlirOperation op, const ts_op_loops *out,
                       const ts_port *port, int loop, MlirValue tensor, int d) {
  if (loop < 0 || out->loops[loop].kind == TS_LOOP_WHOLE || ts_port_is_along(port, loop))
    return false;
  MlirType type = mlirValueGetType(tensor);
  if (mlirShapedTypeIsDynamicDim(type, d))
    return out->loops[loop].size == TS_DYNAMIC && is_extent_of(arena, op, out, loop, tensor, d);
  return out->loops[loop].size == mlirShapedTypeGetDimSize(type, d);
}

/* Longer loops lead no window of places: each index is looked at. */
enum { MOST_PLACES = 1 << 17 };

/* From the first to the last place where dimension `d` of captured tensor `k` is read at index `at`
 * of `loop`. False if more than that index decides. */
static bool place_at(MlirOperation op, const ts_captured *captured, int k, int d, int loop,
                     int64_t at, ts_range *range) {
  *range = (ts_range){INT64_MAX, INT64_MIN};
  for (int u = 0; u < captured->num_uses; u++) {
    int64_t place;
    if (captured->uses[u].value != k)
      continue;
    MlirValue index = mlirOperationGetOperand(captured->uses[u].user, 1 + d);
    if (!ts_computed_index(op, index, loop, at, &place))
      return false;
    range->first = place < range->first ? place : range->first;
    range->end = place >= range->end ? place + 1 : range->end;
  }
  return true;
}

/* Both ends rise, or both fall, over many more indices than one place has. */
static bool goes_along(int64_t num, const ts_range *places) {
  bool rises = true, falls = true;
  int64_t widest = 0;
  for (int64_t i = 0; i < num; i++) {
    int64_t own = places[i].end - places[i].first;
    widest = own > widest ? own : widest;
    if (i == 0)
      continue;
    rises &= places[i].first >= places[i - 1].first && places[i].end >= places[i - 1].end;
    falls &= places[i].first <= places[i - 1].first && places[i].end <= places[i - 1].end;
  }
  const ts_range *low = &places[rises ? 0 : num - 1], *high = &places[rises ? num - 1 : 0];
  return (rises || falls) && high->end - low->first >= 2 * widest;
}

/* Dimension `d` of captured tensor `k` as a window of what the body computes from one loop's index;
 * NULL if it is read at other places. */
static const ts_window *computed_window(ts_arena *arena, MlirOperation op,
                                        const ts_captured *captured, int k, int d,
                                        const ts_op_loops *out, const ts_port *port) {
  ts_range first;
  for (int l = 0; l < (int)ts_linalg_num_loops(op); l++) {
    int64_t num = out->loops[l].size;
    if (out->loops[l].kind == TS_LOOP_WHOLE || num == TS_DYNAMIC || num < 2 || num > MOST_PLACES ||
        ts_port_is_along(port, l) || !place_at(op, captured, k, d, l, 0, &first))
      continue;
    ts_range *places = TS_NEW(arena, ts_range, num);
    bool known = true;
    for (int64_t i = 0; i < num && known; i++)
      known = place_at(op, captured, k, d, l, i, &places[i]);
    if (known && goes_along(num, places)) {
      ts_window window = {.leader = l + 1, .num_places = num, .places = places};
      return ts_arena_copy(arena, &window, sizeof(window));
    }
  }
  return NULL;
}

/* Gives the loop to each dimension of captured tensor `k` that is read at its index. */
static void read_along(ts_arena *arena, MlirOperation op, const ts_captured *captured, int k,
                       ts_op_loops *out, ts_port *port, const int64_t *shape) {
  for (int d = 0; d < port->rank; d++) {
    int loop = reads_of(op, captured, k, d).loop;
    if (shape[d] != 1 && may_follow(arena, op, out, port, loop, captured->values[k], d))
      ts_ports_follow(arena, out, port, d, loop, shape[d]);
  }
}

void ts_lookups_read(ts_arena *arena, MlirOperation op, const ts_captured *captured,
                     ts_op_loops *out, const char **remark) {
  int own = (int)mlirOperationGetNumOperands(op);
  bool masks = can_mask(arena, op, out), looks_up = false;
  for (int k = 0; k < captured->num; k++) {
    ts_port *port = &out->operands[own + k];
    const int64_t *shape = ts_shape_of(arena, mlirValueGetType(captured->values[k]));
    read_along(arena, op, captured, k, out, port, shape);
    for (int d = 0; d < port->rank; d++) {
      if (shape[d] == 1 || port->dims[d].num_loops)
        continue;
      reads found = reads_of(op, captured, k, d);
      const ts_window *window =
          found.loop < 0 ? computed_window(arena, op, captured, k, d, out, port) : NULL;
      if (window) {
        ts_ports_window(arena, port, d, window);
      } else if (masks && found.one_place) {
        int loop = ts_ports_add_loop(out, TS_LOOP_LOOKUP, shape[d]);
        ts_ports_follow(arena, out, port, d, loop, shape[d]);
        looks_up = true;
      } else if (!*remark) {
        *remark = ts_arena_format(arena,
                                  "dimension %d of a tensor that the body of '%s' reads stays "
                                  "whole on every device: %s",
                                  d, ts_op_name(op),
                                  masks ? "it is read in several places"
                                        : "the results cannot be put together of parts");
      }
    }
  }
  for (int r = 0; looks_up && !reduces(op) && r < out->num_results; r++)
    out->result_reduction[r] = ts_kind_of_parts(element_of(op, r));
}

/* ---- the local form -------------------------------------------------------------------------- */

typedef struct lookups {
  const ts_localize *context;
  ts_emit *emit;
  MlirOperation op;
  int own; /* operands of the op itself */
  MlirValue
      here; /* i1: this device has all places that were looked up so far; null: it surely has */
} lookups;

static const ts_dim *lookup_dim(const lookups *l, int k, int d) {
  const ts_dim_loops *dim = &l->context->loops->operands[l->own + k].dims[d];
  if (!dim->num_loops || l->context->loops->loops[dim->loops[0]].kind != TS_LOOP_LOOKUP)
    return NULL;
  const ts_dim *split = &l->context->loop_sharding->loops[dim->loops[0]];
  return ts_dim_is_split(split) ? split : NULL;
}

/* The piece of captured tensor number `k`, with at least one place in each dimension that is looked
 * up: what lies elsewhere is read there, and not used. */
static MlirValue readable_piece(lookups *l, int k) {
  MlirValue piece = l->context->operands[l->own + k];
  intptr_t rank = mlirShapedTypeGetRank(mlirValueGetType(piece));
  bool *pads = TS_NEW(l->emit->arena, bool, rank);
  for (intptr_t d = 0; d < rank; d++) {
    const ts_dim *dim = lookup_dim(l, k, (int)d);
    pads[d] = dim && ts_may_be_empty(l->context->loop_sharding->grid, dim);
  }
  return ts_emit_at_least_one(l->emit, piece, pads);
}

static MlirValue both(ts_emit *emit, MlirValue a, MlirValue b) {
  if (mlirValueIsNull(a))
    return b;
  MlirValue operands[2] = {a, b};
  MlirType bit = mlirValueGetType(a);
  return mlirOperationGetResult(ts_emit_op(emit, "arith.andi", 2, operands, 1, &bit, 0, NULL), 0);
}

/* In dimension `d` of captured tensor `k`, read through a window, the piece begins where this
 * device's first place is. */
static void localize_place(lookups *l, MlirOperation extract, int k, int d) {
  const ts_localize *context = l->context;
  ts_ranges read = context->reads[l->own + k][d];
  if (!read.of)
    return;
  int leader = context->loops->operands[l->own + k].dims[d].window->leader - 1;
  int64_t *starts = TS_NEW(l->emit->arena, int64_t, read.num);
  for (int64_t i = 0; i < read.num; i++)
    starts[i] = read.of[i].first;
  MlirValue start = ts_emit_by_shard(l->emit, context->loop_sharding->grid,
                                     &context->loop_sharding->loops[leader], starts);
  mlirOperationSetOperand(extract, 1 + d,
                          ts_emit_sub(l->emit, mlirOperationGetOperand(extract, 1 + d), start));
}

/* Where `extract` reads dimension `d`, in this device's piece. False after a located error. */
static bool localize_index(lookups *l, MlirOperation extract, int d, const ts_dim_loops *dim) {
  int loop = dim->loops[0];
  const ts_dim *split = &l->context->loop_sharding->loops[loop];
  if (!ts_dim_is_cut(split))
    return true;
  MlirValue local;
  if (l->context->loops->loops[loop].kind == TS_LOOP_LOOKUP) {
    ts_indexed indexed = {l->op, l->context->loop_sharding->grid, split, &l->context->loop_extents,
                          loop};
    MlirValue here = {NULL};
    local = ts_emit_piece_index(l->emit, &indexed, mlirOperationGetOperand(extract, 1 + d), &here);
    if (mlirValueIsNull(local))
      return false;
    l->here = both(l->emit, l->here, here);
  } else {
    MlirType index = mlirIndexTypeGet(l->emit->context);
    MlirType i64 = mlirIntegerTypeGet(l->emit->context, 64);
    MlirNamedAttribute attribute = ts_named(l->emit->context, "dim", mlirIntegerAttrGet(i64, loop));
    local = mlirOperationGetResult(
        ts_emit_op(l->emit, "linalg.index", 0, NULL, 1, &index, 1, &attribute), 0);
  }
  mlirOperationSetOperand(extract, 1 + d, local);
  return true;
}

static bool localize_extract(lookups *l, const ts_captured_use *use, MlirValue piece) {
  const ts_port *port = &l->context->loops->operands[l->own + use->value];
  ts_place back = ts_place_before(l->emit, use->user);
  bool ok = true;
  for (int d = 0; ok && d < port->rank; d++)
    if (port->dims[d].window)
      localize_place(l, use->user, use->value, d);
    else if (port->dims[d].num_loops)
      ok = localize_index(l, use->user, d, &port->dims[d]);
  ts_place_back(l->emit, back);
  mlirOperationSetOperand(use->user, use->operand, piece);
  return ok;
}

/* What result `r` is where another device has the place: what was reduced so far, or a neutral
 * element. */
static MlirValue left_out(lookups *l, int r) {
  if (reduces(l->op))
    return mlirBlockGetArgument(ts_linalg_body(l->op), ts_linalg_num_inputs(l->op) + r);
  return ts_emit_scalar(
      l->emit, ts_neutral_element(l->context->loops->result_reduction[r], element_of(l->op, r)));
}

static void mask_results(lookups *l) {
  MlirOperation yield = mlirBlockGetTerminator(ts_linalg_body(l->op));
  ts_place back = ts_place_before(l->emit, yield);
  for (int r = 0; r < l->context->loops->num_results; r++) {
    MlirValue value = mlirOperationGetOperand(yield, r);
    MlirValue operands[3] = {l->here, value, left_out(l, r)};
    MlirType type = mlirValueGetType(value);
    mlirOperationSetOperand(
        yield, r,
        mlirOperationGetResult(ts_emit_op(l->emit, "arith.select", 3, operands, 1, &type, 0, NULL),
                               0));
  }
  ts_place_back(l->emit, back);
}

bool ts_lookups_localize(const ts_localize *context) {
  lookups l = {.context = context,
               .emit = context->emit,
               .op = context->op,
               .own = (int)mlirOperationGetNumOperands(context->op),
               .here = {NULL}};
  ts_captured captured = ts_captured_tensors(context->emit->arena, context->op);
  MlirValue *pieces = TS_NEW(context->emit->arena, MlirValue, captured.num);
  for (int k = 0; k < captured.num; k++)
    pieces[k] = readable_piece(&l, k);
  for (int u = 0; u < captured.num_uses; u++)
    if (!localize_extract(&l, &captured.uses[u], pieces[captured.uses[u].value]))
      return false;
  if (!mlirValueIsNull(l.here))
    mask_results(&l);
  return true;
}

bool ts_linalg_localize_plain(const ts_localize *context, MlirValue *results) {
  if (!ts_linalg_shift_indices(context->emit, context->op, context->loop_sharding,
                               &context->loop_extents) ||
      !ts_lookups_localize(context) || !ts_run_on_pieces(context, results))
    return false;
  ts_backwards_localize(context);
  return true;
}
