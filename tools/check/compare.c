/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Element by element comparison under a tolerance.
 * It must not know programs or ranks. */
#include "compare.h"

#include <math.h>

#include "numbers.h"

static double default_relative(tessera_dtype type) {
  switch (type) {
  case TESSERA_F64:
  case TESSERA_C128:
    return 1e-10;
  case TESSERA_F32:
  case TESSERA_C64:
    return 1e-4;
  case TESSERA_F16:
  case TESSERA_BF16:
    return 2e-2;
  case TESSERA_F8:
    return 0.125;
  default:
    return 0;
  }
}

static const void *element(const tessera_tensor *tensor, int64_t index) {
  return (const char *)tensor->data + (size_t)index * tessera_dtype_size(tensor->dtype);
}

/* The largest finite magnitude of a floating-point tensor. */
static double largest(const tessera_tensor *tensor) {
  int parts = number_type_of(tensor->dtype).parts;
  int64_t elements = tessera_tensor_elements(tensor);
  double result = 0;
  for (int64_t i = 0; i < elements; i++) {
    double values[2];
    number_read(tensor->dtype, element(tensor, i), values);
    for (int part = 0; part < parts; part++)
      if (isfinite(values[part]) && fabs(values[part]) > result)
        result = fabs(values[part]);
  }
  return result;
}

/* Zero for equal values, also NaN and NaN; infinite where only one is finite or a number. */
static double difference(double got, double want) {
  if (got == want || (isnan(got) && isnan(want)))
    return 0;
  return isfinite(got) && isfinite(want) ? fabs(got - want) : INFINITY;
}

/* Bits without a meaning here are equal or not. */
static double integer_difference(tessera_dtype type, const void *got, const void *want) {
  int64_t left = number_read_integer(type, got), right = number_read_integer(type, want);
  if (left == right)
    return 0;
  number_kind kind = number_type_of(type).kind;
  if (kind == NUMBER_BITS)
    return INFINITY;
  bool left_is_larger = kind == NUMBER_INTEGER ? left > right : (uint64_t)left > (uint64_t)right;
  return (double)(left_is_larger ? (uint64_t)left - (uint64_t)right
                                 : (uint64_t)right - (uint64_t)left);
}

static double element_difference(tessera_dtype type, const void *got, const void *want) {
  number_type kind = number_type_of(type);
  if (kind.kind != NUMBER_FLOAT)
    return integer_difference(type, got, want);
  double left[2], right[2], result = 0;
  number_read(type, got, left);
  number_read(type, want, right);
  for (int part = 0; part < kind.parts; part++)
    result = fmax(result, difference(left[part], right[part]));
  return result;
}

double compare_default(tessera_dtype type, tessera_dtype computed_in) {
  return number_type_of(type).kind == NUMBER_FLOAT
             ? fmax(default_relative(type), default_relative(computed_in))
             : 0;
}

comparison compare_piece(const tessera_tensor *got, const tessera_tensor *indices,
                         const tessera_tensor *want, tolerance tolerance) {
  bool is_float = number_type_of(want->dtype).kind == NUMBER_FLOAT;
  double scale = is_float ? largest(want) : 0;
  comparison result = {0, -1, -1, tolerance.absolute + tolerance.relative * scale};
  int64_t elements = tessera_tensor_elements(got);
  const int64_t *index = indices->data;
  for (int64_t i = 0; i < elements; i++) {
    if (index[i] < 0)
      continue;
    double error = element_difference(want->dtype, element(got, i), element(want, index[i]));
    result.max_error = fmax(result.max_error, scale > 0 ? error / scale : error);
    if (error > result.allowed && (result.first_local < 0 || index[i] < result.first_global)) {
      result.first_local = i;
      result.first_global = index[i];
    }
  }
  return result;
}
