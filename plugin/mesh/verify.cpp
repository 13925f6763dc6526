/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The verifiers of the `mesh` dialect. Ops are told apart by the attributes they have and by one
 * table, so that each rule stands here once. It must not know layouts. */
#include "mesh/mesh_dialect.h"

#include <algorithm>

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tessera::mesh;

/* ---- one op at a time ------------------------------------------------------------------------ */

LogicalResult MeshOp::verify() {
  if (getShape().empty())
    return emitOpError("needs at least one axis");
  int64_t devices = 1;
  for (int64_t extent : getShape()) {
    if (extent < 0 && !ShapedType::isDynamic(extent))
      return emitOpError() << "has the extent " << extent
                           << "; extents are non-negative or dynamic";
    /* Of any group, so an empty axis and a dynamic one count as one device. */
    if (llvm::MulOverflow(devices, std::max(extent, int64_t(1)), devices))
      return emitOpError("has more devices than 64 bits can count");
  }
  return success();
}

LogicalResult ShardingOp::verify() {
  if (getPartialAxes().empty() != !getPartialType())
    return emitOpError("needs both a reduction and axes to be partial");
  if (getPartialType() == ReductionKind::Generic)
    return emitOpError("cannot be partial with reduction 'generic'");
  if (!getStaticHaloSizes().empty() && !getStaticShardedDimsOffsets().empty())
    return emitOpError("cannot have both halo sizes and shard offsets");
  return success();
}

LogicalResult ShardShapeOp::verify() {
  if (getNumResults() != getShape().size())
    return emitOpError() << "needs one result for each of " << getShape().size()
                         << " dimensions, not " << getNumResults();
  return success();
}

/* ---- ops that name a mesh -------------------------------------------------------------------- */

namespace {

/* What a collective does to its operand's shape, and which device it names. NULL: nothing. */
struct Collective {
  const char *op;
  const char *joined; /* attribute: the dimension along which pieces are concatenated */
  const char *cut;    /* attribute: the dimension that is split */
  const char *index;  /* attribute: the in-group index of a device */
};

constexpr Collective collectives[] = {
    {"all_gather", "gather_axis", nullptr, nullptr},
    {"all_slice", nullptr, "slice_axis", nullptr},
    {"all_to_all", "concat_axis", "split_axis", nullptr},
    {"broadcast", nullptr, nullptr, "root"},
    {"gather", "gather_axis", nullptr, "root"},
    {"recv", nullptr, nullptr, "source"},
    {"reduce", nullptr, nullptr, "root"},
    {"reduce_scatter", nullptr, "scatter_axis", nullptr},
    {"scatter", nullptr, "scatter_axis", "root"},
    {"send", nullptr, nullptr, "destination"},
};

/* An op that names a mesh, while it is verified. */
class MeshUser {
public:
  MeshUser(Operation *op, MeshOp mesh) : op(op), mesh(mesh), shape(mesh.getShape()) {
  }

  LogicalResult verify();

private:
  LogicalResult verify_axes(ArrayRef<int16_t> axes, llvm::SmallVectorImpl<int16_t> &seen);
  LogicalResult verify_all_axes();
  LogicalResult verify_queries();
  LogicalResult verify_sharding(ShardingOp sharding);
  LogicalResult verify_halo(MeshAxesArrayAttr axes, ArrayRef<int64_t> sizes, size_t dynamic);
  LogicalResult verify_offsets(ShardingOp sharding);
  LogicalResult verify_shift(ShiftOp shift);
  LogicalResult verify_index(StringRef name);
  LogicalResult verify_shapes(const Collective &collective);
  LogicalResult verify_dimension(int64_t dim, int64_t expected, int64_t given);
  LogicalResult verify_dynamic(StringRef what, ArrayRef<int64_t> sizes, size_t operands);

  ArrayRef<int16_t> group_axes() const {
    auto axes = op->getAttrOfType<DenseI16ArrayAttr>("mesh_axes");
    return axes ? axes.asArrayRef() : ArrayRef<int16_t>();
  }

  /* The devices along these axes, or kDynamic. */
  int64_t devices(ArrayRef<int16_t> axes) const {
    int64_t product = 1;
    for (int16_t axis : axes) {
      if (ShapedType::isDynamic(shape[axis]))
        return ShapedType::kDynamic;
      product *= shape[axis];
    }
    return product;
  }

  Operation *op;
  MeshOp mesh;
  ArrayRef<int64_t> shape;
};

/* `seen` collects the axes of several lists that must not have any in common. */
LogicalResult MeshUser::verify_axes(ArrayRef<int16_t> axes, llvm::SmallVectorImpl<int16_t> &seen) {
  for (int16_t axis : axes) {
    if (axis < 0 || axis >= static_cast<int64_t>(shape.size()))
      return op->emitOpError() << "names mesh axis " << axis << ", but @" << mesh.getSymName()
                               << " has axes 0 to " << shape.size() - 1;
    if (llvm::is_contained(seen, axis))
      return op->emitOpError() << "names mesh axis " << axis << " twice";
    seen.push_back(axis);
  }
  return success();
}

LogicalResult MeshUser::verify_all_axes() {
  llvm::SmallVector<int16_t> seen;
  for (StringRef name : {"mesh_axes", "axes", "partial_axes", "split_axes"}) {
    Attribute attribute = op->getAttr(name);
    if (auto axes = dyn_cast_or_null<DenseI16ArrayAttr>(attribute))
      if (failed(verify_axes(axes.asArrayRef(), seen)))
        return failure();
    if (auto lists = dyn_cast_or_null<MeshAxesArrayAttr>(attribute))
      for (DenseI16ArrayAttr axes : lists.getAxes())
        if (failed(verify_axes(axes.asArrayRef(), seen)))
          return failure();
  }
  return success();
}

LogicalResult MeshUser::verify_queries() {
  if (isa<MeshShapeOp, ProcessMultiIndexOp>(op)) {
    auto axes = op->getAttrOfType<DenseI16ArrayAttr>("axes");
    size_t expected = axes && !axes.empty() ? axes.size() : shape.size();
    if (op->getNumResults() != expected)
      return op->emitOpError() << "needs " << expected << " results, not " << op->getNumResults();
  }
  if (auto neighbors = dyn_cast<NeighborsLinearIndicesOp>(op))
    if (neighbors.getDevice().size() != shape.size())
      return op->emitOpError() << "needs " << shape.size() << " coordinates of a device, not "
                               << neighbors.getDevice().size();
  return success();
}

/* The `?` of a static list must have their operands, which only the generic form can get wrong. */
LogicalResult MeshUser::verify_dynamic(StringRef what, ArrayRef<int64_t> sizes, size_t operands) {
  size_t dynamic = static_cast<size_t>(llvm::count_if(sizes, ShapedType::isDynamic));
  if (dynamic == operands)
    return success();
  return op->emitOpError() << "needs one operand for each dynamic entry of '" << what
                           << "': " << dynamic << ", not " << operands;
}

static size_t num_split_dimensions(MeshAxesArrayAttr axes) {
  return static_cast<size_t>(
      llvm::count_if(axes.getAxes(), [](DenseI16ArrayAttr list) { return !list.empty(); }));
}

LogicalResult MeshUser::verify_halo(MeshAxesArrayAttr axes, ArrayRef<int64_t> sizes,
                                    size_t dynamic) {
  if (failed(verify_dynamic("halo_sizes", sizes, dynamic)))
    return failure();
  size_t split = num_split_dimensions(axes);
  if (!sizes.empty() && sizes.size() != 2 * split)
    return op->emitOpError() << "needs two halo sizes for each of " << split
                             << " split dimensions, not " << sizes.size() << " in all";
  for (int64_t size : sizes)
    if (size < 0 && !ShapedType::isDynamic(size))
      return op->emitOpError() << "has the negative halo size " << size;
  return success();
}

LogicalResult MeshUser::verify_offsets(ShardingOp sharding) {
  ArrayRef<int64_t> offsets = sharding.getStaticShardedDimsOffsets();
  if (failed(verify_dynamic("sharded_dims_offsets", offsets,
                            sharding.getDynamicShardedDimsOffsets().size())))
    return failure();
  if (offsets.empty())
    return success();
  size_t expected = 0;
  for (DenseI16ArrayAttr list : sharding.getSplitAxes().getAxes()) {
    if (list.empty())
      continue;
    int64_t shards = devices(list.asArrayRef());
    if (ShapedType::isDynamic(shards))
      return op->emitOpError("cannot have shard offsets along mesh axes of dynamic extent");
    int64_t last = 0;
    for (int64_t offset : offsets.drop_front(std::min(expected, offsets.size()))
                              .take_front(static_cast<size_t>(shards) + 1)) {
      if (!ShapedType::isDynamic(offset) && offset < last)
        return op->emitOpError() << "has shard offsets that fall from " << last << " to " << offset;
      last = ShapedType::isDynamic(offset) ? last : offset;
    }
    expected += static_cast<size_t>(shards) + 1;
  }
  if (offsets.size() != expected)
    return op->emitOpError() << "needs " << expected << " shard offsets, not " << offsets.size();
  return success();
}

LogicalResult MeshUser::verify_sharding(ShardingOp sharding) {
  if (failed(verify_halo(sharding.getSplitAxes(), sharding.getStaticHaloSizes(),
                         sharding.getDynamicHaloSizes().size())))
    return failure();
  return verify_offsets(sharding);
}

LogicalResult MeshUser::verify_shift(ShiftOp shift) {
  int64_t axis = shift.getShiftAxis().getSExtValue();
  if (llvm::is_contained(group_axes(), axis))
    return success();
  return op->emitOpError() << "shifts along axis " << axis << ", which is not in 'mesh_axes'";
}

/* An in-group index has a coordinate for each axis of the group. */
LogicalResult MeshUser::verify_index(StringRef name) {
  auto index = op->getAttrOfType<DenseI64ArrayAttr>(name);
  size_t operands = op->getNumOperands() - 1; /* behind the tensor */
  ArrayRef<int64_t> values = index ? index.asArrayRef() : ArrayRef<int64_t>();
  if (failed(verify_dynamic(name, values, operands)) || !index)
    return failure(index != nullptr || operands != 0);
  ArrayRef<int16_t> axes = group_axes();
  if (values.size() != axes.size())
    return op->emitOpError() << "needs " << axes.size() << " coordinates in '" << name << "', not "
                             << values.size();
  for (auto [axis, value] : llvm::zip(axes, values)) {
    if (ShapedType::isDynamic(value))
      continue;
    if (value < 0 || (!ShapedType::isDynamic(shape[axis]) && value >= shape[axis]))
      return op->emitOpError() << "has coordinate " << value << " in '" << name << "' on mesh axis "
                               << axis << " of extent " << shape[axis];
  }
  return success();
}

/* `?` promises nothing, so a static result must follow from static numbers. */
LogicalResult MeshUser::verify_dimension(int64_t dim, int64_t expected, int64_t given) {
  if (ShapedType::isDynamic(given) || given == expected)
    return success();
  InFlightDiagnostic error = op->emitOpError() << "needs a result of size ";
  if (ShapedType::isDynamic(expected))
    error << "?";
  else
    error << expected;
  return error << " in dimension " << dim << ", not " << given;
}

LogicalResult MeshUser::verify_shapes(const Collective &collective) {
  auto input = cast<ShapedType>(op->getOperand(0).getType());
  auto result = cast<ShapedType>(op->getResult(0).getType());
  int64_t joined = -1, cut = -1;
  for (auto [name, dim] : {std::pair(collective.joined, &joined), {collective.cut, &cut}}) {
    if (!name)
      continue;
    *dim = op->getAttrOfType<IntegerAttr>(name).getInt();
    if (*dim < 0 || *dim >= input.getRank())
      return op->emitOpError() << "has " << name << " " << *dim << " on a tensor of rank "
                               << input.getRank();
  }
  int64_t group = devices(group_axes());
  for (int64_t d = 0; d < input.getRank(); d++) {
    int64_t size = input.getDimSize(d);
    bool changes = (d == joined) != (d == cut);
    if (changes && ShapedType::isDynamic(group))
      size = ShapedType::kDynamic;
    else if (changes && d == cut && !ShapedType::isDynamic(size) && (group == 0 || size % group))
      return op->emitOpError() << "cannot split dimension " << d << " of size " << size
                               << " evenly over " << group << " devices";
    else if (changes && !ShapedType::isDynamic(size))
      size = d == joined ? size * group : size / group;
    if (failed(verify_dimension(d, size, result.getDimSize(d))))
      return failure();
  }
  return success();
}

LogicalResult MeshUser::verify() {
  if (failed(verify_all_axes()) || failed(verify_queries()))
    return failure();
  if (auto sharding = dyn_cast<ShardingOp>(op))
    return verify_sharding(sharding);
  if (auto update = dyn_cast<UpdateHaloOp>(op)) {
    int64_t rank = cast<ShapedType>(update.getDestination().getType()).getRank();
    size_t lists = update.getSplitAxes().getAxes().size();
    if (lists > static_cast<size_t>(rank))
      return op->emitOpError() << "has " << lists << " lists of split axes for rank " << rank;
    return verify_halo(update.getSplitAxes(), update.getStaticHaloSizes(),
                       update.getHaloSizes().size());
  }
  if (auto shift = dyn_cast<ShiftOp>(op))
    return verify_shift(shift);
  for (const Collective &collective : collectives) {
    if (op->getName().stripDialect() != collective.op)
      continue;
    if (collective.index && failed(verify_index(collective.index)))
      return failure();
    return verify_shapes(collective);
  }
  return success();
}

} // namespace

LogicalResult tessera::mesh::verify_mesh_user(Operation *op, SymbolTableCollection &symbols) {
  auto name = op->getAttrOfType<FlatSymbolRefAttr>("mesh");
  auto mesh = symbols.lookupNearestSymbolFrom<MeshOp>(op, name);
  if (!mesh)
    return op->emitOpError() << "refers to " << name << ", which is no mesh.mesh";
  return MeshUser(op, mesh).verify();
}
