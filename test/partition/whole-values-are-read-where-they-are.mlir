// What every device has whole is cut where it is asked for in ranges, also behind annotations of its
// users and copies of it: nothing moves.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate,tessera-partition,canonicalize,cse)' \
// RUN:   | FileCheck %s --implicit-check-not='{{(shard|tessera)\.(all_[gtr]|reduce_scatter|exchange)}}'
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate,canonicalize,cse,tessera-propagate,tessera-partition,canonicalize,cse)' \
// RUN:   | FileCheck %s --implicit-check-not='{{(shard|tessera)\.(all_[gtr]|reduce_scatter|exchange)}}'
shard.grid @g(shape = 4)

// CHECK-LABEL: func.func @inserted
// CHECK: tensor.insert_slice
func.func @inserted(%x_in: tensor<8x4xf32>, %into_in: tensor<32x4xf32>) -> tensor<32x4xf32> {
  %whole = shard.sharding @g split_axes = [[]] : !shard.sharding
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %whole : tensor<8x4xf32>
  %into = shard.shard %into_in to %rows : tensor<32x4xf32>
  %0 = tensor.insert_slice %x into %into[4, 0] [8, 4] [1, 1] : tensor<8x4xf32> into tensor<32x4xf32>
  return %0 : tensor<32x4xf32>
}

// CHECK-LABEL: func.func @summed_windows
// CHECK: linalg.transpose {{.*}} permutation = [1, 0]
// CHECK: linalg.generic
func.func @summed_windows(%x_in: tensor<4x32xf32>) -> tensor<32x4xf32> {
  %whole = shard.sharding @g split_axes = [[]] : !shard.sharding
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %whole : tensor<4x32xf32>
  %zero = arith.constant 0.0 : f32
  %et = tensor.empty() : tensor<32x4xf32>
  %t = linalg.transpose ins(%x : tensor<4x32xf32>) outs(%et : tensor<32x4xf32>) permutation = [1, 0]
  %p = tensor.pad %t low[1, 0] high[1, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<32x4xf32> to tensor<34x4xf32>
  %three = tensor.empty() : tensor<3xf32>
  %e = tensor.empty() : tensor<32x4xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<32x4xf32>) -> tensor<32x4xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i + k, j)>, affine_map<(i, j, k) -> (k)>, affine_map<(i, j, k) -> (i, j)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%p, %three : tensor<34x4xf32>, tensor<3xf32>) outs(%z : tensor<32x4xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %0 = arith.addf %acc, %a : f32
    linalg.yield %0 : f32
  } -> tensor<32x4xf32>
  %r = shard.shard %s to %rows : tensor<32x4xf32>
  return %r : tensor<32x4xf32>
}
