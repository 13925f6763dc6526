/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* What a rank keeps for products on a GPU, and the library that is asked first.
 * It must not know sites, groups or messages. */
#ifndef TESSERA_RUNTIME_DEVICES_CUDA_PRODUCTS_H
#define TESSERA_RUNTIME_DEVICES_CUDA_PRODUCTS_H

#include "devices/cuda/blaslt.h"
#include "devices/cuda/cuda.h"

/* What products of one kind need: how they are described, and how they are done best. */
typedef struct tr_cuda_prepared {
  bool is_used, is_possible;
  tr_blaslt_problem problem;
  blaslt_description description;
  blaslt_layout first, second, result, added;
  blaslt_algorithm algorithm;
  size_t workspace;
} tr_cuda_prepared;

enum { TR_CUDA_PREPARED = 64 };

/* The GPU's tr_workspace. */
struct tr_workspace {
  blaslt_handle handle; /* NULL: not made yet */
  char *memory;         /* of the library, TR_CUDA_WORKSPACE_BYTES; NULL: none yet */
  tr_cuda_prepared prepared[TR_CUDA_PREPARED];
};

/* True if cuBLASLt is there and does it; false: nothing has happened. */
bool tr_cuda_library_gemm(tr_cuda *cuda, cuda_stream stream, tr_workspace *workspace,
                          const tr_product *product);
/* Fails where somebody wished for a library that cannot be used, and it would have the product. */
tessera_status tr_cuda_library_check(const tr_cuda *cuda, tessera_dtype input,
                                     tessera_dtype output);
/* True if it is there and has products of these types. */
bool tr_cuda_library_has(tessera_dtype input, tessera_dtype output);
/* A convolution as products; false: nothing has happened, and products would be slow. */
bool tr_cuda_conv_by_products(tr_cuda *cuda, tessera_stream *stream, tr_workspace *workspace,
                              const tr_conv *conv);
void tr_cuda_library_close(tr_cuda *cuda, tr_workspace *workspace);

#endif /* TESSERA_RUNTIME_DEVICES_CUDA_PRODUCTS_H */
