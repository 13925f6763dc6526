/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Cores by the scheduler's affinity mask, which knows of pinning and of containers.
 * It must not know ranks. */
#include "threads/cores.h"

#include <sched.h>

int32_t tr_available_cores(void) {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof(set), &set) != 0)
    return 1;
  int cores = CPU_COUNT(&set);
  return cores > 0 ? cores : 1;
}
