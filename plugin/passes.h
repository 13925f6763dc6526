/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* What each pass gives to the table of passes: its options and the function that runs it. It must
 * not know how a pass works. */
#ifndef TESSERA_PLUGIN_PASSES_H
#define TESSERA_PLUGIN_PASSES_H

#include "capi/capi.h"
#include "lowering/lower.h"

/* lower.h has the same for tessera-lower. Each `run` takes the module and the pass's option values
 * in the order of its table, and before them the pass where it runs others inside; false after
 * diagnostics were emitted. */
extern const ts_option_spec ts_propagate_options[];
extern const int ts_propagate_num_options;
bool ts_propagate_run(ts_active_pass *pass, MlirOperation module, const ts_option_value *options);

extern const ts_option_spec ts_partition_options[];
extern const int ts_partition_num_options;
bool ts_partition_run(MlirOperation module, const ts_option_value *options);

extern const ts_option_spec ts_optimize_options[];
extern const int ts_optimize_num_options;
bool ts_optimize_run(MlirOperation module, const ts_option_value *options);

#endif /* TESSERA_PLUGIN_PASSES_H */
