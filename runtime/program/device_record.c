/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Walks a program's record of its device code, and finds what cannot be.
 * It must not know contexts or devices. */
#include "program/device_record.h"

#include <stdbool.h>
#include <stdint.h>

#include "support/error.h"

enum { MOST_ROWS = 1 << 20, MOST_IMAGES = 64, MOST_THREADS = 1024, MOST_ARGUMENTS = 4096 };
enum { MOST_SHARED = 1 << 20 };        /* bytes */
static const int64_t most = 1ll << 47; /* bytes, which addresses can count */

/* Nothing lies in the first page, nor across the alignment of its type. */
static bool is_address(const void *pointer, size_t alignment) {
  enum { PAGE = 4096 };
  return (uintptr_t)pointer >= PAGE && (uintptr_t)pointer % alignment == 0;
}

static bool is_table(const void *rows, int64_t count, int64_t most, size_t alignment) {
  return count >= 0 && count <= most && (count == 0 || is_address(rows, alignment));
}

static bool is_image(const tessera_image *image) {
  return image->struct_size == sizeof(*image) && is_address(image->chip, 1) && image->bytes > 0 &&
         image->bytes < most && is_address(image->data, 1);
}

static bool is_module(const tessera_module *module) {
  bool sound = module->struct_size == sizeof(*module) && module->num_images > 0 &&
               is_table(module->images, module->num_images, MOST_IMAGES, _Alignof(tessera_image));
  for (int32_t i = 0; sound && i < module->num_images; i++)
    sound = is_image(&module->images[i]);
  return sound;
}

static bool is_kernel(const tessera_device_code *code, const tessera_kernel *kernel) {
  int64_t threads = 1;
  bool sound = kernel->struct_size == sizeof(*kernel) && kernel->module >= 0 &&
               kernel->module < code->num_modules && is_address(kernel->name, 1) &&
               is_address(kernel->label, 1) && is_address(kernel->location, 1) &&
               kernel->shared_bytes >= 0 && kernel->shared_bytes <= MOST_SHARED &&
               kernel->num_arguments >= 0 && kernel->num_arguments <= MOST_ARGUMENTS;
  for (int i = 0; sound && i < 3; i++) {
    sound = kernel->threads[i] >= 1 && kernel->threads[i] <= MOST_THREADS;
    threads *= kernel->threads[i];
  }
  return sound && threads <= MOST_THREADS;
}

static bool is_constant(const tessera_constant *constant) {
  return constant->struct_size == sizeof(*constant) && constant->bytes >= 0 &&
         constant->bytes < most && (constant->bytes == 0 || is_address(constant->data, 1));
}

static tessera_status damaged(const char *name, const char *what, int32_t row) {
  return tr_fail(TESSERA_ERROR_MISMATCH,
                 "%s carries a damaged program record: its device code: %s %d", name, what, row);
}

tessera_status tr_device_code_check(const tessera_device_code *code, const char *name) {
  if (!code)
    return TESSERA_OK;
  if (!is_address(code, _Alignof(tessera_device_code)) || code->struct_size != sizeof(*code) ||
      !is_address(code->target, 1) ||
      !is_table(code->modules, code->num_modules, MOST_ROWS, _Alignof(tessera_module)) ||
      !is_table(code->kernels, code->num_kernels, MOST_ROWS, _Alignof(tessera_kernel)) ||
      !is_table(code->constants, code->num_constants, MOST_ROWS, _Alignof(tessera_constant)))
    return tr_fail(TESSERA_ERROR_MISMATCH,
                   "%s carries a damaged program record: its device code: tables", name);
  for (int32_t i = 0; i < code->num_modules; i++)
    if (!is_module(&code->modules[i]))
      return damaged(name, "module", i);
  for (int32_t i = 0; i < code->num_kernels; i++)
    if (!is_kernel(code, &code->kernels[i]))
      return damaged(name, "kernel", i);
  for (int32_t i = 0; i < code->num_constants; i++)
    if (!is_constant(&code->constants[i]))
      return damaged(name, "constant", i);
  return TESSERA_OK;
}
