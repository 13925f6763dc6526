/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* LLVM: from the LLVM dialect to optimised machine code. Knows targets and optimisation levels. */
#include <pthread.h>
#include <string.h>

#include <llvm-c/Analysis.h>
#include <llvm-c/Core.h>
#include <llvm-c/Error.h>
#include <llvm-c/Target.h>
#include <llvm-c/TargetMachine.h>
#include <llvm-c/Transforms/PassBuilder.h>

#include "capi/capi.h"
#include "driver.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/Target/LLVMIR.h"

static pthread_once_t target_once = PTHREAD_ONCE_INIT;

static void initialize_target(void) {
  LLVMInitializeNativeTarget();
  LLVMInitializeNativeAsmPrinter();
}

/* Code generation for this machine's kind, with the CPU that options name; NULL after a message. */
static LLVMTargetMachineRef create_machine(const tessera_compile_options *options) {
  pthread_once(&target_once, initialize_target);
  bool native = !options->march || strcmp(options->march, "native") == 0;
  char *triple = LLVMGetDefaultTargetTriple(), *message = NULL;
  char *cpu = native ? LLVMGetHostCPUName() : NULL;
  char *features = native ? LLVMGetHostCPUFeatures() : NULL;
  LLVMTargetRef target;
  LLVMTargetMachineRef machine = NULL;
  bool known = native || ts_target_has_cpu(triple, options->march);
  LLVMCodeGenOptLevel level = (LLVMCodeGenOptLevel)options->opt_level;
  if (known && LLVMGetTargetFromTriple(triple, &target, &message) == 0)
    machine =
        LLVMCreateTargetMachine(target, triple, native ? cpu : options->march,
                                native ? features : "", level, LLVMRelocPIC, LLVMCodeModelDefault);
  if (!known)
    ts_driver_error(NULL,
                    "--march=%s: %s has no such processor; clang-22 --print-supported-cpus "
                    "lists those that there are",
                    options->march, triple);
  else if (!machine)
    ts_driver_error(options->input, "no code generator for %s: %s", triple,
                    message ? message : "it could not be created");
  LLVMDisposeMessage(message ? message : LLVMCreateMessage(""));
  LLVMDisposeMessage(triple);
  if (native) {
    LLVMDisposeMessage(cpu);
    LLVMDisposeMessage(features);
  }
  return machine;
}

static bool optimize(LLVMModuleRef module, LLVMTargetMachineRef machine,
                     const tessera_compile_options *options) {
  char passes[] = "default<O0>";
  passes[sizeof passes - 3] = (char)('0' + options->opt_level);
  LLVMPassBuilderOptionsRef builder = LLVMCreatePassBuilderOptions();
  LLVMPassBuilderOptionsSetLoopVectorization(builder, options->opt_level > 1);
  LLVMPassBuilderOptionsSetSLPVectorization(builder, options->opt_level > 1);
  LLVMPassBuilderOptionsSetLoopInterleaving(builder, options->opt_level > 1);
  LLVMErrorRef error = LLVMRunPasses(module, passes, machine, builder);
  LLVMDisposePassBuilderOptions(builder);
  if (!error)
    return true;
  char *message = LLVMGetErrorMessage(error);
  ts_driver_error(options->input, "optimisation failed: %s", message);
  LLVMDisposeErrorMessage(message);
  return false;
}

/* Through memory: LLVM ends the process where its own stream cannot write. */
static bool write_object(LLVMModuleRef module, LLVMTargetMachineRef machine,
                         const tessera_compile_options *options, tr_output *output) {
  char *message = NULL;
  LLVMMemoryBufferRef object;
  if (LLVMTargetMachineEmitToMemoryBuffer(machine, module, LLVMObjectFile, &message, &object) !=
      0) {
    ts_driver_error(options->input, "no code could be generated: %s", message ? message : "");
    LLVMDisposeMessage(message);
    return false;
  }
  tr_output_write(output, LLVMGetBufferStart(object), LLVMGetBufferSize(object));
  LLVMDisposeMemoryBuffer(object);
  return true;
}

/* Tells the module whom it is for, before it is translated: translation folds the sizes of
 * elements, as the target lays them out if it is known by then. */
static void name_target(MlirOperation module, LLVMTargetMachineRef machine) {
  MlirContext context = mlirOperationGetContext(module);
  char *triple = LLVMGetTargetMachineTriple(machine);
  LLVMTargetDataRef layout = LLVMCreateTargetDataLayout(machine);
  char *layout_text = LLVMCopyStringRepOfTargetData(layout);
  const char *const attributes[][2] = {{"llvm.target_triple", triple},
                                       {"llvm.data_layout", layout_text}};
  for (int i = 0; i < 2; i++)
    mlirOperationSetDiscardableAttributeByName(
        module, mlirStringRefCreateFromCString(attributes[i][0]),
        mlirStringAttrGet(context, mlirStringRefCreateFromCString(attributes[i][1])));
  LLVMDisposeMessage(layout_text);
  LLVMDisposeTargetData(layout);
  LLVMDisposeMessage(triple);
}

/* The module for `machine`, in `context`; NULL after diagnostics. */
static LLVMModuleRef translate(MlirOperation module, LLVMTargetMachineRef machine,
                               LLVMContextRef context) {
  name_target(module, machine);
  return mlirTranslateModuleToLLVMIR(module, context);
}

bool ts_codegen_object(MlirOperation module, const tessera_compile_options *options,
                       tr_output *output) {
  LLVMTargetMachineRef machine = create_machine(options);
  if (!machine)
    return false;
  LLVMContextRef context = LLVMContextCreate();
  LLVMModuleRef translated = translate(module, machine, context);
  bool good = translated && optimize(translated, machine, options) &&
              write_object(translated, machine, options, output);
  if (translated)
    LLVMDisposeModule(translated);
  LLVMContextDispose(context);
  LLVMDisposeTargetMachine(machine);
  return good;
}

bool ts_codegen_text(MlirOperation module, const tessera_compile_options *options,
                     tr_output *output) {
  LLVMTargetMachineRef machine = create_machine(options);
  if (!machine)
    return false;
  LLVMContextRef context = LLVMContextCreate();
  LLVMModuleRef translated = translate(module, machine, context);
  if (translated) {
    char *text = LLVMPrintModuleToString(translated);
    tr_output_write(output, text, strlen(text));
    LLVMDisposeMessage(text);
    LLVMDisposeModule(translated);
  }
  LLVMContextDispose(context);
  LLVMDisposeTargetMachine(machine);
  return translated != NULL;
}
