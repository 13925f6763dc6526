/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* MLIR tells op traits apart by the compiler's spelling of a name that contains a local class:
 * "SymbolTable<Empty>" for clang, "SymbolTable<mlir::TypeID::get<...>()::Empty>" for gcc. Where
 * libMLIR.so came from the one and our C++ comes from the other, no trait of upstream's ops would
 * be found. Included before everything else in each C++ file by the build. It knows no trait. */
#ifndef TESSERA_PLUGIN_CAPI_TRAIT_NAMES_H
#define TESSERA_PLUGIN_CAPI_TRAIT_NAMES_H

#include <string_view>
#include <type_traits>

#include "mlir/Support/TypeID.h"

namespace tessera {

/* Whether T is that local class as gcc spells it; false for clang, which needs no help. */
template <typename T> constexpr bool is_trait_argument() {
  std::string_view name = __PRETTY_FUNCTION__;
  return name.find("mlir::TypeID::get<") != name.npos && name.find("::Empty") != name.npos;
}

/* The identity of a trait whose name we spell `name`, in libMLIR.so's spelling. */
mlir::TypeID resolve_trait(llvm::StringRef name);

} // namespace tessera

template <template <typename> class Trait, typename Argument>
class mlir::detail::TypeIDResolver<Trait<Argument>,
                                   std::enable_if_t<tessera::is_trait_argument<Argument>()>> {
public:
  static TypeID resolveTypeID() {
    static TypeID id = tessera::resolve_trait(llvm::getTypeName<Trait<Argument>>());
    return id;
  }
};

#endif /* TESSERA_PLUGIN_CAPI_TRAIT_NAMES_H */
