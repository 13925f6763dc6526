/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* How memory that compiled code asks for is named where there is none.
 * It must not know where the memory is. */
#ifndef TESSERA_RUNTIME_COMPILED_COMPILED_MEMORY_H
#define TESSERA_RUNTIME_COMPILED_COMPILED_MEMORY_H

#include <stddef.h>

/* Fails as the op of tessera_rt_place, which has no memory of so many bytes. */
_Noreturn void tr_compiled_memory_fail(size_t bytes);
/* The op of tessera_rt_place has its memory. */
void tr_compiled_memory_done(void);

#endif /* TESSERA_RUNTIME_COMPILED_COMPILED_MEMORY_H */
