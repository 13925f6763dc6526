/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The hash of all that an object depends on. It knows options; it must not know where objects
 * are kept. */
#ifndef TESSERA_COMPILE_CACHE_KEY_H
#define TESSERA_COMPILE_CACHE_KEY_H

#include "tools/compile/driver.h"

/* Sets c->cache.key from the source, the options that matter, the machine that code is made for,
 * and the compiler. False if not all is known, or without memory. */
bool ts_cache_set_key(ts_compilation *c);

#endif /* TESSERA_COMPILE_CACHE_KEY_H */
