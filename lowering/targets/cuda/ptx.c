/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* PTX of a module's kernels, through LLVM's NVPTX target. It knows LLVM; it must not know what
 * kernels do. */
#include "lowering/targets/cuda/ptx.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include <llvm-c/Core.h>
#include <llvm-c/Error.h>
#include <llvm-c/Target.h>
#include <llvm-c/TargetMachine.h>
#include <llvm-c/Transforms/PassBuilder.h>

#include "capi/capi.h"
#include "lowering/targets/cuda/math.h"
#include "lowering/targets/cuda/outline.h"
#include "lowering/targets/llvm_names.h"
#include "mlir-c/Target/LLVMIR.h"
#include "support/ir.h"

static const char triple[] = "nvptx64-nvidia-cuda";
enum { PTX_KERNEL = 71 }; /* LLVM's number of the calling convention */

static pthread_once_t target_once = PTHREAD_ONCE_INIT;

static void initialize_target(void) {
  LLVMInitializeNVPTXTargetInfo();
  LLVMInitializeNVPTXTarget();
  LLVMInitializeNVPTXTargetMC();
  LLVMInitializeNVPTXAsmPrinter();
}

static LLVMTargetMachineRef create_machine(const ts_code_options *options, ts_code_error *error) {
  pthread_once(&target_once, initialize_target);
  const char *chip = options->chip ? options->chip : TS_CUDA_CHIP;
  LLVMTargetRef target;
  char *message = NULL;
  if (!ts_target_has_cpu(triple, chip)) {
    snprintf(error->text, sizeof(error->text),
             "--chip=%s: there is no such chip; sm_80, sm_90 and sm_100 are some that there are",
             chip);
    return NULL;
  }
  if (LLVMGetTargetFromTriple(triple, &target, &message) != 0) {
    snprintf(error->text, sizeof(error->text), "no code generator for %s: %s", triple, message);
    LLVMDisposeMessage(message);
    return NULL;
  }
  /* What LLVM takes by default knows fewer chips. */
  return LLVMCreateTargetMachine(target, triple, chip, "+ptx80", LLVMCodeGenLevelAggressive,
                                 LLVMRelocDefault, LLVMCodeModelDefault);
}

/* ---- translation ----------------------------------------------------------------------------- */

MlirOperation ts_cuda_device_module(MlirOperation module) {
  for (MlirOperation op = mlirBlockGetFirstOperation(ts_module_body(module)); op.ptr;
       op = mlirOperationGetNextInBlock(op))
    if (ts_op_is(op, "gpu.module"))
      return op;
  return (MlirOperation){NULL};
}

/* The ops of the gpu.module as a module of their own. */
static LLVMModuleRef translate(MlirOperation device, LLVMTargetMachineRef machine,
                               LLVMContextRef context) {
  MlirModule module = mlirModuleCreateEmpty(mlirOperationGetLocation(device));
  MlirBlock from = mlirRegionGetFirstBlock(mlirOperationGetRegion(device, 0));
  for (MlirOperation op = mlirBlockGetFirstOperation(from); op.ptr;
       op = mlirOperationGetNextInBlock(op))
    mlirBlockAppendOwnedOperation(mlirModuleGetBody(module), mlirOperationClone(op));
  MlirOperation op = mlirModuleGetOperation(module);
  ts_llvm_name_target(op, machine);
  LLVMModuleRef translated = mlirTranslateModuleToLLVMIR(op, context);
  mlirModuleDestroy(module);
  return translated;
}

/* ---- code ------------------------------------------------------------------------------------ */

static void set_plain_name(LLVMValueRef value) {
  size_t length;
  char name[512];
  int used = snprintf(name, sizeof(name), "%s", LLVMGetValueName2(value, &length));
  if (used <= 0 || (size_t)used >= sizeof(name) || !strchr(name, '.'))
    return;
  for (char *at = name; *at; at++)
    if (*at == '.')
      *at = '_';
  LLVMSetValueName2(value, name, (size_t)used);
}

/* PTX has no dots in names; what is no kernel is nobody else's. */
static void set_names(LLVMModuleRef module) {
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    if (LLVMIsDeclaration(f))
      continue;
    set_plain_name(f);
    if (LLVMGetFunctionCallConv(f) != PTX_KERNEL)
      LLVMSetLinkage(f, LLVMInternalLinkage);
  }
  for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g)) {
    set_plain_name(g);
    if (!LLVMIsDeclaration(g))
      LLVMSetLinkage(g, LLVMInternalLinkage);
  }
}

static bool optimize(LLVMModuleRef module, LLVMTargetMachineRef machine,
                     const ts_code_options *options, ts_code_error *mistake) {
  char passes[64];
  snprintf(passes, sizeof(passes), "globaldce,default<O%d>", options->opt_level);
  LLVMPassBuilderOptionsRef builder = LLVMCreatePassBuilderOptions();
  LLVMErrorRef error = LLVMRunPasses(module, passes, machine, builder);
  LLVMDisposePassBuilderOptions(builder);
  if (!error)
    return true;
  char *message = LLVMGetErrorMessage(error);
  mistake->about_source = true;
  snprintf(mistake->text, sizeof(mistake->text), "optimisation of kernels failed: %s", message);
  LLVMDisposeErrorMessage(message);
  return false;
}

static LLVMMemoryBufferRef emit(LLVMModuleRef module, LLVMTargetMachineRef machine,
                                const ts_code_options *options, ts_code_error *error) {
  LLVMMemoryBufferRef text;
  char *message = NULL;
  if (!ts_cuda_link_math(module, error))
    return NULL;
  set_names(module);
  if (!optimize(module, machine, options, error))
    return NULL;
  if (LLVMTargetMachineEmitToMemoryBuffer(machine, module, LLVMAssemblyFile, &message, &text) == 0)
    return text;
  error->about_source = true;
  snprintf(error->text, sizeof(error->text), "no PTX could be generated: %s",
           message ? message : "");
  LLVMDisposeMessage(message);
  return NULL;
}

LLVMMemoryBufferRef ts_cuda_ptx(MlirOperation device, const ts_code_options *options,
                                ts_code_error *error) {
  LLVMTargetMachineRef machine = create_machine(options, error);
  if (!machine)
    return NULL;
  LLVMContextRef context = LLVMContextCreate();
  LLVMModuleRef module = translate(device, machine, context);
  LLVMMemoryBufferRef text = module ? emit(module, machine, options, error) : NULL;
  if (module)
    LLVMDisposeModule(module);
  LLVMContextDispose(context);
  LLVMDisposeTargetMachine(machine);
  return text;
}
