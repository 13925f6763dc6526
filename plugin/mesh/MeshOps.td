// Part of Tessera. Licensed under the Apache License v2.0 with LLVM Exceptions.
// The `mesh` dialect, as upstream had it before it became `shard`: programs that were written for
// it still parse and verify, and tessera-import-mesh turns them into `shard`.

#ifndef TESSERA_MESH_OPS_TD
#define TESSERA_MESH_OPS_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinAttributes.td"
include "mlir/IR/CommonAttrConstraints.td"
include "mlir/IR/CommonTypeConstraints.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/OpBase.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/DestinationStyleOpInterface.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Mesh_Dialect : Dialect {
  let name = "mesh";
  let cppNamespace = "::tessera::mesh";
  let summary = "Shardings and collectives on a mesh of devices";
  let useDefaultAttributePrinterParser = 1;
  let useDefaultTypePrinterParser = 1;
}

//===-- Attributes and types ----------------------------------------------------------------------

// The numbers are those of `shard`.
def Mesh_ReductionKind : I32EnumAttr<"ReductionKind", "How values of several devices become one", [
  I32EnumAttrCase<"Sum", 1, "sum">,
  I32EnumAttrCase<"Max", 2, "max">,
  I32EnumAttrCase<"Min", 3, "min">,
  I32EnumAttrCase<"Product", 4, "product">,
  I32EnumAttrCase<"Average", 5, "average">,
  I32EnumAttrCase<"BitwiseAnd", 6, "bitwise_and">,
  I32EnumAttrCase<"BitwiseOr", 7, "bitwise_or">,
  I32EnumAttrCase<"BitwiseXor", 8, "bitwise_xor">,
  I32EnumAttrCase<"Generic", 100, "generic">
]> {
  let genSpecializedAttr = 0;
  let cppNamespace = "::tessera::mesh";
}

// Written `<max>`, and read without the angle brackets too.
def Mesh_ReductionKindAttr : EnumAttr<Mesh_Dialect, Mesh_ReductionKind, "partial"> {
  let assemblyFormat = ?;
  let hasCustomAssemblyFormat = 1;
}

def Mesh_MeshAxesAttr : DenseArrayAttrBase<"DenseI16ArrayAttr", "int16_t", "i16">;

// A list of mesh axes for each dimension of a tensor; read with angle brackets around it too.
def Mesh_MeshAxesArrayAttr : AttrDef<Mesh_Dialect, "MeshAxesArray"> {
  let mnemonic = "axisarray";
  let parameters = (ins ArrayRefParameter<"::mlir::DenseI16ArrayAttr">:$axes);
  let hasCustomAssemblyFormat = 1;
}

def Mesh_Sharding : TypeDef<Mesh_Dialect, "Sharding"> {
  let mnemonic = "sharding";
  let summary = "sharding definition";
}

//===-- What ops share ----------------------------------------------------------------------------

class Mesh_Op<string mnemonic, list<Trait> traits = []> : Op<Mesh_Dialect, mnemonic, traits>;

// An op that names a mesh. One function verifies them all by what attributes they have.
class Mesh_UserOp<string mnemonic, list<Trait> traits = []> :
    Mesh_Op<mnemonic, !listconcat(traits, [
      DeclareOpInterfaceMethods<SymbolUserOpInterface>
    ])> {
  code useDefinition = [{
    ::llvm::LogicalResult $cppClass::verifySymbolUses(::mlir::SymbolTableCollection &symbols) {
      return ::tessera::mesh::verify_mesh_user(getOperation(), symbols);
    }
  }];
  let extraClassDefinition = useDefinition;
}

// Likewise with results that are named after the op.
class Mesh_NamedUserOp<string mnemonic, list<Trait> traits = []> :
    Mesh_UserOp<mnemonic, !listconcat(traits, [
      DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>
    ])> {
  let extraClassDefinition = useDefinition # [{
    void $cppClass::getAsmResultNames(::mlir::OpAsmSetValueNameFn name) {
      ::tessera::mesh::name_results(getOperation(), name);
    }
  }];
}

// A collective within the groups that `mesh_axes` form.
class Mesh_CollectiveOp<string mnemonic, list<Trait> traits = []> :
    Mesh_NamedUserOp<mnemonic, traits> {
  dag group = (ins
    FlatSymbolRefAttr:$mesh,
    DefaultValuedAttr<Mesh_MeshAxesAttr, "{}">:$mesh_axes
  );
}

//===-- Meshes ------------------------------------------------------------------------------------

def Mesh_MeshOp : Mesh_Op<"mesh", [Symbol, Pure]> {
  let summary = "Description of a device mesh";
  let arguments = (ins SymbolNameAttr:$sym_name, DenseI64ArrayAttr:$shape);
  let assemblyFormat = "$sym_name `(` `shape` `=` custom<DimensionList>($shape) `)` attr-dict";
  let hasVerifier = 1;
}

def Mesh_MeshShapeOp : Mesh_NamedUserOp<"mesh_shape", [Pure]> {
  let summary = "The shape of the mesh, or its extents along some axes";
  let arguments = (ins
    FlatSymbolRefAttr:$mesh,
    DefaultValuedAttr<Mesh_MeshAxesAttr, "{}">:$axes
  );
  let results = (outs Variadic<Index>:$result);
  let assemblyFormat = "$mesh (`axes` `=` $axes^)? attr-dict `:` type($result)";
}

def Mesh_ProcessMultiIndexOp : Mesh_NamedUserOp<"process_multi_index", [Pure]> {
  let summary = "The coordinates of the current device, or those along some axes";
  let arguments = (ins
    FlatSymbolRefAttr:$mesh,
    DefaultValuedAttr<Mesh_MeshAxesAttr, "{}">:$axes
  );
  let results = (outs Variadic<Index>:$result);
  let assemblyFormat = "`on` $mesh (`axes` `=` $axes^)? attr-dict `:` type($result)";
}

def Mesh_ProcessLinearIndexOp : Mesh_NamedUserOp<"process_linear_index", [Pure]> {
  let summary = "The linear index of the current device";
  let arguments = (ins FlatSymbolRefAttr:$mesh);
  let results = (outs Index:$result);
  let assemblyFormat = "`on` $mesh attr-dict `:` type($result)";
}

def Mesh_NeighborsLinearIndicesOp : Mesh_NamedUserOp<"neighbors_linear_indices", [Pure]> {
  let summary = "The linear indices of a device's neighbours along an axis, negative for none";
  let arguments = (ins
    FlatSymbolRefAttr:$mesh,
    Variadic<Index>:$device,
    Mesh_MeshAxesAttr:$split_axes
  );
  let results = (outs Index:$neighbor_down, Index:$neighbor_up);
  let assemblyFormat = [{
    `on` $mesh `[` $device `]` `split_axes` `=` $split_axes attr-dict `:` type(results)
  }];
}

//===-- Shardings ---------------------------------------------------------------------------------

def Mesh_ShardingOp : Mesh_NamedUserOp<"sharding", [Pure, AttrSizedOperandSegments]> {
  let summary = "Define a sharding of a tensor";
  let arguments = (ins
    FlatSymbolRefAttr:$mesh,
    Mesh_MeshAxesArrayAttr:$split_axes,
    DefaultValuedAttr<Mesh_MeshAxesAttr, "{}">:$partial_axes,
    OptionalAttr<Mesh_ReductionKindAttr>:$partial_type,
    DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$static_sharded_dims_offsets,
    Variadic<I64>:$dynamic_sharded_dims_offsets,
    DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$static_halo_sizes,
    Variadic<I64>:$dynamic_halo_sizes
  );
  let results = (outs Mesh_Sharding:$result);
  // The type may be left out, as examples do.
  let assemblyFormat = [{
    $mesh `split_axes` `=` $split_axes
    (`partial` `=` custom<Partial>($partial_type, $partial_axes)^)?
    (`halo_sizes` `=` custom<DynamicIndexList>($dynamic_halo_sizes, $static_halo_sizes)^)?
    (`sharded_dims_offsets` `=`
      custom<DynamicIndexList>($dynamic_sharded_dims_offsets, $static_sharded_dims_offsets)^)?
    attr-dict custom<ShardingType>(type($result))
  }];
  let hasVerifier = 1;
}

def Mesh_ShardOp : Mesh_Op<"shard", [
    Pure,
    AllTypesMatch<["result", "src"]>,
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>
  ]> {
  let summary = "Annotate how a tensor is sharded";
  let arguments = (ins
    AnyRankedTensor:$src,
    Mesh_Sharding:$sharding,
    UnitAttr:$annotate_for_users
  );
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = [{
    $src `to` $sharding (`annotate_for_users` $annotate_for_users^)? attr-dict `:` type($result)
  }];
  let extraClassDefinition = [{
    void $cppClass::getAsmResultNames(::mlir::OpAsmSetValueNameFn name) {
      name(getResult(), "sharding_annotated");
    }
  }];
}

def Mesh_ShardShapeOp : Mesh_Op<"shard_shape", [Pure]> {
  let summary = "The shape of a device's shard, given its linear index";
  let arguments = (ins
    DenseI64ArrayAttr:$shape,
    Mesh_Sharding:$sharding,
    Index:$device
  );
  let results = (outs Variadic<Index>:$result);
  let assemblyFormat = [{
    custom<DimensionList>($shape) $sharding $device attr-dict `:` type($result)
  }];
  let hasVerifier = 1;
}

//===-- Collectives -------------------------------------------------------------------------------

def Mesh_AllGatherOp : Mesh_CollectiveOp<"all_gather", [
    Pure, SameOperandsAndResultElementType, SameOperandsAndResultRank]> {
  let summary = "Concatenate the pieces of a group on each of its devices";
  let arguments = !con((ins AnyNon0RankedTensor:$input), group, (ins IndexAttr:$gather_axis));
  let results = (outs AnyNon0RankedTensor:$result);
  let assemblyFormat = [{
    $input `on` $mesh (`mesh_axes` `=` $mesh_axes^)? `gather_axis` `=` $gather_axis
    attr-dict `:` type($input) `->` type($result)
  }];
}

def Mesh_AllReduceOp : Mesh_CollectiveOp<"all_reduce", [Pure, SameOperandsAndResultShape]> {
  let summary = "Reduce over a group, result on each of its devices";
  let arguments = !con((ins AnyRankedTensor:$input), group, (ins
    DefaultValuedAttr<Mesh_ReductionKindAttr, "::tessera::mesh::ReductionKind::Sum">:$reduction));
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = [{
    $input `on` $mesh (`mesh_axes` `=` $mesh_axes^)? (`reduction` `=` $reduction^)?
    attr-dict `:` type($input) `->` type($result)
  }];
}

def Mesh_AllSliceOp : Mesh_CollectiveOp<"all_slice", [
    Pure, SameOperandsAndResultElementType, SameOperandsAndResultRank]> {
  let summary = "Cut this device's piece out of its tensor";
  let arguments = !con((ins AnyNon0RankedTensor:$input), group, (ins IndexAttr:$slice_axis));
  let results = (outs AnyNon0RankedTensor:$result);
  let assemblyFormat = [{
    $input `on` $mesh (`mesh_axes` `=` $mesh_axes^)? `slice_axis` `=` $slice_axis
    attr-dict `:` type($input) `->` type($result)
  }];
}

def Mesh_AllToAllOp : Mesh_CollectiveOp<"all_to_all", [
    Pure, SameOperandsAndResultElementType, SameOperandsAndResultRank]> {
  let summary = "Split along one dimension, exchange, and concatenate along another";
  let arguments = !con((ins AnyNon0RankedTensor:$input), group, (ins
    IndexAttr:$split_axis,
    IndexAttr:$concat_axis));
  let results = (outs AnyNon0RankedTensor:$result);
  let assemblyFormat = [{
    $input `on` $mesh (`mesh_axes` `=` $mesh_axes^)? `split_axis` `=` $split_axis
    `concat_axis` `=` $concat_axis attr-dict `:` type($input) `->` type($result)
  }];
}

def Mesh_BroadcastOp : Mesh_CollectiveOp<"broadcast", [
    Pure, AllShapesMatch<["input", "result"]>, AllElementTypesMatch<["input", "result"]>]> {
  let summary = "Copy the root's tensor to its whole group";
  let arguments = !con((ins AnyRankedTensor:$input), group, (ins
    DenseI64ArrayAttr:$root,
    Variadic<Index>:$root_dynamic));
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = [{
    $input `on` $mesh (`mesh_axes` `=` $mesh_axes^)?
    `root` `=` custom<DynamicIndexList>($root_dynamic, $root)
    attr-dict `:` functional-type(operands, results)
  }];
}

def Mesh_GatherOp : Mesh_CollectiveOp<"gather", [
    Pure, AllRanksMatch<["input", "result"]>, AllElementTypesMatch<["input", "result"]>]> {
  let summary = "Concatenate the pieces of a group on its root";
  let arguments = !con((ins AnyNon0RankedTensor:$input), group, (ins
    IndexAttr:$gather_axis,
    DenseI64ArrayAttr:$root,
    Variadic<Index>:$root_dynamic));
  let results = (outs AnyNon0RankedTensor:$result);
  let assemblyFormat = [{
    $input `on` $mesh (`mesh_axes` `=` $mesh_axes^)? `gather_axis` `=` $gather_axis
    `root` `=` custom<DynamicIndexList>($root_dynamic, $root)
    attr-dict `:` functional-type(operands, results)
  }];
}

def Mesh_RecvOp : Mesh_CollectiveOp<"recv", [
    AllShapesMatch<["input", "result"]>, AllElementTypesMatch<["input", "result"]>]> {
  let summary = "Receive a tensor from a device of the group";
  let arguments = !con((ins AnyNon0RankedTensor:$input), group, (ins
    OptionalAttr<DenseI64ArrayAttr>:$source,
    Variadic<Index>:$source_dynamic));
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = [{
    $input `on` $mesh (`mesh_axes` `=` $mesh_axes^)?
    (`source` `=` custom<DynamicIndexList>($source_dynamic, $source)^)?
    attr-dict `:` functional-type(operands, results)
  }];
}

def Mesh_ReduceOp : Mesh_CollectiveOp<"reduce", [Pure, AllShapesMatch<["input", "result"]>]> {
  let summary = "Reduce over a group, result on its root";
  let arguments = !con((ins AnyRankedTensor:$input), group, (ins
    DefaultValuedAttr<Mesh_ReductionKindAttr, "::tessera::mesh::ReductionKind::Sum">:$reduction,
    DenseI64ArrayAttr:$root,
    Variadic<Index>:$root_dynamic));
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = [{
    $input `on` $mesh (`mesh_axes` `=` $mesh_axes^)? (`reduction` `=` $reduction^)?
    `root` `=` custom<DynamicIndexList>($root_dynamic, $root)
    attr-dict `:` functional-type(operands, results)
  }];
}

def Mesh_ReduceScatterOp : Mesh_CollectiveOp<"reduce_scatter", [Pure, SameOperandsAndResultRank]> {
  let summary = "Reduce over a group and leave each device its piece";
  let arguments = !con((ins AnyNon0RankedTensor:$input), group, (ins
    DefaultValuedAttr<Mesh_ReductionKindAttr, "::tessera::mesh::ReductionKind::Sum">:$reduction,
    IndexAttr:$scatter_axis));
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = [{
    $input `on` $mesh (`mesh_axes` `=` $mesh_axes^)? (`reduction` `=` $reduction^)?
    `scatter_axis` `=` $scatter_axis attr-dict `:` type($input) `->` type($result)
  }];
}

def Mesh_ScatterOp : Mesh_CollectiveOp<"scatter", [
    Pure, AllRanksMatch<["input", "result"]>, AllElementTypesMatch<["input", "result"]>]> {
  let summary = "Split the root's tensor over its group";
  let arguments = !con((ins AnyNon0RankedTensor:$input), group, (ins
    IndexAttr:$scatter_axis,
    DenseI64ArrayAttr:$root,
    Variadic<Index>:$root_dynamic));
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = [{
    $input `on` $mesh (`mesh_axes` `=` $mesh_axes^)? `scatter_axis` `=` $scatter_axis
    `root` `=` custom<DynamicIndexList>($root_dynamic, $root)
    attr-dict `:` functional-type(operands, results)
  }];
}

def Mesh_SendOp : Mesh_CollectiveOp<"send", [
    AllShapesMatch<["input", "result"]>, AllElementTypesMatch<["input", "result"]>]> {
  let summary = "Send a tensor to a device of the group";
  let arguments = !con((ins AnyNon0RankedTensor:$input), group, (ins
    DenseI64ArrayAttr:$destination,
    Variadic<Index>:$destination_dynamic));
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = [{
    $input `on` $mesh (`mesh_axes` `=` $mesh_axes^)?
    `destination` `=` custom<DynamicIndexList>($destination_dynamic, $destination)
    attr-dict `:` functional-type(operands, results)
  }];
}

def Mesh_ShiftOp : Mesh_CollectiveOp<"shift", [
    Pure, SameOperandsAndResultElementType, SameOperandsAndResultShape]> {
  let summary = "Move tensors along an axis of the mesh";
  let arguments = !con((ins AnyNon0RankedTensor:$input), group, (ins
    IndexAttr:$shift_axis,
    I64Attr:$offset,
    UnitAttr:$rotate));
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = [{
    $input `on` $mesh (`mesh_axes` `=` $mesh_axes^)? `shift_axis` `=` $shift_axis
    `offset` `=` $offset (`rotate` $rotate^)? attr-dict `:` type($input) `->` type($result)
  }];
}

def Mesh_UpdateHaloOp : Mesh_UserOp<"update_halo", [
    Pure,
    DestinationStyleOpInterface,
    TypesMatchWith<"result has same type as destination", "result", "destination", "$_self">]> {
  let summary = "Fill the halo regions of shards from the neighbours";
  let arguments = (ins
    AnyTypeOf<[AnyNon0RankedMemRef, AnyNon0RankedTensor]>:$destination,
    FlatSymbolRefAttr:$mesh,
    Mesh_MeshAxesArrayAttr:$split_axes,
    Variadic<I64>:$halo_sizes,
    DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$static_halo_sizes
  );
  let results = (outs AnyTypeOf<[AnyNon0RankedMemRef, AnyNon0RankedTensor]>:$result);
  let assemblyFormat = [{
    $destination `on` $mesh `split_axes` `=` $split_axes
    (`halo_sizes` `=` custom<DynamicIndexList>($halo_sizes, $static_halo_sizes)^)?
    attr-dict `:` type($result)
  }];
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() { return getDestinationMutable(); }
  }];
}

#endif // TESSERA_MESH_OPS_TD
