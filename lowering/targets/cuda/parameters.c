/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Parameters of kernels. It knows types; it must not know what kernels do. */
#include "lowering/targets/cuda/parameters.h"

#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/Dialect/LLVM.h"

MlirType ts_cuda_parameter_type(MlirType type) {
  MlirContext context = mlirTypeGetContext(type);
  if (mlirTypeIsAMemRef(type))
    return ts_descriptor_type(context, mlirShapedTypeGetRank(type));
  if (mlirTypeIsAIndex(type))
    return ts_i64_type(context);
  if (mlirTypeIsAFloat(type) && mlirFloatTypeGetWidth(type) < 16)
    return mlirIntegerTypeGet(context, mlirFloatTypeGetWidth(type));
  if (mlirTypeIsAComplex(type)) {
    MlirType part = ts_cuda_parameter_type(mlirComplexTypeGetElementType(type));
    MlirType parts[] = {part, part};
    return mlirLLVMStructTypeLiteralGet(context, 2, parts, false);
  }
  if (mlirTypeIsAInteger(type) && !mlirIntegerTypeIsSignless(type))
    return mlirIntegerTypeGet(context, mlirIntegerTypeGetWidth(type));
  return type;
}

MlirValue ts_cuda_converted(const ts_maker *build, MlirValue value, MlirType type) {
  MlirType own = mlirValueGetType(value);
  if (mlirTypeEqual(own, type))
    return value;
  if (mlirTypeIsAIndex(own) || mlirTypeIsAIndex(type))
    return ts_make_value(build, "arith.index_cast", 1, &value, type, 0, NULL);
  return ts_make_cast(build, value, type);
}
