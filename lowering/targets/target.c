/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The table of targets; the first one is what programs are compiled for where nobody chooses. It
 * knows their names; it must not know how any works. */
#include "lowering/targets/target.h"

#include <stdio.h>
#include <string.h>

#include "lowering/targets/cpu/code.h"
#include "lowering/targets/cpu/loops.h"
#include "lowering/targets/cpu/machine.h"
#include "lowering/targets/cpu/stages.h"
#include "lowering/targets/cuda/code.h"
#include "lowering/targets/cuda/launch.h"
#include "lowering/targets/cuda/stages.h"
#include "lowering/targets/host_stages.h"

const ts_target ts_targets[] = {
    {
        .name = TS_DEFAULT_TARGET,
        .what = "this machine's kind of processor, through LLVM",
        .slots = {[TS_ON_TENSORS] = {TS_CPU_NUM_ON_TENSORS, ts_cpu_on_tensors},
                  [TS_ON_MEMORY] = {TS_CPU_NUM_ON_MEMORY, ts_cpu_on_memory},
                  [TS_ON_KERNELS] = {TS_CPU_NUM_ON_KERNELS, ts_cpu_on_kernels}},
        .kernels = &ts_cpu_kernels,
        .to_llvm = {{TS_HOST_NUM_TO_LLVM, ts_host_to_llvm}},
        .write_text = ts_cpu_write_text,
        .write_object = ts_cpu_write_object,
        .write_machine = ts_cpu_write_machine,
    },
    {
        .name = "cuda",
        .what = "NVIDIA's GPUs, through PTX",
        .slots = {[TS_ON_TENSORS] = {TS_CUDA_NUM_ON_TENSORS, ts_cuda_on_tensors},
                  [TS_ON_MEMORY] = {TS_CUDA_NUM_ON_MEMORY, ts_cuda_on_memory},
                  [TS_ON_KERNELS] = {TS_CUDA_NUM_ON_KERNELS, ts_cuda_on_kernels},
                  [TS_ON_PROGRAM] = {TS_CUDA_NUM_ON_PROGRAM, ts_cuda_on_program}},
        .kernels = &ts_cuda_kernels,
        .adds_to_products = true,
        .to_llvm = {{TS_CUDA_NUM_TO_LLVM, ts_cuda_to_llvm}, {TS_HOST_NUM_TO_LLVM, ts_host_to_llvm}},
        .write_text = ts_cuda_write_text,
        .write_object = ts_cuda_write_object,
        .write_kernels = ts_cuda_write_kernels,
        .write_machine = ts_cuda_write_machine,
    },
};
const int ts_num_targets = sizeof(ts_targets) / sizeof(ts_targets[0]);

const ts_target *ts_target_named(const char *name) {
  for (int i = 0; i < ts_num_targets; i++)
    if (!name || strcmp(ts_targets[i].name, name) == 0)
      return &ts_targets[i];
  return NULL;
}

const ts_stage *ts_target_llvm_stage(const ts_target *target, int i) {
  for (int list = 0; list < TS_LLVM_LISTS; list++) {
    if (i < target->to_llvm[list].num)
      return &target->to_llvm[list].stages[i];
    i -= target->to_llvm[list].num;
  }
  return NULL;
}

const char *ts_target_names(char *text, size_t capacity) {
  size_t used = 0;
  text[0] = '\0';
  for (int i = 0; i < ts_num_targets && used < capacity; i++)
    used += (size_t)snprintf(text + used, capacity - used, "%s%s", i > 0 ? ", " : "",
                             ts_targets[i].name);
  return text;
}
