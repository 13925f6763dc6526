/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* For whom a module of the LLVM dialect is. It knows LLVM's machines; it must not know targets. */
#include "lowering/targets/llvm_names.h"

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>

#include "mlir-c/BuiltinAttributes.h"

void ts_llvm_name_target(MlirOperation module, LLVMTargetMachineRef machine) {
  MlirContext context = mlirOperationGetContext(module);
  char *triple = LLVMGetTargetMachineTriple(machine);
  LLVMTargetDataRef layout = LLVMCreateTargetDataLayout(machine);
  char *layout_text = LLVMCopyStringRepOfTargetData(layout);
  const char *const attributes[][2] = {{"llvm.target_triple", triple},
                                       {"llvm.data_layout", layout_text}};
  for (int i = 0; i < (int)(sizeof(attributes) / sizeof(attributes[0])); i++)
    mlirOperationSetDiscardableAttributeByName(
        module, mlirStringRefCreateFromCString(attributes[i][0]),
        mlirStringAttrGet(context, mlirStringRefCreateFromCString(attributes[i][1])));
  LLVMDisposeMessage(layout_text);
  LLVMDisposeTargetData(layout);
  LLVMDisposeMessage(triple);
}
