/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The memory that a kernel works on: which pointers it is given, which of them lead to memory of
 * their own, and what it keeps for itself. It knows nests and memory; it must not know functions.
 */
#include "capi/capi.h"
#include "ir/memory_views.h"
#include "lowering/kernels/group.h"
#include "lowering/kernels/steps.h"
#include "mlir-c/BuiltinTypes.h"

enum { MOST_PRIVATE_BYTES = 32 << 10 }; /* of one buffer that is the kernel's own */

static bool is_nest(const ts_kernel *kernel, MlirOperation op) {
  for (int n = 0; n < kernel->num_nests; n++)
    if (mlirOperationEqual(kernel->nests[n]->op, op))
      return true;
  return false;
}

/* Nobody but the kernel's nests looks at `value` or views of it. */
static bool is_private(const ts_kernel *kernel, MlirValue value) {
  for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    if (is_nest(kernel, op) || ts_op_is(op, "memref.dealloc") || ts_op_is(op, "memref.dim"))
      continue;
    if (!mlirValueEqual(ts_view_source(op), value) || mlirOperationGetNumResults(op) != 1 ||
        !is_private(kernel, mlirOperationGetResult(op, 0)))
      return false;
  }
  return true;
}

/* Allocated anew each time that the kernel is called. */
static bool is_of_block(const ts_kernel *kernel, MlirValue allocation) {
  return mlirBlockEqual(mlirOperationGetBlock(mlirOpResultGetOwner(allocation)),
                        mlirOperationGetBlock(kernel->nests[0]->op));
}

static int find_pointer(ts_kernel *kernel, const ts_buffer *memory) {
  for (int p = 0; p < kernel->num_pointers; p++)
    if (ts_steps_same_base(kernel->pointers[p].memory, memory))
      return p;
  int p = kernel->num_pointers++;
  kernel->pointers[p] =
      (ts_pointer){.memory = memory,
                   .element = mlirShapedTypeGetElementType(mlirValueGetType(memory->memref)),
                   .is_apart = true};
  return p;
}

/* Memory that bodies look into is passed beside the pointers. */
static MlirWalkResult note_lookup(MlirOperation op, void *user) {
  const ts_kernel *kernel = user;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++) {
    MlirValue value = mlirOperationGetOperand(op, i);
    if (ts_op_is_linalg(op) || !mlirTypeIsAMemRef(mlirValueGetType(value)))
      continue;
    for (int p = 0; p < kernel->num_pointers; p++)
      if (ts_buffer_may_be_in(kernel->pointers[p].memory, value))
        kernel->pointers[p].is_apart = false;
  }
  return MlirWalkResultAdvance;
}

static void find_pointers(ts_kernel *kernel) {
  ts_arena *arena = kernel->memories->arena;
  int total = 0;
  for (int n = 0; n < kernel->num_nests; n++)
    total += kernel->nests[n]->num_accesses;
  kernel->pointers = TS_NEW(arena, ts_pointer, total);
  kernel->pointer_of = TS_NEW(arena, int *, kernel->num_nests);
  for (int n = 0; n < kernel->num_nests; n++) {
    const ts_nest *nest = kernel->nests[n];
    kernel->pointer_of[n] = TS_NEW(arena, int, nest->num_accesses);
    for (int a = 0; a < nest->num_accesses; a++) {
      const ts_access *access = &nest->accesses[a];
      int p = access->memory ? find_pointer(kernel, access->memory) : -1;
      kernel->pointer_of[n][a] = p;
      if (p >= 0)
        kernel->pointers[p].is_written |= access->writes;
    }
  }
  for (int p = 0; p < kernel->num_pointers; p++)
    for (int q = 0; q < p; q++) {
      ts_pointer *a = &kernel->pointers[p], *b = &kernel->pointers[q];
      if ((a->is_written || b->is_written) && ts_buffer_may_alias(a->memory, b->memory))
        a->is_apart = b->is_apart = false;
    }
  for (int n = 0; n < kernel->num_nests; n++)
    mlirOperationWalk(kernel->nests[n]->op, note_lookup, kernel, MlirWalkPreOrder);
}

/* How many elements one step needs of the pointer's memory; 0 if that is not known, too much, or
 * not the step's own. */
static int64_t private_elements(const ts_kernel *kernel, int p) {
  int64_t most = 0;
  const ts_access *first = NULL;
  for (int q = 0; q < kernel->num_pointers; q++)
    if (q != p &&
        mlirValueEqual(kernel->pointers[q].memory->root, kernel->pointers[p].memory->root))
      return 0;
  for (int n = 0; n < kernel->num_nests; n++)
    for (int a = 0; a < kernel->nests[n]->num_accesses; a++) {
      const ts_access *access = &kernel->nests[n]->accesses[a];
      if (kernel->pointer_of[n][a] != p)
        continue;
      int64_t elements = ts_steps_span(kernel->nests[n], access, kernel->num_shared);
      if (elements < 0 || !ts_product_is(&access->offset, 0) ||
          !ts_steps_are_apart(kernel->nests[n], access, kernel->num_shared) ||
          (first && !ts_steps_are_same(first, access, kernel->num_shared)))
        return 0;
      first = access;
      most = elements > most ? elements : most;
    }
  return most * ts_steps_element_bytes(kernel->pointers[p].memory) <= MOST_PRIVATE_BYTES ? most : 0;
}

static void make_private(ts_kernel *kernel, int p, int64_t elements) {
  kernel->pointers[p].elements = elements;
  kernel->pointers[p].is_apart = true;
  for (int n = 0; n < kernel->num_nests; n++)
    for (int a = 0; a < kernel->nests[n]->num_accesses; a++)
      for (int l = 0; l < kernel->num_shared && kernel->pointer_of[n][a] == p; l++)
        kernel->nests[n]->accesses[a].strides[l] = ts_product_of_number(0);
}

/* Loops that were split for nests that then shared fewer are one again. A nest alone has nobody to
 * share with: all its loops are for the target to arrange. */
static void join_loops(ts_kernel *kernel) {
  if (kernel->num_nests == 1)
    kernel->num_shared = 0;
  for (int n = 0; n < kernel->num_nests; n++)
    ts_nest_merge(kernel->nests[n], kernel->num_shared);
}

void ts_group_end(ts_kernel *kernel) {
  join_loops(kernel);
  find_pointers(kernel);
  int64_t stack = 0;
  for (int p = 0; p < kernel->num_pointers; p++) {
    const ts_buffer *memory = kernel->pointers[p].memory;
    bool is_own =
        memory->is_fresh && is_of_block(kernel, memory->root) && is_private(kernel, memory->root);
    int64_t elements = is_own ? private_elements(kernel, p) : 0;
    stack += elements * ts_steps_element_bytes(memory);
    if (elements && stack <= kernel->target->most_private_bytes)
      make_private(kernel, p, elements);
  }
}
