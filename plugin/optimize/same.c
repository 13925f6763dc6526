/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* A value starts as the same along all axes, and loses those along which something that it is made
 * of differs, until nothing changes. It knows how ops pass values on; it must not know why anybody
 * asks. */
#include "optimize/same.h"

#include "capi/capi.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "optimize/communication.h"

/* Walks over a function, each of which takes back what the one before was wrong about: that is as
 * deep as loops nest and rotate what they carry. What takes more is not looked into. */
enum { MOST_WALKS = 8 };

#define KNOWN ((uintptr_t)1 << TS_MAX_AXES)

/* ---- what is known --------------------------------------------------------------------------- */

static ts_axes along(const ts_sameness *same, MlirValue value) {
  uintptr_t entry = (uintptr_t)ts_map_get(&same->axes, value.ptr);
  if (!entry)
    return same->is_settled ? 0 : TS_ALL_AXES;
  return (ts_axes)(entry & ~KNOWN);
}

static void limit(ts_sameness *same, MlirValue value, ts_axes axes) {
  uintptr_t before = (uintptr_t)ts_map_get(&same->axes, value.ptr);
  uintptr_t after = before ? before & (axes | KNOWN) : axes | KNOWN;
  if (before == after)
    return;
  same->has_changed = true;
  ts_map_set(&same->axes, same->arena, value.ptr, (void *)after);
}

static void limit_results(ts_sameness *same, MlirOperation op, ts_axes axes) {
  for (intptr_t r = 0; r < mlirOperationGetNumResults(op); r++)
    limit(same, mlirOperationGetResult(op, r), axes);
}

static ts_axes along_operands(const ts_sameness *same, MlirOperation op, intptr_t first,
                              intptr_t end) {
  ts_axes axes = TS_ALL_AXES;
  for (intptr_t i = first; i < end; i++)
    axes &= along(same, mlirOperationGetOperand(op, i));
  return axes;
}

/* ---- ops ------------------------------------------------------------------------------------- */

/* A collective's members hold the same afterwards, or each its own. */
static ts_axes along_collective(const ts_sameness *same, const ts_collective *row,
                                MlirOperation op) {
  ts_communication c;
  MlirStringRef grid = ts_op_symbol(op, "grid");
  if (!mlirStringRefEqual(grid, same->grid) || row->along || !ts_communication_read(op, &c))
    return 0;
  ts_axes before = along_operands(same, op, 0, mlirOperationGetNumOperands(op));
  return row->agrees ? before | c.set : before & ~c.set;
}

typedef struct inside {
  const ts_sameness *same;
  ts_axes axes;
} inside;

/* What it takes of outside counts; what it makes itself follows from that, and is not known here.
 */
static MlirWalkResult look_inside(MlirOperation op, void *user) {
  inside *in = user;
  if (ts_tells_devices_apart(in->same->plain, op))
    in->axes = 0;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
    uintptr_t entry = (uintptr_t)ts_map_get(&in->same->axes, mlirOperationGetOperand(op, i).ptr);
    if (entry)
      in->axes &= (ts_axes)(entry & ~KNOWN);
  }
  return MlirWalkResultAdvance;
}

static ts_axes along_op(const ts_sameness *same, MlirOperation op) {
  const ts_collective *row = ts_collective_of(op);
  if (row)
    return along_collective(same, row, op);
  if (!ts_op_is_memory_effect_free(op) && !ts_is_plain_call(same->plain, op))
    return 0;
  inside in = {same, along_operands(same, op, 0, mlirOperationGetNumOperands(op))};
  if (ts_tells_devices_apart(same->plain, op))
    return 0;
  if (mlirOperationGetNumRegions(op) > 0)
    mlirOperationWalk(op, look_inside, &in, MlirWalkPreOrder);
  return in.axes;
}

/* ---- control flow ---------------------------------------------------------------------------- */

static void visit_block(ts_sameness *same, MlirBlock block);

static MlirBlock body(MlirOperation op, intptr_t region) {
  return mlirRegionGetFirstBlock(mlirOperationGetRegion(op, region));
}

static void visit_for(ts_sameness *same, MlirOperation op) {
  enum { NUM_BOUNDS = 3 };
  ts_axes trips = along_operands(same, op, 0, NUM_BOUNDS);
  MlirBlock block = body(op, 0);
  MlirOperation yield = mlirBlockGetTerminator(block);
  limit(same, mlirBlockGetArgument(block, 0), trips);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); i++) {
    ts_axes axes = trips & along(same, mlirOperationGetOperand(op, NUM_BOUNDS + i)) &
                   along(same, mlirOperationGetOperand(yield, i));
    limit(same, mlirBlockGetArgument(block, 1 + i), axes);
    limit(same, mlirOperationGetResult(op, i), axes);
  }
  visit_block(same, block);
}

static void visit_while(ts_sameness *same, MlirOperation op) {
  MlirBlock before = body(op, 0), after = body(op, 1);
  MlirOperation condition = mlirBlockGetTerminator(before), yield = mlirBlockGetTerminator(after);
  ts_axes trips = along(same, mlirOperationGetOperand(condition, 0));
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(before); i++)
    limit(same, mlirBlockGetArgument(before, i),
          trips & along(same, mlirOperationGetOperand(op, i)) &
              along(same, mlirOperationGetOperand(yield, i)));
  visit_block(same, before);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); i++) {
    ts_axes axes = trips & along(same, mlirOperationGetOperand(condition, 1 + i));
    limit(same, mlirBlockGetArgument(after, i), axes);
    limit(same, mlirOperationGetResult(op, i), axes);
  }
  visit_block(same, after);
}

static void visit_if(ts_sameness *same, MlirOperation op) {
  ts_axes way = along(same, mlirOperationGetOperand(op, 0));
  for (intptr_t i = 0; i < mlirOperationGetNumRegions(op); i++) {
    if (!body(op, i).ptr)
      continue;
    visit_block(same, body(op, i));
    MlirOperation yield = mlirBlockGetTerminator(body(op, i));
    for (intptr_t r = 0; r < mlirOperationGetNumResults(op); r++)
      limit(same, mlirOperationGetResult(op, r),
            way & along(same, mlirOperationGetOperand(yield, r)));
  }
}

static const struct {
  const char *op;
  void (*visit)(ts_sameness *same, MlirOperation op);
} flows[] = {{"scf.for", visit_for}, {"scf.if", visit_if}, {"scf.while", visit_while}};

static void visit_op(ts_sameness *same, MlirOperation op) {
  for (size_t i = 0; i < sizeof(flows) / sizeof(flows[0]); i++)
    if (ts_op_is(op, flows[i].op)) {
      flows[i].visit(same, op);
      return;
    }
  limit_results(same, op, along_op(same, op));
}

static void visit_block(ts_sameness *same, MlirBlock block) {
  for (MlirOperation op = mlirBlockGetFirstOperation(block); op.ptr;
       op = mlirOperationGetNextInBlock(op))
    visit_op(same, op);
}

/* ---- functions ------------------------------------------------------------------------------- */

static MlirAttribute layout_of(MlirOperation function, intptr_t argument) {
  MlirAttribute all = ts_attribute(function, "arg_attrs");
  if (mlirAttributeIsNull(all))
    return all;
  MlirAttribute own = mlirArrayAttrGetElement(all, argument);
  return mlirDictionaryAttrGetElementByName(own, mlirStringRefCreateFromCString("tessera.layout"));
}

/* The layout of an argument; NULL if nothing is said of it. */
static const ts_sharding *read_layout(ts_grids *grids, MlirOperation function, intptr_t argument) {
  MlirType type;
  const char *mistake;
  MlirAttribute layout = layout_of(function, argument);
  return mlirAttributeIsNull(layout) ? NULL
                                     : ts_layout_from_attribute(grids, layout, &type, &mistake);
}

/* The axes along which a tensor has copies. */
static ts_axes along_layout(const ts_sameness *same, const ts_sharding *layout) {
  if (!mlirStringRefEqual(same->grid, mlirStringRefCreateFromCString(layout->grid->name)))
    return 0;
  return TS_ALL_AXES & ~(ts_sharding_split_axes(layout) | ts_sharding_partial_axes(layout));
}

/* In a function that was partitioned scalars are the same everywhere. In another, nothing is known.
 */
static void enter(ts_sameness *same, ts_grids *grids, MlirOperation function, MlirBlock entry) {
  intptr_t num = mlirBlockGetNumArguments(entry);
  const ts_sharding **layouts = TS_NEW(same->arena, const ts_sharding *, num);
  for (intptr_t i = 0; i < num; i++) {
    layouts[i] = read_layout(grids, function, i);
    if (layouts[i] && !same->grid.length)
      same->grid = mlirStringRefCreateFromCString(layouts[i]->grid->name);
  }
  for (intptr_t i = 0; i < num; i++) {
    MlirValue argument = mlirBlockGetArgument(entry, i);
    bool is_scalar = !mlirTypeIsAShaped(mlirValueGetType(argument)) && same->grid.length;
    limit(same, argument,
          layouts[i]  ? along_layout(same, layouts[i])
          : is_scalar ? TS_ALL_AXES
                      : 0);
  }
}

/* The grid of the first collective, where no argument names one. */
static MlirWalkResult note_grid(MlirOperation op, void *user) {
  ts_sameness *same = user;
  if (!ts_collective_of(op) || !ts_op_symbol(op, "grid").length)
    return MlirWalkResultAdvance;
  same->grid = ts_op_symbol(op, "grid");
  return MlirWalkResultInterrupt;
}

static void visit_function(ts_sameness *same, MlirOperation function) {
  MlirRegion region = mlirOperationGetRegion(function, 0);
  for (MlirBlock block = mlirRegionGetFirstBlock(region); block.ptr;
       block = mlirBlockGetNextInRegion(block))
    visit_block(same, block);
}

void ts_sameness_find(ts_sameness *same, ts_optimizer *optimizer, MlirOperation function) {
  *same = (ts_sameness){.arena = optimizer->arena, .plain = optimizer->plain};
  MlirBlock entry = ts_function_entry(function);
  enter(same, optimizer->grids, function, entry);
  for (MlirBlock block = mlirBlockGetNextInRegion(entry); block.ptr;
       block = mlirBlockGetNextInRegion(block))
    for (intptr_t i = 0; i < mlirBlockGetNumArguments(block); i++)
      limit(same, mlirBlockGetArgument(block, i), 0);
  if (!same->grid.length)
    mlirOperationWalk(function, note_grid, same, MlirWalkPreOrder);
  for (int i = 0; i < MOST_WALKS; i++) {
    same->has_changed = false;
    visit_function(same, function);
    if (!same->has_changed) {
      same->is_settled = true;
      return;
    }
  }
  same->axes = (ts_map){0};
  same->is_settled = true;
}

bool ts_is_same_along(const ts_sameness *same, MlirValue value, MlirStringRef grid, ts_axes axes) {
  return mlirStringRefEqual(grid, same->grid) && (along(same, value) & axes) == axes;
}

void ts_sameness_add(ts_sameness *same, MlirOperation op) {
  for (intptr_t r = 0; r < mlirOperationGetNumResults(op); r++)
    ts_map_set(&same->axes, same->arena, mlirOperationGetResult(op, r).ptr,
               (void *)(along_op(same, op) | KNOWN));
}

void ts_sameness_move(ts_sameness *same, MlirValue value, MlirValue other) {
  ts_map_set(&same->axes, same->arena, value.ptr, (void *)(along(same, other) | KNOWN));
}
