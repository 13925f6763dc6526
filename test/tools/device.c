/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Tensors between the host and the device of a program, whichever that is. usage: device PROGRAM.so
 * NAME (a grid of 1x1, what TESSERA_DEVICE says). Prints what fails, exits 1. */
#include <stdio.h>
#include <string.h>

#include "tessera/program.h"

static int failures;

static void expect(int holds, const char *what) {
  if (holds)
    return;
  printf("%s (last error: %s)\n", what, tessera_last_error());
  failures++;
}

static void fill(tessera_tensor *tensor, int64_t rows, int64_t columns) {
  expect(!tessera_tensor_create(TESSERA_F32, 2, (int64_t[]){rows, columns}, tensor), "create");
  for (int64_t i = 0; i < rows * columns; i++)
    ((float *)tensor->data)[i] = (float)(i % 11 - 5);
}

/* Elements 0 and last of the product of the two above. */
static void check_product(const tessera_tensor *product) {
  float first = 0, last = 0;
  for (int k = 0; k < 7; k++) {
    first += (float)(k % 11 - 5) * (float)(k * 5 % 11 - 5);
    last += (float)((63 + k) % 11 - 5) * (float)((k * 5 + 4) % 11 - 5);
  }
  const float *values = product->data;
  expect(!product->device && values[0] == first && values[49] == last, "the product");
}

static void run(const tessera_program *program, tessera_context *context, int is_host) {
  const tessera_entry *entry;
  tessera_tensor arguments[2], result, global, piece;
  expect(!tessera_program_attach(program, context), "attach");
  expect(!tessera_program_find(program, "matmul", &entry), "find");
  fill(&arguments[0], 10, 7);
  fill(&arguments[1], 7, 5);
  expect(!tessera_call_to_host(program, entry, context, arguments, &result), "arrays of the host");
  check_product(&result);
  tessera_tensor_destroy(&result);
  expect(!tessera_scatter_parameter(program, &entry->arguments[0], context, &arguments[0], &piece),
         "scatter");
  expect(!tessera_tensor_to_device(context, &arguments[1]), "to the device");
  expect((arguments[1].device == NULL) == is_host && piece.device == arguments[1].device,
         "where it is");
  if (!is_host)
    expect(tessera_scatter_parameter(program, &entry->arguments[1], context, &arguments[1],
                                     &global) == TESSERA_ERROR_INVALID_ARGUMENT &&
               strstr(tessera_last_error(), "tessera_tensor_to_host moves it"),
           "scatter of what does not lie on the host");
  tessera_tensor pieces[] = {piece, arguments[1]};
  expect(!tessera_call(program, entry, context, pieces, &result), "call");
  expect(!tessera_gather_parameter(program, &entry->results[0], context, &result, 0, NULL, &global),
         "gather");
  check_product(&global);
  if (!is_host) {
    tessera_tensor elsewhere = global;
    tessera_tensor none;
    expect(tessera_gather_parameter(program, &entry->results[0], context, &elsewhere, 0, NULL,
                                    &none) == TESSERA_ERROR_MISMATCH,
           "gather of what lies on the host");
  }
  expect(!tessera_npy_write("device.npy", &result), "a file of what lies on the device");
  expect(!tessera_tensor_to_host(&result) && !tessera_tensor_to_host(&result), "to the host");
  check_product(&result);
  tessera_tensor_destroy(&result);
  expect(!tessera_npy_read("device.npy", TESSERA_F32, &result), "the file");
  check_product(&result);
  tessera_tensor_destroy(&result);
  tessera_tensor_destroy(&global);
  tessera_tensor_destroy(&piece);
  tessera_tensor_destroy(&arguments[0]);
  tessera_tensor_destroy(&arguments[1]);
}

int main(int argc, char **argv) {
  tessera_program *program = NULL;
  tessera_context *context;
  if (argc != 3 || tessera_program_load(argv[1], &program) || tessera_local_create(1, &context)) {
    printf("cannot start: %s\n", tessera_last_error());
    return 1;
  }
  run(program, context, strcmp(argv[2], "host") == 0);
  tessera_local_destroy(1, &context);
  tessera_program_unload(program);
  return failures ? 1 : 0;
}
