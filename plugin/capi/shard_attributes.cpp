/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The attributes and the type of upstream's `shard` dialect that its C API does not reach. It knows
 * their storage; it must not know their meaning. */
#include "capi.h"

#include "mlir/CAPI/IR.h"
#include "mlir/Dialect/Shard/IR/ShardDialect.h"
#include "mlir/Dialect/Shard/IR/ShardOps.h"
#include "mlir/IR/BuiltinAttributes.h"

using namespace mlir;

bool ts_attr_is_axis_array(MlirAttribute attribute) {
  return isa<shard::GridAxesArrayAttr>(unwrap(attribute));
}

intptr_t ts_axis_array_size(MlirAttribute attribute) {
  return static_cast<intptr_t>(cast<shard::GridAxesArrayAttr>(unwrap(attribute)).size());
}

intptr_t ts_axis_array_get(MlirAttribute attribute, intptr_t i, const int16_t **axes) {
  ArrayRef<int16_t> list =
      cast<shard::GridAxesArrayAttr>(unwrap(attribute)).getAxes()[i].asArrayRef();
  *axes = list.data();
  return static_cast<intptr_t>(list.size());
}

MlirAttribute ts_axis_array_create(MlirContext context, intptr_t num, const intptr_t *sizes,
                                   const int16_t *const *axes) {
  MLIRContext *ctx = unwrap(context);
  /* An attribute of a dialect that is not loaded cannot be made. */
  ctx->getOrLoadDialect<shard::ShardDialect>();
  SmallVector<shard::GridAxesAttr> lists;
  for (intptr_t i = 0; i < num; i++)
    lists.push_back(
        DenseI16ArrayAttr::get(ctx, ArrayRef<int16_t>(axes[i], static_cast<size_t>(sizes[i]))));
  return wrap(Attribute(shard::GridAxesArrayAttr::get(ctx, lists)));
}

bool ts_attr_is_partial(MlirAttribute attribute) {
  return isa<shard::ReductionKindAttr>(unwrap(attribute));
}

int32_t ts_partial_get(MlirAttribute attribute) {
  return static_cast<int32_t>(cast<shard::ReductionKindAttr>(unwrap(attribute)).getValue());
}

MlirAttribute ts_partial_create(MlirContext context, int32_t kind) {
  MLIRContext *ctx = unwrap(context);
  ctx->getOrLoadDialect<shard::ShardDialect>();
  return wrap(
      Attribute(shard::ReductionKindAttr::get(ctx, static_cast<shard::ReductionKind>(kind))));
}

MlirType ts_sharding_type(MlirContext context) {
  MLIRContext *ctx = unwrap(context);
  ctx->getOrLoadDialect<shard::ShardDialect>();
  return wrap(Type(shard::ShardingType::get(ctx)));
}

MlirAttribute ts_dense_i16_create(MlirContext context, intptr_t num, const int16_t *values) {
  return wrap(Attribute(DenseI16ArrayAttr::get(
      unwrap(context), ArrayRef<int16_t>(values, static_cast<size_t>(num)))));
}
