/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Reading a source with a choice that MLIR's C API does not offer. It must not know what is in it.
 */
#include "capi.h"

#include "mlir/CAPI/IR.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"

using namespace mlir;

MlirModule ts_parse_unverified(MlirContext context, MlirStringRef source, const char *name) {
  ParserConfig config(unwrap(context), /*verifyAfterParse=*/false);
  return wrap(parseSourceString<ModuleOp>(llvm::StringRef(source.data, source.length), config, name)
                  .release());
}
