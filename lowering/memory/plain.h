/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Functions whose memory is plain: each buffer ends in the block that it is allocated in, or is
 * returned. It knows memrefs; it must not know sizes. */
#ifndef TESSERA_LOWERING_MEMORY_PLAIN_H
#define TESSERA_LOWERING_MEMORY_PLAIN_H

#include "mlir-c/IR.h"
#include "support/arena.h"

/* A function that has been freed of its memory here, and its body, which is out of the module. */
typedef struct ts_plain_function {
  MlirOperation function;
  MlirRegion body;
  MlirAttribute visibility; /* null: public */
} ts_plain_function;

typedef struct ts_plain_functions {
  int num, max;
  ts_plain_function *functions;
} ts_plain_functions;

/* Frees the memory of each plain function at the ends of its blocks, as upstream's deallocation
 * does, whose time grows with the square of a function's buffers, and takes the bodies of these
 * functions out of `module`, where upstream's finds declarations. Linear in the ops. */
void ts_memory_free_plain(ts_plain_functions *plain, ts_arena *arena, MlirOperation module);

/* Puts the bodies back; nothing if that is done. */
void ts_memory_restore_plain(ts_plain_functions *plain);

#endif /* TESSERA_LOWERING_MEMORY_PLAIN_H */
