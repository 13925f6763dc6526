/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Which nests become one kernel: those that can go through their outer loops together. It knows
 * nests and memory; it must not know functions or code. */
#include "lowering/kernels/group.h"

#include "capi/capi.h"
#include "lowering/kernels/steps.h"
#include "mlir-c/BuiltinTypes.h"

enum {
  MOST_NESTS = 64,
  LEAST_STEPS = 16 /* of an inner loop that is cut off for a nest that is only near */
};

/* ---- going together -------------------------------------------------------------------------- */

/* What a step of one does to the memory, only the same step of the other sees. */
static bool agree(const ts_nest *x, const ts_access *a, const ts_nest *y, const ts_access *b,
                  int shared) {
  if (!a->memory || !b->memory || (!a->writes && !b->writes) ||
      !ts_buffer_may_alias(a->memory, b->memory))
    return true;
  return ts_steps_same_base(a->memory, b->memory) && ts_product_equal(&a->offset, &b->offset) &&
         ts_steps_are_same(a, b, shared) && ts_steps_are_apart(x, a, shared) &&
         ts_steps_are_apart(y, b, shared);
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

static int64_t step_bytes(const ts_kernel_target *target, const ts_nest *nest, int shared) {
  int64_t bytes = 0, most = target->most_step_bytes;
  for (int a = 0; a < nest->num_accesses; a++) {
    const ts_access *access = &nest->accesses[a];
    int64_t elements = access->memory ? target->count(nest, access, shared) : 0;
    if (elements < 0 || elements > most)
      return most + 1;
    bytes += elements * (access->memory ? ts_steps_element_bytes(access->memory) : 0);
  }
  return bytes;
}

/* Code in bodies may look at memory that no access tells of. */
static MlirWalkResult note_lookup(MlirOperation op, void *user) {
  bool *found = user;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); i++)
    *found |=
        mlirTypeIsAMemRef(mlirValueGetType(mlirOperationGetOperand(op, i))) && !ts_op_is_linalg(op);
  return MlirWalkResultAdvance;
}

static bool looks_up(const ts_nest *nest) {
  bool found = false;
  mlirOperationWalk(nest->op, note_lookup, &found, MlirWalkPreOrder);
  return found;
}

static ts_nest *copy_nest(ts_buffers *memories, const ts_nest *nest) {
  ts_nest *copy = ts_arena_copy(memories->arena, nest, sizeof(*nest));
  copy->accesses = ts_arena_copy(memories->arena, nest->accesses,
                                 sizeof(ts_access) * (size_t)nest->num_accesses);
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

/* Every nest does all steps of a loop that it shares. */
static bool may_share(const ts_nest_loop *loop) {
  return !loop->is_reduction && !loop->pick;
}

/* Splits loops of `nest` and of the kernel's where one's is several of the other's, and returns how
 * many of the first ones are the same then. */
static int share_loops(int num, ts_nest *const *nests, int limit, ts_nest *nest) {
  int shared = 0;
  for (; shared < limit && shared < nest->num_loops; shared++) {
    const ts_product ours = nests[0]->loops[shared].extent;
    const ts_product theirs = nest->loops[shared].extent;
    ts_product parts;
    if (!may_share(&nest->loops[shared]) || !may_share(&nests[0]->loops[shared]))
      break;
    if (ts_product_equal(&ours, &theirs))
      continue;
    if (ts_product_divide(&ours, &theirs, &parts)) {
      if (!split_all(num, nests, shared, &theirs))
        break;
      limit++;
    } else if (!ts_product_divide(&theirs, &ours, &parts) || !ts_nest_split(nest, shared, &parts)) {
      break;
    }
  }
  return shared;
}

ts_kernel *ts_group_start(const ts_kernel_target *target, ts_buffers *memories, ts_nest *nest) {
  ts_kernel *kernel = TS_NEW(memories->arena, ts_kernel, 1);
  kernel->target = target;
  kernel->memories = memories;
  kernel->nests = ts_arena_grow(memories->arena, NULL, 0, &kernel->max_nests, sizeof(ts_nest *));
  kernel->nests[kernel->num_nests++] = nest;
  while (kernel->num_shared < nest->num_loops && may_share(&nest->loops[kernel->num_shared]))
    kernel->num_shared++;
  return kernel;
}

static bool reads_memory(const ts_nest *nest) {
  for (int a = 0; a < nest->num_accesses; a++)
    if (nest->accesses[a].memory && nest->accesses[a].reads)
      return true;
  return false;
}

/* What only sets initial values goes with the nests before it, so as not to part them from those
 * that use it: if all its loops are shared, and loops that are cut for it stay long. */
static bool goes_along(const ts_kernel *kernel, ts_nest *const *nests, const ts_nest *nest,
                       int shared) {
  if (reads_memory(nest) || shared < nest->num_loops || shared < kernel->num_shared)
    return false;
  for (int i = 0; i < kernel->num_nests; i++)
    if (nests[i]->num_loops > kernel->nests[i]->num_loops &&
        ts_product_number(&nests[i]->loops[shared].extent, 0) < LEAST_STEPS)
      return false;
  return true;
}

bool ts_group_add(ts_kernel *kernel, ts_nest *added) {
  ts_buffers *memories = kernel->memories;
  ts_nest *nests[MOST_NESTS], *nest = copy_nest(memories, added);
  int num = kernel->num_nests;
  bool common = false, all_scalars = nest->num_loops == 0;
  if (num == MOST_NESTS || looks_up(added) || looks_up(kernel->nests[0]))
    return false;
  for (int i = 0; i < num; i++) {
    nests[i] = copy_nest(memories, kernel->nests[i]);
    common |= has_common_memory(nests[i], nest);
    all_scalars &= nests[i]->num_loops == 0;
  }
  int shared = share_loops(num, nests, kernel->num_shared, nest);
  if ((!shared && !all_scalars) || (!common && !goes_along(kernel, nests, nest, shared)))
    return false;
  /* Those before agree about fewer loops if they did about more. */
  int64_t bytes = step_bytes(kernel->target, nest, shared);
  for (int i = 0; i < num; i++) {
    bytes += step_bytes(kernel->target, nests[i], shared);
    if (!nests_agree(nests[i], nest, shared))
      return false;
  }
  if (bytes > kernel->target->most_step_bytes)
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
