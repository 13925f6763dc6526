/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Opens cuBLASLt where it is. It knows names and versions; it must not know what is multiplied. */
#include "devices/cuda/blaslt.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "support/symbols.h"

#define ROW(name, symbol, parameters) {#symbol, offsetof(tr_blaslt, name)},
static const tr_symbol symbols[] = {TR_BLASLT_FUNCTIONS(ROW)};
#undef ROW

static tr_blaslt opened;
static bool is_open;

static bool is_new_enough(void *library) {
  union {
    void *symbol;
    size_t (*call)(void);
  } version = {dlsym(library, "cublasLtGetVersion")};
  return version.symbol && version.call() >= BLASLT_OLDEST_VERSION;
}

static bool find_functions(void *library) {
  return !tr_symbols_find(library, sizeof(symbols) / sizeof(symbols[0]), symbols, &opened);
}

static bool open_name(const char *name) {
  void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return false;
  if (is_new_enough(library) && find_functions(library))
    return true;
  dlclose(library);
  return false;
}

static void open_any(void) {
  static const char *const names[] = {"libcublasLt.so.13", "libcublasLt.so.12", "libcublasLt.so.11",
                                      "libcublasLt.so", "/usr/local/cuda/lib64/libcublasLt.so"};
  const char *wish = getenv("TESSERA_CUBLASLT");
  if (wish && wish[0]) {
    is_open = strcmp(wish, "none") != 0 && open_name(wish);
    return;
  }
  for (size_t i = 0; !is_open && i < sizeof(names) / sizeof(names[0]); i++)
    is_open = open_name(names[i]);
}

const tr_blaslt *tr_blaslt_open(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, open_any);
  return is_open ? &opened : NULL;
}
