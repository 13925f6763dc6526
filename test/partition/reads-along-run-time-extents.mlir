// A batch whose size only the run knows stays split where a body reads a tensor at its index: as it is, counted by a
// tensor of indices and wrapped as negative ones are, or behind reshapes that keep its extent. The body may ask how
// long the tensor is. Nothing moves but the sum of the sizes.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate{remarks=false},tessera-partition,canonicalize,cse)' | FileCheck %s

#row = affine_map<(d0, d1) -> (d0)>
#column = affine_map<(d0, d1) -> (d1)>
#both = affine_map<(d0, d1) -> (d0, d1)>
#one = affine_map<(d0) -> (d0)>
shard.grid @g(shape = 4)
// CHECK-LABEL: func.func @by_index(
// CHECK-NOT: shard.all_
// CHECK-NOT: tessera.all_
// CHECK: return
func.func @by_index(%x_in: tensor<?x40xf32>, %at: tensor<5xi64>) -> tensor<?x5xf32> {
  %rows = shard.sharding @g split_axes = [[0], []] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<?x40xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c0 : tensor<?x40xf32>
  %empty = tensor.empty(%n) : tensor<?x5xf32>
  %y = linalg.generic {indexing_maps = [#column, #both], iterator_types = ["parallel", "parallel"]}
      ins(%at : tensor<5xi64>) outs(%empty : tensor<?x5xf32>) {
  ^bb0(%place: i64, %out: f32):
    %i = linalg.index 0 : index
    %j = arith.index_cast %place : i64 to index
    %width = tensor.dim %x, %c1 : tensor<?x40xf32>
    %inside = arith.cmpi slt, %j, %width : index
    cf.assert %inside, "no such column"
    %element = tensor.extract %x[%i, %j] : tensor<?x40xf32>
    linalg.yield %element : f32
  } -> tensor<?x5xf32>
  return %y : tensor<?x5xf32>
}

// The last of each row's elements that count, of x as it comes out of a reshape.
// CHECK-LABEL: func.func @counted(
// CHECK-NOT: shard.all_gather
// CHECK-NOT: shard.reduce_scatter
// CHECK-NOT: tessera.all_
// CHECK: return
func.func @counted(%x_in: tensor<?x1x40xf32>, %last_in: tensor<?xi64>) -> tensor<?xf32> {
  %rows3 = shard.sharding @g split_axes = [[0], [], []] : !shard.sharding
  %x3 = shard.shard %x_in to %rows3 : tensor<?x1x40xf32>
  %zero = arith.constant 0 : i64
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x3, %c0 : tensor<?x1x40xf32>
  %n_number = arith.index_cast %n : index to i64
  %x = tensor.collapse_shape %x3 [[0, 1], [2]] : tensor<?x1x40xf32> into tensor<?x40xf32>
  %no_places = tensor.empty(%n) : tensor<?xi64>
  %places = linalg.generic {indexing_maps = [#one], iterator_types = ["parallel"]} outs(%no_places : tensor<?xi64>) {
  ^bb0(%out: i64):
    %i = linalg.index 0 : index
    %number = arith.index_cast %i : index to i64
    linalg.yield %number : i64
  } -> tensor<?xi64>
  %lasts = tensor.extract_slice %last_in[0] [%n] [1] : tensor<?xi64> to tensor<?xi64>
  %empty = tensor.empty(%n) : tensor<?xf32>
  %y = linalg.generic {indexing_maps = [#one, #one, #one], iterator_types = ["parallel"]}
      ins(%places, %lasts : tensor<?xi64>, tensor<?xi64>) outs(%empty : tensor<?xf32>) {
  ^bb0(%place: i64, %last: i64, %out: f32):
    %is_negative = arith.cmpi slt, %place, %zero : i64
    %wrapped = arith.addi %place, %n_number : i64
    %chosen = arith.select %is_negative, %wrapped, %place : i64
    %i = arith.index_cast %chosen : i64 to index
    %j = arith.index_cast %last : i64 to index
    %element = tensor.extract %x[%i, %j] : tensor<?x40xf32>
    linalg.yield %element : f32
  } -> tensor<?xf32>
  return %y : tensor<?xf32>
}
