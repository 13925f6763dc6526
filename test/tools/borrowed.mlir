// The program of borrowed.c: an argument of each kind of layout on two devices.
// RUN: %tesserac %s --emit=partitioned -o - | FileCheck %s
// CHECK: func.func @main
shard.grid @g(shape = 2)
func.func @main(%whole: tensor<32x16xf32>, %rows: tensor<32x16xf32>, %odd: tensor<32x15xf32>,
                %columns: tensor<32x16xf32>, %halo: tensor<4x16xf32>,
                %donated: tensor<32x16xf32> {tessera.donated}, %number: f32)
    -> (tensor<32x16xf32>, tensor<32x16xf32>, tensor<32x15xf32>, tensor<32x16xf32>, tensor<4x16xf32>,
        tensor<32x16xf32>, f32) {
  %all = shard.sharding @g split_axes = [[]] : !shard.sharding
  %by_rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %by_columns = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %wide = shard.sharding @g split_axes = [[0]] halo_sizes = [1, 1] : !shard.sharding
  %0 = shard.shard %whole to %all : tensor<32x16xf32>
  %1 = shard.shard %rows to %by_rows : tensor<32x16xf32>
  %2 = shard.shard %odd to %by_rows : tensor<32x15xf32>
  %3 = shard.shard %columns to %by_columns : tensor<32x16xf32>
  %4 = shard.shard %halo to %wide : tensor<4x16xf32>
  %5 = shard.shard %donated to %all : tensor<32x16xf32>
  return %0, %1, %2, %3, %4, %5, %number
      : tensor<32x16xf32>, tensor<32x16xf32>, tensor<32x15xf32>, tensor<32x16xf32>, tensor<4x16xf32>,
        tensor<32x16xf32>, f32
}
