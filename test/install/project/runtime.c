/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* A program outside Tessera's tree that runs a compiled model on the ranks that the launcher gives,
 * in what C and C++ have in common. The model doubles four numbers. */
#include "tessera/program.h"

#include <stdio.h>

/* Cuts the input, calls, and joins the result on rank 0. */
static tessera_status call(tessera_context *context, const char *path, const tessera_tensor *input,
                           tessera_tensor *output) {
  tessera_program *program = NULL;
  const tessera_entry *entry = NULL;
  tessera_tensor argument, result;
  tessera_status status = tessera_program_load(path, &program);
  if (!status)
    status = tessera_program_attach(program, context);
  if (!status)
    status = tessera_program_find(program, NULL, &entry);
  if (!status)
    status = tessera_scatter_parameter(program, &entry->arguments[0], context, input, &argument);
  if (status)
    return status;
  status = tessera_call(program, entry, context, &argument, &result);
  tessera_tensor_destroy(&argument);
  if (status)
    return status;
  status = tessera_gather_parameter(program, &entry->results[0], context, &result, 0, NULL, output);
  tessera_tensor_destroy(&result);
  return status;
}

int main(int argc, char **argv) {
  if (argc != 2) {
    fprintf(stderr, "usage: use-runtime MODEL.so\n");
    return 1;
  }
  const int64_t shape = 4;
  tessera_context *context = NULL;
  tessera_tensor input, output;
  tessera_status status = tessera_default_context(&context);
  if (!status)
    status = tessera_tensor_create(TESSERA_F32, 1, &shape, &input);
  if (!status) {
    for (int i = 0; i < shape; i++)
      ((float *)input.data)[i] = (float)i;
    status = call(context, argv[1], &input, &output);
    tessera_tensor_destroy(&input);
  }
  if (!status && tessera_context_rank(context) == 0) {
    printf("%s %d:", tessera_context_backend(context), (int)tessera_context_size(context));
    for (int i = 0; i < shape; i++)
      printf(" %g", (double)((const float *)output.data)[i]);
    printf("\n");
    tessera_tensor_destroy(&output);
  }
  if (!status)
    status = tessera_finalize();
  if (status)
    fprintf(stderr, "%s: %s\n", tessera_status_name(status), tessera_last_error());
  return status ? 1 : 0;
}
