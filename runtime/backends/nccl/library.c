/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Opens NCCL, and says what is missing where there is none.
 * It must not know what it is used for. */
#include "backends/nccl/library.h"

#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "support/symbols.h"
#include "support/wheels.h"

#define ROW(name, symbol, parameters) {#symbol, offsetof(nccl_library, name)},
static const tr_symbol symbols[] = {
    TR_NCCL_FUNCTIONS(ROW){"ncclGetErrorString", offsetof(nccl_library, error_text)},
    {"ncclGetLastError", offsetof(nccl_library, last_error)}};
#undef ROW

static tessera_status find_functions(const tr_backend_host *host, const char *name, void *opened,
                                     nccl_library *library) {
  int version = 0;
  if (tr_symbols_find(opened, sizeof(symbols) / sizeof(symbols[0]), symbols, library) ||
      library->version(&version) != NCCL_OK || version < NCCL_VERSION_NEEDED)
    return host->fail(TESSERA_ERROR_UNSUPPORTED, "%s is too old: NCCL %d.%d or later is needed",
                      name, NCCL_VERSION_NEEDED / 10000, NCCL_VERSION_NEEDED / 100 % 100);
  return TESSERA_OK;
}

static tessera_status open_name(const tr_backend_host *host, const char *name,
                                nccl_library *library) {
  char path[4096], reason[512];
  void *opened = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  if (!opened) {
    const char *why = dlerror();
    snprintf(reason, sizeof(reason), "%s", why ? why : name);
    if (!strchr(name, '/') && (tr_wheels_find(TR_WHEELS_ACTIVE, name, path, sizeof(path)) ||
                               tr_wheels_find(TR_WHEELS_OTHER, name, path, sizeof(path))))
      opened = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  }
  if (!opened)
    return host->fail(TESSERA_ERROR_NOT_FOUND,
                      "ranks in several processes move memory of GPUs by NCCL, which is not found "
                      "here: %s; TESSERA_NCCL names the library",
                      reason);
  tessera_status status = find_functions(host, name, opened, library);
  if (status)
    dlclose(opened);
  return status;
}

nccl_config nccl_usual_config(void) {
  return (nccl_config){.size = sizeof(nccl_config),
                       .magic = (unsigned)NCCL_MAGIC,
                       .version = NCCL_VERSION_NEEDED,
                       .blocking = 0,
                       .cluster = INT_MIN,
                       .least_blocks = INT_MIN,
                       .most_blocks = INT_MIN,
                       .split_shares = 1,
                       .traffic = INT_MIN};
}

tessera_status nccl_open_library(const tr_backend_host *host, const nccl_library **library) {
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  static nccl_library opened;
  static bool is_open;
  const char *wish = getenv("TESSERA_NCCL");
  pthread_mutex_lock(&lock);
  /* Communicators of several groups run at once: in the order in which they are given work. */
  setenv("NCCL_LAUNCH_ORDER_IMPLICIT", "1", 0);
  tessera_status status = TESSERA_OK;
  if (!is_open)
    status = open_name(host, wish && wish[0] ? wish : "libnccl.so.2", &opened);
  is_open = is_open || !status;
  pthread_mutex_unlock(&lock);
  *library = &opened;
  return status;
}
