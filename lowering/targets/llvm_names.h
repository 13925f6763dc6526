/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* For whom a module of the LLVM dialect is. It knows LLVM's machines; it must not know targets. */
#ifndef TESSERA_LOWERING_TARGETS_LLVM_NAMES_H
#define TESSERA_LOWERING_TARGETS_LLVM_NAMES_H

#include <llvm-c/TargetMachine.h>

#include "mlir-c/IR.h"

/* Tells the module whom it is for, before it is translated: translation folds the sizes of
 * elements, as the target lays them out if it is known by then. */
void ts_llvm_name_target(MlirOperation module, LLVMTargetMachineRef machine);

#endif /* TESSERA_LOWERING_TARGETS_LLVM_NAMES_H */
