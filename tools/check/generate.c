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

static void fill_floats(stream stream, const double *range, tessera_tensor *tensor) {
  int parts = number_type_of(tensor->dtype).parts;
  size_t size = tessera_dtype_size(tensor->dtype);
  int64_t elements = tessera_tensor_elements(tensor);
  for (int64_t i = 0; i < elements; i++) {
    double values[2];
    for (int part = 0; part < parts; part++) {
      uint64_t index = (uint64_t)(i * parts + part);
      values[part] = range ? range[0] + (range[1] - range[0]) * draw_unit(stream, 2 * index)
                           : draw_normal(stream, index);
    }
    number_write(tensor->dtype, values, (char *)tensor->data + (size_t)i * size);
  }
}

typedef struct bounds {
  int64_t lowest;
  uint64_t count;
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

static bounds range_bounds(const double *range) {
  double lowest = ceil(range[0]), end = ceil(range[1]);
  return (bounds){(int64_t)lowest, end > lowest ? (uint64_t)(end - lowest) : 1};
}

static void fill_integers(stream stream, const double *range, tessera_tensor *tensor) {
  bounds bounds = range ? range_bounds(range) : default_bounds(tensor->dtype);
  size_t size = tessera_dtype_size(tensor->dtype);
  int64_t elements = tessera_tensor_elements(tensor);
  for (int64_t i = 0; i < elements; i++)
    number_write_integer(tensor->dtype,
                         bounds.lowest + (int64_t)(draw(stream, 2 * (uint64_t)i) % bounds.count),
                         (char *)tensor->data + (size_t)i * size);
}

/* Medium magnitudes of either sign: finite in every 8-bit format in use. */
static void fill_bits(stream stream, tessera_tensor *tensor) {
  int64_t elements = tessera_tensor_elements(tensor);
  for (int64_t i = 0; i < elements; i++) {
    uint64_t bits = draw(stream, 2 * (uint64_t)i);
    ((uint8_t *)tensor->data)[i] = (uint8_t)((0x20 + bits % 0x40) | (bits >> 32 & 0x80));
  }
}

void generate_values(uint64_t seed, int32_t argument, const double *range, tessera_tensor *tensor) {
  stream stream = {mix(mix(seed) + (uint64_t)argument)};
  switch (number_type_of(tensor->dtype).kind) {
  case NUMBER_FLOAT:
    fill_floats(stream, range, tensor);
    return;
  case NUMBER_INTEGER:
  case NUMBER_UNSIGNED:
    fill_integers(stream, range, tensor);
    return;
  case NUMBER_BITS:
    fill_bits(stream, tensor);
  }
}
