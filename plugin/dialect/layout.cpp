/* Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions. */
/* The layout dictionaries of tessera.exchange: their form, and their fit to tensor and grid. It
 * knows the notation; it must not know the passes' own representation. */
#include "dialect/layout.h"

#include "mlir/Dialect/Shard/IR/ShardOps.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;

namespace {

/* A layout dictionary being checked. */
class Layout {
public:
  Layout(Operation *op, StringRef name, DictionaryAttr dictionary)
      : op(op), name(name), dictionary(dictionary) {
  }

  InFlightDiagnostic error() const {
    return op->emitOpError() << "'" << name << "' ";
  }

  FlatSymbolRefAttr grid() const {
    return dictionary.getAs<FlatSymbolRefAttr>("grid");
  }
  ArrayAttr factors() const {
    return dictionary.getAs<ArrayAttr>("factors");
  }
  RankedTensorType global() const {
    auto type = dictionary.getAs<TypeAttr>("global");
    return type ? dyn_cast<RankedTensorType>(type.getValue()) : RankedTensorType();
  }

  LogicalResult verify_keys() const;
  LogicalResult verify_factors(llvm::SmallVectorImpl<int64_t> &axes) const;
  LogicalResult verify_halo() const;
  LogicalResult verify_offsets() const;
  LogicalResult verify_grid(shard::GridOp grid, RankedTensorType local) const;

private:
  LogicalResult verify_dimension(int64_t d, llvm::SmallVectorImpl<int64_t> &axes) const;
  LogicalResult verify_local(int64_t d, shard::GridOp grid, RankedTensorType local) const;
  LogicalResult verify_offset_list(int64_t d, int64_t shards) const;
  ArrayRef<int64_t> halo_of(int64_t d) const;
  ArrayRef<int64_t> offsets_of(int64_t d) const;

  Operation *op;
  StringRef name;
  DictionaryAttr dictionary;
};

LogicalResult Layout::verify_keys() const {
  static constexpr StringRef known[] = {"grid", "global", "factors", "halo", "offsets", "part"};
  for (NamedAttribute member : dictionary) {
    if (member.getName() == "partial")
      return error() << "is partial; reduce before the exchange";
    if (!llvm::is_contained(known, member.getName().getValue()))
      return error() << "has the unknown member '" << member.getName().getValue() << "'";
    if (member.getName() == "part" && (name != "to" || !isa<UnitAttr>(member.getValue())))
      return error() << "has the member 'part', which only 'to' may have, without a value";
  }
  if (!grid())
    return error() << "needs 'grid', the name of a shard.grid";
  if (!global())
    return error() << "needs 'global', the type of the whole tensor";
  if (!factors() || static_cast<int64_t>(factors().size()) != global().getRank())
    return error() << "needs 'factors', a list for each dimension of " << global();
  return success();
}

/* A factor is [size, [axes]]. */
struct Factor {
  int64_t size = 0;
  ArrayAttr axes;
};

std::optional<Factor> read_factor(Attribute attribute) {
  auto pair = dyn_cast<ArrayAttr>(attribute);
  if (!pair || pair.size() != 2)
    return std::nullopt;
  auto size = dyn_cast<IntegerAttr>(pair[0]);
  auto axes = dyn_cast<ArrayAttr>(pair[1]);
  if (!size || !axes || !llvm::all_of(axes, llvm::IsaPred<IntegerAttr>))
    return std::nullopt;
  return Factor{size.getInt(), axes};
}

LogicalResult Layout::verify_dimension(int64_t d, llvm::SmallVectorImpl<int64_t> &axes) const {
  auto list = dyn_cast<ArrayAttr>(factors()[d]);
  if (!list || list.empty())
    return error() << "needs a list of factors for dimension " << d;
  int64_t product = 1;
  for (Attribute attribute : list) {
    std::optional<Factor> factor = read_factor(attribute);
    if (!factor)
      return error() << "has a factor that is not [size, [axes]]: " << attribute;
    product *= factor->size;
    for (Attribute axis : factor->axes)
      axes.push_back(cast<IntegerAttr>(axis).getInt());
  }
  if (!global().isDynamicDim(d) && product != global().getDimSize(d))
    return error() << "has factors that multiply to " << product << " on dimension " << d << " of "
                   << global();
  return success();
}

LogicalResult Layout::verify_factors(llvm::SmallVectorImpl<int64_t> &axes) const {
  for (int64_t d = 0; d < global().getRank(); d++)
    if (failed(verify_dimension(d, axes)))
      return failure();
  for (size_t i = 0; i < axes.size(); i++) {
    if (axes[i] < 0)
      return error() << "has the negative grid axis " << axes[i];
    if (llvm::is_contained(ArrayRef(axes).take_front(i), axes[i]))
      return error() << "uses grid axis " << axes[i] << " twice";
  }
  return success();
}

LogicalResult Layout::verify_halo() const {
  Attribute attribute = dictionary.get("halo");
  if (!attribute)
    return success();
  auto halo = dyn_cast<DenseI64ArrayAttr>(attribute);
  if (!halo || halo.size() != 2 * global().getRank())
    return error() << "needs two sizes for each dimension in 'halo'";
  if (llvm::any_of(halo.asArrayRef(),
                   [](int64_t size) { return size < 0 && !ShapedType::isDynamic(size); }))
    return error() << "has a negative halo size";
  return success();
}

ArrayRef<int64_t> Layout::halo_of(int64_t d) const {
  auto halo = dictionary.getAs<DenseI64ArrayAttr>("halo");
  return halo ? halo.asArrayRef().slice(2 * d, 2) : ArrayRef<int64_t>();
}

LogicalResult Layout::verify_offsets() const {
  Attribute attribute = dictionary.get("offsets");
  if (!attribute)
    return success();
  auto lists = dyn_cast<ArrayAttr>(attribute);
  if (!lists || static_cast<int64_t>(lists.size()) != global().getRank() ||
      !llvm::all_of(lists, llvm::IsaPred<DenseI64ArrayAttr>))
    return error() << "needs an array<i64> for each dimension in 'offsets'";
  return success();
}

ArrayRef<int64_t> Layout::offsets_of(int64_t d) const {
  auto lists = dictionary.getAs<ArrayAttr>("offsets");
  return lists ? cast<DenseI64ArrayAttr>(lists[d]).asArrayRef() : ArrayRef<int64_t>();
}

/* Shards of one factor, or kDynamic. */
int64_t shards_of(const Factor &factor, shard::GridOp grid) {
  int64_t shards = 1;
  for (Attribute axis : factor.axes) {
    int64_t extent = grid.getShape()[cast<IntegerAttr>(axis).getInt()];
    if (ShapedType::isDynamic(extent))
      return ShapedType::kDynamic;
    shards *= extent;
  }
  return shards;
}

/* Offsets of pieces that lie from the end of the dimension to its start, each inside of it with its
 * halo. */
bool fall_inside(ArrayRef<int64_t> offsets, ArrayRef<int64_t> halo, int64_t size) {
  bool fall = offsets.size() > 2 && !ShapedType::isDynamic(size) && halo.size() == 2 &&
              llvm::none_of(offsets, ShapedType::isDynamic) &&
              llvm::none_of(halo, ShapedType::isDynamic);
  for (size_t i = 0; fall && i + 1 < offsets.size(); i++) {
    int64_t start = offsets[i] - halo[0], end = offsets[i + 1] + halo[1];
    fall = offsets[i + 1] < offsets[i] && start >= 0 && start <= end && end <= size;
  }
  return fall;
}

LogicalResult Layout::verify_offset_list(int64_t d, int64_t shards) const {
  ArrayRef<int64_t> offsets = offsets_of(d);
  if (offsets.empty() || ShapedType::isDynamic(shards))
    return success();
  /* What only the launch knows, the launch checks. */
  auto is = [](int64_t offset, int64_t expected) {
    return ShapedType::isDynamic(offset) || ShapedType::isDynamic(expected) || offset == expected;
  };
  llvm::SmallVector<int64_t> known;
  llvm::copy_if(offsets, std::back_inserter(known),
                [](int64_t offset) { return !ShapedType::isDynamic(offset); });
  /* What an exchange brings may be a part of the tensor. */
  bool is_part = name == "to";
  bool fits = static_cast<int64_t>(offsets.size()) == shards + 1 && llvm::is_sorted(known);
  bool all = is_part ? known.empty() || (known.front() >= 0 && global().isDynamicDim(d)) ||
                           (known.front() >= 0 && known.back() <= global().getDimSize(d))
                     : fits && is(offsets.front(), 0) && is(offsets.back(), global().getDimSize(d));
  bool falls = is_part && static_cast<int64_t>(offsets.size()) == shards + 1 &&
               fall_inside(offsets, halo_of(d), global().getDimSize(d));
  if ((!fits || !all) && !falls)
    return error() << "needs offsets that rise "
                   << (is_part ? "within the dimension" : "from 0 to the end") << " in " << shards
                   << " shards on dimension " << d;
  return success();
}

/* A static local extent is one that all devices have. */
LogicalResult Layout::verify_local(int64_t d, shard::GridOp grid, RankedTensorType local) const {
  int64_t extent = 1;
  auto list = cast<ArrayAttr>(factors()[d]);
  for (Attribute attribute : list) {
    Factor factor = *read_factor(attribute);
    int64_t shards = shards_of(factor, grid);
    if (list.size() == 1 && failed(verify_offset_list(d, shards)))
      return failure();
    if (shards <= 0 || global().isDynamicDim(d) || factor.size % shards)
      return success();
    extent *= factor.size / shards;
  }
  if (!offsets_of(d).empty() || local.isDynamicDim(d))
    return success();
  for (int64_t halo : halo_of(d)) {
    if (ShapedType::isDynamic(halo))
      return error() << "gives a device " << local.getDimSize(d) << " along dimension " << d
                     << ", but its halo is known only at run time; make the extent '?'";
    extent += halo;
  }
  if (extent != local.getDimSize(d))
    return error() << "gives each device " << extent << " along dimension " << d << ", not "
                   << local.getDimSize(d);
  return success();
}

LogicalResult Layout::verify_grid(shard::GridOp grid, RankedTensorType local) const {
  llvm::SmallVector<int64_t> axes;
  (void)verify_factors(axes);
  for (int64_t axis : axes)
    if (axis >= grid.getRank())
      return error() << "uses grid axis " << axis << ", but @" << grid.getSymName() << " has "
                     << grid.getRank();
  for (int64_t d = 0; d < global().getRank(); d++)
    if (failed(verify_local(d, grid, local)))
      return failure();
  return success();
}

} // namespace

LogicalResult tessera::verify_layout(Operation *op, StringRef name, DictionaryAttr dictionary,
                                     RankedTensorType local, RankedTensorType &global,
                                     FlatSymbolRefAttr &grid) {
  Layout layout(op, name, dictionary);
  if (failed(layout.verify_keys()))
    return failure();
  global = layout.global();
  grid = layout.grid();
  if (global.getRank() != local.getRank() || global.getElementType() != local.getElementType())
    return layout.error() << "is for " << global << ", whose pieces cannot be " << local;
  llvm::SmallVector<int64_t> axes;
  if (failed(layout.verify_factors(axes)) || failed(layout.verify_halo()))
    return failure();
  return layout.verify_offsets();
}

int64_t tessera::num_run_time_numbers(DictionaryAttr layout) {
  int64_t num = 0;
  auto count = [&](Attribute list) {
    if (auto numbers = dyn_cast_or_null<DenseI64ArrayAttr>(list))
      num += llvm::count_if(numbers.asArrayRef(), ShapedType::isDynamic);
  };
  count(layout.get("halo"));
  if (auto lists = layout.getAs<ArrayAttr>("offsets"))
    llvm::for_each(lists, count);
  return num;
}

LogicalResult tessera::verify_layout_grid(Operation *op, SymbolTableCollection &symbols,
                                          StringRef name, DictionaryAttr dictionary,
                                          RankedTensorType local) {
  Layout layout(op, name, dictionary);
  auto grid = symbols.lookupNearestSymbolFrom<shard::GridOp>(op, layout.grid());
  if (!grid)
    return layout.error() << "refers to " << layout.grid() << ", which is no shard.grid";
  return layout.verify_grid(grid, local);
}
