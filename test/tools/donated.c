/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Whose memory a donated argument is after a call, of both kinds. usage: donated PROGRAM.so
 * (donated.mlir: the first two arguments donated). Prints what fails, exits 1. */
#include <stdio.h>
#include <string.h>

#include "tessera/program.h"

enum { NUM = 3 };

static int failures;

static void expect(int holds, const char *what) {
  if (holds)
    return;
  printf("%s (last error: %s)\n", what, tessera_last_error());
  failures++;
}

static void make(const tessera_context *context, tessera_tensor *arguments) {
  int64_t shape[] = {4, 3};
  for (int i = 0; i < NUM; i++) {
    expect(!tessera_tensor_create(TESSERA_F32, i == 1 ? 1 : 2, i == 1 ? shape + 1 : shape,
                                  &arguments[i]),
           "create");
    for (int64_t e = 0; e < tessera_tensor_elements(&arguments[i]); e++)
      ((float *)arguments[i].data)[e] = (float)(e * (i == 2 ? 1 : 10));
    expect(!tessera_tensor_to_device(context, &arguments[i]), "to the device");
  }
}

/* What the program computes, read on the host. */
static void compare(const tessera_tensor *results) {
  for (int i = 0; i < NUM; i++) {
    tessera_tensor host;
    expect(!tessera_device_get(&results[i], &host), "to the host");
    for (int64_t e = 0; host.data && e < tessera_tensor_elements(&host); e++)
      expect(((float *)host.data)[e] == (float)(e * (i == 1 ? 10 : 9)), "an element");
    tessera_tensor_destroy(&host);
  }
  expect(results[0].data != results[2].data, "two results in one memory");
}

static void drop(tessera_tensor *tensors) {
  for (int i = 0; i < NUM; i++)
    tessera_tensor_destroy(&tensors[i]);
}

static void keep(const tessera_program *program, const tessera_entry *entry,
                 tessera_context *context) {
  tessera_tensor arguments[NUM], results[NUM];
  make(context, arguments);
  expect(!tessera_call(program, entry, context, arguments, results), "call");
  for (int i = 0; i < NUM; i++)
    expect(arguments[i].data && arguments[i].data != results[0].data &&
               arguments[i].data != results[1].data,
           "a call took the caller's memory");
  compare(results);
  drop(results);
  drop(arguments);
}

static void donate(const tessera_program *program, const tessera_entry *entry,
                   tessera_context *context) {
  tessera_tensor arguments[NUM], results[NUM];
  make(context, arguments);
  void *w = arguments[0].data, *m = arguments[1].data;
  expect(!tessera_call_donating(program, entry, context, arguments, results), "call, donating");
  expect(results[0].data == w && results[1].data == m, "results are not in the donated memory");
  expect(!arguments[0].data && !arguments[0].shape && !arguments[1].data,
         "what was taken is still there");
  expect(arguments[2].data != NULL, "an argument that is not donated is gone");
  compare(results);
  drop(results);
  drop(arguments);
}

/* Arrays of the host: on a device what is taken is the call's own copy. */
static void donate_from_host(const tessera_program *program, const tessera_entry *entry,
                             tessera_context *context) {
  tessera_tensor arguments[NUM], results[NUM];
  make(context, arguments);
  for (int i = 0; i < NUM; i++)
    expect(i == 1 || !tessera_tensor_to_host(&arguments[i]), "to the host");
  expect(!tessera_call_donating(program, entry, context, arguments, results), "call from the host");
  expect(!arguments[1].data, "what was taken beside an array of the host");
  compare(results);
  drop(results);
  drop(arguments);
}

static void share(const tessera_program *program, const tessera_entry *entry,
                  tessera_context *context) {
  tessera_tensor arguments[NUM], results[NUM];
  make(context, arguments);
  tessera_tensor shared[NUM] = {arguments[0], arguments[1], arguments[0]};
  expect(tessera_call(program, entry, context, shared, results) == TESSERA_ERROR_INVALID_ARGUMENT &&
             strstr(tessera_last_error(), "cannot be that of argument 2 too"),
         "one memory twice");
  drop(arguments);
}

int main(int argc, char **argv) {
  tessera_program *program;
  const tessera_entry *entry;
  tessera_context *context;
  if (argc != 2 || tessera_program_load(argv[1], &program) ||
      tessera_program_find(program, NULL, &entry) || tessera_default_context(&context) ||
      tessera_program_attach(program, context)) {
    printf("%s\n", tessera_last_error());
    return 1;
  }
  keep(program, entry, context);
  donate(program, entry, context);
  donate_from_host(program, entry, context);
  share(program, entry, context);
  tessera_program_unload(program);
  return tessera_finalize() != TESSERA_OK || failures > 0;
}
