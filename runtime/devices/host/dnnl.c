/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Loads oneDNN with dlopen, so that neither building nor running needs it.
 * It must not know descriptors, sites or contexts. */
#include "devices/host/dnnl.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static tr_dnnl dnnl;
static bool is_there;

typedef struct row {
  const char *symbol;
  void *function; /* where its address goes */
} row;

/* ISO C has no conversion from an object pointer to a function pointer; POSIX gives it a meaning.
 */
static bool find_symbol(void *library, const char *name, void *function) {
  void *symbol = dlsym(library, name);
  memcpy(function, &symbol, sizeof(symbol));
  return symbol;
}

static bool find_all(void *library) {
  const row rows[] = {
      {"dnnl_engine_create", &dnnl.engine_create},
      {"dnnl_stream_create", &dnnl.stream_create},
      {"dnnl_stream_destroy", &dnnl.stream_destroy},
      {"dnnl_stream_wait", &dnnl.stream_wait},
      {"dnnl_memory_desc_init_by_strides", &dnnl.layout_by_strides},
      {"dnnl_memory_desc_init_by_tag", &dnnl.layout_by_tag},
      {"dnnl_memory_desc_equal", &dnnl.layout_equal},
      {"dnnl_memory_desc_get_size", &dnnl.layout_bytes},
      {"dnnl_dilated_convolution_forward_desc_init", &dnnl.convolution},
      {"dnnl_matmul_desc_init", &dnnl.product},
      {"dnnl_primitive_desc_create", &dnnl.description_create},
      {"dnnl_primitive_desc_destroy", &dnnl.description_destroy},
      {"dnnl_primitive_desc_query", &dnnl.description_text},
      {"dnnl_primitive_desc_query_md", &dnnl.description_layout},
      {"dnnl_reorder_primitive_desc_create", &dnnl.reorder},
      {"dnnl_primitive_create", &dnnl.primitive_create},
      {"dnnl_primitive_destroy", &dnnl.primitive_destroy},
      {"dnnl_primitive_execute", &dnnl.execute},
      {"dnnl_memory_create", &dnnl.memory_create},
      {"dnnl_memory_destroy", &dnnl.memory_destroy},
      {"dnnl_memory_set_data_handle", &dnnl.memory_place},
      {"dnnl_primitive_attr_create", &dnnl.attributes_create},
      {"dnnl_primitive_attr_destroy", &dnnl.attributes_destroy},
      {"dnnl_primitive_attr_set_post_ops", &dnnl.attributes_set},
      {"dnnl_post_ops_create", &dnnl.after_create},
      {"dnnl_post_ops_destroy", &dnnl.after_destroy},
      {"dnnl_post_ops_append_sum", &dnnl.after_add_old},
      {"dnnl_sgemm", &dnnl.sgemm},
  };
  for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
    if (!find_symbol(library, rows[i].symbol, rows[i].function))
      return false;
  return true;
}

/* Of the library's threads, where they are OpenMP's. */
static void find_threads(void *library) {
  if (!find_symbol(library, "omp_get_max_threads", &dnnl.threads) ||
      !find_symbol(library, "omp_set_num_threads", &dnnl.set_threads))
    dnnl.threads = NULL;
}

static void load(void) {
  enum { CPU = 1 };
  const char *wish = getenv("TESSERA_DNNL");
  if (wish && strcmp(wish, "none") == 0)
    return;
  void *library = dlopen("libdnnl.so.2", RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return;
  find_threads(library);
  is_there = find_all(library) && dnnl.engine_create(&dnnl.engine, CPU, 0) == 0;
}

const tr_dnnl *tr_dnnl_library(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, load);
  return is_there ? &dnnl : NULL;
}
