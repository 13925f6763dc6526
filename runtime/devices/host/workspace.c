/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Memory that products work in, and threads.
 * It must not know what they compute. */
#include <unistd.h>

#include "devices/host/products.h"
#include "support/error.h"

static void *take(tr_scratch *scratch, size_t bytes) {
  void *memory = tr_scratch_take(scratch, bytes);
  if (!memory)
    tr_fail(TESSERA_ERROR_OUT_OF_MEMORY, "no memory for %zu bytes of a product", bytes);
  return memory;
}

void *tr_host_room(tr_workspace *workspace, size_t bytes) {
  return take(&workspace->scratch, bytes);
}

void *tr_host_inner_room(tr_workspace *workspace, size_t bytes) {
  return take(&workspace->inner, bytes);
}

int32_t tr_host_library_threads(const tr_workspace *workspace) {
  return workspace->process == getpid() ? workspace->threads : 1;
}
