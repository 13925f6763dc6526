/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The stages of the target `cpu`: which arithmetic a CPU has, and its threads. It knows order
 * and pass names; it must not know how any of them works. */
#include "lowering/targets/cpu/stages.h"

#include "lowering/prepare/scalars.h"
#include "lowering/targets/cpu/arithmetic.h"
#include "lowering/targets/cpu/float_types.h"
#include "lowering/targets/cpu/reductions.h"
#include "lowering/targets/cpu/small_floats.h"
#include "lowering/targets/cpu/threads.h"
#include "lowering/targets/reduce_parts.h"
#include "lowering/workarounds/expm1.h"
#include "lowering/workarounds/maxima.h"

static bool computes_in_small_floats(const ts_lowering *lowering) {
  return ts_small_floats_compute(lowering->module);
}

static bool may_reassociate(const ts_lowering *lowering) {
  return lowering->options.reassociate;
}

static bool may_approximate(const ts_lowering *lowering) {
  return lowering->options.approximate;
}

static bool convert_small_floats(ts_lowering *lowering) {
  ts_small_floats_lower(&lowering->records);
  return true;
}

static bool call_expm1(ts_lowering *lowering) {
  ts_expm1_call(lowering->module, &lowering->wrappers);
  return true;
}

static void reduce_in_parts(MlirOperation module) {
  ts_reduce_in_parts(module, ts_cpu_choose_parts);
}

static bool call_threads(ts_lowering *lowering) {
  ts_threads_call(lowering->module, &lowering->wrappers);
  return true;
}

/* clang-format off */
const ts_stage ts_cpu_on_tensors[TS_CPU_NUM_ON_TENSORS] = {
    {"widen-small-floats", "arithmetic on 8-bit floats as arithmetic on f32",
     .passes = "func.func(math-extend-to-supported-types{extra-types=f16,bf16 target-type=f32},"
               "arith-emulate-unsupported-floats{source-types=f8E4M3FN,f8E5M2,f8E4M3FNUZ,"
               "f8E5M2FNUZ,f8E4M3,f8E3M4 target-type=f32},canonicalize,cse)",
     .needed = computes_in_small_floats},
    {"float-types", "errors at float types without code", .attempt = ts_float_types_check},
    {"scalars", "scalar functions that upstream has no code for", .rewrite = ts_scalars_spell},
    {"reassociate", "sums of floats may be added in another order",
     .rewrite = ts_arithmetic_reassociate, .needed = may_reassociate},
    {"parts", "long reductions in parts", .rewrite = reduce_in_parts},
    /* Behind what combines parts by the op that is spelled out. */
    {"maxima", "maxima of floats as comparisons", .rewrite = ts_maxima_spell},
    {"approximate", "f32 functions as polynomials", .attempt = ts_arithmetic_approximate,
     .needed = may_approximate},
};

const ts_stage ts_cpu_on_memory[TS_CPU_NUM_ON_MEMORY] = {
    {"convert-small-floats", "conversions of 8-bit floats as tables", .run = convert_small_floats},
    {"expm1", "expm1 as a call of libm", .run = call_expm1},
};

const ts_stage ts_cpu_on_kernels[TS_CPU_NUM_ON_KERNELS] = {
    {"threads", "large kernels on all cores of a rank", .run = call_threads},
};
/* clang-format on */
