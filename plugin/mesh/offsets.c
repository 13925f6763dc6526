/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Shardings with shard offsets in the form that `shard.sharding` takes, where there is one. It
 * knows what its verifier asks for; it must not know what a sharding means to a program. */
#include "mesh/offsets.h"

#include "support/diagnostics.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include "capi/capi.h"
#include "mesh/mesh.h"
#include "support/ir.h"

/* One list of axes for each dimension that the sharding names. */
typedef struct axes_lists {
  intptr_t num;
  intptr_t *sizes;
  const int16_t **axes;
} axes_lists;

static axes_lists read_lists(ts_arena *arena, MlirAttribute split_axes) {
  axes_lists lists = {.num = ts_mesh_axis_array_size(split_axes)};
  lists.sizes = TS_NEW(arena, intptr_t, lists.num);
  lists.axes = TS_NEW(arena, const int16_t *, lists.num);
  for (intptr_t d = 0; d < lists.num; d++)
    lists.sizes[d] = ts_mesh_axis_array_get(split_axes, d, &lists.axes[d]);
  return lists;
}

/* Without the axes of one device, which cut nothing, but with one axis for each list that had any:
 * a dimension that is not split has no offsets. */
static void drop_single_devices(ts_arena *arena, axes_lists *lists, MlirAttribute shape) {
  for (intptr_t d = 0; d < lists->num; d++) {
    int16_t *kept = TS_NEW(arena, int16_t, lists->sizes[d]);
    intptr_t num = 0;
    for (intptr_t i = 0; i < lists->sizes[d]; i++)
      if (mlirDenseI64ArrayGetElement(shape, lists->axes[d][i]) != 1)
        kept[num++] = lists->axes[d][i];
    if (num == 0 && lists->sizes[d] > 0)
      kept[num++] = lists->axes[d][0];
    lists->sizes[d] = num;
    lists->axes[d] = kept;
  }
}

/* What upstream's verifier finds wrong. It takes the sum of the extents of a dimension's axes for
 * the number of its shards, so that it looks for the offsets of later dimensions too early. */
static bool is_misread(const axes_lists *lists, MlirAttribute shape, MlirAttribute offsets) {
  intptr_t next = 0;
  for (intptr_t d = 0; d < lists->num; d++) {
    if (lists->sizes[d] == 0)
      continue;
    int64_t shards = 0, last = 0;
    for (intptr_t i = 0; i < lists->sizes[d]; i++)
      shards += mlirDenseI64ArrayGetElement(shape, lists->axes[d][i]);
    for (int64_t i = 0; i <= shards; i++, next++) {
      if (next >= mlirDenseArrayGetNumElements(offsets))
        return true;
      int64_t offset = mlirDenseI64ArrayGetElement(offsets, next);
      if (offset == mlirShapedTypeGetDynamicSize())
        continue;
      if (offset < last)
        return true;
      last = offset;
    }
  }
  return false;
}

static MlirAttribute refuse(MlirOperation op, const char *text) {
  ts_error(op, "%s", text);
  return mlirAttributeGetNull();
}

MlirAttribute ts_mesh_split_axes(ts_arena *arena, MlirOperation op, MlirAttribute shape) {
  axes_lists lists = read_lists(arena, ts_attribute(op, "split_axes"));
  MlirAttribute offsets = ts_attribute(op, "static_sharded_dims_offsets");
  if (!mlirAttributeIsNull(offsets) && mlirDenseArrayGetNumElements(offsets) > 0) {
    for (intptr_t i = 0; i < mlirDenseArrayGetNumElements(shape); i++)
      if (mlirDenseI64ArrayGetElement(shape, i) == mlirShapedTypeGetDynamicSize())
        return refuse(op, "'mesh.sharding' op has shard offsets on a mesh with an extent of '?', "
                          "where 'shard.sharding' takes none: expected a mesh of known extents; "
                          "give them, or leave the offsets out");
    drop_single_devices(arena, &lists, shape);
    if (is_misread(&lists, shape, offsets))
      return refuse(op, "'mesh.sharding' op has shard offsets of a dimension that is split over "
                        "several axes before those of another dimension, where the verifier of "
                        "'shard.sharding' counts them wrong: expected one axis for each split "
                        "dimension but the last; split over one axis, or leave the offsets out");
  }
  return ts_axis_array_create(mlirOperationGetContext(op), lists.num, lists.sizes, lists.axes);
}
