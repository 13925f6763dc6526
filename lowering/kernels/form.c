/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Forming kernels: walks over functions, groups the linalg ops of a block, and puts a call of a
 * function in their place. It knows functions and calls; it must not know what is in a kernel. */
#include "capi/capi.h"
#include "lowering/kernels/function.h"
#include "lowering/kernels/group.h"
#include "lowering/kernels/one_hot.h"

typedef struct former {
  ts_arena *arena;
  ts_kernel_functions functions;
  ts_buffers memories;  /* of the function */
  ts_kernel *kernel;    /* that grows; NULL if none */
  MlirOperation *freed; /* deallocations of its memory that came by, ... */
  int num_freed, max_freed;
  int num_between;    /* ... as many of them before its last nest */
  MlirValue *private; /* allocations of the function that kernels keep for themselves */
  int num_private, max_private;
} former;

/* ---- ending ---------------------------------------------------------------------------------- */

static void note_private(former *f, const ts_kernel *kernel) {
  for (int p = 0; p < kernel->num_pointers; p++) {
    if (!kernel->pointers[p].elements)
      continue;
    f->private =
        ts_arena_grow(f->arena, f->private, f->num_private, &f->max_private, sizeof(MlirValue));
    f->private[f->num_private++] = kernel->pointers[p].memory->root;
  }
}

static void end_kernel(former *f) {
  ts_kernel *kernel = f->kernel;
  if (!kernel)
    return;
  f->kernel = NULL;
  ts_group_end(kernel);
  const char *function = ts_kernel_function(&f->functions, kernel);
  if (function) {
    MlirOperation last = kernel->nests[kernel->num_nests - 1]->op;
    ts_maker build = ts_make_before(last);
    ts_kernel_call(&build, kernel, function);
    for (int i = f->num_between - 1; i >= 0; i--)
      mlirOperationMoveAfter(f->freed[i], last);
    for (int n = 0; n < kernel->num_nests; n++)
      mlirOperationDestroy(kernel->nests[n]->op);
    note_private(f, kernel);
  }
  f->num_freed = f->num_between = 0;
}

/* Erases what only says something of `value`: views that nobody looks at, and, if nothing else is
 * left, deallocations, which it stores behind the others. True if there is nothing else. */
static bool erase_views(MlirValue value) {
  bool unused = true;
  for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use);) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    if (ts_op_is(op, "memref.dealloc")) {
      use = mlirOpOperandGetNextUse(use);
      continue;
    }
    bool is_said = mlirOperationGetNumResults(op) == 1 && ts_op_is_memory_effect_free(op) &&
                   erase_views(mlirOperationGetResult(op, 0)) &&
                   mlirOpOperandIsNull(mlirValueGetFirstUse(mlirOperationGetResult(op, 0)));
    /* An op may use the value twice, so what comes next is asked for when it is gone. */
    if (is_said)
      mlirOperationDestroy(op);
    use = is_said ? mlirValueGetFirstUse(value) : mlirOpOperandGetNextUse(use);
    unused &= is_said;
  }
  return unused;
}

/* Allocations that nobody looks at go, at the end: memory is known by its value till then. */
static void erase_private(former *f) {
  for (int i = 0; i < f->num_private; i++) {
    MlirValue memory = f->private[i];
    if (!erase_views(memory))
      continue;
    for (MlirOpOperand use; use = mlirValueGetFirstUse(memory), !mlirOpOperandIsNull(use);)
      mlirOperationDestroy(mlirOpOperandGetOwner(use));
    mlirOperationDestroy(mlirOpResultGetOwner(memory));
  }
  f->num_private = 0;
}

/* ---- walking --------------------------------------------------------------------------------- */

static void form_in_block(former *f, MlirBlock block);

static void add_nest(former *f, MlirOperation op) {
  ts_nest *nest = ts_nest_read(&f->memories, op);
  if (!nest) {
    end_kernel(f);
    return;
  }
  if (f->functions.target->picks_steps)
    ts_one_hot_find(&f->memories, nest);
  ts_nest_normalize(nest, f->functions.target->order);
  if (f->kernel && ts_group_add(f->kernel, nest)) {
    f->num_between = f->num_freed;
    return;
  }
  end_kernel(f);
  f->kernel = ts_group_start(f->functions.target, &f->memories, nest);
}

/* Counts the bytes of an allocation, and fails if they are too many. */
static bool is_size_check(MlirOperation op) {
  return ts_op_is(op, "llvm.call") &&
         mlirStringRefEqual(ts_op_symbol(op, "callee"),
                            mlirStringRefCreateFromCString("tessera_rt_bytes"));
}

/* What comes between the nests of a kernel may stay before it: it neither reads nor writes memory.
 */
static bool is_passed(MlirOperation op) {
  return mlirOperationGetNumRegions(op) == 0 &&
         (ts_op_is_memory_effect_free(op) || ts_op_is(op, "memref.alloc") || is_size_check(op));
}

static void form_op(former *f, MlirOperation op) {
  if (ts_op_is_linalg(op)) {
    add_nest(f, op);
    return;
  }
  if (f->kernel && ts_op_is(op, "memref.dealloc")) {
    const ts_buffer *memory = ts_buffer_of(&f->memories, mlirOperationGetOperand(op, 0));
    if (memory && !ts_group_touches(f->kernel, memory))
      return;
    if (memory) {
      f->freed =
          ts_arena_grow(f->arena, f->freed, f->num_freed, &f->max_freed, sizeof(MlirOperation));
      f->freed[f->num_freed++] = op;
      return;
    }
  }
  if (!is_passed(op))
    end_kernel(f);
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); r++)
    for (MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, r)); block.ptr;
         block = mlirBlockGetNextInRegion(block))
      form_in_block(f, block);
}

static void form_in_block(former *f, MlirBlock block) {
  /* What comes behind `op` is known once a kernel that ends there has taken its part of it. */
  for (MlirOperation op = mlirBlockGetFirstOperation(block); op.ptr;
       op = mlirOperationGetNextInBlock(op))
    form_op(f, op);
  end_kernel(f);
}

static void form_in_function(former *f, MlirOperation function) {
  f->memories = (ts_buffers){.arena = f->arena};
  for (MlirBlock block = ts_function_entry(function); block.ptr;
       block = mlirBlockGetNextInRegion(block))
    form_in_block(f, block);
  erase_private(f);
}

void ts_kernels_form(MlirOperation module, const ts_kernel_target *target) {
  ts_arena arena = {0};
  former f = {.arena = &arena,
              .functions = {.arena = &arena,
                            .context = mlirOperationGetContext(module),
                            .module = module,
                            .target = target}};
  MlirOperation last = {NULL}, op = mlirBlockGetFirstOperation(ts_module_body(module));
  for (MlirOperation next = op; next.ptr; next = mlirOperationGetNextInBlock(next))
    last = next;
  /* Kernels come behind the last. */
  for (; op.ptr; op = op.ptr == last.ptr ? (MlirOperation){NULL} : mlirOperationGetNextInBlock(op))
    if (ts_op_is(op, "func.func") && ts_function_entry(op).ptr)
      form_in_function(&f, op);
  ts_arena_free(&arena);
}
