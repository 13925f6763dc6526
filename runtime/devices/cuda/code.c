/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Programs' code on a GPU: images loaded, constants uploaded, kernels launched.
 * It must not know what a program computes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "devices/cuda/cuda.h"

/* What is kept for a program that was attached. */
struct tr_cuda_program {
  tr_cuda_program *next;
  tr_life *life;
  cuda_module *modules;
  int32_t num_modules;
  char **constants;
  int32_t num_constants;
};

/* ---- rows ------------------------------------------------------------------------------------ */

/* Records of one program follow each other: the addresses differ in few bits. */
static tr_cuda_row *find_row(const tr_cuda *cuda, const void *record) {
  size_t slot = ((uintptr_t)record >> 3) * 0x9e3779b97f4a7c15u >> 20;
  for (;; slot++) {
    tr_cuda_row *row = &cuda->rows[slot & (cuda->row_capacity - 1)];
    if (!row->record || row->record == record)
      return row;
  }
}

static bool make_rows(tr_cuda *cuda, size_t more) {
  enum { FIRST = 64 };
  size_t capacity = cuda->row_capacity ? cuda->row_capacity : FIRST;
  while (capacity < 2 * (cuda->num_rows + more))
    capacity *= 2;
  if (capacity == cuda->row_capacity)
    return true;
  tr_cuda_row *old = cuda->rows, *rows = calloc(capacity, sizeof(*rows));
  size_t before = cuda->row_capacity;
  if (!rows)
    return false;
  cuda->rows = rows;
  cuda->row_capacity = capacity;
  for (size_t i = 0; i < before; i++)
    if (old[i].record)
      *find_row(cuda, old[i].record) = old[i];
  free(old);
  return true;
}

static tr_cuda_row *add_row(tr_cuda *cuda, const void *record) {
  tr_cuda_row *row = find_row(cuda, record);
  cuda->num_rows += !row->record;
  row->record = record;
  return row;
}

/* ---- programs -------------------------------------------------------------------------------- */

static void free_program(tr_cuda *cuda, tr_cuda_program *program) {
  for (int32_t i = 0; i < program->num_constants; i++)
    tr_cuda_release(&cuda->table, program->constants[i]);
  bool can_unload = tr_cuda_enter(cuda);
  for (int32_t i = 0; can_unload && i < program->num_modules; i++)
    if (program->modules[i])
      cuda->driver->unload_module(program->modules[i]);
  tr_life_release(program->life);
  free(program->modules);
  free(program->constants);
  free(program);
}

/* Rows of programs that are gone stay, until a program at the same place replaces them. */
static void forget_ended(tr_cuda *cuda) {
  for (tr_cuda_program **link = &cuda->programs, *program; (program = *link);)
    if (program->life->has_ended) {
      *link = program->next;
      tr_cuda_synchronize(cuda);
      free_program(cuda, program);
    } else {
      link = &program->next;
    }
}

void tr_cuda_forget_programs(tr_cuda *cuda) {
  if (cuda->programs)
    tr_cuda_synchronize(cuda);
  for (tr_cuda_program *program = cuda->programs, *next; program; program = next) {
    next = program->next;
    free_program(cuda, program);
  }
  cuda->programs = NULL;
  free(cuda->rows);
  cuda->rows = NULL;
  cuda->num_rows = cuda->row_capacity = 0;
}

static tr_cuda_program *find_program(const tr_cuda *cuda, const tr_life *life) {
  tr_cuda_program *program = cuda->programs;
  while (program && program->life != life)
    program = program->next;
  return program;
}

/* With all that it is to keep, still empty. */
static tr_cuda_program *create_program(const tessera_device_code *code, tr_life *life) {
  tr_cuda_program *program = calloc(1, sizeof(*program));
  if (!program)
    return NULL;
  program->modules = calloc((size_t)code->num_modules + 1, sizeof(*program->modules));
  program->constants = calloc((size_t)code->num_constants + 1, sizeof(*program->constants));
  if (!program->modules || !program->constants) {
    free(program->modules);
    free(program->constants);
    free(program);
    return NULL;
  }
  program->life = tr_life_refer(life);
  program->num_modules = code->num_modules;
  program->num_constants = code->num_constants;
  return program;
}

/* ---- images ---------------------------------------------------------------------------------- */

/* The chips of a module, "sm_90, sm_75", as much as fits. */
static const char *chips_of(const tessera_module *module, char *text, size_t capacity) {
  size_t used = 0;
  for (int32_t i = 0; i < module->num_images && used < capacity; i++)
    used += (size_t)snprintf(text + used, capacity - used, "%s%s", i ? ", " : "",
                             module->images[i].chip);
  return text;
}

/* The first image that loads; what was wrong with the last one says why none did. */
static tessera_status load_module(tr_cuda *cuda, const tessera_module *module,
                                  cuda_module *loaded) {
  char log[512] = "", text[256], chips[128];
  int options[] = {CUDA_JIT_ERROR_LOG, CUDA_JIT_ERROR_LOG_BYTES};
  void *values[] = {log, (void *)(uintptr_t)sizeof(log)};
  cuda_result result = CUDA_OK;
  for (int32_t i = 0; i < module->num_images; i++) {
    values[1] = (void *)(uintptr_t)sizeof(log);
    result = cuda->driver->load_module(loaded, module->images[i].data, 2, options, values);
    if (!result)
      return TESSERA_OK;
  }
  *loaded = NULL;
  return cuda->host->fail(TESSERA_ERROR_UNSUPPORTED,
                          "the GPU does not take the program's kernels, which are for %s: %s%s%s",
                          chips_of(module, chips, sizeof(chips)),
                          tr_cuda_error(cuda->driver, result, text, sizeof(text)),
                          log[0] ? ": " : "", log);
}

static tessera_status load_kernels(tr_cuda *cuda, const tessera_device_code *code,
                                   tr_cuda_program *program) {
  enum { USUAL_SHARED = 48 << 10 };
  for (int32_t i = 0; i < code->num_modules; i++) {
    tessera_status status = load_module(cuda, &code->modules[i], &program->modules[i]);
    if (status)
      return status;
  }
  for (int32_t i = 0; i < code->num_kernels; i++) {
    const tessera_kernel *kernel = &code->kernels[i];
    cuda_function function;
    cuda_result result =
        cuda->driver->get_function(&function, program->modules[kernel->module], kernel->name);
    if (!result && kernel->shared_bytes > USUAL_SHARED)
      result =
          cuda->driver->set_function(function, CUDA_FUNCTION_DYNAMIC_SHARED, kernel->shared_bytes);
    char text[256];
    if (result)
      return cuda->host->fail(TESSERA_ERROR_MISMATCH, "kernel '%s' cannot be launched: %s",
                              kernel->name,
                              tr_cuda_error(cuda->driver, result, text, sizeof(text)));
    add_row(cuda, kernel)->of.function = function;
  }
  return TESSERA_OK;
}

static tessera_status upload_constants(tr_cuda *cuda, const tessera_device_code *code,
                                       tr_cuda_program *program) {
  for (int32_t i = 0; i < code->num_constants; i++) {
    const tessera_constant *constant = &code->constants[i];
    size_t bytes = constant->bytes > 0 ? (size_t)constant->bytes : 1;
    char *memory = tr_cuda_allocate(&cuda->table, bytes, NULL);
    tr_copy copy = {.run = constant->bytes};
    if (!memory)
      return cuda->host->fail(TESSERA_ERROR_OUT_OF_MEMORY,
                              "no memory on the GPU for a constant of %zu bytes", bytes);
    program->constants[i] = memory;
    add_row(cuda, constant)->of.memory = memory;
    tr_cuda_upload(&cuda->table, NULL, &copy, constant->data, memory);
  }
  return tr_device_settle(&cuda->table, NULL);
}

tessera_status tr_cuda_attach(const tr_device *device, const tessera_device_code *code,
                              tr_life *life) {
  tr_cuda *cuda = tr_cuda_of(device);
  forget_ended(cuda);
  if (!tr_cuda_enter(cuda))
    return tr_cuda_check(device);
  if (find_program(cuda, life))
    return TESSERA_OK;
  tr_cuda_program *program = create_program(code, life);
  if (!program || !make_rows(cuda, (size_t)code->num_kernels + (size_t)code->num_constants)) {
    if (program)
      free_program(cuda, program);
    return cuda->host->fail(TESSERA_ERROR_OUT_OF_MEMORY, "no memory for a program");
  }
  tessera_status status = load_kernels(cuda, code, program);
  if (!status)
    status = upload_constants(cuda, code, program);
  if (status) {
    free_program(cuda, program);
    return status;
  }
  program->next = cuda->programs;
  cuda->programs = program;
  return TESSERA_OK;
}

/* ---- use ------------------------------------------------------------------------------------- */

static const tr_cuda_row *row_of(const tr_cuda *cuda, const void *record) {
  const tr_cuda_row *row = cuda->rows ? find_row(cuda, record) : NULL;
  if (row && row->record)
    return row;
  cuda->host->fail(TESSERA_ERROR_NOT_FOUND,
                   "the program is not attached to this context: tessera_program_attach comes "
                   "before a call");
  return NULL;
}

void *tr_cuda_constant(const tr_device *device, const tessera_constant *constant) {
  const tr_cuda_row *row = row_of(tr_cuda_of(device), constant);
  return row ? row->of.memory : NULL;
}

static tessera_status check_blocks(const tr_cuda *cuda, const int64_t *blocks) {
  enum { MOST = INT32_MAX, MOST_ACROSS = 65535 };
  if (blocks[0] <= MOST && blocks[1] <= MOST_ACROSS && blocks[2] <= MOST_ACROSS)
    return TESSERA_OK;
  return cuda->host->fail(TESSERA_ERROR_UNSUPPORTED,
                          "%lld x %lld x %lld blocks are more than a GPU takes at once",
                          (long long)blocks[0], (long long)blocks[1], (long long)blocks[2]);
}

tessera_status tr_cuda_launch(const tr_device *device, tessera_stream *stream,
                              const tessera_kernel *kernel, const int64_t *blocks,
                              void *const *arguments) {
  tr_cuda *cuda = tr_cuda_of(device);
  const tr_cuda_row *row = row_of(cuda, kernel);
  if (!row)
    return TESSERA_ERROR_NOT_FOUND;
  tessera_status status = check_blocks(cuda, blocks);
  if (status)
    return status;
  if (!tr_cuda_enter(cuda))
    return tr_cuda_check(device);
  tr_cuda_note_launch(cuda, kernel->location, kernel->label, kernel->name);
  cuda_result result = cuda->driver->launch(
      row->of.function, (unsigned)blocks[0], (unsigned)blocks[1], (unsigned)blocks[2],
      (unsigned)kernel->threads[0], (unsigned)kernel->threads[1], (unsigned)kernel->threads[2],
      (unsigned)kernel->shared_bytes, tr_cuda_stream(cuda, stream), (void **)(uintptr_t)arguments,
      NULL);
  return tr_cuda_ok(cuda, result, "cuLaunchKernel") ? TESSERA_OK : tr_cuda_check(device);
}
