/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The processor that code is made for, by all that LLVM knows of it. It must not know what is made
 * of the text. */
#include "lowering/targets/cpu/machine.h"

#include <string.h>

#include <llvm-c/Core.h>
#include <llvm-c/TargetMachine.h>

/* A line; frees `text`. */
static void write_line(const ts_code_sink *sink, char *text) {
  sink->write(sink->user, text, strlen(text));
  sink->write(sink->user, "\n", 1);
  LLVMDisposeMessage(text);
}

void ts_cpu_write_machine(const ts_code_options *options, const ts_code_sink *sink) {
  write_line(sink, LLVMGetDefaultTargetTriple());
  if (options->march && strcmp(options->march, "native") != 0) {
    write_line(sink, LLVMCreateMessage(options->march));
    return;
  }
  write_line(sink, LLVMGetHostCPUName());
  write_line(sink, LLVMGetHostCPUFeatures());
}
