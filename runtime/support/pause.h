/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* What a thread does between two looks at a number that another one changes. */
#ifndef TESSERA_RUNTIME_SUPPORT_PAUSE_H
#define TESSERA_RUNTIME_SUPPORT_PAUSE_H

/* Tells the processor that this is a loop that waits. */
static inline void tr_pause(void) {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
}

#endif /* TESSERA_RUNTIME_SUPPORT_PAUSE_H */
