/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Questions about annotations, answered before propagation. Knows ops, not shardings. */
#include "propagate/answers.h"

#include "support/ir.h"

/* The shard.shard that `value` comes from; null if it comes from something else. */
static MlirOperation annotation_of(MlirValue value) {
  MlirOperation none = {NULL};
  if (!mlirValueIsAOpResult(value))
    return none;
  MlirOperation op = mlirOpResultGetOwner(value);
  return ts_op_is(op, "shard.shard") ? op : none;
}

static MlirWalkResult answer(MlirOperation op, void *user) {
  (void)user;
  if (!ts_op_is(op, "shard.get_sharding"))
    return MlirWalkResultAdvance;
  MlirOperation annotation = annotation_of(mlirOperationGetOperand(op, 0));
  if (annotation.ptr) {
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, 0),
                                  mlirOperationGetOperand(annotation, 1));
    mlirOperationDestroy(op);
  }
  return MlirWalkResultSkip;
}

void ts_answer_get_sharding(MlirOperation module) {
  mlirOperationWalk(module, answer, NULL, MlirWalkPreOrder);
}
