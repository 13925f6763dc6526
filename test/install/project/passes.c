/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* A compiler outside Tessera's tree that runs Tessera's passes by MLIR's C API, in what C and C++
 * have in common. */
#include "tessera/passes.h"

#include <stdio.h>

#include "mlir-c/RegisterEverything.h"

static void print(MlirStringRef part, void *unused) {
  (void)unused;
  fwrite(part.data, 1, part.length, stdout);
}

static int run(MlirContext context, const char *path) {
  char source[4096];
  FILE *file = fopen(path, "r");
  size_t length = file ? fread(source, 1, sizeof(source) - 1, file) : 0;
  if (file)
    fclose(file);
  source[length] = '\0';
  MlirModule module = mlirModuleCreateParse(context, mlirStringRefCreateFromCString(source));
  if (mlirModuleIsNull(module))
    return 1;
  MlirPassManager manager = mlirPassManagerCreate(context);
  MlirStringRef none = mlirStringRefCreateFromCString("");
  mlirPassManagerAddOwnedPass(manager, tesseraCreatePropagatePass(none));
  mlirPassManagerAddOwnedPass(manager, tesseraCreatePartitionPass(none));
  MlirOperation operation = mlirModuleGetOperation(module);
  MlirLogicalResult result = mlirPassManagerRunOnOp(manager, operation);
  mlirOperationPrint(operation, print, NULL);
  mlirPassManagerDestroy(manager);
  mlirModuleDestroy(module);
  return mlirLogicalResultIsSuccess(result) ? 0 : 1;
}

int main(int argc, char **argv) {
  if (argc != 2) {
    fprintf(stderr, "usage: use-passes MODEL.mlir\n");
    return 1;
  }
  tesseraRegisterPasses();
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  mlirRegisterAllDialects(registry);
  tesseraRegisterDialects(registry);
  MlirContext context = mlirContextCreateWithRegistry(registry, false);
  mlirDialectRegistryDestroy(registry);
  int status = run(context, argv[1]);
  mlirContextDestroy(context);
  return status;
}
