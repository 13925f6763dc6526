/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The compiler passes for a compiler that links them, named as MLIR's C API is. The same passes
 * are in TesseraPlugin.so for `mlir-opt --load-pass-plugin=`. It knows contexts and pass
 * managers; it must not know what passes do. */
#ifndef TESSERA_PASSES_H
#define TESSERA_PASSES_H

#include "mlir-c/IR.h"
#include "mlir-c/Pass.h"

#include "tessera/status.h"

#if defined(__cplusplus)
extern "C" {
#endif

/* Registers every pass and pipeline of Tessera, so that mlirParsePassPipeline knows their names.
 * Call once per process. */
TESSERA_API void tesseraRegisterPasses(void);

/* Inserts the dialects that Tessera's passes read and write into a registry. Passes load what they
 * create by themselves; a compiler that parses partitioned IR needs this. */
TESSERA_API void tesseraRegisterDialects(MlirDialectRegistry registry);

/* New pass instances. `options` is as in a textual pipeline, without braces ("a=1 b=x"), or empty.
 * The caller owns the pass until it is added to a pass manager. A null pass: the options are wrong,
 * and a message went to stderr. */
TESSERA_API MlirPass tesseraCreateImportMeshPass(MlirStringRef options);
TESSERA_API MlirPass tesseraCreatePropagatePass(MlirStringRef options);
TESSERA_API MlirPass tesseraCreatePartitionPass(MlirStringRef options);
TESSERA_API MlirPass tesseraCreateOptimizePass(MlirStringRef options);
TESSERA_API MlirPass tesseraCreateLowerPass(MlirStringRef options);

#if defined(__cplusplus)
}
#endif
#endif /* TESSERA_PASSES_H */
