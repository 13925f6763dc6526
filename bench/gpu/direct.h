/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The driver and cuBLASLt called directly, to compare with: copies, and lists of products in bf16.
 * It must not know Tessera. */
#ifndef TESSERA_BENCH_GPU_DIRECT_H
#define TESSERA_BENCH_GPU_DIRECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* In the context of GPU `ordinal` that others have made, on a stream of its own. */
bool direct_open(int ordinal);
void direct_wait(void);

typedef struct direct_copied {
  uint64_t from, to;
  size_t bytes;
} direct_copied;

void direct_copy_open(size_t bytes, direct_copied *copied);
void direct_copy(const direct_copied *copied);
void direct_copy_close(direct_copied *copied);

enum { DIRECT_PRODUCTS = 32 };

/* c = a * b, or a * b^T, row-major, `batch` times, `count` times over. */
typedef struct direct_product {
  int64_t batch, m, n, k, count;
  int transposed;
  uint64_t a, b, c;
  void *description, *layouts[3];
  uint64_t algorithm[8];
} direct_product;

typedef struct direct_list {
  direct_product products[DIRECT_PRODUCTS];
  int num;
  double operations; /* multiplications and additions */
  uint64_t workspace;
} direct_list;

/* A file of lines "BATCH M N K COUNT TRANSPOSED". False where cuBLASLt is not there. */
bool direct_products_open(const char *path, direct_list *list);
void direct_products(const direct_list *list);
void direct_products_close(direct_list *list);

#endif /* TESSERA_BENCH_GPU_DIRECT_H */
