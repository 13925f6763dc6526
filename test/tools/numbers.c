/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* tessera-check's element conversions: every 16-bit float survives a round trip, and doubles round
 * to the nearest, ties to even. Prints what fails, exits 1. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "generate.h"
#include "numbers.h"

static int failures;

static uint16_t encode(tessera_dtype type, double value) {
  uint16_t bits;
  number_write(type, &value, &bits);
  return bits;
}

static double decode(tessera_dtype type, uint16_t bits) {
  double parts[2];
  number_read(type, &bits, parts);
  return parts[0];
}

static double decode_any(tessera_dtype type, const void *element) {
  double parts[2];
  number_read(type, element, parts);
  return parts[0];
}

static void expect(tessera_dtype type, double value, uint16_t want) {
  uint16_t got = encode(type, value);
  if (got == want)
    return;
  printf("type %d: %.17g became 0x%04x, want 0x%04x\n", type, value, got, want);
  failures++;
}

/* Between neighbours the middle goes to the even one, and everything else to the nearer one. */
static void check_neighbours(tessera_dtype type, uint16_t bits, uint16_t infinity) {
  double low = decode(type, bits), high = decode(type, (uint16_t)(bits + 1));
  expect(type, low, bits);
  expect(type, -low, bits | 0x8000);
  if (bits + 1 == infinity)
    return;
  double middle = (low + high) / 2;
  expect(type, middle, bits % 2 ? bits + 1 : bits);
  expect(type, nextafter(middle, 0), bits);
  expect(type, nextafter(middle, INFINITY), bits + 1);
}

static void check_type(tessera_dtype type, uint16_t infinity, uint16_t one) {
  for (uint16_t bits = 0; bits < infinity; bits++)
    check_neighbours(type, bits, infinity);
  expect(type, INFINITY, infinity);
  expect(type, -INFINITY, infinity | 0x8000);
  expect(type, 1e300, infinity);
  expect(type, 1, one);
  if (!isnan(decode(type, encode(type, NAN)))) {
    printf("type %d: a NaN is lost\n", type);
    failures++;
  }
}

static void expect_text(tessera_dtype type, const void *element, const char *want) {
  char text[64];
  number_text(type, element, text, sizeof(text));
  if (strcmp(text, want) == 0)
    return;
  printf("type %d: printed %s, want %s\n", type, text, want);
  failures++;
}

/* All values of a range are inside, also those that rounding would push to its end. */
static void check_range(tessera_dtype type, double low, double high) {
  enum { COUNT = 100000 };
  static int64_t storage[COUNT];
  int64_t shape[] = {COUNT};
  const double range[] = {low, high};
  tessera_tensor tensor = {.dtype = type, .rank = 1, .shape = shape, .data = storage};
  const char *problem = generate_values(1, 0, range, &tensor);
  if (problem) {
    printf("type %d: range %g:%g: %s\n", type, low, high, problem);
    failures++;
    return;
  }
  bool is_float = number_type_of(type).kind == NUMBER_FLOAT;
  for (int64_t i = 0; i < COUNT; i++) {
    const void *element = (char *)storage + (size_t)i * tessera_dtype_size(type);
    double value =
        is_float ? decode_any(type, element) : (double)number_read_integer(type, element);
    if (value >= low && value < high)
      continue;
    printf("type %d: range %g:%g gave %.17g\n", type, low, high, value);
    failures++;
    return;
  }
}

/* The neighbours of 1 and of 0. */
static void check_next(tessera_dtype type, double below_one, double least) {
  if (number_below(type, 1) != below_one || number_from(type, below_one) != below_one ||
      number_from(type, nextafter(below_one, 1)) != 1 || number_below(type, 0) != -least ||
      number_from(type, nextafter(0, 1)) != least) {
    printf("type %d: wrong neighbours\n", type);
    failures++;
  }
}

int main(void) {
  static const tessera_dtype floats[] = {TESSERA_F16, TESSERA_BF16, TESSERA_F32, TESSERA_F64};
  for (size_t i = 0; i < sizeof(floats) / sizeof(floats[0]); i++) {
    check_range(floats[i], 0, 1);
    check_range(floats[i], -1, 0);
    check_range(floats[i], 0.1, 0.11);
  }
  check_next(TESSERA_F16, 1 - 0x1p-11, 0x1p-24);
  check_next(TESSERA_BF16, 1 - 0x1p-8, 0x1p-133);
  check_next(TESSERA_F32, 1 - 0x1p-24, 0x1p-149);
  check_range(TESSERA_I1, 0, 2);
  check_range(TESSERA_I8, -128, 128);
  check_range(TESSERA_U8, 250, 256);
  check_range(TESSERA_I32, -0x1p31, -0x1p31 + 2);
  check_type(TESSERA_F16, 0x7c00, 0x3c00);
  check_type(TESSERA_BF16, 0x7f80, 0x3f80);
  expect_text(TESSERA_I4, &(uint8_t){0xd}, "-3");
  expect_text(TESSERA_I8, &(int8_t){-3}, "-3");
  expect_text(TESSERA_U8, &(uint8_t){253}, "253");
  expect_text(TESSERA_INDEX, &(int64_t){-7}, "-7");
  expect_text(TESSERA_U64, &(uint64_t){UINT64_MAX}, "18446744073709551615");
  expect_text(TESSERA_F32, &(float){1.5f}, "1.5");
  expect_text(TESSERA_C64, (const float[]){1, -2}, "(1, -2)");
  expect_text(TESSERA_F8, &(uint8_t){0x7c}, "0x7c");
  return failures ? 1 : 0;
}
