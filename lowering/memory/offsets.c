/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Where a function's buffers lie: those that are not in use at the same time share memory. It knows
 * lives and bytes; it must not know what is computed. */
#include "lowering/memory/offsets.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "capi/capi.h"
#include "ir/build.h"
#include "ir/element_types.h"
#include "lowering/calls/allocations.h"
#include "lowering/memory/lives.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

enum {
  ALIGNMENT = 64,     /* of libtessera's blocks */
  LEAST_BYTES = 1024, /* smaller buffers cost nothing, and LLVM may know more of them alone */
  LEAST_TOLD = 1 << 20
};
static const int64_t most_bytes = INT64_C(1) << 56;

/* One buffer of the plan. */
typedef struct buffer {
  ts_life life;
  int64_t bytes, offset;
  int number; /* in the order of the program */
} buffer;

/* What one function allocates. */
typedef struct plan {
  ts_arena *arena;
  ts_order order;
  buffer *buffers;
  int num, max;
  MlirOperation *allocs;
  int num_allocs, max_allocs;
  int num_unknown;    /* of sizes that only the launch knows, or without an end in sight */
  int64_t sum, total; /* bytes of all buffers; of the block that they lie in */
} plan;

/* ---- which buffers --------------------------------------------------------------------------- */

static void note_alloc(MlirOperation op, void *user) {
  plan *p = user;
  if (!ts_op_is(op, "memref.alloc"))
    return;
  p->allocs =
      ts_arena_grow(p->arena, p->allocs, p->num_allocs, &p->max_allocs, sizeof(MlirOperation));
  p->allocs[p->num_allocs++] = op;
}

/* The bytes of a buffer that may lie in the block; 0 if it may not: memory that a target has apart
 * from all other. */
static int64_t planned_bytes(MlirOperation alloc) {
  MlirType type = mlirValueGetType(mlirOperationGetResult(alloc, 0));
  int64_t bytes = ts_element_bytes(mlirShapedTypeGetElementType(type));
  if (!mlirAttributeIsNull(ts_attribute(alloc, "tessera.host")) ||
      mlirOperationGetNumOperands(alloc) > 0 || !ts_is_identity_memref(type) ||
      !mlirAttributeIsNull(mlirMemRefTypeGetMemorySpace(type)))
    return 0;
  for (intptr_t d = 0; d < mlirShapedTypeGetRank(type); d++)
    if (__builtin_mul_overflow(bytes, mlirShapedTypeGetDimSize(type, d), &bytes) ||
        bytes > most_bytes)
      return 0;
  return bytes < LEAST_BYTES ? 0 : (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

/* As soon as nothing looks at the memory. */
static void free_early(const ts_life *life) {
  if (mlirOperationEqual(life->last, life->dealloc))
    return;
  mlirOperationSetOperand(life->dealloc, 0, mlirOperationGetResult(life->alloc, 0));
  mlirOperationMoveAfter(life->dealloc, life->last);
}

static void read_buffers(plan *p, MlirOperation function) {
  ts_each_op(function, note_alloc, p);
  ts_order_read(&p->order, function);
  for (int i = 0; i < p->num_allocs; i++) {
    buffer made = {.bytes = planned_bytes(p->allocs[i]), .number = p->num};
    bool is_followed = ts_life_read(&p->order, p->allocs[i], &made.life);
    p->num_unknown += !is_followed || mlirOperationGetNumOperands(p->allocs[i]) > 0;
    if (!is_followed)
      continue;
    if (!made.bytes || __builtin_add_overflow(p->sum, made.bytes, &p->sum)) {
      free_early(&made.life);
      continue;
    }
    p->buffers = ts_arena_grow(p->arena, p->buffers, p->num, &p->max, sizeof(buffer));
    p->buffers[p->num++] = made;
  }
}

/* ---- where they lie -------------------------------------------------------------------------- */

/* Large ones first: small ones find room between them. */
static int by_bytes(const void *left, const void *right) {
  const buffer *a = left, *b = right;
  if (a->bytes != b->bytes)
    return a->bytes < b->bytes ? 1 : -1;
  return a->number < b->number ? -1 : a->number > b->number;
}

static int by_offset(const void *left, const void *right) {
  const buffer *const *a = left, *const *b = right;
  if ((*a)->offset != (*b)->offset)
    return (*a)->offset < (*b)->offset ? -1 : 1;
  return (*a)->number<(*b)->number ? -1 : (*a)->number>(*b)->number;
}

static bool meet(const buffer *a, const buffer *b) {
  return a->life.begin <= b->life.end && b->life.begin <= a->life.end;
}

/* The smallest gap that is large enough between the buffers that are in use at the same time. */
static int64_t find_offset(const buffer *placed, const buffer *const *meeting, int num) {
  int64_t end = 0, best = -1, smallest = INT64_MAX;
  for (int i = 0; i < num; i++) {
    int64_t gap = meeting[i]->offset - end;
    if (gap >= placed->bytes && gap < smallest) {
      best = end;
      smallest = gap;
    }
    if (meeting[i]->offset + meeting[i]->bytes > end)
      end = meeting[i]->offset + meeting[i]->bytes;
  }
  return best >= 0 ? best : end;
}

static void place_buffers(plan *p) {
  const buffer **meeting = TS_NEW(p->arena, const buffer *, p->num);
  qsort(p->buffers, (size_t)p->num, sizeof(buffer), by_bytes);
  for (int i = 0; i < p->num; i++) {
    buffer *placed = &p->buffers[i];
    int num = 0;
    for (int j = 0; j < i; j++)
      if (meet(placed, &p->buffers[j]))
        meeting[num++] = &p->buffers[j];
    qsort(meeting, (size_t)num, sizeof(*meeting), by_offset);
    placed->offset = find_offset(placed, meeting, num);
    if (placed->offset + placed->bytes > p->total)
      p->total = placed->offset + placed->bytes;
  }
}

/* ---- rewriting ------------------------------------------------------------------------------- */

static MlirType bytes_type(MlirContext context, int64_t bytes) {
  return mlirMemRefTypeContiguousGet(mlirIntegerTypeGet(context, 8), 1, &bytes,
                                     mlirAttributeGetNull());
}

static MlirValue make_block(const ts_maker *build, int64_t bytes) {
  int32_t segments[] = {0, 0};
  MlirNamedAttribute attribute = ts_named(build->context, "operandSegmentSizes",
                                          mlirDenseI32ArrayGet(build->context, 2, segments));
  return ts_make_value(build, "memref.alloc", 0, NULL, bytes_type(build->context, bytes), 1,
                       &attribute);
}

static void become_view(const buffer *b, MlirValue block) {
  ts_maker build = ts_make_before(b->life.alloc);
  MlirValue memory = mlirOperationGetResult(b->life.alloc, 0);
  MlirValue operands[] = {block, ts_make_index(&build, b->offset)};
  MlirValue view =
      ts_make_value(&build, "memref.view", 2, operands, mlirValueGetType(memory), 0, NULL);
  mlirOperationDestroy(b->life.dealloc);
  mlirValueReplaceAllUsesOfWith(memory, view);
  mlirOperationDestroy(b->life.alloc);
}

static void tell(const plan *p, MlirOperation function) {
  MlirLocation location = mlirOperationGetLocation(function);
  char text[256];
  int length = snprintf(text, sizeof(text), "%" PRId64 " peak bytes (%.1f MB)", p->total,
                        (double)p->total * 1e-6);
  if (p->num > 1)
    length +=
        snprintf(text + length, sizeof(text) - (size_t)length,
                 ", of a block that %d buffers of %.1f MB share", p->num, (double)p->sum * 1e-6);
  if (p->num_unknown)
    snprintf(text + length, sizeof(text) - (size_t)length,
             "; besides, %d of sizes that only the launch knows, or that outlive it",
             p->num_unknown);
  ts_diagnose(location, TS_REMARK, text, location, NULL);
}

/* The op of the function's body that `op` is, or is inside of. */
static MlirOperation in_body(MlirOperation op, MlirBlock body) {
  while (!mlirBlockEqual(mlirOperationGetBlock(op), body))
    op = mlirOperationGetParentOperation(op);
  return op;
}

/* One block for all buffers, from the first one's beginning to the last one's end. */
static void share_block(const plan *p, MlirOperation function) {
  MlirBlock body = ts_function_entry(function);
  MlirOperation first = in_body(p->buffers[0].life.alloc, body);
  MlirOperation last = in_body(p->buffers[0].life.last, body);
  for (int i = 1; i < p->num; i++) {
    MlirOperation from = in_body(p->buffers[i].life.alloc, body);
    MlirOperation to = in_body(p->buffers[i].life.last, body);
    if (mlirOperationIsBeforeInBlock(from, first))
      first = from;
    if (mlirOperationIsBeforeInBlock(last, to))
      last = to;
  }
  ts_maker build = ts_make_before(first);
  build.location = mlirOperationGetLocation(function);
  MlirValue block = make_block(&build, p->total);
  ts_allocation_replaces(mlirOpResultGetOwner(block), p->buffers[0].life.alloc); /* the largest */
  build.before = mlirOperationGetNextInBlock(last);
  ts_make_op(&build, &(ts_new_op){.name = "memref.dealloc", .num_operands = 1, .operands = &block});
  for (int i = 0; i < p->num; i++)
    become_view(&p->buffers[i], block);
}

static void plan_function(MlirOperation function) {
  ts_arena arena = {0};
  plan p = {.arena = &arena, .order = {.arena = &arena}};
  /* Where blocks branch, the text is not the order in which they run. */
  if (!mlirBlockGetNextInRegion(ts_function_entry(function)).ptr)
    read_buffers(&p, function);
  if (p.num > 0)
    place_buffers(&p);
  if (p.num > 1)
    share_block(&p, function);
  if (p.total >= LEAST_TOLD)
    tell(&p, function);
  ts_arena_free(&arena);
}

void ts_memory_plan(MlirOperation module) {
  for (MlirOperation op = mlirBlockGetFirstOperation(ts_module_body(module)); op.ptr;
       op = mlirOperationGetNextInBlock(op))
    if (ts_op_is(op, "func.func") && ts_function_entry(op).ptr)
      plan_function(op);
}
