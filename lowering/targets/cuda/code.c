/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Code for a GPU and the host beside it: PTX of the kernels, and an object that carries it. It
 * knows what goes where; it must not know LLVM's passes. */
#include "lowering/targets/cuda/code.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <llvm-c/Core.h>

#include "lowering/targets/cpu/code.h"
#include "lowering/targets/cpu/machine.h"
#include "lowering/targets/cuda/assemble.h"
#include "lowering/targets/cuda/image.h"
#include "lowering/targets/cuda/math.h"
#include "lowering/targets/cuda/ptx.h"
#include "support/ir.h"

bool ts_cuda_write_kernels(MlirOperation module, const ts_code_options *options,
                           const ts_code_sink *sink, ts_code_error *error) {
  MlirOperation device = ts_cuda_device_module(module);
  if (!device.ptr)
    return true;
  LLVMMemoryBufferRef text = ts_cuda_ptx(device, options, error);
  if (!text)
    return false;
  sink->write(sink->user, LLVMGetBufferStart(text), LLVMGetBufferSize(text));
  LLVMDisposeMemoryBuffer(text);
  return true;
}

bool ts_cuda_write_text(MlirOperation module, const ts_code_options *options,
                        const ts_code_sink *sink, ts_code_error *error) {
  return ts_cuda_embed(module, options, error) && ts_cpu_write_text(module, options, sink, error);
}

bool ts_cuda_write_object(MlirOperation module, const ts_code_options *options,
                          const ts_code_sink *sink, ts_code_error *error) {
  return ts_cuda_embed(module, options, error) && ts_cpu_write_object(module, options, sink, error);
}

/* Another file at this path has another time or size. */
static void write_file(const ts_code_sink *sink, const char *path) {
  char text[64];
  struct stat status;
  if (!path || stat(path, &status) != 0)
    return;
  int num = snprintf(text, sizeof(text), " %lld %lld.%09ld\n", (long long)status.st_size,
                     (long long)status.st_mtim.tv_sec, status.st_mtim.tv_nsec);
  sink->write(sink->user, path, strlen(path));
  sink->write(sink->user, text, (size_t)num);
}

void ts_cuda_write_machine(const ts_code_options *options, const ts_code_sink *sink) {
  const char *chip = options->chip ? options->chip : TS_CUDA_CHIP;
  ts_cpu_write_machine(options, sink);
  sink->write(sink->user, chip, strlen(chip));
  sink->write(sink->user, "\n", 1);
  write_file(sink, ts_cuda_find_libclc());
  char *ptxas = options->chip ? ts_cuda_find_ptxas() : NULL;
  write_file(sink, ptxas);
  free(ptxas);
}
