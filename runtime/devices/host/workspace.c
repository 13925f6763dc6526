/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Memory that products work in.
 * It must not know what they compute. */
#include "devices/host/products.h"
#include "support/error.h"

void *tr_host_room(tr_workspace *workspace, size_t bytes) {
  void *memory = tr_scratch_take(&workspace->scratch, bytes);
  if (!memory)
    tr_fail(TESSERA_ERROR_OUT_OF_MEMORY, "no memory for %zu bytes of a product", bytes);
  return memory;
}
