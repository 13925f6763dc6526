/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Facts about element types: names, sizes, and which reductions have a meaning.
 * It must not know memory, layouts or ranks. */
#include "tensors/dtype.h"

#include "tessera/reductions.h"

static tessera_type_facts facts(tessera_dtype type) {
  return tessera_type_facts_of((int32_t)type);
}

size_t tessera_dtype_size(tessera_dtype type) {
  return facts(type).size;
}

bool tr_is_integer(tessera_dtype type) {
  uint8_t family = facts(type).family;
  return family >= TESSERA_FAMILY_BOOLEAN && family <= TESSERA_FAMILY_UNSIGNED;
}

tessera_dtype tr_unsigned_of(tessera_dtype type) {
  switch (type) {
  case TESSERA_I8:
    return TESSERA_U8;
  case TESSERA_I16:
    return TESSERA_U16;
  case TESSERA_I32:
    return TESSERA_U32;
  case TESSERA_I64:
  case TESSERA_INDEX:
    return TESSERA_U64;
  default:
    return type;
  }
}

bool tr_can_convert(tessera_dtype from, tessera_dtype to) {
  return tessera_type_converts((int32_t)from, (int32_t)to);
}

bool tr_narrows(tessera_dtype from, tessera_dtype to) {
  return tessera_type_narrows((int32_t)from, (int32_t)to);
}

const char *tr_dtype_name(tessera_dtype type) {
  static const char *const names[] = {[TESSERA_I1] = "i1",
                                      [TESSERA_I4] = "i4",
                                      [TESSERA_I8] = "i8",
                                      [TESSERA_I16] = "i16",
                                      [TESSERA_I32] = "i32",
                                      [TESSERA_I64] = "i64",
                                      [TESSERA_U8] = "ui8",
                                      [TESSERA_U16] = "ui16",
                                      [TESSERA_U32] = "ui32",
                                      [TESSERA_U64] = "ui64",
                                      [TESSERA_INDEX] = "index",
                                      [TESSERA_F16] = "f16",
                                      [TESSERA_BF16] = "bf16",
                                      [TESSERA_F32] = "f32",
                                      [TESSERA_F64] = "f64",
                                      [TESSERA_C64] = "complex<f32>",
                                      [TESSERA_C128] = "complex<f64>",
                                      [TESSERA_F8] = "f8"};
  size_t count = sizeof(names) / sizeof(names[0]);
  return (size_t)type < count && names[type] ? names[type] : "unknown type";
}

/* ---- reductions ------------------------------------------------------------------------------ */

enum { NUM_TYPES = TESSERA_F8 + 1, NUM_REDUCTIONS = TESSERA_MINNUM + 1 };

/* Unsigned views of signless integers have been turned into unsigned types before. */
#define MEANING(type, reduction, kernel) [TESSERA_##reduction] = true,

static const bool meanings[NUM_TYPES][NUM_REDUCTIONS] = {
    [TESSERA_I1] = {TESSERA_BOOLEAN_REDUCTIONS(MEANING, )},
    [TESSERA_I8] = {TESSERA_INTEGER_REDUCTIONS(MEANING, )},
    [TESSERA_I16] = {TESSERA_INTEGER_REDUCTIONS(MEANING, )},
    [TESSERA_I32] = {TESSERA_INTEGER_REDUCTIONS(MEANING, )},
    [TESSERA_I64] = {TESSERA_INTEGER_REDUCTIONS(MEANING, )},
    [TESSERA_INDEX] = {TESSERA_INTEGER_REDUCTIONS(MEANING, )},
    [TESSERA_U8] = {TESSERA_INTEGER_REDUCTIONS(MEANING, )},
    [TESSERA_U16] = {TESSERA_INTEGER_REDUCTIONS(MEANING, )},
    [TESSERA_U32] = {TESSERA_INTEGER_REDUCTIONS(MEANING, )},
    [TESSERA_U64] = {TESSERA_INTEGER_REDUCTIONS(MEANING, )},
    [TESSERA_F32] = {TESSERA_FLOAT_REDUCTIONS(MEANING, )},
    [TESSERA_F64] = {TESSERA_FLOAT_REDUCTIONS(MEANING, )},
    [TESSERA_C64] = {TESSERA_COMPLEX_REDUCTIONS(MEANING, )},
    [TESSERA_C128] = {TESSERA_COMPLEX_REDUCTIONS(MEANING, )},
};

bool tr_can_reduce(tessera_dtype type, tessera_reduction reduction) {
  return type > 0 && (size_t)type < NUM_TYPES && reduction > 0 &&
         (size_t)reduction < NUM_REDUCTIONS && meanings[type][reduction];
}
