/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* What is used of cuBLASLt, which is opened at run time, and a product as it takes them: declared
 * here, so that building needs no CUDA. It must not know tensors. */
#ifndef TESSERA_RUNTIME_DEVICES_CUDA_BLASLT_H
#define TESSERA_RUNTIME_DEVICES_CUDA_BLASLT_H

#include <stddef.h>
#include <stdint.h>

typedef int blaslt_status; /* 0: done */
typedef struct cublasLtContext *blaslt_handle;
typedef struct blaslt_description_data *blaslt_description;
typedef struct blaslt_layout_data *blaslt_layout;
typedef struct blaslt_preference_data *blaslt_preference;

typedef struct blaslt_algorithm {
  uint64_t data[8];
} blaslt_algorithm;

typedef struct blaslt_found {
  blaslt_algorithm algorithm;
  size_t workspace;
  blaslt_status state;
  float waves;
  int reserved[4];
} blaslt_found;

/* Types, attributes and flags, under the library's numbers. */
enum {
  BLASLT_F32 = 0,
  BLASLT_F64 = 1,
  BLASLT_F16 = 2,
  BLASLT_BF16 = 14,
  BLASLT_COMPUTE_F32 = 68,
  BLASLT_COMPUTE_F64 = 70,
  BLASLT_COMPUTE_TF32 = 77,
  BLASLT_TRANSPOSES_FIRST = 3,
  BLASLT_TRANSPOSES_SECOND = 4,
  BLASLT_TRANSPOSE = 1,
  BLASLT_EPILOGUE = 7,
  BLASLT_BIAS_POINTER = 8,
  /* Epilogues, of which bits make one: max(d, 0), a number for each row of d, gelu by tanh. */
  BLASLT_RELU = 2,
  BLASLT_ADD_BIAS = 4,
  BLASLT_GELU = 32,
  BLASLT_BATCH = 5,
  BLASLT_BATCH_STRIDE = 6,
  BLASLT_MOST_WORKSPACE = 1,
  BLASLT_ALIGNMENT_FIRST = 5, /* then second, c and d */
  BLASLT_OLDEST_VERSION = 110300
};

/* clang-format off */
#define TR_BLASLT_FUNCTIONS(ROW)                                                                   \
  ROW(create, cublasLtCreate, (blaslt_handle *handle))                                             \
  ROW(destroy, cublasLtDestroy, (blaslt_handle handle))                                            \
  ROW(create_description, cublasLtMatmulDescCreate,                                                \
      (blaslt_description *description, int compute, int scale))                                   \
  ROW(describe, cublasLtMatmulDescSetAttribute,                                                    \
      (blaslt_description description, int attribute, const void *value, size_t bytes))            \
  ROW(destroy_description, cublasLtMatmulDescDestroy, (blaslt_description description))            \
  ROW(create_layout, cublasLtMatrixLayoutCreate,                                                   \
      (blaslt_layout *layout, int type, uint64_t rows, uint64_t columns, int64_t leading))         \
  ROW(lay_out, cublasLtMatrixLayoutSetAttribute,                                                   \
      (blaslt_layout layout, int attribute, const void *value, size_t bytes))                      \
  ROW(destroy_layout, cublasLtMatrixLayoutDestroy, (blaslt_layout layout))                         \
  ROW(create_preference, cublasLtMatmulPreferenceCreate, (blaslt_preference *preference))          \
  ROW(prefer, cublasLtMatmulPreferenceSetAttribute,                                                \
      (blaslt_preference preference, int attribute, const void *value, size_t bytes))              \
  ROW(destroy_preference, cublasLtMatmulPreferenceDestroy, (blaslt_preference preference))         \
  ROW(find, cublasLtMatmulAlgoGetHeuristic,                                                        \
      (blaslt_handle handle, blaslt_description description, blaslt_layout first,                  \
       blaslt_layout second, blaslt_layout c, blaslt_layout d, blaslt_preference preference,       \
       int wanted, blaslt_found *found, int *count))                                               \
  ROW(multiply, cublasLtMatmul,                                                                    \
      (blaslt_handle handle, blaslt_description description, const void *alpha,                    \
       const void *first, blaslt_layout first_layout, const void *second,                          \
       blaslt_layout second_layout, const void *beta, const void *c, blaslt_layout c_layout,       \
       void *d, blaslt_layout d_layout, const blaslt_algorithm *algorithm, void *workspace,        \
       size_t bytes, void *stream))
/* clang-format on */

#define TR_BLASLT_MEMBER(name, symbol, parameters) blaslt_status(*name) parameters;
typedef struct tr_blaslt {
  TR_BLASLT_FUNCTIONS(TR_BLASLT_MEMBER)
} tr_blaslt;
#undef TR_BLASLT_MEMBER

/* Opened once for the process: what TESSERA_CUBLASLT names ("none": nothing), else where CUDA and
 * Python's wheels have it. NULL where there is none that is new enough, which a line on standard
 * error says if nobody wished so. Any thread. */
const tr_blaslt *tr_blaslt_open(void);
/* One sentence where what TESSERA_CUBLASLT names cannot be used; else NULL. */
const char *tr_blaslt_refused(void);

/* A matrix in column-major memory. */
typedef struct tr_blaslt_matrix {
  int64_t leading, batch_stride; /* in elements */
  int32_t transposed;            /* it is the transpose of what is stored */
  uint32_t alignment;            /* of its address, up to 256 */
} tr_blaslt_matrix;

/* result (m x n) = first (m x k) * second (k x n) + added (m x n), column-major, `batch` times, and
 * the epilogue of that sum. `added` is the result where nothing else is. */
typedef struct tr_blaslt_problem {
  int64_t m, n, k, batch;
  tr_blaslt_matrix first, second, result, added;
  int32_t input, output, compute; /* the library's numbers */
  int32_t bias;                   /* 0: none; else its alignment */
  int32_t epilogue, unused;       /* the library's number, 0: none */
} tr_blaslt_problem;

#endif /* TESSERA_RUNTIME_DEVICES_CUDA_BLASLT_H */
