/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* What exchanges give, as what a device has itself and what it receives. It knows exchanges and
 * their layouts; it must not know who reads what they give. */
#include "lowering/prepare/exchanges.h"

#include "capi/capi.h"
#include "ir/element_types.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "sharding/annotation.h"
#include "sharding/ranges.h"

enum {
  LEAST_BYTES = 1 << 16, /* of what a device has itself: below, a copy costs nothing */
  MOST_DEPTH = 16        /* of slices of slices */
};

/* ---- the part that a device has itself ------------------------------------------------------- */

/* Along one dimension, by device: how many indices, and the first one in the piece before and in
 * the one after. */
typedef struct own_part {
  int64_t sizes[TS_MOST_DEVICES], before[TS_MOST_DEVICES], after[TS_MOST_DEVICES];
} own_part;

/* Which shard of a dimension of one factor the device has. */
static int64_t shard_of(const ts_grid *grid, const ts_dim *dim, int device) {
  int64_t coordinates[TS_MAX_AXES], rest = device, shard = 0;
  for (int a = grid->rank - 1; a >= 0; a--) {
    coordinates[a] = rest % grid->shape[a];
    rest /= grid->shape[a];
  }
  const ts_factor *factor = &dim->factors[0];
  for (int i = 0; i < factor->num_axes; i++)
    shard = shard * grid->shape[factor->axes[i]] + coordinates[factor->axes[i]];
  return shard;
}

static bool find_part(ts_arena *arena, const ts_grid *grid, const ts_dim *from, const ts_dim *to,
                      int num_devices, own_part *part) {
  ts_ranges before = ts_dim_ranges(arena, grid, from), after = ts_dim_ranges(arena, grid, to);
  if (!before.of || !after.of || ts_dim_has_halo(from))
    return false;
  for (int device = 0; device < num_devices; device++) {
    ts_range has = before.of[shard_of(grid, from, device)];
    ts_range gets = after.of[shard_of(grid, to, device)];
    int64_t first = has.first > gets.first ? has.first : gets.first;
    int64_t end = has.end < gets.end ? has.end : gets.end;
    bool any = first < end;
    part->sizes[device] = any ? end - first : 0;
    part->before[device] = any ? first - has.first : 0;
    part->after[device] = any ? first - gets.first : 0;
  }
  return true;
}

typedef struct search {
  ts_arena *arena;
  const ts_devices *devices;
  ts_grids grids;
  ts_exchanges found;
} search;

/* On some device. */
static bool is_large(MlirType piece, int rank, int num_devices, const own_part *parts) {
  for (int device = 0; device < num_devices; device++) {
    int64_t bytes = ts_element_bytes(mlirShapedTypeGetElementType(piece));
    for (int d = 0; d < rank; d++)
      if (__builtin_mul_overflow(bytes, parts[d].sizes[device], &bytes))
        return true;
    if (bytes >= LEAST_BYTES)
      return true;
  }
  return false;
}

/* The layout before, if there are such parts along all dimensions, and they are large. */
static const ts_sharding *find_parts(search *s, MlirOperation op, own_part *parts) {
  MlirType global, piece = mlirValueGetType(mlirOperationGetOperand(op, 0));
  const char *mistake;
  const ts_sharding *from =
      ts_layout_from_attribute(&s->grids, ts_attribute(op, "from"), &global, &mistake);
  const ts_sharding *to =
      ts_layout_from_attribute(&s->grids, ts_attribute(op, "to"), &global, &mistake);
  if (!from || !to || ts_grid_devices(from->grid) != s->devices->num || from->rank > TS_BOX_RANK ||
      mlirShapedTypeGetRank(piece) != from->rank)
    return NULL;
  for (int d = 0; d < from->rank; d++)
    if (!find_part(s->arena, from->grid, &from->dims[d], &to->dims[d], s->devices->num, &parts[d]))
      return NULL;
  return is_large(piece, from->rank, s->devices->num, parts) ? from : NULL;
}

/* ---- who reads ------------------------------------------------------------------------------- */

static bool is_elementwise_input(MlirOpOperand use) {
  MlirOperation op = mlirOpOperandGetOwner(use);
  if (!ts_op_is(op, "linalg.generic") ||
      mlirOpOperandGetOperandNumber(use) >= (unsigned)ts_linalg_num_inputs(op))
    return false;
  for (intptr_t l = 0; l < ts_linalg_num_loops(op); l++)
    if (ts_linalg_iterator(op, l) != 0)
      return false;
  return true;
}

/* Slices of it, what these are put into and slices of that are read by elementwise ops alone, but
 * for their sizes. */
static bool goes_to_loops(MlirValue value, int depth) {
  for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    bool moves = ts_op_is(op, "tensor.extract_slice") || ts_op_is(op, "tensor.insert_slice") ||
                 ts_op_is(op, "tensor.pad");
    if (is_elementwise_input(use) || ts_op_is(op, "tensor.dim"))
      continue;
    if (!moves || depth == MOST_DEPTH || !goes_to_loops(mlirOperationGetResult(op, 0), depth + 1))
      return false;
  }
  return true;
}

/* ---- taking apart ---------------------------------------------------------------------------- */

static bool same_everywhere(int num, const int64_t *numbers) {
  for (int i = 1; i < num; i++)
    if (numbers[i] != numbers[0])
      return false;
  return true;
}

/* A number for each device, as a value; at the function's entry, so that no
 * question stands between loops that could be one kernel. */
static MlirValue number_by_device(const ts_maker *at, const ts_grid *grid, int num,
                                  const int64_t *numbers) {
  ts_maker start = *at, *build = &start;
  MlirType index = mlirIndexTypeGet(build->context);
  MlirAttribute elements[TS_MOST_DEVICES];
  int64_t length = num;
  start.block = ts_function_entry(ts_parent_named(at->before, "func.func"));
  start.before = mlirBlockGetFirstOperation(start.block);
  for (int i = 0; i < num; i++)
    elements[i] = ts_int_attribute(index, numbers[i]);
  MlirType table = mlirRankedTensorTypeGet(1, &length, index, mlirAttributeGetNull());
  MlirNamedAttribute of =
      ts_named(build->context, "grid", ts_symbol_attribute(build->context, grid->name));
  MlirValue operands[] = {
      ts_make_constant(build, mlirDenseElementsAttrGet(table, num, elements)),
      ts_make_value(build, "shard.process_linear_index", 0, NULL, index, 1, &of)};
  return ts_make_value(build, "tensor.extract", 2, operands, index, 0, NULL);
}

/* The op's numbers along all dimensions: static where devices agree, else operands. */
typedef struct numbers {
  int64_t known[TS_BOX_RANK];
  int num;
  MlirValue values[TS_BOX_RANK];
} numbers;

static void add_number(const search *s, const ts_maker *build, const ts_grid *grid, int d,
                       const int64_t *by_device, numbers *n) {
  n->known[d] = by_device[0];
  if (same_everywhere(s->devices->num, by_device))
    return;
  n->known[d] = mlirShapedTypeGetDynamicSize();
  n->values[n->num++] = number_by_device(build, grid, s->devices->num, by_device);
}

/* A slice of `of`, the parts before, or an insertion of `piece` at the parts after. */
static MlirValue cut_or_insert(const search *s, const ts_maker *build, const ts_sharding *layout,
                               MlirValue piece, MlirValue of, const own_part *parts) {
  MlirContext context = build->context;
  bool inserts = !mlirValueIsNull(piece);
  numbers offsets = {.num = 0}, sizes = {.num = 0};
  int64_t strides[TS_BOX_RANK];
  for (int d = 0; d < layout->rank; d++) {
    add_number(s, build, layout->grid, d, inserts ? parts[d].after : parts[d].before, &offsets);
    add_number(s, build, layout->grid, d, parts[d].sizes, &sizes);
    strides[d] = 1;
  }
  MlirValue operands[2 + 2 * TS_BOX_RANK] = {inserts ? piece : of, of};
  intptr_t num = inserts ? 2 : 1;
  for (int i = 0; i < offsets.num; i++)
    operands[num++] = offsets.values[i];
  for (int i = 0; i < sizes.num; i++)
    operands[num++] = sizes.values[i];
  const int32_t slice[] = {1, offsets.num, sizes.num, 0};
  const int32_t insertion[] = {1, 1, offsets.num, sizes.num, 0};
  MlirNamedAttribute attributes[] = {
      ts_named(context, "static_offsets",
               mlirDenseI64ArrayGet(context, layout->rank, offsets.known)),
      ts_named(context, "static_sizes", mlirDenseI64ArrayGet(context, layout->rank, sizes.known)),
      ts_named(context, "static_strides", mlirDenseI64ArrayGet(context, layout->rank, strides)),
      ts_named(context, "operandSegmentSizes",
               mlirDenseI32ArrayGet(context, inserts ? 5 : 4, inserts ? insertion : slice))};
  MlirType type = mlirValueGetType(of);
  if (!inserts)
    type = mlirRankedTensorTypeGet(layout->rank, sizes.known, mlirShapedTypeGetElementType(type),
                                   mlirAttributeGetNull());
  return ts_make_value(build, inserts ? "tensor.insert_slice" : "tensor.extract_slice", num,
                       operands, type, 4, attributes);
}

static bool is_all(const search *s, MlirType piece, int rank, const own_part *parts) {
  for (int d = 0; d < rank; d++)
    if (!same_everywhere(s->devices->num, parts[d].sizes) ||
        mlirShapedTypeGetDimSize(piece, d) != parts[d].sizes[0])
      return false;
  return true;
}

/* Gives the uses of `value` but `except` to `other`. */
static void replace_uses(MlirValue value, MlirOperation except, MlirValue other) {
  for (MlirOpOperand use = mlirValueGetFirstUse(value), next; !mlirOpOperandIsNull(use);
       use = next) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    next = mlirOpOperandGetNextUse(use);
    if (!mlirOperationEqual(op, except))
      mlirOperationSetOperand(op, mlirOpOperandGetOperandNumber(use), other);
  }
}

static const ts_box *boxes_of(const search *s, int rank, const own_part *parts) {
  ts_box *boxes = TS_NEW(s->arena, ts_box, s->devices->num);
  for (int device = 0; device < s->devices->num; device++) {
    boxes[device].rank = rank;
    for (int d = 0; d < rank; d++) {
      boxes[device].from[d] = parts[d].after[device];
      boxes[device].to[d] = parts[d].after[device] + parts[d].sizes[device];
    }
  }
  return boxes;
}

static void visit(MlirOperation op, void *user) {
  search *s = user;
  own_part parts[TS_BOX_RANK];
  if (!ts_op_is(op, "tessera.exchange") || !ts_parent_named(op, "func.func").ptr)
    return;
  MlirValue piece = mlirOperationGetOperand(op, 0), result = mlirOperationGetResult(op, 0);
  const ts_sharding *from = find_parts(s, op, parts);
  if (!from || !goes_to_loops(result, 0))
    return;
  ts_maker build = ts_make_before(op);
  if (!is_all(s, mlirValueGetType(piece), from->rank, parts))
    piece = cut_or_insert(s, &build, from, (MlirValue){NULL}, piece, parts);
  build.before = mlirOperationGetNextInBlock(op);
  MlirValue whole = cut_or_insert(s, &build, from, piece, result, parts);
  MlirOperation insertion = mlirOpResultGetOwner(whole);
  replace_uses(result, insertion, whole);
  ts_exchanges *found = &s->found;
  found->items =
      ts_arena_grow(s->arena, found->items, found->num, &found->max, sizeof(ts_exchange));
  found->items[found->num++] = (ts_exchange){op, insertion, boxes_of(s, from->rank, parts)};
}

ts_exchanges ts_exchanges_take_apart(ts_arena *arena, const ts_devices *devices) {
  search s = {.arena = arena, .devices = devices};
  if (devices->num > 1 && ts_grids_collect(&s.grids, arena, devices->module))
    ts_each_op(devices->module, visit, &s);
  return s.found;
}

/* ---- settling -------------------------------------------------------------------------------- */

/* The op of a value that nobody uses any more, and those of the values that it was made of. */
static void drop_unused(MlirValue value) {
  MlirOperation op = ts_defining_op(value);
  static const char *const names[] = {"tensor.extract", "arith.constant", "tensor.extract_slice",
                                      "shard.process_linear_index"};
  bool is_ours = false;
  for (size_t i = 0; op.ptr && i < sizeof(names) / sizeof(names[0]); i++)
    is_ours |= ts_op_is(op, names[i]);
  if (!is_ours || !mlirOpOperandIsNull(mlirValueGetFirstUse(value)))
    return;
  MlirValue operands[2 + 2 * TS_BOX_RANK];
  intptr_t num = mlirOperationGetNumOperands(op);
  for (intptr_t i = 0; i < num; i++)
    operands[i] = mlirOperationGetOperand(op, i);
  mlirOperationDestroy(op);
  for (intptr_t i = 0; i < num; i++)
    drop_unused(operands[i]);
}

void ts_exchanges_settle(const ts_devices *devices, const ts_exchanges *exchanges) {
  for (int i = 0; i < exchanges->num; i++) {
    const ts_exchange *e = &exchanges->items[i];
    MlirValue result = mlirOperationGetResult(e->op, 0);
    MlirValue whole = mlirOperationGetResult(e->insertion, 0);
    MlirValue numbers[2 * TS_BOX_RANK], piece = mlirOperationGetOperand(e->insertion, 0);
    intptr_t num = mlirOperationGetNumOperands(e->insertion) - 2;
    for (intptr_t n = 0; n < num; n++)
      numbers[n] = mlirOperationGetOperand(e->insertion, 2 + n);
    if (ts_pieces_avoid(devices, whole, e->own))
      mlirOperationSetDiscardableAttributeByName(e->op,
                                                 mlirStringRefCreateFromCString("tessera.received"),
                                                 mlirUnitAttrGet(mlirOperationGetContext(e->op)));
    replace_uses(whole, (MlirOperation){NULL}, result);
    mlirOperationDestroy(e->insertion);
    drop_unused(piece);
    for (intptr_t n = 0; n < num; n++)
      drop_unused(numbers[n]);
  }
}
