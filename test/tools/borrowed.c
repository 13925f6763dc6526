/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Arguments that lie in the whole tensor's memory: which of them, and that they are the pieces that
 * are cut out otherwise. usage: borrowed PROGRAM.so (of borrowed.mlir). Prints what fails, exits 1.
 */
#include <stdio.h>
#include <string.h>

#include "tessera/program.h"

enum { RANKS = 2 };

static int failures;

static void expect(int holds, const char *what, int rank) {
  if (holds)
    return;
  printf("rank %d: %s (last error: %s)\n", rank, what, tessera_last_error());
  failures++;
}

typedef struct subject {
  const tessera_program *program;
  const tessera_entry *entry;
  tessera_context *context;
} subject;

/* Whether the argument was borrowed of `global`; if so, it is compared with what is cut out. */
static int borrow(const subject *subject, int argument, const tessera_tensor *global) {
  const tessera_parameter *parameter = &subject->entry->arguments[argument];
  int rank = tessera_context_rank(subject->context);
  tessera_tensor borrowed, cut;
  expect(
      !tessera_borrow_parameter(subject->program, parameter, subject->context, global, &borrowed),
      "borrow", rank);
  if (!borrowed.data) {
    expect(!borrowed.shape && !borrowed.strides, "nothing is left where nothing is borrowed", rank);
    return 0;
  }
  expect(!tessera_scatter_parameter(subject->program, parameter, subject->context, global, &cut),
         "scatter", rank);
  size_t bytes = (size_t)tessera_tensor_elements(&cut) * tessera_dtype_size(cut.dtype);
  expect(borrowed.rank == cut.rank && borrowed.dtype == cut.dtype &&
             memcmp(borrowed.shape, cut.shape, sizeof(int64_t) * (size_t)cut.rank) == 0 &&
             memcmp(borrowed.data, cut.data, bytes) == 0,
         "what is borrowed is the piece", rank);
  expect((char *)borrowed.data >= (char *)global->data &&
             (char *)borrowed.data + bytes <= (char *)global->data + sizeof(float) * 32 * 16,
         "what is borrowed lies in the whole", rank);
  borrowed.data = NULL;
  tessera_tensor_destroy(&borrowed);
  tessera_tensor_destroy(&cut);
  return 1;
}

static void try_all(const subject *subject) {
  static _Alignas(64) float data[32 * 16 + 1];
  int rank = tessera_context_rank(subject->context);
  int64_t even[] = {32, 16}, odd[] = {32, 15}, four[] = {4, 16}, across[] = {1, 32};
  for (int i = 0; i < 32 * 16 + 1; i++)
    data[i] = (float)i;
  tessera_tensor global = {.dtype = TESSERA_F32, .rank = 2, .shape = even, .data = data};
  tessera_tensor thin = {.dtype = TESSERA_F32, .rank = 2, .shape = odd, .data = data};
  tessera_tensor small = {.dtype = TESSERA_F32, .rank = 2, .shape = four, .data = data};
  tessera_tensor turned = {
      .dtype = TESSERA_F32, .rank = 2, .shape = even, .strides = across, .data = data};
  tessera_tensor shifted = {.dtype = TESSERA_F32, .rank = 2, .shape = even, .data = data + 1};
  tessera_tensor number = {.dtype = TESSERA_F32, .data = data};
  tessera_tensor none;
  expect(borrow(subject, 0, &global), "a whole tensor is borrowed", rank);
  expect(borrow(subject, 1, &global), "rows are borrowed", rank);
  /* 16 rows of 15 floats are 15 blocks of 64 bytes. */
  expect(borrow(subject, 2, &thin), "rows of an odd length are borrowed", rank);
  expect(!borrow(subject, 3, &global), "columns are cut", rank);
  expect(!borrow(subject, 4, &small), "rows with zeros about them are cut", rank);
  expect(!borrow(subject, 5, &global), "a donated tensor is copied", rank);
  expect(!borrow(subject, 6, &number), "a scalar is copied", rank);
  expect(!borrow(subject, 0, &turned), "a column-major tensor is copied", rank);
  expect(!borrow(subject, 0, &shifted), "a tensor that is not aligned is copied", rank);
  expect(tessera_borrow_parameter(subject->program, &subject->entry->arguments[0], subject->context,
                                  &thin, &none) == TESSERA_ERROR_MISMATCH &&
             !none.data,
         "another shape is refused", rank);
}

int main(int argc, char **argv) {
  tessera_program *program = NULL;
  tessera_context *contexts[RANKS];
  const tessera_entry *entry;
  if (argc != 2 || tessera_program_load(argv[1], &program) ||
      tessera_program_find(program, NULL, &entry) || tessera_local_create(RANKS, contexts)) {
    printf("cannot start: %s\n", tessera_last_error());
    return 1;
  }
  for (int i = 0; i < RANKS; i++) {
    subject subject = {program, entry, contexts[i]};
    try_all(&subject);
  }
  tessera_local_destroy(RANKS, contexts);
  tessera_program_unload(program);
  return failures ? 1 : 0;
}
