/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The names of the dialect's attributes on ops of other dialects: one that is misspelt, or where
 * nobody reads it, would mean nothing, silently. It knows names and places; it must not know
 * contents. */
#include "dialect/tessera_dialect.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace tessera {

static constexpr StringLiteral of_ops[] = {"factors", "flow",       "group", "open",
                                           "partial", "priority",   "pure",  "reduction",
                                           "refined", "replicated", "rule"};
static constexpr StringLiteral of_parameters[] = {"layout", "range", "donated", "name"};
/* From one pass to a later one. */
static constexpr StringLiteral of_passes[] = {
    "bytes",      "contraction", "convolution", "dealt",   "for",
    "fresh",      "host",        "keeps",       "late",    "own_destination",
    "pads_alike", "propagated",  "received",    "resolve", "rows",
    "site",       "split_from",  "split_to",    "symbols", "view",
    "writes_part"};

/* Those that only ops of some names may have, of whichever dialect. */
static constexpr struct {
  StringLiteral attribute, op, other_op;
} places[] = {
    {"factors", "sharding", ""},   {"flow", "shard", ""},       {"group", "shard", ""},
    {"open", "sharding", "shard"}, {"partial", "sharding", ""}, {"priority", "sharding", "shard"},
    {"pure", "func", ""},          {"refined", "grid", ""},     {"replicated", "sharding", "shard"},
};

static LogicalResult verify_place(Operation *op, StringRef name) {
  StringRef rest = name.substr(name.find('.') + 1), at = op->getName().stripDialect();
  for (const auto &place : places) {
    if (rest != place.attribute || at == place.op || at == place.other_op)
      continue;
    InFlightDiagnostic diagnostic = op->emitError() << "'" << name << "' says nothing here: "
                                                    << "expected it on a '" << place.op << "'";
    if (!place.other_op.empty())
      diagnostic << " or a '" << place.other_op << "'";
    return diagnostic;
  }
  return success();
}

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
  if (failed(verify_name(op, attribute, of_ops, "an op")))
    return failure();
  return verify_place(op, attribute.getName().strref());
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
