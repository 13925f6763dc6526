/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Cores by the scheduler's affinity mask, which knows of pinning and of containers.
 * It must not know ranks. */
#include "threads/cores.h"

void tr_cores_ask(cpu_set_t *cores) {
  CPU_ZERO(cores);
  if (sched_getaffinity(0, sizeof(*cores), cores) != 0)
    CPU_ZERO(cores);
}

int32_t tr_available_cores(void) {
  cpu_set_t set;
  tr_cores_ask(&set);
  int cores = CPU_COUNT(&set);
  return cores > 0 ? cores : 1;
}
