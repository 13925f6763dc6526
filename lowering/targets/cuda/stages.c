/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The stages of the target `cuda`: which arithmetic a GPU has, launches, and the way from memory to
 * the LLVM dialect of the device. It knows order and pass names; it must not know how any of
 * them works. */
#include "lowering/targets/cuda/stages.h"

#include "lowering/prepare/scalars.h"
#include "lowering/targets/cpu/arithmetic.h"
#include "lowering/targets/cpu/float_types.h"
#include "lowering/targets/cpu/small_floats.h"
#include "lowering/targets/cuda/extrema.h"
#include "lowering/targets/cuda/memory.h"
#include "lowering/targets/cuda/outline.h"
#include "lowering/targets/cuda/placement.h"
#include "lowering/targets/cuda/reductions.h"
#include "lowering/targets/reduce_parts.h"
#include "lowering/workarounds/strided_copies.h"

static bool computes_in_small_floats(const ts_lowering *lowering) {
  return ts_small_floats_compute(lowering->module);
}

static bool may_reassociate(const ts_lowering *lowering) {
  return lowering->options.reassociate;
}

static bool convert_small_floats(ts_lowering *lowering) {
  ts_small_floats_lower(&lowering->records);
  return true;
}

static void reduce_in_parts(MlirOperation module) {
  ts_reduce_in_parts(module, ts_cuda_choose_parts);
}

static bool outline(ts_lowering *lowering) {
  ts_cuda_outline(lowering);
  return true;
}

static bool call_memory(ts_lowering *lowering) {
  return ts_cuda_call_memory(lowering);
}

/* clang-format off */
const ts_stage ts_cuda_on_tensors[TS_CUDA_NUM_ON_TENSORS] = {
    {"widen-small-floats", "arithmetic on 8-bit floats as arithmetic on f32",
     .passes = "func.func(math-extend-to-supported-types{extra-types=f16,bf16 target-type=f32},"
               "arith-emulate-unsupported-floats{source-types=f8E4M3FN,f8E5M2,f8E4M3FNUZ,"
               "f8E5M2FNUZ,f8E4M3,f8E3M4 target-type=f32},canonicalize,cse)",
     .needed = computes_in_small_floats},
    {"float-types", "errors at float types without code", .attempt = ts_float_types_check},
    {"scalars", "scalar functions that upstream has no code for", .rewrite = ts_scalars_spell},
    {"reassociate", "sums of floats may be added in another order",
     .rewrite = ts_arithmetic_reassociate, .needed = may_reassociate},
    {"parts", "large reductions to few elements in parts", .rewrite = reduce_in_parts},
};

const ts_stage ts_cuda_on_memory[TS_CUDA_NUM_ON_MEMORY] = {
    {"convert-small-floats", "conversions of 8-bit floats as tables", .run = convert_small_floats},
    {"copies", "copies of memory as kernels", .rewrite = ts_copies_lower_all},
};

const ts_stage ts_cuda_on_kernels[TS_CUDA_NUM_ON_KERNELS] = {
    {"powers", "integer powers as functions",
     .passes = "convert-math-to-funcs{min-width-of-fpowi-exponent=128}"},
    {"launches", "kernels as code of the device, launched by runtime calls", .run = outline},
    {"extrema", "maxima and minima as the device has them", .rewrite = ts_cuda_spell_extrema},
    {"host-loops", "structured ops that are no kernels as loops of the host",
     .passes = "convert-linalg-to-loops,canonicalize,cse"},
    {"placement", "which memory is the host's alone", .rewrite = ts_placement_mark},
};

const ts_stage ts_cuda_on_program[TS_CUDA_NUM_ON_PROGRAM] = {
    {"device-memory", "memory of the device as runtime calls", .run = call_memory},
};

/* Before the host's stages, which would convert the device's code for the host. */
const ts_stage ts_cuda_to_llvm[TS_CUDA_NUM_TO_LLVM] = {
    {"device", "kernels in the LLVM dialect of the device",
     .passes = "gpu.module(expand-strided-metadata,lower-affine,convert-complex-to-standard,"
               "arith-expand,canonicalize,cse,convert-scf-to-cf,"
               "convert-gpu-to-nvvm{index-bitwidth=64},convert-to-llvm,canonicalize,cse,"
               "reconcile-unrealized-casts)"},
};
/* clang-format on */
