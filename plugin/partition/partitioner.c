/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Ops of the source that go when their function is done. It must not know why. */
#include "partition/partitioner.h"

void ts_erase_later(ts_partitioner *p, MlirOperation op) {
  p->dead = ts_arena_grow(p->model->arena, p->dead, p->num_dead, &p->max_dead, sizeof(*p->dead));
  p->dead[p->num_dead++] = op;
}

static bool has_uses(MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); i++)
    if (!mlirOpOperandIsNull(mlirValueGetFirstUse(mlirOperationGetResult(op, i))))
      return true;
  return false;
}

void ts_erase_now(ts_partitioner *p) {
  for (int i = p->num_dead; i-- > 0;)
    if (!has_uses(p->dead[i]))
      mlirOperationDestroy(p->dead[i]);
}
