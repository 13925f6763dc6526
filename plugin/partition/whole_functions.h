/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Annotated functions as they were before partitioning, for ops that run whole and call them. It
 * knows calls; it must not know layouts. */
#ifndef TESSERA_PLUGIN_PARTITION_WHOLE_FUNCTIONS_H
#define TESSERA_PLUGIN_PARTITION_WHOLE_FUNCTIONS_H

#include "model/model.h"

/* Lets the calls that no op of the model stands for, because they are inside ops that run whole,
 * call copies without annotations. Before any function is partitioned. */
void ts_copies_make(ts_model *model);

#endif /* TESSERA_PLUGIN_PARTITION_WHOLE_FUNCTIONS_H */
