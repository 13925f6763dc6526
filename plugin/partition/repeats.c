/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Annotations of annotated tensors that say again what the annotation before says. It knows the
 * ops; it must not know the layouts. */
#include "partition/repeats.h"

#include "mlir-c/BuiltinAttributes.h"
#include "numbers/scalar_code.h"
#include "rules/rules.h"
#include "sharding/openness.h"
#include "support/ir.h"

static bool is_empty(MlirOperation op, const char *list) {
  MlirAttribute attribute = ts_attribute(op, list);
  return mlirAttributeIsNull(attribute) || mlirDenseArrayGetNumElements(attribute) == 0;
}

/* It says of axes and no more, and holds what it annotates to that. */
static bool is_plain(MlirOperation annotation, MlirOperation sharding) {
  return ts_op_is(sharding, "shard.sharding") && is_empty(sharding, "static_halo_sizes") &&
         is_empty(sharding, "static_sharded_dims_offsets") &&
         mlirAttributeIsNull(ts_attribute(sharding, "tessera.partial")) &&
         !ts_says_growth(annotation, sharding);
}

/* The annotation that defines a tensor does not repeat: there it is brought to its layout. Free
 * values are built anew for each. */
static bool repeats(MlirOperation annotation) {
  MlirOperation before = ts_defining_op(mlirOperationGetOperand(annotation, 0));
  MlirValue sharding = mlirOperationGetOperand(annotation, 1);
  if (!before.ptr || !ts_op_is(before, "shard.shard") ||
      !mlirValueEqual(sharding, mlirOperationGetOperand(before, 1)))
    return false;
  MlirOperation source = ts_defining_op(sharding);
  MlirValue tensor = ts_without_annotations(mlirOperationGetOperand(before, 0));
  return source.ptr && is_plain(annotation, source) && is_plain(before, source) &&
         !(mlirValueIsAOpResult(tensor) && ts_is_free(tensor));
}

static MlirWalkResult drop_if_repeated(MlirOperation op, void *user) {
  (void)user;
  if (ts_op_is(op, "shard.shard") && repeats(op)) {
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, 0), mlirOperationGetOperand(op, 0));
    mlirOperationDestroy(op);
  }
  return MlirWalkResultAdvance;
}

void ts_drop_repeats(MlirOperation module) {
  mlirOperationWalk(module, drop_if_repeated, NULL, MlirWalkPostOrder);
}
