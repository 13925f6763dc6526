// Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions.
// The `tessera` dialect: collectives that upstream's `shard` dialect cannot say, because their
// pieces are uneven. Knows what an op is, not how it is lowered.

#ifndef TESSERA_OPS_TD
#define TESSERA_OPS_TD

include "mlir/Dialect/Shard/IR/ShardBase.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinAttributes.td"
include "mlir/IR/OpBase.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Tessera_Dialect : Dialect {
  let name = "tessera";
  let cppNamespace = "::tessera";
  let summary = "Collectives on uneven pieces of tensors";
  let description = [{
    Each op is the counterpart of one of the `shard` dialect, for pieces whose sizes differ between
    the devices of a group. Of n rows over p shards the last (n mod p) hold one row more than the
    others. Sizes that differ between devices, or that are known at run time only, are `?` in the
    types; `sizes` gives one index for each `?` of the result type, in order.

    The attribute `tessera.reduction`, where present, names the flavour of a reduction that the
    kinds of `shard` leave open: "umax", "umin", "maxnum", "minnum".
  }];
  let dependentDialects = ["::mlir::shard::ShardDialect"];
  let hasOperationAttrVerify = 1;
  let hasRegionArgAttrVerify = 1;
  let hasRegionResultAttrVerify = 1;
}

class Tessera_Op<string mnemonic, list<Trait> traits = []> :
    Op<Tessera_Dialect, mnemonic, !listconcat(traits, [
      Pure,
      DeclareOpInterfaceMethods<SymbolUserOpInterface>
    ])> {
  let hasVerifier = 1;
}

// A collective over the groups that `grid_axes` form on `grid`. What it does to the dimensions, the
// table of collectives says, and verifiers read it there.
class Tessera_GroupOp<string mnemonic> : Tessera_Op<mnemonic> {
  dag group = (ins
    FlatSymbolRefAttr:$grid,
    DefaultValuedAttr<Shard_GridAxesAttr, "{}">:$grid_axes
  );
  let results = (outs AnyNon0RankedTensor:$result);
  let extraClassDefinition = [{
    ::llvm::LogicalResult $cppClass::verify() {
      return verify_group(*this);
    }
    ::llvm::LogicalResult $cppClass::verifySymbolUses(::mlir::SymbolTableCollection &symbols) {
      return verify_group_on_grid(*this, symbols);
    }
  }];
}

def Tessera_AllGatherOp : Tessera_GroupOp<"all_gather"> {
  let summary = "Concatenate the uneven pieces of a group on each of its devices";
  let description = [{
    ```mlir
    shard.grid @g(shape = 4)
    // 10 rows as 2, 2, 3, 3
    %1 = tessera.all_gather %0 on @g grid_axes = [0] gather_axis = 0
      : tensor<?x64xf32> -> tensor<10x64xf32>
    ```
  }];
  let arguments = !con((ins AnyNon0RankedTensor:$input), group, (ins
    IndexAttr:$gather_axis,
    Variadic<Index>:$sizes
  ));
  let assemblyFormat = [{
    $input `on` $grid (`grid_axes` `=` $grid_axes^)? `gather_axis` `=` $gather_axis
    (`sizes` `(` $sizes^ `)`)? attr-dict `:` type($input) `->` type($result)
  }];
}

def Tessera_AllSliceOp : Tessera_GroupOp<"all_slice"> {
  let summary = "Cut this device's piece out of a tensor that the whole group has";
  let description = [{
    No communication.
    ```mlir
    %1 = tessera.all_slice %0 on @g grid_axes = [0] slice_axis = 0 sizes(%n)
      : tensor<10x64xf32> -> tensor<?x64xf32>
    ```
  }];
  let arguments = !con((ins AnyNon0RankedTensor:$input), group, (ins
    IndexAttr:$slice_axis,
    Variadic<Index>:$sizes
  ));
  let assemblyFormat = [{
    $input `on` $grid (`grid_axes` `=` $grid_axes^)? `slice_axis` `=` $slice_axis
    (`sizes` `(` $sizes^ `)`)? attr-dict `:` type($input) `->` type($result)
  }];
}

def Tessera_AllToAllOp : Tessera_GroupOp<"all_to_all"> {
  let summary = "Split along one dimension, exchange, and concatenate along another";
  let description = [{
    ```mlir
    // 10x6 rows split, as 2, 2, 3, 3 -> columns split, as 1, 1, 2, 2
    %1 = tessera.all_to_all %0 on @g grid_axes = [0] split_axis = 1 concat_axis = 0 sizes(%n)
      : tensor<?x6xf32> -> tensor<10x?xf32>
    ```
  }];
  let arguments = !con((ins AnyNon0RankedTensor:$input), group, (ins
    IndexAttr:$split_axis,
    IndexAttr:$concat_axis,
    Variadic<Index>:$sizes
  ));
  let assemblyFormat = [{
    $input `on` $grid (`grid_axes` `=` $grid_axes^)? `split_axis` `=` $split_axis
    `concat_axis` `=` $concat_axis
    (`sizes` `(` $sizes^ `)`)? attr-dict `:` type($input) `->` type($result)
  }];
}

def Tessera_ReduceScatterOp : Tessera_GroupOp<"reduce_scatter"> {
  let summary = "Reduce over a group and leave each device its uneven piece";
  let description = [{
    The element type of the result may be wider than the input's; inputs are converted first.
    ```mlir
    %1 = tessera.reduce_scatter %0 on @g grid_axes = [0] reduction = max scatter_axis = 0 sizes(%n)
      : tensor<10x64xf32> -> tensor<?x64xf32>
    ```
  }];
  let arguments = !con((ins AnyNon0RankedTensor:$input), group, (ins
    DefaultValuedAttr<Shard_ReductionKindAttr, "::mlir::shard::ReductionKind::Sum">:$reduction,
    IndexAttr:$scatter_axis,
    Variadic<Index>:$sizes
  ));
  let assemblyFormat = [{
    $input `on` $grid (`grid_axes` `=` $grid_axes^)? (`reduction` `=` $reduction^)?
    `scatter_axis` `=` $scatter_axis
    (`sizes` `(` $sizes^ `)`)? attr-dict `:` type($input) `->` type($result)
  }];
}

def Tessera_ExchangeOp : Tessera_Op<"exchange", [AttrSizedOperandSegments]> {
  let summary = "Go from one layout of a tensor to another in one step";
  let description = [{
    Each device receives what it needs and lacks, once. `from` and `to` are layouts of one global
    tensor on one grid, neither partial: `grid`, `global` (the tensor's type), `factors` (for each
    dimension a list of [size, [grid axes]], outermost first; size -1 for a `?` dimension), and
    optionally `halo` (two sizes for each dimension) and `offsets` (for each dimension the first
    index of every shard and the end, or nothing where shards are balanced; those of `to` need not
    reach the ends: what lies outside of them nobody receives). Halo sizes and offsets
    that only the launch knows are -9223372036854775808 there, as in `shard.sharding`; the launch
    refuses such offsets if they do not reach the ends, unless `to` has the unit attribute `part`.

    `sizes` gives one index for each `?` of the result type, `global_sizes` one for each `?` of the
    global type, `numbers` one for each unknown halo size and offset: those of `from`, then those of
    `to`, dimension by dimension, halo before offsets.
    ```mlir
    %1 = tessera.exchange %0
      from {grid = @g, global = tensor<16x64xf32>, factors = [[[16, [0]]], [[64, [1]]]]}
      to {grid = @g, global = tensor<16x64xf32>, factors = [[[16, [1]]], [[64, [0]]]]}
      : tensor<8x32xf32> -> tensor<8x32xf32>
    ```
  }];
  let arguments = (ins
    AnyRankedTensor:$input,
    DictionaryAttr:$from,
    DictionaryAttr:$to,
    Variadic<Index>:$sizes,
    Variadic<Index>:$global_sizes,
    Variadic<Index>:$numbers
  );
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = [{
    $input `from` $from `to` $to (`sizes` `(` $sizes^ `)`)?
    (`global_sizes` `(` $global_sizes^ `)`)? (`numbers` `(` $numbers^ `)`)? attr-dict `:` type($input) `->` type($result)
  }];
}

// No collective, and not without effects: it is what the function is that it names.
def Tessera_ManualOp : Op<Tessera_Dialect, "manual", [
      DeclareOpInterfaceMethods<SymbolUserOpInterface>
    ]> {
  let summary = "Run the program of one device inside of an annotated function";
  let description = [{
    The function `callee` is written for one device: it has collectives of its own, and no
    annotations. `tessera.layout` on each of its arguments and results says which piece of the
    tensor here it takes and gives; without, the whole tensor. Propagation takes these layouts as
    they are, and `tessera-partition` makes a call of it.
    ```mlir
    %y = tessera.manual @body(%x, %n) : (tensor<16x64xf32>, i32) -> tensor<16x64xf32>
    ```
  }];
  let arguments = (ins
    FlatSymbolRefAttr:$callee,
    Variadic<AnyType>:$arguments
  );
  let results = (outs Variadic<AnyType>:$outputs);
  let assemblyFormat = [{
    $callee `(` $arguments `)` attr-dict `:` functional-type($arguments, $outputs)
  }];
}

#endif // TESSERA_OPS_TD
