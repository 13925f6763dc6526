/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Memory that is seen in another way. It knows memrefs and pointers; it must not know tensors,
 * which have no memory yet. */
#ifndef TESSERA_PLUGIN_IR_MEMORY_VIEWS_H
#define TESSERA_PLUGIN_IR_MEMORY_VIEWS_H

#include "mlir-c/IR.h"

/* The operand whose memory is that of the first result of `op`; null if `op` is no view. */
MlirValue ts_view_source(MlirOperation op);
/* What `value` is a view of, or a view of a view: itself if it is none. */
MlirValue ts_view_root(MlirValue value);

#endif /* TESSERA_PLUGIN_IR_MEMORY_VIEWS_H */
