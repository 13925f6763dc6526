/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* What upstream's passes do in the lowering, as pipeline texts that mlir-opt takes too. Knows pass
 * names, nothing of our own stages. */
#include "pipelines.h"

#include "mlir-c/Pass.h"
#include "sites.h"

const char ts_pipeline_tosa[] =
    "func.func(tosa-to-scf,tosa-optional-decompositions,canonicalize,tosa-make-broadcastable,"
    "tosa-to-linalg-named,canonicalize,tosa-layerwise-constant-fold,tosa-make-broadcastable,"
    "tosa-to-linalg,tosa-to-tensor,tosa-to-arith{include-apply-rescale=1})";

const char ts_pipeline_blocks[] = "func.func(lift-cf-to-scf,canonicalize)";

const char ts_pipeline_tensors[] = "func.func(convert-elementwise-to-linalg,canonicalize,cse)";

const char ts_pipeline_fuse[] = "func.func(linalg-fuse-elementwise-ops,canonicalize,cse)";

#define SMALL_FLOATS "f8E4M3FN,f8E5M2,f8E4M3FNUZ,f8E5M2FNUZ,f8E4M3,f8E3M4"

const char ts_pipeline_small_floats[] =
    "func.func(math-extend-to-supported-types{extra-types=f16,bf16 target-type=f32},"
    "arith-emulate-unsupported-floats{source-types=" SMALL_FLOATS " target-type=f32},"
    "canonicalize,cse)";

const char ts_pipeline_empty[] = "eliminate-empty-tensors";

/* Identity layouts at function boundaries are what packed wrappers pass. No alignment is asked for:
 * libtessera aligns every block, and the code that would align it hides from LLVM where the memory
 * comes from. */
const char ts_pipeline_bufferize[] =
    "func.func(empty-tensor-to-alloc-tensor),"
    "one-shot-bufferize{bufferize-function-boundaries=1 "
    "function-boundary-type-conversion=identity-layout-map allow-return-allocs-from-loops=1 "
    "buffer-alignment=0}";

const char ts_pipeline_deallocate[] =
    "canonicalize,cse,buffer-deallocation-pipeline,canonicalize,cse,"
    "convert-bufferization-to-memref";

/* convert-arith-to-llvm before arith-expand: the latter would spell maximumf and minimumf out,
 * which LLVM then does not recognise as reductions. log1p is libm's: log(1 + x) has no digit right
 * near 0. Allocation goes through libtessera's _mlir_memref_to_llvm_alloc and _free: generic
 * functions, and memrefs before convert-to-llvm, which would choose malloc. */
const char ts_pipeline_llvm[] =
    "convert-math-to-funcs{min-width-of-fpowi-exponent=128},"
    "convert-linalg-to-loops,canonicalize,cse,expand-strided-metadata,lower-affine,"
    "convert-arith-to-llvm,arith-expand,convert-math-to-llvm{approximate-log1p=0},"
    "convert-math-to-libm,convert-complex-to-standard,convert-scf-to-cf,"
    "finalize-memref-to-llvm{use-generic-functions=1},convert-to-llvm,canonicalize,cse,"
    "reconcile-unrealized-casts";

static void print_error(MlirStringRef text, void *user) {
  const MlirOperation *module = user;
  ts_lower_error(mlirOperationGetLocation(*module), "%.*s", (int)text.length, text.data);
}

bool ts_pipeline_run(MlirOperation module, const char *passes) {
  MlirContext context = mlirOperationGetContext(module);
  MlirPassManager manager =
      mlirPassManagerCreateOnOperation(context, mlirStringRefCreateFromCString("builtin.module"));
  MlirLogicalResult result =
      mlirOpPassManagerAddPipeline(mlirPassManagerGetAsOpPassManager(manager),
                                   mlirStringRefCreateFromCString(passes), print_error, &module);
  if (mlirLogicalResultIsSuccess(result))
    result = mlirPassManagerRunOnOp(manager, module);
  mlirPassManagerDestroy(manager);
  return mlirLogicalResultIsSuccess(result);
}
