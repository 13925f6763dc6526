/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* tensor.gather as a loop over the slices that reads the tensor where the list says. It knows where
 * an element lies; it must not know layouts. */
#include "ir/listed.h"
#include "mlir-c/AffineExpr.h"
#include "mlir-c/AffineMap.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "structured/parallel.h"
#include "structured/structured.h"

/* The dynamic sizes of the slices: of the list, then of what the slices have in full. */
static intptr_t sizes_of(const ts_maker *build, const ts_listed *l, MlirValue *sizes) {
  MlirType type = mlirValueGetType(l->slices);
  intptr_t num = 0;
  for (intptr_t i = 0; i < l->leading; i++)
    if (mlirShapedTypeIsDynamicDim(type, i))
      sizes[num++] = ts_make_size(build, l->indices, i);
  for (intptr_t d = 0; d < l->whole_rank; d++) {
    intptr_t dim = ts_listed_dim(l, d);
    if (dim >= 0 && mlirShapedTypeIsDynamicDim(type, dim))
      sizes[num++] = ts_listed_coordinate(l, d) >= 0 ? ts_make_index(build, 1)
                                                     : ts_make_size(build, l->whole, d);
  }
  return num;
}

/* Coordinate `k` of the list, for each slice. */
static MlirAffineMap map_of(MlirContext context, const ts_listed *l, intptr_t rank, intptr_t k) {
  MlirAffineExpr results[TS_MAX_RANK + 1];
  for (intptr_t i = 0; i < l->leading; i++)
    results[i] = mlirAffineDimExprGet(context, i);
  results[l->leading] = mlirAffineConstantExprGet(context, k);
  return mlirAffineMapGet(context, rank, 0, l->leading + 1, results);
}

/* `number`, which says the place in dimension `d`, of extent `extent`: fails outside of that. */
static MlirValue checked(const ts_maker *build, MlirValue number, intptr_t d, MlirValue extent) {
  enum { UNSIGNED_LESS = 6 }; /* arith's number: what is negative is large */
  char message[TS_LISTED_MESSAGE];
  ts_listed_message(d, message);
  MlirValue place = ts_make_coordinate(build, number);
  MlirValue holds = ts_make_compare(build, "arith.cmpi", UNSIGNED_LESS, place, extent);
  MlirNamedAttribute text =
      ts_named(build->context, "msg", ts_text_attribute(build->context, message));
  ts_make_op(build, &(ts_new_op){.name = "cf.assert",
                                 .num_operands = 1,
                                 .operands = &holds,
                                 .num_attributes = 1,
                                 .attributes = &text});
  return place;
}

void ts_structure_gather(MlirOperation op) {
  ts_listed l = ts_listed_read(op);
  ts_maker build = ts_make_before(op);
  MlirType type = mlirValueGetType(l.slices);
  intptr_t num = mlirDenseArrayGetNumElements(l.dims);
  MlirValue inputs[TS_MAX_INPUTS], sizes[TS_MAX_RANK], extents[TS_MAX_RANK];
  MlirAffineMap maps[TS_MAX_INPUTS];
  for (intptr_t k = 0; k < num; k++) {
    inputs[k] = l.indices;
    maps[k] = map_of(build.context, &l, mlirShapedTypeGetRank(type), k);
  }
  for (intptr_t d = 0; d < l.whole_rank; d++)
    if (ts_listed_coordinate(&l, d) >= 0)
      extents[d] = ts_make_size(&build, l.whole, d);
  intptr_t num_sizes = sizes_of(&build, &l, sizes);
  MlirBlock body = ts_parallel_body(&build, num, inputs, type);
  ts_maker inside = ts_make_at_end(body, build.location);
  MlirValue read[1 + TS_MAX_RANK] = {l.whole};
  for (intptr_t d = 0; d < l.whole_rank; d++) {
    intptr_t k = ts_listed_coordinate(&l, d);
    read[1 + d] = k < 0 ? ts_make_loop_index(&inside, ts_listed_dim(&l, d))
                        : checked(&inside, mlirBlockGetArgument(body, k), d, extents[d]);
  }
  MlirValue element = ts_make_value(&inside, "tensor.extract", 1 + l.whole_rank, read,
                                    mlirShapedTypeGetElementType(type), 0, NULL);
  const ts_parallel loops = {.type = type,
                             .num_sizes = num_sizes,
                             .sizes = sizes,
                             .num_inputs = num,
                             .inputs = inputs,
                             .maps = maps,
                             .body = body};
  MlirValue made = ts_make_parallel(&build, &loops, element);
  mlirValueReplaceAllUsesOfWith(l.slices, made);
  mlirOperationDestroy(op);
}
