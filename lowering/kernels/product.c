/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Sizes and strides as products of a known number and of symbols. It knows arithmetic; it must not
 * know memory. */
#include "lowering/kernels/product.h"

ts_product ts_product_of_number(int64_t number) {
  return (ts_product){.factor = number};
}

ts_product ts_product_of_symbol(int symbol) {
  return (ts_product){.factor = 1, .num = 1, .symbols = {symbol}};
}

bool ts_product_equal(const ts_product *a, const ts_product *b) {
  if (a->factor != b->factor || a->num != b->num)
    return false;
  for (int i = 0; i < a->num; i++)
    if (a->symbols[i] != b->symbols[i])
      return false;
  return true;
}

bool ts_product_multiply(const ts_product *a, const ts_product *b, ts_product *result) {
  ts_product product = {0};
  if (__builtin_mul_overflow(a->factor, b->factor, &product.factor))
    return false;
  if (product.factor == 0) {
    *result = product;
    return true;
  }
  if (a->num + b->num > TS_PRODUCT_SYMBOLS)
    return false;
  for (int i = 0, j = 0; i < a->num || j < b->num;) {
    bool first = j == b->num || (i < a->num && a->symbols[i] <= b->symbols[j]);
    product.symbols[product.num++] = first ? a->symbols[i++] : b->symbols[j++];
  }
  *result = product;
  return true;
}

bool ts_product_divide(const ts_product *a, const ts_product *b, ts_product *result) {
  ts_product quotient = {0};
  if (b->factor == 0 || a->factor % b->factor != 0)
    return false;
  quotient.factor = a->factor / b->factor;
  int j = 0;
  for (int i = 0; i < a->num; i++)
    if (j < b->num && a->symbols[i] == b->symbols[j])
      j++;
    else
      quotient.symbols[quotient.num++] = a->symbols[i];
  *result = quotient;
  return j == b->num;
}
