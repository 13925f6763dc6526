/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The `mesh` dialect: registration, syntax that TableGen cannot say, and its attributes for C. It
 * must not know what ops mean (verify.cpp). */
#include "mesh/mesh_dialect.h"

#include "mlir/CAPI/IR.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/TypeSwitch.h"

#include "mesh/mesh.h"

using namespace mlir;
using namespace tessera::mesh;

/* ---- syntax ---------------------------------------------------------------------------------- */

namespace tessera::mesh {

static ParseResult parse_kind(AsmParser &parser, ReductionKind &kind) {
  StringRef word;
  SMLoc where = parser.getCurrentLocation();
  if (parser.parseKeyword(&word))
    return failure();
  std::optional<ReductionKind> found = symbolizeReductionKind(word);
  if (!found)
    return parser.emitError(where) << "'" << word << "' is no kind of reduction";
  kind = *found;
  return success();
}

/* max or <max> */
static ParseResult parse_reduction(AsmParser &parser, ReductionKind &kind) {
  bool bracketed = succeeded(parser.parseOptionalLess());
  if (failed(parse_kind(parser, kind)))
    return failure();
  return bracketed ? parser.parseGreater() : success();
}

Attribute ReductionKindAttr::parse(AsmParser &parser, Type) {
  ReductionKind kind;
  if (failed(parse_reduction(parser, kind)))
    return {};
  return get(parser.getContext(), kind);
}

void ReductionKindAttr::print(AsmPrinter &printer) const {
  printer << "<" << stringifyReductionKind(getValue()) << ">";
}

/* [[0], [1, 2]] or <[[0], [1, 2]]> */
Attribute MeshAxesArrayAttr::parse(AsmParser &parser, Type) {
  SmallVector<DenseI16ArrayAttr> lists;
  auto parse_list = [&]() -> ParseResult {
    lists.push_back(dyn_cast_or_null<DenseI16ArrayAttr>(DenseI16ArrayAttr::parse(parser, Type())));
    return success(lists.back() != nullptr);
  };
  bool bracketed = succeeded(parser.parseOptionalLess());
  if (parser.parseLSquare() || parser.parseCommaSeparatedList(parse_list) ||
      parser.parseRSquare() || (bracketed && parser.parseGreater()))
    return {};
  return get(parser.getContext(), lists);
}

void MeshAxesArrayAttr::print(AsmPrinter &printer) const {
  printer << "[";
  llvm::interleaveComma(getAxes(), printer, [&](DenseI16ArrayAttr list) { list.print(printer); });
  printer << "]";
}

/* sum[1] */
static ParseResult parsePartial(OpAsmParser &parser, ReductionKindAttr &type,
                                DenseI16ArrayAttr &axes) {
  ReductionKind kind;
  if (failed(parse_reduction(parser, kind)))
    return failure();
  type = ReductionKindAttr::get(parser.getContext(), kind);
  axes = dyn_cast_or_null<DenseI16ArrayAttr>(DenseI16ArrayAttr::parse(parser, Type()));
  return success(axes != nullptr);
}

static void printPartial(OpAsmPrinter &printer, Operation *, ReductionKindAttr type,
                         DenseI16ArrayAttr axes) {
  if (type)
    printer << stringifyReductionKind(type.getValue());
  axes.print(printer);
}

static ParseResult parseShardingType(OpAsmParser &parser, Type &type) {
  if (succeeded(parser.parseOptionalColon()))
    return parser.parseType(type);
  type = ShardingType::get(parser.getContext());
  return success();
}

static void printShardingType(OpAsmPrinter &printer, Operation *, Type type) {
  printer << ": " << type;
}

void name_results(Operation *op, OpAsmSetValueNameFn name) {
  for (Value result : op->getResults())
    name(result, op->getName().stripDialect());
}

} // namespace tessera::mesh

/* ---- what TableGen makes --------------------------------------------------------------------- */

#include "mesh/MeshDialect.cpp.inc"
#include "mesh/MeshEnums.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "mesh/MeshAttributes.cpp.inc"
#define GET_TYPEDEF_CLASSES
#include "mesh/MeshTypes.cpp.inc"
#define GET_OP_CLASSES
#include "mesh/MeshOps.cpp.inc"

void MeshDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "mesh/MeshAttributes.cpp.inc"
      >();
  addTypes<
#define GET_TYPEDEF_LIST
#include "mesh/MeshTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "mesh/MeshOps.cpp.inc"
      >();
}

/* ---- for C ----------------------------------------------------------------------------------- */

void ts_register_mesh_dialect(MlirDialectRegistry registry) {
  unwrap(registry)->insert<MeshDialect>();
}

bool ts_attr_is_mesh_partial(MlirAttribute attribute) {
  return isa<ReductionKindAttr>(unwrap(attribute));
}

int32_t ts_mesh_partial_get(MlirAttribute attribute) {
  return static_cast<int32_t>(cast<ReductionKindAttr>(unwrap(attribute)).getValue());
}

bool ts_attr_is_mesh_axis_array(MlirAttribute attribute) {
  return isa<MeshAxesArrayAttr>(unwrap(attribute));
}

intptr_t ts_mesh_axis_array_size(MlirAttribute attribute) {
  return static_cast<intptr_t>(cast<MeshAxesArrayAttr>(unwrap(attribute)).getAxes().size());
}

intptr_t ts_mesh_axis_array_get(MlirAttribute attribute, intptr_t i, const int16_t **axes) {
  ArrayRef<int16_t> list = cast<MeshAxesArrayAttr>(unwrap(attribute)).getAxes()[i].asArrayRef();
  *axes = list.data();
  return static_cast<intptr_t>(list.size());
}

bool ts_type_is_mesh_sharding(MlirType type) {
  return isa<ShardingType>(unwrap(type));
}
