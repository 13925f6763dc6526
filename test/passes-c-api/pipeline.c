/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* A compiler that links the passes: reads a module, runs a pipeline given as text or made by
 * function, prints the module. Uses only the public header and MLIR's C API. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mlir-c/IR.h"
#include "mlir-c/Pass.h"
#include "mlir-c/RegisterEverything.h"

#include "tessera/passes.h"

static MlirStringRef text(const char *string) {
  return mlirStringRefCreateFromCString(string);
}

static void print_to_stdout(MlirStringRef part, void *unused) {
  (void)unused;
  fwrite(part.data, 1, part.length, stdout);
}

static void print_to_stderr(MlirStringRef part, void *unused) {
  (void)unused;
  fwrite(part.data, 1, part.length, stderr);
}

/* The whole of a file as a string that the caller frees, or NULL. */
static char *read_file(const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file)
    return NULL;
  size_t size = 0, room = 1 << 16;
  char *data = malloc(room);
  while (data) {
    size += fread(data + size, 1, room - size - 1, file);
    if (size < room - 1)
      break;
    char *larger = realloc(data, room *= 2);
    if (!larger)
      free(data);
    data = larger;
  }
  fclose(file);
  if (data)
    data[size] = '\0';
  return data;
}

/* One pass by name of its constructor; `options` follow in the call. */
static bool add_pass(MlirPassManager manager, const char *name, const char *options) {
  MlirPass pass = {NULL};
  if (strcmp(name, "propagate") == 0)
    pass = tesseraCreatePropagatePass(text(options));
  else if (strcmp(name, "partition") == 0)
    pass = tesseraCreatePartitionPass(text(options));
  else if (strcmp(name, "lower") == 0)
    pass = tesseraCreateLowerPass(text(options));
  if (!pass.ptr)
    return false;
  mlirPassManagerAddOwnedPass(manager, pass);
  return true;
}

/* `arguments` are a pipeline's text, or "--pass NAME OPTIONS" any number of times. */
static bool build_pipeline(MlirPassManager manager, int count, char **arguments) {
  if (count == 1)
    return mlirLogicalResultIsSuccess(mlirParsePassPipeline(
        mlirPassManagerGetAsOpPassManager(manager), text(arguments[0]), print_to_stderr, NULL));
  for (int i = 0; i + 2 < count; i += 3)
    if (strcmp(arguments[i], "--pass") != 0 ||
        !add_pass(manager, arguments[i + 1], arguments[i + 2]))
      return false;
  return true;
}

static bool run(MlirContext context, const char *source, int count, char **arguments) {
  MlirModule module = mlirModuleCreateParse(context, text(source));
  if (mlirModuleIsNull(module))
    return false;
  MlirPassManager manager = mlirPassManagerCreateOnOperation(context, text("builtin.module"));
  bool good =
      build_pipeline(manager, count, arguments) &&
      mlirLogicalResultIsSuccess(mlirPassManagerRunOnOp(manager, mlirModuleGetOperation(module)));
  if (good)
    mlirOperationPrint(mlirModuleGetOperation(module), print_to_stdout, NULL);
  mlirPassManagerDestroy(manager);
  mlirModuleDestroy(module);
  return good;
}

int main(int argc, char **argv) {
  if (argc < 3) {
    fprintf(stderr, "usage: %s FILE PIPELINE | FILE --pass NAME OPTIONS...\n", argv[0]);
    return 2;
  }
  char *source = read_file(argv[1]);
  if (!source) {
    fprintf(stderr, "cannot read %s\n", argv[1]);
    return 2;
  }
  tesseraRegisterPasses();
  mlirRegisterAllPasses();
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  mlirRegisterAllDialects(registry);
  tesseraRegisterDialects(registry);
  MlirContext context = mlirContextCreateWithRegistry(registry, false);
  mlirDialectRegistryDestroy(registry);
  bool good = run(context, source, argc - 2, argv + 2);
  mlirContextDestroy(context);
  free(source);
  return good ? 0 : 1;
}
