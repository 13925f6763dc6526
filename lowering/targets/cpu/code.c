/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* LLVM: from the LLVM dialect to optimised machine code. It knows processors and optimisation
 * levels; it must not know what is computed. */
#include "lowering/targets/cpu/code.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <llvm-c/Analysis.h>
#include <llvm-c/Core.h>
#include <llvm-c/Error.h>
#include <llvm-c/Target.h>
#include <llvm-c/TargetMachine.h>
#include <llvm-c/Transforms/PassBuilder.h>

#include "lowering/targets/llvm_names.h"
#include "mlir-c/Target/LLVMIR.h"

static pthread_once_t target_once = PTHREAD_ONCE_INIT;

static bool fail(ts_code_error *error, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static bool fail(ts_code_error *error, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(error->text, sizeof(error->text), format, arguments);
  va_end(arguments);
  return false;
}

static void initialize_target(void) {
  LLVMInitializeNativeTarget();
  LLVMInitializeNativeAsmPrinter();
}

/* The machine that `options` name, of which LLVM knows `features`; NULL after an error. */
static LLVMTargetMachineRef create_named(const ts_code_options *options, const char *triple,
                                         const char *cpu, const char *features,
                                         ts_code_error *error) {
  LLVMTargetRef target;
  LLVMTargetMachineRef machine = NULL;
  char *message = NULL;
  if (LLVMGetTargetFromTriple(triple, &target, &message) == 0)
    machine = LLVMCreateTargetMachine(target, triple, cpu, features,
                                      (LLVMCodeGenOptLevel)options->opt_level, LLVMRelocPIC,
                                      LLVMCodeModelDefault);
  if (!machine) {
    error->about_source = true;
    fail(error, "no code generator for %s: %s", triple,
         message ? message : "it could not be created");
  }
  LLVMDisposeMessage(message ? message : LLVMCreateMessage(""));
  return machine;
}

/* Code generation for this machine's kind, with the CPU that options name; NULL after an error. */
static LLVMTargetMachineRef create_machine(const ts_code_options *options, ts_code_error *error) {
  pthread_once(&target_once, initialize_target);
  LLVMTargetMachineRef machine = NULL;
  char *triple = LLVMGetDefaultTargetTriple();
  if (!options->march || strcmp(options->march, "native") == 0) {
    char *cpu = LLVMGetHostCPUName(), *features = LLVMGetHostCPUFeatures();
    machine = create_named(options, triple, cpu, features, error);
    LLVMDisposeMessage(cpu);
    LLVMDisposeMessage(features);
  } else if (ts_target_has_cpu(triple, options->march)) {
    machine = create_named(options, triple, options->march, "", error);
  } else {
    fail(error,
         "--march=%s: %s has no such processor; clang-22 --print-supported-cpus lists those that "
         "there are",
         options->march, triple);
  }
  LLVMDisposeMessage(triple);
  return machine;
}

/* Short loops inside others, as windows of convolutions have, are two to three times as fast
 * unrolled; code for them takes twice the time. Large programs do without. */
enum { MOST_UNROLLED_BLOCKS = 1000 };

static unsigned num_blocks(LLVMModuleRef module) {
  unsigned num = 0;
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
    num += LLVMCountBasicBlocks(f);
  return num;
}

static bool optimize(LLVMModuleRef module, LLVMTargetMachineRef machine,
                     const ts_code_options *options, ts_code_error *mistake) {
  char passes[] = "default<O0>";
  passes[sizeof(passes) - 3] = (char)('0' + options->opt_level);
  LLVMPassBuilderOptionsRef builder = LLVMCreatePassBuilderOptions();
  LLVMPassBuilderOptionsSetLoopVectorization(builder, options->opt_level > 1);
  LLVMPassBuilderOptionsSetSLPVectorization(builder, options->opt_level > 1);
  LLVMPassBuilderOptionsSetLoopInterleaving(builder, options->opt_level > 1);
  LLVMPassBuilderOptionsSetLoopUnrolling(builder, num_blocks(module) <= MOST_UNROLLED_BLOCKS);
  LLVMErrorRef error = LLVMRunPasses(module, passes, machine, builder);
  LLVMDisposePassBuilderOptions(builder);
  if (!error)
    return true;
  char *message = LLVMGetErrorMessage(error);
  mistake->about_source = true;
  fail(mistake, "optimisation failed: %s", message);
  LLVMDisposeErrorMessage(message);
  return false;
}

/* Through memory: LLVM ends the process where its own stream cannot write. */
static bool emit_object(LLVMModuleRef module, LLVMTargetMachineRef machine,
                        const ts_code_sink *sink, ts_code_error *error) {
  char *message = NULL;
  LLVMMemoryBufferRef object;
  if (LLVMTargetMachineEmitToMemoryBuffer(machine, module, LLVMObjectFile, &message, &object) !=
      0) {
    error->about_source = true;
    fail(error, "no code could be generated: %s", message ? message : "");
    LLVMDisposeMessage(message);
    return false;
  }
  sink->write(sink->user, LLVMGetBufferStart(object), LLVMGetBufferSize(object));
  LLVMDisposeMemoryBuffer(object);
  return true;
}

/* The module for `machine`, in `context`; NULL after diagnostics. */
static LLVMModuleRef translate(MlirOperation module, LLVMTargetMachineRef machine,
                               LLVMContextRef context) {
  ts_llvm_name_target(module, machine);
  return mlirTranslateModuleToLLVMIR(module, context);
}

/* Writes the optimized module, or its text as it is. False after diagnostics, or with `error` set.
 */
typedef bool write_module(LLVMModuleRef module, LLVMTargetMachineRef machine,
                          const ts_code_options *options, const ts_code_sink *sink,
                          ts_code_error *error);

static bool write_object(LLVMModuleRef module, LLVMTargetMachineRef machine,
                         const ts_code_options *options, const ts_code_sink *sink,
                         ts_code_error *error) {
  return optimize(module, machine, options, error) && emit_object(module, machine, sink, error);
}

static bool write_text(LLVMModuleRef module, LLVMTargetMachineRef machine,
                       const ts_code_options *options, const ts_code_sink *sink,
                       ts_code_error *error) {
  (void)machine;
  (void)options;
  (void)error;
  char *text = LLVMPrintModuleToString(module);
  sink->write(sink->user, text, strlen(text));
  LLVMDisposeMessage(text);
  return true;
}

static bool write_code(MlirOperation module, const ts_code_options *options,
                       const ts_code_sink *sink, ts_code_error *error, write_module *write) {
  LLVMTargetMachineRef machine = create_machine(options, error);
  if (!machine)
    return false;
  LLVMContextRef context = LLVMContextCreate();
  LLVMModuleRef translated = translate(module, machine, context);
  bool good = translated && write(translated, machine, options, sink, error);
  if (translated)
    LLVMDisposeModule(translated);
  LLVMContextDispose(context);
  LLVMDisposeTargetMachine(machine);
  return good;
}

bool ts_cpu_write_object(MlirOperation module, const ts_code_options *options,
                         const ts_code_sink *sink, ts_code_error *error) {
  return write_code(module, options, sink, error, write_object);
}

bool ts_cpu_write_text(MlirOperation module, const ts_code_options *options,
                       const ts_code_sink *sink, ts_code_error *error) {
  return write_code(module, options, sink, error, write_text);
}
