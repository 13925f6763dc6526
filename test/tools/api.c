/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* program.h as a C program uses it, beyond what tessera-run does: strided tensors, records without
 * a file, errors as values. usage: api PROGRAM.so (a grid of 1x1). Prints what fails, exits 1. */
#include <stddef.h>
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

/* A column-major 10x7 and 7x5, times each other, with and without copies into row-major memory. */
static void multiply_transposed(const tessera_program *program, const tessera_entry *entry,
                                tessera_context *context) {
  float a_data[7][10], b_data[5][7];
  int64_t a_shape[] = {10, 7}, a_strides[] = {1, 10}, b_shape[] = {7, 5}, b_strides[] = {1, 7};
  for (int i = 0; i < 10; i++)
    for (int k = 0; k < 7; k++)
      a_data[k][i] = (float)(i - k);
  for (int k = 0; k < 7; k++)
    for (int j = 0; j < 5; j++)
      b_data[j][k] = (float)(k * j + 1);
  tessera_tensor arguments[] = {{TESSERA_F32, 2, a_shape, a_strides, a_data},
                                {TESSERA_F32, 2, b_shape, b_strides, b_data}};
  tessera_tensor strided, dense, pieces[2], global;
  expect(!tessera_call(program, entry, context, arguments, &strided), "call on strided tensors");
  for (int i = 0; i < 2; i++)
    expect(!tessera_scatter_parameter(program, &entry->arguments[i], context, &arguments[i],
                                      &pieces[i]),
           "scatter of a strided tensor");
  expect(!tessera_call(program, entry, context, pieces, &dense), "call on dense tensors");
  expect(dense.rank == 2 && dense.shape[0] == 10 && dense.shape[1] == 5, "shape of the result");
  expect(memcmp(dense.data, strided.data, 50 * sizeof(float)) == 0, "strides change the result");
  float first = 0;
  for (int k = 0; k < 7; k++)
    first += (float)(9 - k) * (float)(k * 4 + 1);
  expect(((float *)dense.data)[49] == first, "last element");

  /* Gathering a piece whose memory is column-major. */
  tessera_tensor columns = {TESSERA_F32, 2, (int64_t[]){10, 5}, (int64_t[]){1, 10}, dense.data};
  expect(
      !tessera_gather_parameter(program, &entry->results[0], context, &columns, 0, NULL, &global),
      "gather of a strided piece");
  expect(((float *)global.data)[1] == ((float *)dense.data)[10], "gather ignores strides");
  tessera_tensor_destroy(&global);
  for (int i = 0; i < 2; i++)
    tessera_tensor_destroy(&pieces[i]);
  tessera_tensor_destroy(&strided);
  tessera_tensor_destroy(&dense);
}

/* Errors come back, say what is wrong, and leave nothing to free. */
static void make_mistakes(const tessera_program *program, const tessera_entry *entry,
                          tessera_context *context) {
  int64_t shape[] = {10, 7}, other[] = {10, 8};
  float data[80] = {0};
  tessera_tensor good = {TESSERA_F32, 2, shape, NULL, data}, result;
  tessera_tensor wrong_shape = {TESSERA_F32, 2, other, NULL, data};
  tessera_tensor wrong_type = {TESSERA_I32, 2, shape, NULL, data};
  tessera_tensor arguments[] = {good, wrong_shape};
  expect(tessera_call(program, entry, context, arguments, &result) == TESSERA_ERROR_MISMATCH &&
             strstr(tessera_last_error(), "expected 7x5xf32, got 10x8xf32"),
         "a call with a wrong shape");
  expect(tessera_scatter_parameter(program, &entry->arguments[0], context, &wrong_type, &result) ==
                 TESSERA_ERROR_MISMATCH &&
             !result.data,
         "scatter of a wrong type");
  expect(tessera_scatter_parameter(program, &entry->arguments[0], context, &wrong_shape, &result) ==
             TESSERA_ERROR_MISMATCH,
         "scatter of a wrong shape");
  expect(tessera_gather_parameter(program, &entry->arguments[0], context, &good, 1, NULL,
                                  &result) == TESSERA_ERROR_INVALID_ARGUMENT,
         "gather on a rank that is not there");
  expect(tessera_gather_parameter(program, &entry->results[0], context, &good, 0, NULL, &result) ==
             TESSERA_ERROR_MISMATCH,
         "gather of a wrong piece");
  expect(tessera_npy_read("/nowhere/x.npy", 0, &result) == TESSERA_ERROR_NOT_FOUND,
         "reading a file that is not there");
  expect(tessera_tensor_create(TESSERA_F32, 1, (int64_t[]){-1}, &result) ==
             TESSERA_ERROR_INVALID_ARGUMENT,
         "a tensor of negative size");
  int64_t huge[] = {INT64_MAX / 2, 16};
  expect(tessera_tensor_create(TESSERA_F32, 2, huge, &result) == TESSERA_ERROR_INVALID_ARGUMENT,
         "a tensor whose size overflows");
}

/* A layout that depends on the call is not taken for another one. */
static void look_at_unresolved(const tessera_program *program, tessera_context *context) {
  const tessera_entry *entry;
  tessera_entry *resolved;
  double data[9] = {0};
  int64_t halo = 4;
  tessera_tensor arguments[] = {{TESSERA_F64, 1, (int64_t[]){9}, NULL, data},
                                {TESSERA_I64, 0, NULL, NULL, &halo}};
  tessera_tensor piece;
  expect(!tessera_program_find(program, "resolved", &entry), "find");
  expect(tessera_scatter_parameter(program, &entry->arguments[0], context, &arguments[0], &piece) ==
                 TESSERA_ERROR_INVALID_ARGUMENT &&
             strstr(tessera_last_error(), "tessera_entry_resolve"),
         "scatter of an unresolved parameter");
  expect(!tessera_entry_resolve(entry, arguments, &resolved), "resolve");
  expect(!tessera_scatter_parameter(program, &resolved->arguments[0], context, &arguments[0],
                                    &piece) &&
             piece.shape[0] == 13,
         "scatter of a resolved parameter");
  tessera_tensor_destroy(&piece);
  tessera_entry_release(resolved);
  arguments[1].dtype = TESSERA_I32;
  expect(tessera_entry_resolve(entry, arguments, &resolved) == TESSERA_ERROR_MISMATCH && !resolved,
         "resolve with a wrong argument");
}

/* Programs of before there were resolvers have shorter entries. */
static void find_in_shorter_entries(const tessera_program *program) {
  enum { SIZE = offsetof(tessera_entry, resolve) };
  tessera_program_record record = *tessera_program_get_record(program);
  _Alignas(tessera_entry) char entries[2][SIZE];
  for (int i = 0; i < 2; i++) {
    memcpy(entries[i], &record.entries[i], SIZE);
    ((tessera_entry *)(void *)entries[i])->struct_size = SIZE;
  }
  record.entries = (const tessera_entry *)(const void *)entries;
  record.num_entries = 2;
  tessera_program *older;
  const tessera_entry *entry;
  tessera_entry *resolved;
  float data[80] = {0};
  tessera_tensor arguments[] = {{TESSERA_F32, 2, (int64_t[]){10, 7}, NULL, data},
                                {TESSERA_F32, 2, (int64_t[]){7, 5}, NULL, data}};
  expect(!tessera_program_from_record(&record, &older), "a record of shorter entries");
  expect(!tessera_program_find(older, "matmul_reduced", &entry), "find the second shorter entry");
  expect(!tessera_entry_resolve(entry, arguments, &resolved) && !resolved->resolve &&
             resolved->function == entry->function,
         "resolve a shorter entry");
  tessera_entry_release(resolved);
  tessera_program_unload(older);
}

static void run(const tessera_program *program, tessera_context *context) {
  const tessera_entry *entry;
  tessera_program *same;
  int32_t ranks;
  expect(!tessera_program_ranks(program, &ranks) && ranks == 1, "number of ranks");
  expect(!tessera_program_attach(program, context), "attach");
  expect(tessera_program_find(program, NULL, &entry) == TESSERA_ERROR_NOT_FOUND, "no main");
  expect(!tessera_program_find(program, "matmul", &entry), "find");
  multiply_transposed(program, entry, context);
  make_mistakes(program, entry, context);
  look_at_unresolved(program, context);
  find_in_shorter_entries(program);

  tessera_program_record record = *tessera_program_get_record(program);
  expect(!tessera_program_from_record(&record, &same), "a record without a file");
  expect(!tessera_program_find(same, "matmul", &entry), "find in a record");
  multiply_transposed(same, entry, context);
  tessera_program_unload(same);
  record.abi_version++;
  expect(tessera_program_from_record(&record, &same) == TESSERA_ERROR_MISMATCH && !same,
         "a record of another version");
}

int main(int argc, char **argv) {
  tessera_program *program = NULL;
  tessera_context *context;
  if (argc != 2 || tessera_program_load(argv[1], &program) || tessera_local_create(1, &context)) {
    printf("cannot start: %s\n", tessera_last_error());
    return 1;
  }
  run(program, context);
  tessera_local_destroy(1, &context);
  tessera_program_unload(program);
  return failures ? 1 : 0;
}
