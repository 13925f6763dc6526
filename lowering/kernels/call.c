/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Calls of kernels: memrefs become pointers to their first elements. It knows descriptors of
 * memrefs; it must not know loops. */
#include "capi/capi.h"
#include "lowering/kernels/function.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/Dialect/LLVM.h"

/* What an element is in LLVM, which has no index and few floats: how far a step of a pointer goes.
 */
static MlirType step_type(MlirType element) {
  MlirContext context = mlirTypeGetContext(element);
  if (mlirTypeIsAIndex(element))
    return ts_i64_type(context);
  if (mlirTypeIsAFloat(element) && mlirFloatTypeGetWidth(element) < 16)
    return mlirIntegerTypeGet(context, mlirFloatTypeGetWidth(element));
  if (mlirTypeIsAComplex(element)) {
    MlirType part = step_type(mlirComplexTypeGetElementType(element));
    MlirType parts[2] = {part, part};
    return mlirLLVMStructTypeLiteralGet(context, 2, parts, false);
  }
  return element;
}

/* A pointer to the memref's first element. */
static MlirValue make_pointer(const ts_maker *build, MlirValue memref) {
  MlirType type = mlirValueGetType(memref), pointer = ts_pointer_type(build->context);
  MlirValue descriptor =
      ts_make_cast(build, memref, ts_descriptor_type(build->context, mlirShapedTypeGetRank(type)));
  MlirValue operands[2] = {ts_make_extract_value(build, descriptor, 1, pointer)};
  int64_t strides[TS_MAX_RANK], offset, dynamic = mlirShapedTypeGetDynamicStrideOrOffset();
  mlirMemRefTypeGetStridesAndOffset(type, strides, &offset);
  if (offset == 0)
    return operands[0];
  operands[1] = offset == dynamic
                    ? ts_make_extract_value(build, descriptor, 2, ts_i64_type(build->context))
                    : ts_make_llvm_int(build, 64, offset);
  int32_t index = INT32_MIN; /* LLVM::GEPOp's mark of an operand */
  MlirNamedAttribute attributes[] = {
      ts_named(build->context, "elem_type",
               mlirTypeAttrGet(step_type(mlirShapedTypeGetElementType(type)))),
      ts_named(build->context, "rawConstantIndices",
               mlirDenseI32ArrayGet(build->context, 1, &index)),
  };
  return ts_make_value(build, "llvm.getelementptr", 2, operands, pointer, 2, attributes);
}

void ts_kernel_call(const ts_maker *build, const ts_kernel *kernel, const char *function) {
  int most = kernel->num_pointers + kernel->num_symbols + kernel->num_captured;
  MlirValue *operands = TS_NEW(kernel->memories->arena, MlirValue, most);
  intptr_t num = 0;
  for (int p = 0; p < kernel->num_pointers; p++)
    if (!kernel->pointers[p].elements)
      operands[num++] = make_pointer(build, kernel->pointers[p].memory->memref);
  for (int s = 0; s < kernel->num_symbols; s++)
    operands[num++] = kernel->memories->values[kernel->symbols[s]];
  for (int c = 0; c < kernel->num_captured; c++)
    operands[num++] = kernel->captured[c];
  ts_make_call(build, function, num, operands);
}
