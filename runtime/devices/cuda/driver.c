/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Opens the CUDA driver, and says what is missing where there is none.
 * It must not know what it is used for. */
#include "devices/cuda/driver.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

#include "support/symbols.h"

#define ROW(name, symbol, parameters) {#symbol, offsetof(tr_cuda_driver, name)},
static const tr_symbol symbols[] = {TR_CUDA_FUNCTIONS(ROW)};
#undef ROW

static const char *const library_name = "libcuda.so.1";

static tessera_status find_functions(const tr_device_host *host, void *library,
                                     tr_cuda_driver *driver) {
  const char *missing =
      tr_symbols_find(library, sizeof(symbols) / sizeof(symbols[0]), symbols, driver);
  if (!missing)
    return TESSERA_OK;
  return host->fail(
      TESSERA_ERROR_UNSUPPORTED, "%s has no %s: the NVIDIA driver is too old; CUDA %d.%d is needed",
      library_name, missing, CUDA_VERSION_NEEDED / 1000, CUDA_VERSION_NEEDED % 1000 / 10);
}

static tessera_status start(const tr_device_host *host, tr_cuda_driver *driver) {
  char text[256];
  int version = 0;
  cuda_result result = driver->init(0);
  if (!result)
    result = driver->version(&version);
  if (!result && version < CUDA_VERSION_NEEDED)
    return host->fail(TESSERA_ERROR_UNSUPPORTED,
                      "the NVIDIA driver is for CUDA %d.%d; %d.%d or later is needed",
                      version / 1000, version % 1000 / 10, CUDA_VERSION_NEEDED / 1000,
                      CUDA_VERSION_NEEDED % 1000 / 10);
  if (!result)
    result = driver->count_devices(&driver->num_devices);
  if (result == CUDA_NO_DEVICE || (!result && driver->num_devices == 0))
    return host->fail(TESSERA_ERROR_NOT_FOUND,
                      "there is an NVIDIA driver, but no GPU that this process may use "
                      "(CUDA_VISIBLE_DEVICES can hide them)");
  if (!result)
    return TESSERA_OK;
  return host->fail(TESSERA_ERROR_BACKEND, "the NVIDIA driver does not start: %s",
                    tr_cuda_error(driver, result, text, sizeof(text)));
}

static tessera_status open_library(const tr_device_host *host, tr_cuda_driver *driver) {
  void *library = dlopen(library_name, RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    const char *reason = dlerror();
    return host->fail(TESSERA_ERROR_NOT_FOUND,
                      "the program is for NVIDIA GPUs, and there is no driver here: %s",
                      reason ? reason : library_name);
  }
  tessera_status status = find_functions(host, library, driver);
  if (!status)
    status = start(host, driver);
  if (status)
    dlclose(library);
  return status;
}

tessera_status tr_cuda_driver_open(const tr_device_host *host, const tr_cuda_driver **driver) {
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  static tr_cuda_driver opened; /* no devices: not opened yet */
  pthread_mutex_lock(&lock);
  tessera_status status = opened.num_devices > 0 ? TESSERA_OK : open_library(host, &opened);
  pthread_mutex_unlock(&lock);
  *driver = &opened;
  return status;
}

const char *tr_cuda_error(const tr_cuda_driver *driver, cuda_result error, char *text,
                          size_t capacity) {
  const char *name = NULL, *meaning = NULL;
  driver->error_name(error, &name);
  driver->error_text(error, &meaning);
  snprintf(text, capacity, "%s (%s)", name ? name : "an unknown error", meaning ? meaning : "?");
  return text;
}
