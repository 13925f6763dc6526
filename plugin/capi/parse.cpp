/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Reading a file with a choice that MLIR's C API does not offer. Knows nothing of what is in it. */
#include "capi.h"

#include "mlir/CAPI/IR.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"

using namespace mlir;

MlirModule ts_parse_unverified(MlirContext context, const char *path) {
  ParserConfig config(unwrap(context), /*verifyAfterParse=*/false);
  return wrap(parseSourceFile<ModuleOp>(path, config).release());
}
