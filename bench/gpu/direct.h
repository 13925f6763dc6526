/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The driver, cuBLASLt and NCCL called directly, to compare with: copies, lists of products in
 * bf16, collectives in a group of one. It must not know Tessera. */
#ifndef TESSERA_BENCH_GPU_DIRECT_H
#define TESSERA_BENCH_GPU_DIRECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* In the context of GPU `ordinal` that others have made, on a stream of its own. */
bool direct_open(int ordinal);
void direct_wait(void);
/* That stream, and memory in its order: bytes of `value`. */
void *direct_stream(void);
uint64_t direct_take(size_t bytes, unsigned char value);
void direct_give(uint64_t memory);
/* Does each of `bytes` bytes have this value? Waits. */
bool direct_is_filled(uint64_t memory, size_t bytes, unsigned char value);

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

/* A collective of one rank: the library is opened, a communicator made and split as Tessera does
 * it.
 */
typedef struct direct_group {
  const struct nccl_library *nccl;
  struct ncclComm *all, *part;
  uint64_t in, out;
  size_t count; /* of f32 */
} direct_group;

/* NULL, or why there is none. */
const char *direct_group_open(size_t bytes, direct_group *group);
int direct_num_collectives(void);
const char *direct_collective_name(int number);
/* Gives the stream a collective; ends the process where NCCL refuses it. */
void direct_collective(direct_group *group, int number);
/* Did it give what was there? Once it has been done. */
bool direct_group_is_right(const direct_group *group);
void direct_group_close(direct_group *group);

#endif /* TESSERA_BENCH_GPU_DIRECT_H */
