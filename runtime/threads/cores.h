/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* How many cores this process may use.
 * It must not know ranks. */
#ifndef TESSERA_RUNTIME_THREADS_CORES_H
#define TESSERA_RUNTIME_THREADS_CORES_H

#include <sched.h>
#include <stdint.h>

/* Empty where the system does not say. */
void tr_cores_ask(cpu_set_t *cores);
int32_t tr_available_cores(void);

#endif /* TESSERA_RUNTIME_THREADS_CORES_H */
