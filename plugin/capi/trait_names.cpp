/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* Trait names in the spelling of the compiler that built libMLIR.so. It must not know any trait but
 * the one that it asks libMLIR.so about. */
#include "capi/trait_names.h"

#include <mutex>
#include <string>

#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OperationSupport.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;

namespace {

struct NamedTypeID : private mlir::detail::FallbackTypeIDResolver {
  static TypeID get(StringRef name) {
    return registerImplicitTypeID(name);
  }
};

/* A module is a symbol table, under the name that libMLIR.so gives to that. */
bool is_clang_spelling() {
  MLIRContext context(MLIRContext::Threading::DISABLED);
  auto module = RegisteredOperationName::lookup("builtin.module", &context);
  return module && module->hasTrait(NamedTypeID::get("mlir::OpTrait::SymbolTable<Empty>"));
}

} // namespace

TypeID tessera::resolve_trait(StringRef name) {
  static const bool clang_spelling = is_clang_spelling();
  size_t argument = name.find("<mlir::TypeID::get<");
  if (!clang_spelling || argument == StringRef::npos)
    return NamedTypeID::get(name);
  /* The registry keeps a reference to the name. */
  static std::mutex lock;
  static llvm::StringSet<> names;
  std::lock_guard<std::mutex> guard(lock);
  std::string spelled = name.take_front(argument).str() + "<Empty>";
  return NamedTypeID::get(names.insert(spelled).first->getKey());
}
