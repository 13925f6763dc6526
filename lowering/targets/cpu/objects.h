/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Modules of LLVM's to object files, on all cores. It knows optimisation levels; it must not know
 * where the modules come from. */
#ifndef TESSERA_LOWERING_TARGETS_CPU_OBJECTS_H
#define TESSERA_LOWERING_TARGETS_CPU_OBJECTS_H

#include <llvm-c/TargetMachine.h>

#include "lowering/targets/target.h"

/* Code generation for this machine's kind, with the CPU that options name; NULL after an error. */
LLVMTargetMachineRef ts_cpu_machine(const ts_code_options *options, ts_code_error *error);

/* One module, in a context that nobody else uses meanwhile. */
typedef struct ts_object_job {
  LLVMModuleRef module;
  bool is_long;               /* registers are allocated in linear time, whatever that costs */
  LLVMMemoryBufferRef object; /* made; the caller owns it; NULL after an error */
  ts_code_error error;
} ts_object_job;

/* Makes the objects of all jobs. What is made does not depend on how many cores there are. */
void ts_objects_make(int num, ts_object_job *jobs, const ts_code_options *options);

/* Writes them: one as it is, several as an archive, which linkers take as a whole. */
void ts_objects_write(int num, const ts_object_job *jobs, const ts_code_sink *sink);

#endif /* TESSERA_LOWERING_TARGETS_CPU_OBJECTS_H */
