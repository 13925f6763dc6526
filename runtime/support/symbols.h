/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Functions of a library that is opened at run time, as a table of pointers.
 * It must not know which library. */
#ifndef TESSERA_RUNTIME_SUPPORT_SYMBOLS_H
#define TESSERA_RUNTIME_SUPPORT_SYMBOLS_H

#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

typedef struct tr_symbol {
  const char *name;
  size_t offset; /* of the function in the table */
} tr_symbol;

/* Fills in the table; returns the name that the library lacks, NULL if it has all. ISO C has no
 * conversion from an object pointer to a function pointer; POSIX gives it a meaning. */
static inline const char *tr_symbols_find(void *library, size_t num, const tr_symbol *symbols,
                                          void *table) {
  for (size_t i = 0; i < num; i++) {
    void *function = dlsym(library, symbols[i].name);
    if (!function)
      return symbols[i].name;
    memcpy((char *)table + symbols[i].offset, &function, sizeof(function));
  }
  return NULL;
}

#endif /* TESSERA_RUNTIME_SUPPORT_SYMBOLS_H */
