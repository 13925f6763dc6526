/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The entry points that mlir-opt looks up in TesseraPlugin.so. It knows their binary interface; it
 * must not know the passes. */
#include <stdint.h>

#include "tessera/passes.h"

/* The layout of upstream's PassPluginLibraryInfo and DialectPluginLibraryInfo, API version 1. */
struct pass_plugin_info {
  uint32_t api_version;
  const char *name;
  const char *version;
  void (*register_passes)(void);
};

struct dialect_plugin_info {
  uint32_t api_version;
  const char *name;
  const char *version;
  void (*register_dialects)(void *registry);
};

static void register_plugin_dialects(void *registry) {
  tesseraRegisterDialects((MlirDialectRegistry){registry});
}

TESSERA_API struct pass_plugin_info mlirGetPassPluginInfo(void);
TESSERA_API struct dialect_plugin_info mlirGetDialectPluginInfo(void);

struct pass_plugin_info mlirGetPassPluginInfo(void) {
  return (struct pass_plugin_info){1, "Tessera", TESSERA_VERSION, tesseraRegisterPasses};
}

struct dialect_plugin_info mlirGetDialectPluginInfo(void) {
  return (struct dialect_plugin_info){1, "Tessera", TESSERA_VERSION, register_plugin_dialects};
}
