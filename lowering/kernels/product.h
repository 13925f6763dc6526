/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Sizes and strides as products of a known number and of symbols: index values that only the launch
 * knows, by their numbers. It knows arithmetic; it must not know memory. */
#ifndef TESSERA_LOWERING_KERNELS_PRODUCT_H
#define TESSERA_LOWERING_KERNELS_PRODUCT_H

#include <stdbool.h>
#include <stdint.h>

enum { TS_PRODUCT_SYMBOLS = 6 };

/* factor * symbol * symbol * ... */
typedef struct ts_product {
  int64_t factor;
  int16_t num;
  int32_t symbols[TS_PRODUCT_SYMBOLS]; /* ascending */
} ts_product;

ts_product ts_product_of_number(int64_t number);
ts_product ts_product_of_symbol(int symbol);

static inline bool ts_product_is_number(const ts_product *a) {
  return a->num == 0;
}
static inline bool ts_product_is(const ts_product *a, int64_t number) {
  return a->num == 0 && a->factor == number;
}
/* The number, or `unknown` if there are symbols. */
static inline int64_t ts_product_number(const ts_product *a, int64_t unknown) {
  return a->num == 0 ? a->factor : unknown;
}
bool ts_product_equal(const ts_product *a, const ts_product *b);

/* False if the result is out of range or has too many symbols. */
bool ts_product_multiply(const ts_product *a, const ts_product *b, ts_product *result);
/* a / b; false where that is no product, or one only for some values of the symbols. */
bool ts_product_divide(const ts_product *a, const ts_product *b, ts_product *result);

#endif /* TESSERA_LOWERING_KERNELS_PRODUCT_H */
