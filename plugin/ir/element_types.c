/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* MLIR's element types as the runtime's, and what its table says of them, so that what it lacks is
 * said before a program runs. It knows types and the runtime's numbers; it must not know ops. */
#include "ir/element_types.h"

#include "mlir-c/BuiltinTypes.h"

#include "tessera/reductions.h"

/* ---- numbers of types ------------------------------------------------------------------------ */

static int32_t integer_dtype(MlirType type) {
  bool is_unsigned = mlirIntegerTypeIsUnsigned(type);
  switch (mlirIntegerTypeGetWidth(type)) {
  case 1:
    return TESSERA_I1;
  case 4:
    return TESSERA_I4;
  case 8:
    return is_unsigned ? TESSERA_U8 : TESSERA_I8;
  case 16:
    return is_unsigned ? TESSERA_U16 : TESSERA_I16;
  case 32:
    return is_unsigned ? TESSERA_U32 : TESSERA_I32;
  case 64:
    return is_unsigned ? TESSERA_U64 : TESSERA_I64;
  default:
    return 0;
  }
}

int32_t ts_dtype(MlirType element) {
  if (mlirTypeIsAInteger(element))
    return integer_dtype(element);
  if (mlirTypeIsAIndex(element))
    return TESSERA_INDEX;
  if (mlirTypeIsAF16(element))
    return TESSERA_F16;
  if (mlirTypeIsABF16(element))
    return TESSERA_BF16;
  if (mlirTypeIsAF32(element))
    return TESSERA_F32;
  if (mlirTypeIsAF64(element))
    return TESSERA_F64;
  if (mlirTypeIsAFloat(element) && mlirFloatTypeGetWidth(element) == 8)
    return TESSERA_F8;
  if (mlirTypeIsAComplex(element)) {
    MlirType part = mlirComplexTypeGetElementType(element);
    if (mlirTypeIsAF32(part))
      return TESSERA_C64;
    return mlirTypeIsAF64(part) ? TESSERA_C128 : 0;
  }
  return 0;
}

int64_t ts_element_bytes(MlirType element) {
  if (mlirTypeIsAComplex(element))
    return 2 * ts_element_bytes(mlirComplexTypeGetElementType(element));
  unsigned width = mlirTypeIsAInteger(element) ? mlirIntegerTypeGetWidth(element)
                   : mlirTypeIsAFloat(element) ? mlirFloatTypeGetWidth(element)
                   : mlirTypeIsAIndex(element) ? 64
                                               : 0;
  if (width == 0 || mlirTypeIsATF32(element))
    return 0;
  int64_t bytes = 1;
  while (8 * bytes < width)
    bytes *= 2;
  return bytes;
}

int32_t ts_dtype_to_move(MlirType element) {
  int32_t dtype = ts_dtype(element);
  if (dtype != 0)
    return dtype;
  switch (ts_element_bytes(element)) {
  case 1:
    return TESSERA_I8;
  case 2:
    return TESSERA_I16;
  case 4:
    return TESSERA_I32;
  case 8:
    return TESSERA_I64;
  case 16:
    return TESSERA_C128;
  default:
    return 0;
  }
}

/* ---- reductions ------------------------------------------------------------------------------ */

#define BIT(suffix, reduction, kernel) | 1u << TESSERA_##reduction

bool ts_reduction_has_meaning(int32_t reduction, int32_t type) {
  static const uint32_t meanings[] = {
      [TESSERA_FAMILY_NONE] = 0,
      [TESSERA_FAMILY_OPAQUE] = 0,
      [TESSERA_FAMILY_BOOLEAN] = 0 TESSERA_BOOLEAN_REDUCTIONS(BIT, ),
      [TESSERA_FAMILY_SIGNED] = 0 TESSERA_INTEGER_REDUCTIONS(BIT, ),
      [TESSERA_FAMILY_UNSIGNED] = 0 TESSERA_INTEGER_REDUCTIONS(BIT, ),
      [TESSERA_FAMILY_FLOAT] = 0 TESSERA_FLOAT_REDUCTIONS(BIT, ),
      [TESSERA_FAMILY_COMPLEX] = 0 TESSERA_COMPLEX_REDUCTIONS(BIT, ),
  };
  return meanings[tessera_type_facts_of(type).family] >> reduction & 1;
}

bool ts_reduction_converts(int32_t from, int32_t to) {
  return tessera_type_converts(from, to);
}
