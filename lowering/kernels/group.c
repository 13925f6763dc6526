/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Which nests become one kernel: those that can go through their outer loops together. Knows nests
 * and memory, nothing of functions or code. */
#include "lowering/kernels/group.h"

#include "capi/capi.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

enum {
  MOST_NESTS = 64,
  MOST_STEP_BYTES = 128 << 10,   /* what one step of the outer loops touches: fits a core's cache */
  MOST_PRIVATE_BYTES = 32 << 10, /* of one buffer that is the kernel's own */
  MOST_STACK_BYTES = 64 << 10    /* of all of them */
};

/* ---- memory -----------------------------------------------------------------------------------
 */

MlirValue ts_group_base(MlirValue memref) {
  for (;;) {
    MlirOperation op = ts_defining_op(memref);
    if (!op.ptr || (!ts_op_is(op, "memref.cast") && !ts_op_is(op, "memref.expand_shape") &&
                    !ts_op_is(op, "memref.collapse_shape")))
      return memref;
    MlirValue source = mlirOperationGetOperand(op, 0);
    if (!mlirTypeIsAMemRef(mlirValueGetType(source)))
      return memref;
    memref = source;
  }
}

static bool same_base(const ts_buffer *a, const ts_buffer *b) {
  return mlirValueEqual(ts_group_base(a->memref), ts_group_base(b->memref));
}

static int element_bytes(const ts_buffer *memory) {
  MlirType element = mlirShapedTypeGetElementType(mlirValueGetType(memory->memref));
  bool is_complex = mlirTypeIsAComplex(element);
  if (is_complex)
    element = mlirComplexTypeGetElementType(element);
  unsigned bits = 64;
  if (mlirTypeIsAInteger(element))
    bits = mlirIntegerTypeGetWidth(element);
  else if (mlirTypeIsAFloat(element))
    bits = mlirFloatTypeGetWidth(element);
  int bytes = 1;
  while ((unsigned)bytes * 8 < bits)
    bytes *= 2;
  return bytes * (is_complex ? 2 : 1);
}

/* Elements from the first to the last that loops `first` and on go through; -1 if only the launch
 * knows. */
static int64_t span(const ts_nest *nest, const ts_access *access, int first) {
  int64_t elements = 1;
  for (int l = first; l < nest->num_loops; l++) {
    if (ts_product_is(&access->strides[l], 0))
      continue;
    int64_t extent = ts_product_number(&nest->loops[l].extent, -1);
    int64_t stride = ts_product_number(&access->strides[l], -1), more;
    if (extent < 0 || stride < 0 || __builtin_mul_overflow(stride, extent - 1, &more) ||
        __builtin_add_overflow(elements, more, &elements))
      return -1;
  }
  return elements;
}

/* ---- going together ---------------------------------------------------------------------------
 */

/* Every step of the first `shared` loops has elements of its own. */
static bool steps_are_apart(const ts_nest *nest, const ts_access *access, int shared) {
  int behind = -1;
  for (int l = nest->num_loops - 1; l >= 0; l--) {
    const ts_product *stride = &access->strides[l];
    if (ts_product_is(stride, 0)) {
      if (l < shared)
        return false;
      continue;
    }
    if (behind >= 0) {
      ts_product row;
      if (!ts_product_multiply(&access->strides[behind], &nest->loops[behind].extent, &row))
        return false;
      bool far = row.num == 0 && stride->num == 0 && stride->factor >= row.factor;
      if (!far && !ts_product_equal(&row, stride))
        return false;
    } else if (stride->factor < 0) {
      return false;
    }
    behind = l;
  }
  return true;
}

static bool same_steps(const ts_access *a, const ts_access *b, int shared) {
  for (int l = 0; l < shared; l++)
    if (!ts_product_equal(&a->strides[l], &b->strides[l]))
      return false;
  return true;
}

/* What a step of one does to the memory, only the same step of the other sees. */
static bool agree(const ts_nest *x, const ts_access *a, const ts_nest *y, const ts_access *b,
                  int shared) {
  if (!a->memory || !b->memory || (!a->writes && !b->writes) ||
      !ts_buffer_may_alias(a->memory, b->memory))
    return true;
  return same_base(a->memory, b->memory) && ts_product_equal(&a->offset, &b->offset) &&
         same_steps(a, b, shared) && steps_are_apart(x, a, shared) && steps_are_apart(y, b, shared);
}

static bool nests_agree(const ts_nest *x, const ts_nest *y, int shared) {
  for (int a = 0; a < x->num_accesses; a++)
    for (int b = 0; b < y->num_accesses; b++)
      if (!agree(x, &x->accesses[a], y, &y->accesses[b], shared))
        return false;
  return true;
}

static bool has_common_memory(const ts_nest *x, const ts_nest *y) {
  for (int a = 0; a < x->num_accesses; a++)
    for (int b = 0; b < y->num_accesses; b++)
      if (x->accesses[a].memory && y->accesses[b].memory &&
          mlirValueEqual(x->accesses[a].memory->root, y->accesses[b].memory->root))
        return true;
  return false;
}

static int64_t step_bytes(const ts_nest *nest, int shared) {
  int64_t bytes = 0;
  for (int a = 0; a < nest->num_accesses; a++) {
    const ts_access *access = &nest->accesses[a];
    int64_t elements = access->memory ? span(nest, access, shared) : 0;
    if (elements < 0 || elements > MOST_STEP_BYTES)
      return MOST_STEP_BYTES + 1;
    bytes += elements * (access->memory ? element_bytes(access->memory) : 0);
  }
  return bytes;
}

/* Code in bodies may look at memory that no access tells of. */
static MlirWalkResult note_lookup(MlirOperation op, void *user) {
  bool *found = user;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++)
    *found |= mlirTypeIsAMemRef(mlirValueGetType(mlirOperationGetOperand(op, i))) &&
              !ts_op_is_linalg(op);
  return MlirWalkResultAdvance;
}

static bool looks_up(const ts_nest *nest) {
  bool found = false;
  mlirOperationWalk(nest->op, note_lookup, &found, MlirWalkPreOrder);
  return found;
}

static ts_nest *copy_nest(ts_buffers *memories, const ts_nest *nest) {
  ts_nest *copy = ts_arena_copy(memories->arena, nest, sizeof *nest);
  copy->accesses = ts_arena_copy(memories->arena, nest->accesses,
                                 sizeof(ts_access) * (size_t)(nest->num_accesses + 1));
  return copy;
}

static bool split_all(int num, ts_nest *const *nests, int loop, const ts_product *outer) {
  for (int i = 0; i < num; i++) {
    ts_product inner;
    if (!ts_product_divide(&nests[i]->loops[loop].extent, outer, &inner) ||
        !ts_nest_split(nests[i], loop, &inner))
      return false;
  }
  return true;
}

/* Splits loops of `nest` and of the kernel's where one's is several of the other's, and returns how
 * many of the first ones are the same then. */
static int share_loops(int num, ts_nest *const *nests, int limit, ts_nest *nest) {
  int shared = 0;
  for (; shared < limit && shared < nest->num_loops; shared++) {
    const ts_product ours = nests[0]->loops[shared].extent;
    const ts_product theirs = nest->loops[shared].extent;
    ts_product parts;
    if (nest->loops[shared].is_reduction || nests[0]->loops[shared].is_reduction)
      break;
    if (ts_product_equal(&ours, &theirs))
      continue;
    if (ts_product_divide(&ours, &theirs, &parts)) {
      if (!split_all(num, nests, shared, &theirs))
        break;
      limit++;
    } else if (!ts_product_divide(&theirs, &ours, &parts) ||
               !ts_nest_split(nest, shared, &parts)) {
      break;
    }
  }
  return shared;
}

ts_kernel *ts_group_start(ts_buffers *memories, ts_nest *nest) {
  ts_kernel *kernel = TS_NEW(memories->arena, ts_kernel, 1);
  kernel->memories = memories;
  kernel->nests = ts_arena_grow(memories->arena, NULL, 0, &kernel->max_nests, sizeof(ts_nest *));
  kernel->nests[kernel->num_nests++] = nest;
  while (kernel->num_shared < nest->num_loops && !nest->loops[kernel->num_shared].is_reduction)
    kernel->num_shared++;
  return kernel;
}

bool ts_group_add(ts_kernel *kernel, ts_nest *added) {
  ts_buffers *memories = kernel->memories;
  ts_nest *nests[MOST_NESTS], *nest = copy_nest(memories, added);
  int num = kernel->num_nests;
  bool common = false;
  if (num == MOST_NESTS || looks_up(added) || looks_up(kernel->nests[0]))
    return false;
  for (int i = 0; i < num; i++) {
    nests[i] = copy_nest(memories, kernel->nests[i]);
    common |= has_common_memory(nests[i], nest);
  }
  int shared = common ? share_loops(num, nests, kernel->num_shared, nest) : 0;
  if (!shared)
    return false;
  int64_t bytes = step_bytes(nest, shared);
  for (int i = 0; i < num; i++) {
    bytes += step_bytes(nests[i], shared);
    for (int j = 0; j < i && shared < kernel->num_shared; j++)
      if (!nests_agree(nests[j], nests[i], shared))
        return false;
    if (!nests_agree(nests[i], nest, shared))
      return false;
  }
  if (bytes > MOST_STEP_BYTES)
    return false;
  kernel->nests =
      ts_arena_grow(memories->arena, kernel->nests, num, &kernel->max_nests, sizeof(ts_nest *));
  for (int i = 0; i < num; i++)
    kernel->nests[i] = nests[i];
  kernel->nests[kernel->num_nests++] = nest;
  kernel->num_shared = shared;
  return true;
}

bool ts_group_touches(const ts_kernel *kernel, const ts_buffer *memory) {
  for (int n = 0; n < kernel->num_nests; n++)
    for (int a = 0; a < kernel->nests[n]->num_accesses; a++) {
      const ts_buffer *own = kernel->nests[n]->accesses[a].memory;
      if (own && ts_buffer_may_alias(own, memory))
        return true;
    }
  return false;
}

/* ---- pointers ---------------------------------------------------------------------------------
 */

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
    if (mlirValueIsNull(ts_op_view_source(op)) || mlirOperationGetNumResults(op) != 1 ||
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
    if (same_base(kernel->pointers[p].memory, memory))
      return p;
  int p = kernel->num_pointers++;
  kernel->pointers[p] = (ts_pointer){
      .memory = memory,
      .element = mlirShapedTypeGetElementType(mlirValueGetType(memory->memref)),
      .is_apart = true};
  return p;
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
      int64_t elements = span(kernel->nests[n], access, kernel->num_shared);
      if (elements < 0 || !ts_product_is(&access->offset, 0) ||
          !steps_are_apart(kernel->nests[n], access, kernel->num_shared) ||
          (first && !same_steps(first, access, kernel->num_shared)))
        return 0;
      first = access;
      most = elements > most ? elements : most;
    }
  return most * element_bytes(kernel->pointers[p].memory) <= MOST_PRIVATE_BYTES ? most : 0;
}

static void make_private(ts_kernel *kernel, int p, int64_t elements) {
  kernel->pointers[p].elements = elements;
  kernel->pointers[p].is_apart = true;
  for (int n = 0; n < kernel->num_nests; n++)
    for (int a = 0; a < kernel->nests[n]->num_accesses; a++)
      for (int l = 0; l < kernel->num_shared && kernel->pointer_of[n][a] == p; l++)
        kernel->nests[n]->accesses[a].strides[l] = ts_product_of_number(0);
}

void ts_group_end(ts_kernel *kernel) {
  find_pointers(kernel);
  int64_t stack = 0;
  for (int p = 0; p < kernel->num_pointers; p++) {
    const ts_buffer *memory = kernel->pointers[p].memory;
    bool is_own = kernel->num_shared && memory->is_fresh && is_of_block(kernel, memory->root) &&
                  is_private(kernel, memory->root);
    int64_t elements = is_own ? private_elements(kernel, p) : 0;
    stack += elements * element_bytes(memory);
    if (elements && stack <= MOST_STACK_BYTES)
      make_private(kernel, p, elements);
  }
}
