/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The pass tessera-lower: from a device's program on tensors, with collectives, to memrefs, calls
 * into libtessera and constant records. It must not know shardings beyond `tessera.layout`. */
#ifndef TESSERA_LOWERING_LOWER_H
#define TESSERA_LOWERING_LOWER_H

#include "capi/capi.h"

#if defined(__cplusplus)
extern "C" {
#endif

extern const ts_option_spec ts_lower_options[];
extern const int ts_lower_num_options;

/* Runs the pass on a builtin.module; false after diagnostics. */
bool ts_lower_run(ts_active_pass *pass, MlirOperation module, const ts_option_value *options);

/* Dialects that the pass creates ops of, and the bufferization models of collectives, so that any
 * one-shot-bufferize in the same pipeline knows them. */
void ts_lower_register_dialects(MlirDialectRegistry registry);

/* Dialects that upstream's passes among its stages need. */
void ts_lower_register_stages(MlirDialectRegistry registry);

#if defined(__cplusplus)
}
#endif
#endif /* TESSERA_LOWERING_LOWER_H */
