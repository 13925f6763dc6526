/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Random inputs from a counter-based generator: no state, any order of evaluation.
 * It must not know programs or ranks. */
#include "generate.h"

#include <math.h>

#include "numbers.h"

/* The finalizer of SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators,
 * OOPSLA 2014): consecutive inputs give independent-looking outputs. */
static uint64_t mix(uint64_t value) {
  value += UINT64_C(0x9e3779b97f4a7c15);
  value = (value ^ value >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  value = (value ^ value >> 27) * UINT64_C(0x94d049bb133111eb);
  return value ^ value >> 31;
}

/* Numbers `2 * index` and `2 * index + 1` of a stream belong to one element part. */
typedef struct stream {
  uint64_t key;
} stream;

static uint64_t draw(stream stream, uint64_t number) {
  return mix(stream.key + mix(number));
}

/* Uniform in (0, 1), never at the ends. */
static double draw_unit(stream stream, uint64_t number) {
  return ((double)(draw(stream, number) >> 11) + 0.5) * 0x1p-53;
}

/* Box and Muller's transform. */
static double draw_normal(stream stream, uint64_t index) {
  double radius = sqrt(-2 * log(draw_unit(stream, 2 * index)));
  return radius * cos(6.283185307179586 * draw_unit(stream, 2 * index + 1));
}

static const char beyond_type[] = "it goes beyond what the element type holds";

/* Values are drawn as doubles and rounded: the outermost that may be written keep them inside. */
static const char *fill_floats(stream stream, const double *range, tessera_tensor *tensor) {
  tessera_dtype type = tensor->dtype;
  int parts = number_type_of(type).parts;
  size_t size = tessera_dtype_size(type);
  int64_t elements = tessera_tensor_elements(tensor);
  double largest = number_below(type, INFINITY), first = 0, last = 0;
  if (range && (range[0] < -largest || range[1] > largest))
    return beyond_type;
  if (range) {
    first = number_from(type, range[0]);
    last = number_below(type, range[1]);
    if (!(first <= last))
      return "no value of the element type lies in it";
  }
  for (int64_t i = 0; i < elements; i++) {
    double values[2];
    for (int part = 0; part < parts; part++) {
      uint64_t index = (uint64_t)(i * parts + part);
      double unit = draw_unit(stream, 2 * index);
      values[part] = range ? fmin(fmax((1 - unit) * range[0] + unit * range[1], first), last)
                           : draw_normal(stream, index);
    }
    number_write(type, values, (char *)tensor->data + (size_t)i * size);
  }
  return NULL;
}

typedef struct bounds {
  int64_t lowest;
  uint64_t count; /* 0: all 2^64 */
} bounds;

static bounds default_bounds(tessera_dtype type) {
  switch (type) {
  case TESSERA_I1:
    return (bounds){0, 2};
  case TESSERA_I4:
    return (bounds){-8, 16};
  default:
    return number_type_of(type).kind == NUMBER_UNSIGNED ? (bounds){0, 100} : (bounds){-100, 200};
  }
}

/* A whole number from -2^63 to 2^64 as 64 bits, 2^64 as 0. */
static uint64_t to_bits(double value) {
  if (value >= 0x1p63)
    return value >= 0x1p64 ? 0 : (uint64_t)value;
  return (uint64_t)(int64_t)value;
}

/* NULL, or what is wrong with the range. */
static const char *range_bounds(tessera_dtype type, const double *range, bounds *bounds) {
  int bits = type == TESSERA_I1 ? 1 : type == TESSERA_I4 ? 4 : 8 * (int)tessera_dtype_size(type);
  bool is_signed = number_type_of(type).kind == NUMBER_INTEGER;
  double lowest = ceil(range[0]), end = ceil(range[1]);
  if (lowest >= end)
    return "no whole number lies in it";
  if (lowest < (is_signed ? -ldexp(1, bits - 1) : 0) || end > ldexp(1, bits - is_signed))
    return beyond_type;
  bounds->lowest = (int64_t)to_bits(lowest);
  bounds->count = to_bits(end) - to_bits(lowest);
  return NULL;
}

static const char *fill_integers(stream stream, const double *range, tessera_tensor *tensor) {
  bounds bounds = default_bounds(tensor->dtype);
  const char *problem = range ? range_bounds(tensor->dtype, range, &bounds) : NULL;
  size_t size = tessera_dtype_size(tensor->dtype);
  int64_t elements = problem ? 0 : tessera_tensor_elements(tensor);
  for (int64_t i = 0; i < elements; i++) {
    uint64_t number = draw(stream, 2 * (uint64_t)i);
    if (bounds.count > 0)
      number %= bounds.count;
    number_write_integer(tensor->dtype, (int64_t)((uint64_t)bounds.lowest + number),
                         (char *)tensor->data + (size_t)i * size);
  }
  return problem;
}

/* Medium magnitudes of either sign: finite in every 8-bit format in use. */
static void fill_bits(stream stream, tessera_tensor *tensor) {
  int64_t elements = tessera_tensor_elements(tensor);
  for (int64_t i = 0; i < elements; i++) {
    uint64_t bits = draw(stream, 2 * (uint64_t)i);
    ((uint8_t *)tensor->data)[i] = (uint8_t)((0x20 + bits % 0x40) | (bits >> 32 & 0x80));
  }
}

const char *generate_values(uint64_t seed, int32_t argument, const double *range,
                            tessera_tensor *tensor) {
  stream stream = {mix(mix(seed) + (uint64_t)argument)};
  switch (number_type_of(tensor->dtype).kind) {
  case NUMBER_FLOAT:
    return fill_floats(stream, range, tensor);
  case NUMBER_INTEGER:
  case NUMBER_UNSIGNED:
    return fill_integers(stream, range, tensor);
  case NUMBER_BITS:
    break;
  }
  if (range)
    return "8-bit floats are drawn by their bits, not from a range";
  fill_bits(stream, tensor);
  return NULL;
}
