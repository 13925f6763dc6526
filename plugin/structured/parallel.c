/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Parallel loops over the elements of one result, as linalg.generic. It must not know what they
 * compute. */
#include "structured/parallel.h"

#include "capi/capi.h"
#include "ir/generic.h"
#include "mlir-c/AffineMap.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

MlirBlock ts_parallel_body(const ts_maker *build, intptr_t num_inputs, const MlirValue *inputs,
                           MlirType type) {
  MlirType types[TS_MAX_INPUTS + 1];
  MlirLocation locations[TS_MAX_INPUTS + 1];
  for (intptr_t i = 0; i <= num_inputs; i++) {
    MlirType of = i < num_inputs ? mlirValueGetType(inputs[i]) : type;
    types[i] = mlirShapedTypeGetElementType(of);
    locations[i] = build->location;
  }
  return mlirBlockCreate(num_inputs + 1, types, locations);
}

MlirValue ts_make_loop_index(const ts_maker *build, intptr_t d) {
  MlirNamedAttribute dim =
      ts_named(build->context, "dim", ts_int_attribute(ts_i64_type(build->context), d));
  return ts_make_value(build, "linalg.index", 0, NULL, mlirIndexTypeGet(build->context), 1, &dim);
}

MlirValue ts_make_parallel(const ts_maker *build, const ts_parallel *loops, MlirValue element) {
  MlirContext context = build->context;
  intptr_t rank = mlirShapedTypeGetRank(loops->type), num = loops->num_inputs;
  MlirValue operands[TS_MAX_INPUTS + 1];
  MlirAttribute maps[TS_MAX_INPUTS + 1], kinds[TS_MAX_RANK];
  for (intptr_t i = 0; i < num; i++) {
    operands[i] = loops->inputs[i];
    maps[i] = mlirAffineMapAttrGet(loops->maps[i]);
  }
  operands[num] =
      ts_make_value(build, "tensor.empty", loops->num_sizes, loops->sizes, loops->type, 0, NULL);
  maps[num] = mlirAffineMapAttrGet(mlirAffineMapMultiDimIdentityGet(context, rank));
  ts_parallel_iterators(context, rank, kinds);
  MlirRegion body = ts_end_body(loops->body, build->location, 1, &element);
  MlirOperation made = ts_make_generic(build, &(ts_new_generic){.num_inputs = num,
                                                                .num_outputs = 1,
                                                                .operands = operands,
                                                                .maps = maps,
                                                                .num_loops = rank,
                                                                .iterators = kinds,
                                                                .results = &loops->type,
                                                                .body = body});
  return mlirOperationGetResult(made, 0);
}

/* ---- bodies ---------------------------------------------------------------------------------- */

static bool is_unused(MlirOperation op) {
  bool unused = ts_op_is_memory_effect_free(op) && mlirOperationGetNumResults(op) > 0;
  for (intptr_t r = 0; unused && r < mlirOperationGetNumResults(op); r++)
    unused = mlirOpOperandIsNull(mlirValueGetFirstUse(mlirOperationGetResult(op, r)));
  return unused;
}

void ts_drop_unused_in(MlirBlock body) {
  for (bool any = true; any;) {
    any = false;
    for (MlirOperation next, op = mlirBlockGetFirstOperation(body); op.ptr; op = next) {
      next = mlirOperationGetNextInBlock(op);
      if (!is_unused(op))
        continue;
      mlirOperationDestroy(op);
      any = true;
    }
  }
}
