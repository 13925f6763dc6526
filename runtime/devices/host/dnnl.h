/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The system's oneDNN, loaded when something first needs it: its C functions, of version 2.
 * It must not know descriptors, sites or contexts. */
#ifndef TESSERA_RUNTIME_DEVICES_HOST_DNNL_H
#define TESSERA_RUNTIME_DEVICES_HOST_DNNL_H

#include <stddef.h>
#include <stdint.h>

/* The library's numbers for what is said here. */
enum {
  TR_DNNL_FORWARD_INFERENCE = 96,
  TR_DNNL_CONVOLUTION_DIRECT = 1,
  TR_DNNL_BF16 = 2,
  TR_DNNL_F32 = 3,
  TR_DNNL_S32 = 4,
  TR_DNNL_S8 = 5,
  TR_DNNL_ANY_LAYOUT = 1,
  TR_DNNL_QUERY_WAY = 8,
  TR_DNNL_QUERY_SOURCE = 129,
  TR_DNNL_QUERY_WEIGHTS = 131,
  TR_DNNL_QUERY_RESULT = 133,
  TR_DNNL_SOURCE = 1,
  TR_DNNL_RESULT = 17,
  TR_DNNL_WEIGHTS = 33,
  TR_DNNL_MOST_RANK = 12
};

/* Descriptions of memory and of what is computed are the caller's memory, whose contents are the
 * library's matter: room that is larger than any of version 2. */
typedef union tr_dnnl_layout {
  int64_t alignment;
  char room[4096];
} tr_dnnl_layout;
typedef union tr_dnnl_recipe {
  int64_t alignment;
  char room[64 * 1024];
} tr_dnnl_recipe;

typedef struct tr_dnnl_argument {
  int number; /* TR_DNNL_SOURCE, ... */
  void *memory;
} tr_dnnl_argument;

/* Functions return 0 if all is well. What they make is the library's: each kind is destroyed by the
 * function of its name. */
typedef struct tr_dnnl {
  void *engine; /* the CPU */
  int (*engine_create)(void **engine, int kind, size_t index);
  int (*stream_create)(void **stream, void *engine, unsigned flags);
  int (*stream_destroy)(void *stream);
  int (*stream_wait)(void *stream);
  int (*layout_by_strides)(void *layout, int rank, const int64_t *sizes, int type,
                           const int64_t *strides);
  int (*layout_by_tag)(void *layout, int rank, const int64_t *sizes, int type, int tag);
  int (*layout_equal)(const void *a, const void *b);
  size_t (*layout_bytes)(const void *layout);
  int (*convolution)(void *recipe, int purpose, int algorithm, const void *source,
                     const void *weights, const void *bias, const void *result,
                     const int64_t *steps, const int64_t *gaps, const int64_t *low,
                     const int64_t *high);
  int (*product)(void *recipe, const void *source, const void *weights, const void *bias,
                 const void *result);
  int (*description_create)(void **description, const void *recipe, const void *attributes,
                            void *engine, const void *hint);
  int (*description_destroy)(void *description);
  int (*description_text)(const void *description, int what, int index, const char **text);
  const void *(*description_layout)(const void *description, int what, int index);
  int (*reorder)(void **description, const void *from, void *from_engine, const void *to,
                 void *to_engine, const void *attributes);
  int (*primitive_create)(void **primitive, const void *description);
  int (*primitive_destroy)(void *primitive);
  int (*execute)(const void *primitive, void *stream, int num, const tr_dnnl_argument *arguments);
  int (*memory_create)(void **memory, const void *layout, void *engine, void *data);
  int (*memory_destroy)(void *memory);
  int (*memory_place)(void *memory, void *data);
  int (*attributes_create)(void **attributes);
  int (*attributes_destroy)(void *attributes);
  int (*attributes_set)(void *attributes, const void *after);
  int (*after_create)(void **after); /* what is done to a result */
  int (*after_destroy)(void *after);
  int (*after_add_old)(void *after, float scale);
  /* c = alpha * a * b + beta * c, rows first, by as many threads as the library has. */
  int (*sgemm)(char transpose_a, char transpose_b, int64_t m, int64_t n, int64_t k, float alpha,
               const float *a, int64_t leading_a, const float *b, int64_t leading_b, float beta,
               float *c, int64_t leading_c);
  int (*threads)(void); /* of the calling thread's next calls; NULL: not ours to set */
  void (*set_threads)(int threads);
} tr_dnnl;

/* NULL without the library, or with TESSERA_DNNL=none. Any thread. */
const tr_dnnl *tr_dnnl_library(void);

#endif /* TESSERA_RUNTIME_DEVICES_HOST_DNNL_H */
