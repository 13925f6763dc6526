/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Why values are laid out as they are, in words, from the log of growth; and how the reasons
 * travel with annotations and collectives, as notes at their locations. It knows who made a
 * layout grow; it must not know how layouts are chosen. */
#ifndef TESSERA_PLUGIN_MODEL_CAUSES_H
#define TESSERA_PLUGIN_MODEL_CAUSES_H

#include "model/model.h"

/* "argument 1 of @f" or "linalg.matmul (f.mlir:14:10)", whatever annotations the value is under. */
const char *ts_value_text(ts_arena *arena, MlirValue value);
const char *ts_op_text(ts_arena *arena, MlirOperation op);

/* The annotated value behind the split over `axis` of what `op` looks at or gives; NULL if none is
 * known. */
const ts_value *ts_origin_at(const ts_op *op, int axis);

/* The annotation behind dimension `dim` of `value` being split over `axis` where it is computed,
 * or, for -1, behind the value's being partial over it: "argument 1 of @f is annotated [[], [1]] at
 * f.mlir:9:9". NULL if none is known. In scratch memory. */
const char *ts_origin(ts_model *model, const ts_value *value, int dim, int axis);

/* `location` with the origins of all axes that `op` (NULL: the value's own) has `value` under
 * `layout` for. */
MlirLocation ts_with_origins(ts_model *model, MlirLocation location, const ts_value *value,
                             const ts_op *op, const ts_sharding *layout);

/* Remarks why there is each collective of `module`, a partitioned one, as far as it is known. */
void ts_tell_causes(MlirOperation module);

#endif /* TESSERA_PLUGIN_MODEL_CAUSES_H */
