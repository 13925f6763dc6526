/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Opens cuBLASLt where it is. It knows names and versions; it must not know what is multiplied. */
#include "devices/cuda/blaslt.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/symbols.h"
#include "support/wheels.h"

#define ROW(name, symbol, parameters) {#symbol, offsetof(tr_blaslt, name)},
static const tr_symbol symbols[] = {TR_BLASLT_FUNCTIONS(ROW)};
#undef ROW

static tr_blaslt opened;
static bool is_open;
static char refused[512]; /* why what somebody wished for cannot be used */

enum { LONGEST = 4096 };

/* What is the matter with a library, in a few words; NULL: nothing. */
static const char *read_library(void *library) {
  union {
    void *symbol;
    size_t (*call)(void);
  } version = {dlsym(library, "cublasLtGetVersion")};
  if (!version.symbol || version.call() < BLASLT_OLDEST_VERSION)
    return "cuBLASLt 11.3 or later is needed";
  if (tr_symbols_find(library, sizeof(symbols) / sizeof(symbols[0]), symbols, &opened))
    return "it lacks a function of cuBLASLt";
  return NULL;
}

static const char *open_name(const char *name) {
  void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  const char *why = library ? read_library(library) : dlerror();
  if (library && why)
    dlclose(library);
  is_open = library && !why;
  return why;
}

static void open_wish(const char *wish) {
  const char *why = strcmp(wish, "none") != 0 ? open_name(wish) : NULL;
  if (why)
    snprintf(refused, sizeof(refused),
             "TESSERA_CUBLASLT is '%s', which cannot be used for products: %s", wish, why);
}

static void open_any(void) {
  static const char *const names[] = {"libcublasLt.so.13", "libcublasLt.so.12", "libcublasLt.so.11",
                                      "libcublasLt.so", "/usr/local/cuda/lib64/libcublasLt.so"};
  static const char pattern[] = "libcublasLt.so.1?";
  const char *wish = getenv("TESSERA_CUBLASLT");
  char path[LONGEST];
  if (wish && wish[0]) {
    open_wish(wish);
    return;
  }
  if (tr_wheels_find(TR_WHEELS_ACTIVE, pattern, path, sizeof(path)))
    open_name(path);
  for (size_t i = 0; !is_open && i < sizeof(names) / sizeof(names[0]); i++)
    open_name(names[i]);
  if (!is_open && tr_wheels_find(TR_WHEELS_OTHER, pattern, path, sizeof(path)))
    open_name(path);
  if (!is_open)
    fputs("warning: products on the GPU are slow, for no cuBLASLt (11.3 or later) is found here; "
          "TESSERA_CUBLASLT names the library, or is 'none'\n",
          stderr);
}

static void open_once(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, open_any);
}

const tr_blaslt *tr_blaslt_open(void) {
  open_once();
  return is_open ? &opened : NULL;
}

const char *tr_blaslt_refused(void) {
  open_once();
  return refused[0] ? refused : NULL;
}
