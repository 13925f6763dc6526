/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Code of the host, from memory to the LLVM dialect. It knows order and pass names; it must not
 * know targets. */
#include "lowering/targets/host_stages.h"

/* clang-format off */
/* convert-arith-to-llvm before arith-expand: the latter would spell maximumf and minimumf out,
 * which LLVM then does not recognise as reductions. log1p is libm's: log(1 + x) has no digit right
 * near 0. Allocation goes through libtessera's _mlir_memref_to_llvm_alloc and _free: generic
 * functions, and memrefs before convert-to-llvm, which would choose malloc. */
const ts_stage ts_host_to_llvm[TS_HOST_NUM_TO_LLVM] = {
    {"powers", "integer powers as functions",
     .passes = "convert-math-to-funcs{min-width-of-fpowi-exponent=128}"},
    {"loops", "structured ops as loops over memory",
     .passes = "convert-linalg-to-loops,canonicalize,cse"},
    {"addresses", "views and subscripts as arithmetic",
     .passes = "expand-strided-metadata,lower-affine"},
    {"arithmetic", "arithmetic as LLVM's, functions as libm's",
     .passes = "convert-arith-to-llvm,arith-expand,convert-math-to-llvm{approximate-log1p=0},"
               "convert-math-to-libm,convert-complex-to-standard"},
    {"branches", "loops and choices as branches", .passes = "convert-scf-to-cf"},
    {"llvm-dialect", "memory, functions and the rest in the LLVM dialect",
     .passes = "finalize-memref-to-llvm{use-generic-functions=1},convert-to-llvm,canonicalize,cse,"
               "reconcile-unrealized-casts"},
};
/* clang-format on */
