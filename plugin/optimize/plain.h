/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Functions that give the same to devices that give them the same, and do nothing else: those
 * without effects and collectives that ask for no device. It must not know who calls them. */
#ifndef TESSERA_PLUGIN_OPTIMIZE_PLAIN_H
#define TESSERA_PLUGIN_OPTIMIZE_PLAIN_H

#include <stdbool.h>

#include "mlir-c/IR.h"

#include "support/map.h"

typedef struct ts_plain {
  ts_arena *arena;
  ts_map functions; /* name -> func.func */
  ts_map answers;   /* func.func -> what is known of it */
} ts_plain;

void ts_plain_init(ts_plain *plain, ts_arena *arena, MlirOperation module);

/* Is `op` a call of such a function? */
bool ts_is_plain_call(ts_plain *plain, MlirOperation op);
/* Does `op` itself, whatever is inside, give each device something else? */
bool ts_tells_devices_apart(ts_plain *plain, MlirOperation op);

#endif /* TESSERA_PLUGIN_OPTIMIZE_PLAIN_H */
