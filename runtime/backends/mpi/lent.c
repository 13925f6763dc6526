/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Memory of collectives that do not block: no such call of MPI's can be cancelled, so that what it
 * was given stays if another one fails. It must not know what is in it. */
#include <stddef.h>
#include <stdlib.h>

#include "backends/mpi/state.h"

struct lent_memory {
  lent_memory *next;
  max_align_t data[];
};

void *lend(mpi_state *state, size_t bytes) {
  lent_memory *memory = calloc(1, sizeof(*memory) + bytes);
  if (!memory)
    return NULL;
  memory->next = state->lent;
  state->lent = memory;
  return memory->data;
}

void take_back(mpi_state *state, void *data) {
  lent_memory *memory = (lent_memory *)((char *)data - offsetof(lent_memory, data));
  lent_memory **link = &state->lent;
  while (*link != memory)
    link = &(*link)->next;
  *link = memory->next;
  free(memory);
}

void forget_lent(mpi_state *state) {
  for (lent_memory *memory = state->lent, *next; memory; memory = next) {
    next = memory->next;
    free(memory);
  }
}
