/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* What LLVM-C does not tell of a target. It knows names of processors only. */
#include "capi.h"

#include <memory>
#include <string>

#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/TargetParser/Triple.h"

bool ts_target_has_cpu(const char *triple_text, const char *cpu) {
  llvm::Triple triple{llvm::StringRef(triple_text)};
  std::string message;
  const llvm::Target *target = llvm::TargetRegistry::lookupTarget(triple, message);
  if (!target)
    return false;
  std::unique_ptr<llvm::MCSubtargetInfo> subtarget(target->createMCSubtargetInfo(triple, "", ""));
  return subtarget && subtarget->isCPUStringValid(cpu);
}
