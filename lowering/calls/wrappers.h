/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Private functions that pass memrefs to the runtime as descriptors in memory: one for each runtime
 * function and combination of ranks and element types. It knows memory and calls; it must not know
 * what they do. */
#ifndef TESSERA_LOWERING_CALLS_WRAPPERS_H
#define TESSERA_LOWERING_CALLS_WRAPPERS_H

#include "ir/build.h"
#include "support/arena.h"
#include "support/map.h"

enum { TS_MAX_CALL_MEMREFS = 5, TS_CALL_NO_WORDS = -1 };

/* A runtime function as a wrapper sees it: (site, stream, memrefs..., words). */
typedef struct ts_call {
  const char *name; /* without tessera_rt_ */
  int num_memrefs;
  MlirType memrefs[TS_MAX_CALL_MEMREFS]; /* any shaped type: rank and element type count */
  intptr_t num_words;                    /* i64 values; TS_CALL_NO_WORDS: no such parameter */
  bool starts; /* goes through tessera_rt_start, and gives what to wait for */
} ts_call;

/* The wrappers of one module. */
typedef struct ts_wrappers {
  ts_arena *arena;
  MlirContext context;
  MlirOperation module;
  ts_map known; /* name attribute -> itself, once the symbol is there */
} ts_wrappers;

void ts_wrappers_init(ts_wrappers *wrappers, ts_arena *arena, MlirOperation module);

/* Makes sure that the wrapper for `call` is in the module. */
void ts_wrappers_add(ts_wrappers *wrappers, const ts_call *call);

/* Makes sure that the module declares the external function `name` on `num` arguments, with a
 * result unless `result` is null. */
void ts_wrappers_declare(ts_wrappers *wrappers, const char *name, MlirType result, intptr_t num,
                         const MlirType *arguments);

/* Declares libtessera's allocator with what LLVM may know of its result: aligned, and nobody
 * else's. Without that, loops over many buffers are not vectorized, for want of checks that they
 * are apart. */
void ts_wrappers_declare_alloc(ts_wrappers *wrappers);

/* The name of the wrapper for `call`, in `size` bytes. */
void ts_wrapper_name(const ts_call *call, char *name, size_t size);

/* The runtime's function that `op` calls through a wrapper, without tessera_rt_: a part of the
 * callee's name. Empty if `op` is no such call, or only starts the function. */
MlirStringRef ts_wrapped_function(MlirOperation op);

/* Calls the wrapper, which must have been added, and blocks: memrefs are cast to any strides,
 * `words` are i64 or index values. */
void ts_make_wrapper_call(const ts_maker *build, const ts_call *call, MlirValue site,
                          const MlirValue *memrefs, const MlirValue *words);

#endif /* TESSERA_LOWERING_CALLS_WRAPPERS_H */
