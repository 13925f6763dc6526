/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Machine code for the target `cpu`. It knows options and sinks; it must not know what is
 * computed. */
#ifndef TESSERA_LOWERING_TARGETS_CPU_CODE_H
#define TESSERA_LOWERING_TARGETS_CPU_CODE_H

#include "lowering/targets/target.h"

/* As ts_target says of them. */
bool ts_cpu_write_text(MlirOperation module, const ts_code_options *options,
                       const ts_code_sink *sink, ts_code_error *error);
bool ts_cpu_write_object(MlirOperation module, const ts_code_options *options,
                         const ts_code_sink *sink, ts_code_error *error);

#endif /* TESSERA_LOWERING_TARGETS_CPU_CODE_H */
