/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The names of the dialect's attributes on ops of other dialects: a misspelt one would mean
 * nothing, silently. It knows names and places; it must not know contents. */
#include "dialect/tessera_dialect.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace tessera {

static constexpr StringLiteral of_ops[] = {"factors",  "flow", "group",     "open",       "partial",
                                           "priority", "pure", "reduction", "replicated", "rule"};
static constexpr StringLiteral of_parameters[] = {"layout", "range", "donated", "name"};
/* From one pass to a later one. */
static constexpr StringLiteral of_passes[] = {
    "bytes",      "contraction", "convolution", "for",     "fresh",      "host",
    "late",       "propagated",  "received",    "resolve", "rows",       "site",
    "split_from", "split_to",    "symbols",     "view",    "writes_part"};

static LogicalResult verify_name(Operation *op, NamedAttribute attribute,
                                 ArrayRef<StringLiteral> names, StringRef place) {
  StringRef name = attribute.getName().strref();
  StringRef rest = name.substr(name.find('.') + 1);
  if (llvm::is_contained(names, rest) || llvm::is_contained(of_passes, rest))
    return success();
  InFlightDiagnostic diagnostic = op->emitError() << "'" << name << "' is no attribute of " << place
                                                  << ": expected one of ";
  llvm::interleaveComma(names, diagnostic,
                        [&](StringRef known) { diagnostic << "'tessera." << known << "'"; });
  return diagnostic;
}

LogicalResult TesseraDialect::verifyOperationAttribute(Operation *op, NamedAttribute attribute) {
  return verify_name(op, attribute, of_ops, "an op");
}

LogicalResult TesseraDialect::verifyRegionArgAttribute(Operation *op, unsigned, unsigned,
                                                       NamedAttribute attribute) {
  return verify_name(op, attribute, of_parameters, "an argument");
}

LogicalResult TesseraDialect::verifyRegionResultAttribute(Operation *op, unsigned, unsigned,
                                                          NamedAttribute attribute) {
  return verify_name(op, attribute, of_parameters, "a result");
}

} // namespace tessera
