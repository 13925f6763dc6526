/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Cleaning up when the user or the system ends the process.
 * It must not know what is cleaned up. */
#ifndef TESSERA_TOOLS_CHECK_INTERRUPT_H
#define TESSERA_TOOLS_CHECK_INTERRUPT_H

#include <signal.h>

/* From now on SIGINT, SIGTERM and SIGHUP run `function` before they end the process, and writing to
 * a closed pipe is an error instead of an end. Call it before other threads exist; they inherit the
 * signal mask, and so do children that are not given another: *previous is the one from before. */
void interrupt_clean(void (*function)(void), sigset_t *previous);

#endif /* TESSERA_TOOLS_CHECK_INTERRUPT_H */
