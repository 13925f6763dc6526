/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* What code of this target depends on beside the module and the compiler. It must not know what
 * is made of the text. */
#ifndef TESSERA_LOWERING_TARGETS_CPU_MACHINE_H
#define TESSERA_LOWERING_TARGETS_CPU_MACHINE_H

#include "lowering/targets/target.h"

/* ts_target's write_machine. Thread-safe. */
void ts_cpu_write_machine(const ts_code_options *options, const ts_code_sink *sink);

#endif /* TESSERA_LOWERING_TARGETS_CPU_MACHINE_H */
