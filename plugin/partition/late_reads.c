/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Fetching what only the launch knows that an op reads: an exchange to offsets that the shards of
 * the window's leader give, one for neighbouring slices, and a slice where more than that is here.
 */
#include "partition/late_reads.h"

#include "numbers/program_numbers.h"
#include "partition/extents.h"
#include "partition/pieces.h"
#include "rules/late_windows.h"
#include "solve/views.h"

/* A dimension to be cut, and what is read of it; `leader` NULL: another one. */
typedef struct late_dim {
  const ts_window *window;
  const ts_dim *leader;
  MlirValue extent, iterations; /* of the dimension, and of the leader */
  MlirValue offset; /* what shard i reads begins there, plus the stride times the first of its
                       iterations */
  int64_t stride;
  int64_t overlap; /* with what the next one reads */
} late_dim;

/* Where what is read of operand `i` lies in the iterations of the leader, which is told by what is
 * joined before it. */
static MlirValue offset_of(ts_partitioner *p, const ts_op *op, int i, int d) {
  const ts_window *window = ts_led_window(op, i, d);
  MlirValue offset = ts_emit_index(&p->emit, window->from_leader ? 0 : window->offset);
  for (int k = 0; window->adds_up && k < i; k++)
    offset = ts_emit_sub(&p->emit, offset, ts_extent(p, ts_op_operand(op, k), d));
  return offset;
}

static late_dim describe(ts_partitioner *p, const ts_op *op, int i, int d) {
  const ts_window *window = ts_led_window(op, i, d);
  int loop = window->leader - 1;
  ts_loop_asker asker = {p, op};
  ts_extents extents = ts_loop_extents(&asker);
  late_dim late = {.window = window,
                   .leader = &op->sharding->loops[loop],
                   .extent = ts_extent(p, ts_op_operand(op, i), d),
                   .iterations = extents.get(extents.user, loop),
                   .offset = offset_of(p, op, i, d)};
  for (int s = 0; s < window->num_steps; s++)
    if (window->steps[s].loop == loop)
      late.stride = window->steps[s].stride;
  int64_t before = window->from_leader ? window->offset : 0;
  int64_t overlap = before + ts_window_extent(op->loops, window, loop) - late.stride;
  late.overlap = overlap > 0 ? overlap : 0;
  return late;
}

/* Where what is read for the iterations from `iteration` on begins. */
static MlirValue begin_of(ts_emit *emit, const late_dim *late, MlirValue iteration) {
  MlirValue at = ts_emit_mul(emit, iteration, ts_emit_index(emit, late->stride));
  at = ts_emit_add(emit, at, late->offset);
  return ts_emit_max(emit, ts_emit_min(emit, at, late->extent), ts_emit_index(emit, 0));
}

/* The first of `num` iterations of shard `i` of `shards` balanced ones. */
static MlirValue first_of(ts_emit *emit, MlirValue num, int64_t shards, int64_t i) {
  MlirValue p = ts_emit_index(emit, shards), number = ts_emit_index(emit, i);
  if (i == 0 || i == shards)
    return i ? num : number;
  MlirValue larger = ts_emit_sub(emit, number, ts_emit_sub(emit, p, ts_emit_rem(emit, num, p)));
  return ts_emit_add(emit, ts_emit_mul(emit, number, ts_emit_div(emit, num, p)),
                     ts_emit_max(emit, larger, ts_emit_index(emit, 0)));
}

/* The dimension with offsets where the shards of the leader begin to read. */
static ts_dim fetched(ts_partitioner *p, const ts_grid *grid, int64_t size, const late_dim *late) {
  ts_arena *arena = p->model->arena;
  ts_numbers numbers = {.arena = arena};
  int64_t shards = ts_dim_shards(grid, late->leader);
  ts_number *offsets = TS_NEW(arena, ts_number, shards + 1);
  for (int64_t i = 0; i <= shards; i++) {
    MlirValue begin = begin_of(&p->emit, late, first_of(&p->emit, late->iterations, shards, i));
    int64_t known = ts_index_value(begin);
    offsets[i] = known == TS_DYNAMIC ? ts_number_of_value(&numbers, begin) : ts_known_number(known);
  }
  const ts_factor *factor = &late->leader->factors[0];
  ts_dim dim = ts_dim_plain(arena, size, factor->num_axes, factor->axes);
  dim.offsets = offsets;
  dim.is_part = true;
  dim.halo[1] = ts_known_number(late->overlap);
  return dim;
}

/* What this device reads, and no more than there is. */
static ts_local_range range_of(ts_partitioner *p, const ts_op *op, const late_dim *late) {
  ts_emit *emit = &p->emit;
  ts_loop_asker asker = {p, op};
  ts_extents extents = ts_loop_extents(&asker);
  ts_local_range own = ts_late_piece(emit, op->sharding, &extents, late->window->leader - 1);
  MlirValue end =
      ts_emit_add(emit, begin_of(emit, late, own.end), ts_emit_index(emit, late->overlap));
  return (ts_local_range){begin_of(emit, late, own.first), ts_emit_min(emit, end, late->extent)};
}

/* The part of `local` that `ranges` say, of dimensions of which it begins at `begins`; null: those
 * stay as they are. */
static MlirValue cut_local(ts_emit *emit, int rank, MlirValue local, const ts_local_range *ranges,
                           const MlirValue *begins) {
  ts_cut *cuts = TS_NEW(emit->arena, ts_cut, rank);
  for (int d = 0; d < rank; d++)
    cuts[d] = mlirValueIsNull(begins[d])
                  ? ts_cut_nothing(emit, local, d)
                  : (ts_cut){.offset = ts_emit_sub(emit, ranges[d].first, begins[d]),
                             .size = ts_emit_sub(emit, ranges[d].end, ranges[d].first)};
  return ts_emit_cut(emit, local, rank, cuts);
}

/* ---- one fetch for several ------------------------------------------------------------------- */

/* Rows between what two slices read that are fetched with both. */
enum { NEAR = 32 };

/* What an exchange has brought, for ops of one block that read alike. */
struct ts_late_piece {
  MlirBlock block;
  const ts_sharding *asked, *layout; /* without and with late dimensions */
  const late_dim *dims;
  MlirValue local;
  MlirValue *begins; /* where this device's piece does, in late dimensions */
  struct ts_late_piece *next;
};

/* Both read the same for the same iterations, but for offset and overlap. */
static bool reads_alike(const late_dim *a, const late_dim *b) {
  if (!a->leader || !b->leader)
    return a->leader == b->leader;
  return a->stride == b->stride && mlirValueEqual(a->iterations, b->iterations) &&
         ts_dim_equal(a->leader, b->leader);
}

static bool holds(const late_dim *whole, const late_dim *part) {
  if (!part->leader || mlirValueEqual(whole->offset, part->offset))
    return !part->leader || part->overlap <= whole->overlap;
  int64_t from = ts_index_value(whole->offset), at = ts_index_value(part->offset);
  return from != TS_DYNAMIC && at != TS_DYNAMIC && from <= at &&
         at + part->overlap <= from + whole->overlap;
}

static struct ts_late_piece *find(ts_partitioner *p, MlirValue local, MlirBlock block,
                                  const ts_sharding *asked, const late_dim *dims) {
  for (struct ts_late_piece *at = ts_map_get(&p->late, local.ptr); at; at = at->next) {
    bool fits = mlirBlockEqual(at->block, block) && ts_sharding_equal(at->asked, asked);
    for (int d = 0; fits && d < asked->rank; d++)
      fits = reads_alike(&at->dims[d], &dims[d]) && holds(&at->dims[d], &dims[d]);
    if (fits)
      return at;
  }
  return NULL;
}

/* Lets `dims` hold what `other` reads as well, if that is near. */
static void widen(ts_emit *emit, int rank, late_dim *dims, const late_dim *other) {
  for (int d = 0; d < rank; d++) {
    int64_t from = dims[d].leader ? ts_index_value(dims[d].offset) : 0;
    int64_t at = other[d].leader ? ts_index_value(other[d].offset) : 0;
    if (!reads_alike(&dims[d], &other[d]) || from == TS_DYNAMIC || at == TS_DYNAMIC ||
        at - (from + dims[d].overlap) > NEAR || from - (at + other[d].overlap) > NEAR)
      return;
  }
  for (int d = 0; d < rank; d++) {
    if (!dims[d].leader)
      continue;
    int64_t from = ts_index_value(dims[d].offset), at = ts_index_value(other[d].offset);
    int64_t end = from + dims[d].overlap, other_end = at + other[d].overlap;
    dims[d].offset = ts_emit_index(emit, from < at ? from : at);
    dims[d].overlap = (end > other_end ? end : other_end) - (from < at ? from : at);
  }
}

/* Behind annotations that say the layout which it has. */
static const ts_value *behind(const ts_value *value) {
  while (value->definition && value->definition->kind == TS_OP_LINK &&
         ts_sharding_equal(value->definition->operands[0]->layout, value->layout))
    value = value->definition->operands[0];
  return value;
}

static bool adds_up(const ts_op *op) {
  for (int d = 0; d < op->operands[0]->rank; d++)
    if (op->loops->operands[0].dims[d].window && op->loops->operands[0].dims[d].window->adds_up)
      return true;
  return false;
}

/* The loops' extents are said by types, or sizes that the op takes: asking for them builds nothing.
 */
static bool says_sizes(const ts_op *op) {
  if (op->num_results != 1 || op->rule->does != TS_MOVES_DATA || !op->operands[0] || adds_up(op))
    return false;
  for (int d = 0; op->results[0] && d < op->results[0]->rank; d++)
    if (op->results[0]->shape[d] == TS_DYNAMIC &&
        !ts_size_operand_of(mlirOperationGetResult(op->handle, 0), d).op.ptr)
      return false;
  return true;
}

static bool describe_all(ts_partitioner *p, const ts_op *op, int i, late_dim *dims) {
  for (int d = 0; d < op->operands[i]->rank; d++) {
    dims[d] = (late_dim){0};
    if (!ts_is_read_late(op, i, d))
      continue;
    dims[d] = describe(p, op, i, d);
    if (mlirValueIsNull(dims[d].extent) || mlirValueIsNull(dims[d].iterations))
      return false;
  }
  return true;
}

/* Behind `op` in its block, and not partitioned yet. */
static bool is_behind(const ts_op *op, const ts_op *user) {
  return mlirBlockEqual(mlirOperationGetBlock(user->handle), mlirOperationGetBlock(op->handle)) &&
         mlirOperationIsBeforeInBlock(op->handle, user->handle);
}

/* With what the slices of `value` behind `op` read. */
static void widen_for_users(ts_partitioner *p, const ts_op *op, int i, const ts_value *value,
                            late_dim *dims) {
  const ts_sharding *asked = op->required[i];
  late_dim *other = TS_NEW(p->model->arena, late_dim, asked->rank);
  for (int u = 0; u < value->num_users; u++) {
    const ts_op *user = value->users[u];
    if (user->kind == TS_OP_LINK && ts_sharding_equal(user->results[0]->layout, value->layout))
      widen_for_users(p, op, i, user->results[0], dims);
    if (user->kind != TS_OP_RULE || user->operands[0] != value || !is_behind(op, user) ||
        !says_sizes(user) || !ts_held_for_late(p->model->arena, user, 0) ||
        !ts_sharding_equal(user->required[0], asked) || !describe_all(p, user, 0, other))
      continue;
    widen(&p->emit, asked->rank, dims, other);
  }
}

static struct ts_late_piece *make(ts_partitioner *p, const ts_op *op, int i,
                                  const ts_sharding *held, MlirValue local, const late_dim *dims) {
  ts_arena *arena = p->model->arena;
  const ts_sharding *asked = op->required[i];
  ts_value *info = op->operands[i];
  struct ts_late_piece *made = TS_NEW(arena, struct ts_late_piece, 1);
  late_dim *wide = ts_arena_copy(arena, dims, sizeof(*wide) * (size_t)asked->rank);
  if (says_sizes(op))
    widen_for_users(p, op, i, behind(info), wide);
  *made = (struct ts_late_piece){.block = mlirOperationGetBlock(op->handle),
                                 .asked = asked,
                                 .layout = asked,
                                 .dims = wide,
                                 .begins = TS_NEW(arena, MlirValue, asked->rank),
                                 .next = ts_map_get(&p->late, local.ptr)};
  for (int d = 0; d < asked->rank; d++) {
    if (!wide[d].leader || !ts_dim_is_split(&asked->dims[d]))
      continue;
    made->begins[d] = range_of(p, op, &wide[d]).first;
    made->layout = ts_sharding_with_dim(arena, made->layout, d,
                                        fetched(p, asked->grid, info->shape[d], &wide[d]));
  }
  made->local = ts_move_piece(p, info, ts_op_operand(op, i), local, held, made->layout);
  if (!mlirValueIsNull(made->local))
    ts_map_set(&p->late, arena, local.ptr, made);
  return made;
}

/* ---- all ------------------------------------------------------------------------------------- */

MlirValue ts_fetch_late(ts_partitioner *p, const ts_op *op, int i, ts_ask ask,
                        ts_local_range *ranges) {
  ts_arena *arena = p->model->arena;
  int rank = ask.layout->rank;
  const ts_sharding *held = ts_held_for_late(arena, op, i);
  MlirValue value = ts_op_operand(op, i);
  MlirValue local = held ? ts_piece(p, op->operands[i], value, held)
                         : ts_piece_read(p, op->operands[i], value, ask, op->handle);
  late_dim *dims = TS_NEW(arena, late_dim, rank);
  MlirValue *begins = TS_NEW(arena, MlirValue, rank);
  bool cuts = false;
  ts_emit_before(&p->emit, op->handle);
  if (mlirValueIsNull(local) || !describe_all(p, op, i, dims))
    return (MlirValue){NULL};
  const struct ts_late_piece *piece = NULL;
  if (held) {
    piece = find(p, local, mlirOperationGetBlock(op->handle), ask.layout, dims);
    piece = piece ? piece : make(p, op, i, held, local, dims);
    if (mlirValueIsNull(piece->local))
      return piece->local;
    local = ts_part_of_piece(&p->emit, piece->local, piece->layout,
                             (ts_ask){.layout = piece->layout, .read = ask.read});
  }
  for (int d = 0; d < rank; d++) {
    if (!dims[d].leader)
      continue;
    ranges[d] = range_of(p, op, &dims[d]);
    bool is_here = !piece || mlirValueIsNull(piece->begins[d]);
    if (is_here)
      begins[d] = ts_emit_index(&p->emit, 0);
    else if (!mlirValueEqual(piece->dims[d].offset, dims[d].offset) ||
             piece->dims[d].overlap != dims[d].overlap)
      begins[d] = piece->begins[d];
    cuts |= !mlirValueIsNull(begins[d]);
  }
  return cuts ? cut_local(&p->emit, rank, local, ranges, begins) : local;
}
