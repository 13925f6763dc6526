/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* LLVM: from the LLVM dialect to text, or in parts to machine code. It knows how modules are
 * translated; it must not know optimisation. */
#include "lowering/targets/cpu/code.h"

#include <string.h>

#include <llvm-c/Core.h>

#include "ir/build.h"
#include "lowering/targets/cpu/objects.h"
#include "lowering/targets/cpu/parts.h"
#include "lowering/targets/llvm_names.h"
#include "mlir-c/Target/LLVMIR.h"

/* What upstream's passes leave of a loop's annotation on its branch, where translation to LLVM does
 * not look for it. */
static void annotate_loop(MlirOperation op, void *user) {
  (void)user;
  MlirAttribute annotation = ts_attribute(op, "llvm.loop_annotation");
  if (ts_op_is(op, "llvm.br") && !mlirAttributeIsNull(annotation))
    mlirOperationSetAttributeByName(op, mlirStringRefCreateFromCString("loop_annotation"),
                                    annotation);
}

/* ---- text ------------------------------------------------------------------------------------ */

bool ts_cpu_write_text(MlirOperation module, const ts_code_options *options,
                       const ts_code_sink *sink, ts_code_error *error) {
  LLVMTargetMachineRef machine = ts_cpu_machine(options, error);
  if (!machine)
    return false;
  LLVMContextRef context = LLVMContextCreate();
  ts_llvm_name_target(module, machine);
  ts_each_op(module, annotate_loop, NULL);
  LLVMModuleRef translated = mlirTranslateModuleToLLVMIR(module, context);
  if (translated) {
    char *text = LLVMPrintModuleToString(translated);
    sink->write(sink->user, text, strlen(text));
    LLVMDisposeMessage(text);
    LLVMDisposeModule(translated);
  }
  LLVMContextDispose(context);
  LLVMDisposeTargetMachine(machine);
  return translated != NULL;
}

/* ---- objects --------------------------------------------------------------------------------- */

enum { MOST_PARTS = 16 };

/* Each in a context of its own. False after diagnostics. */
static bool translate_parts(const ts_parts *parts, ts_object_job *jobs, LLVMContextRef *contexts) {
  for (int i = 0; i < parts->num; i++) {
    contexts[i] = LLVMContextCreate();
    jobs[i].is_long = i > 0 && i == parts->long_part;
    jobs[i].module = mlirTranslateModuleToLLVMIR(parts->modules[i], contexts[i]);
    if (!jobs[i].module)
      return false;
  }
  return true;
}

/* What the first one says that failed. */
static bool are_made(int num, const ts_object_job *jobs, ts_code_error *error) {
  for (int i = 0; i < num; i++)
    if (!jobs[i].object) {
      *error = jobs[i].error;
      return false;
    }
  return true;
}

static bool write_parts(const ts_parts *parts, const ts_code_options *options,
                        const ts_code_sink *sink, ts_code_error *error) {
  ts_object_job jobs[MOST_PARTS] = {0};
  LLVMContextRef contexts[MOST_PARTS] = {0};
  bool good = translate_parts(parts, jobs, contexts);
  if (good) {
    ts_objects_make(parts->num, jobs, options);
    good = are_made(parts->num, jobs, error);
  }
  if (good)
    ts_objects_write(parts->num, jobs, sink);
  for (int i = 0; i < parts->num; i++) {
    if (jobs[i].object)
      LLVMDisposeMemoryBuffer(jobs[i].object);
    if (jobs[i].module)
      LLVMDisposeModule(jobs[i].module);
    if (contexts[i])
      LLVMContextDispose(contexts[i]);
  }
  return good;
}

bool ts_cpu_write_object(MlirOperation module, const ts_code_options *options,
                         const ts_code_sink *sink, ts_code_error *error) {
  LLVMTargetMachineRef machine = ts_cpu_machine(options, error);
  if (!machine)
    return false;
  ts_llvm_name_target(module, machine);
  ts_each_op(module, annotate_loop, NULL);
  LLVMDisposeTargetMachine(machine);
  ts_arena arena = {0};
  ts_parts parts = ts_parts_make(&arena, module, options->form == TS_CODE_ARCHIVE ? MOST_PARTS : 1);
  bool good = write_parts(&parts, options, sink, error);
  ts_parts_destroy(&parts);
  ts_arena_free(&arena);
  return good;
}
