/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The stages that bring code of the host to the LLVM dialect, which every target has. It knows
 * upstream's passes; it must not know targets. */
#ifndef TESSERA_LOWERING_TARGETS_HOST_STAGES_H
#define TESSERA_LOWERING_TARGETS_HOST_STAGES_H

#include "lowering/stages.h"

enum { TS_HOST_NUM_TO_LLVM = 6 };

extern const ts_stage ts_host_to_llvm[TS_HOST_NUM_TO_LLVM];

#endif /* TESSERA_LOWERING_TARGETS_HOST_STAGES_H */
