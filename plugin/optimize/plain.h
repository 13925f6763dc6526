/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* What functions and ops do besides computing: those that give the same to devices that give them
 * the same, and do nothing else, and those that may pass a message. It must not know who asks. */
#ifndef TESSERA_PLUGIN_OPTIMIZE_PLAIN_H
#define TESSERA_PLUGIN_OPTIMIZE_PLAIN_H

#include <stdbool.h>

#include "mlir-c/IR.h"

#include "support/map.h"

typedef struct ts_plain {
  ts_arena *arena;
  ts_map functions; /* name -> func.func */
  ts_map answers;   /* func.func -> whether it is plain */
  ts_map senders;   /* func.func -> whether it may send messages */
} ts_plain;

void ts_plain_init(ts_plain *plain, ts_arena *arena, MlirOperation module);

/* Is `op` a call of such a function? */
bool ts_is_plain_call(ts_plain *plain, MlirOperation op);
/* Does `op` itself, whatever is inside, give each device something else? */
bool ts_tells_devices_apart(ts_plain *plain, MlirOperation op);
/* Has `op`, with all that is inside, no effects? Collectives of memory say nothing of theirs. */
bool ts_is_free_of_effects(MlirOperation op);
/* Is `op` a message from one device to another, or may one be in it? No collective passes it: the
 * receiver could wait in it for a sender that waits for the receiver. */
bool ts_may_be_message(ts_plain *plain, MlirOperation op);

#endif /* TESSERA_PLUGIN_OPTIMIZE_PLAIN_H */
