/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Insertions into what a branch or loop gives, which may give what is inserted as well. It knows
 * insertions. */
#ifndef TESSERA_LOWERING_WORKAROUNDS_OWN_DESTINATIONS_H
#define TESSERA_LOWERING_WORKAROUNDS_OWN_DESTINATIONS_H

#include "mlir-c/IR.h"

/* Their destinations, offsets and sizes stand behind the branch or loop as values of their own. */
void ts_own_destinations_part(MlirOperation module);
/* Undoes that. */
void ts_own_destinations_join(MlirOperation module);

#endif /* TESSERA_LOWERING_WORKAROUNDS_OWN_DESTINATIONS_H */
