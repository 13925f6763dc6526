/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Prints a module with functions of layers, for a mesh of a shape: "2x2", or with names,
 * "pipeline=2,tensor=2". */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/IR.h"

#include "cases.h"

static void print_to_stdout(MlirStringRef part, void *unused) {
  (void)unused;
  fwrite(part.data, 1, part.length, stdout);
}

enum { MAX_DIMS = 16 };

typedef struct mesh {
  char text[256];
  int num;
  int64_t shape[MAX_DIMS];
  const char *names[MAX_DIMS];
} mesh;

static bool read_mesh(const char *text, mesh *mesh) {
  snprintf(mesh->text, sizeof(mesh->text), "%s", text);
  bool named = strchr(text, '=') != NULL;
  for (char *part = strtok(mesh->text, named ? "," : "x"); part && mesh->num < MAX_DIMS;
       part = strtok(NULL, named ? "," : "x")) {
    char *number = named ? strchr(part, '=') : part;
    if (!number)
      return false;
    if (named)
      *number++ = '\0';
    mesh->names[mesh->num] = part;
    mesh->shape[mesh->num++] = atoll(number);
  }
  return mesh->num > 0 && (named || mesh->num <= 4);
}

/* The cases of these names, or all without any. */
static bool is_chosen(const char *name, int count, char **names) {
  for (int i = 0; i < count; i++)
    if (strcmp(names[i], name) == 0)
      return true;
  return count == 0;
}

static bool emit(MlirModule module, const mesh *mesh, const char *element, int count,
                 char **names) {
  MlirContext context = mlirModuleGetContext(module);
  tessera_layers_options options = {
      .struct_size = sizeof(options),
      .num_dims = mesh->num,
      .shape = mesh->shape,
      .names = strchr(mesh->names[0], 'x') || mesh->names[0][0] < 'A' ? NULL : mesh->names,
      .element = strcmp(element, "f64") == 0 ? mlirF64TypeGet(context) : (MlirType){NULL}};
  bool good = true, any = false;
  for (int i = 0; i < num_layer_cases; i++)
    if (is_chosen(layer_cases[i].name, count, names)) {
      any = true;
      good = layer_cases[i].emit(module, layer_cases[i].name, &options) && good;
    }
  return good && any;
}

int main(int argc, char **argv) {
  mesh mesh = {0};
  bool refused = argc == 2 && strcmp(argv[1], "refused") == 0;
  if (!refused && (argc < 3 || !read_mesh(argv[1], &mesh))) {
    fprintf(stderr, "usage: emit-layers SHAPE f32|f64 [CASE...]\n       emit-layers refused\n");
    return 1;
  }
  MlirContext context = mlirContextCreate();
  MlirModule module = mlirModuleCreateEmpty(mlirLocationUnknownGet(context));
  bool good = refused ? try_refused(module) == 0 : emit(module, &mesh, argv[2], argc - 3, argv + 3);
  if (good)
    mlirOperationPrint(mlirModuleGetOperation(module), print_to_stdout, NULL);
  mlirModuleDestroy(module);
  mlirContextDestroy(context);
  return good ? 0 : 1;
}
