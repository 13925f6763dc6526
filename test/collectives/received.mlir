// What a collective's row says that the busiest device receives is what the runtime counts. An even
// all_slice is a view and no call, so it counts nothing.
//
// REQUIRES: tesserac, tessera-run
// RUN: %build/bin/dump-collectives --received 4 < %s | FileCheck %s --check-prefixes=CHECK,ROW
// RUN: %tesserac %s -o %t.so
// RUN: %tessera_run %t.so --traffic | FileCheck %s

shard.grid @g(shape = 4)

func.func @main() -> tensor<8x16xf32> {
  %x = arith.constant dense<1.0> : tensor<8x16xf32>
  // CHECK: shard.all_gather {{.*}} 1 x {{ *}}1536 bytes
  %0 = shard.all_gather %x on @g grid_axes = [0] gather_axis = 0 {lacking = 384}
    : tensor<8x16xf32> -> tensor<32x16xf32>
  // CHECK: shard.reduce_scatter {{.*}} 1 x {{ *}}1536 bytes
  %1 = shard.reduce_scatter %0 on @g grid_axes = [0] scatter_axis = 0
    : tensor<32x16xf32> -> tensor<8x16xf32>
  // CHECK: shard.all_reduce {{.*}} 1 x {{ *}}768 bytes
  %2 = shard.all_reduce %1 on @g grid_axes = [0] : tensor<8x16xf32> -> tensor<8x16xf32>
  // CHECK: shard.all_to_all {{.*}} 1 x {{ *}}384 bytes
  %3 = shard.all_to_all %2 on @g grid_axes = [0] split_axis = 1 concat_axis = 0 {lacking = 96}
    : tensor<8x16xf32> -> tensor<32x4xf32>
  // CHECK: shard.broadcast {{.*}} 1 x {{ *}}512 bytes
  %4 = shard.broadcast %3 on @g grid_axes = [0] root = [1] {lacking = 128}
    : (tensor<32x4xf32>) -> tensor<32x4xf32>
  // ROW: shard.all_slice {{.*}} 1 x {{ *}}0 bytes
  %5 = shard.all_slice %4 on @g grid_axes = [0] slice_axis = 0
    : tensor<32x4xf32> -> tensor<8x4xf32>
  // CHECK: shard.gather {{.*}} 1 x {{ *}}384 bytes
  %6 = shard.gather %5 on @g grid_axes = [0] gather_axis = 1 root = [2] {lacking = 96}
    : (tensor<8x4xf32>) -> tensor<8x16xf32>
  // CHECK: shard.scatter {{.*}} 1 x {{ *}}128 bytes
  %7 = shard.scatter %6 on @g grid_axes = [0] scatter_axis = 1 root = [2] {lacking = 32}
    : (tensor<8x16xf32>) -> tensor<8x4xf32>
  // CHECK: shard.reduce {{.*}} 1 x {{ *}}384 bytes
  %8 = shard.reduce %7 on @g grid_axes = [0] root = [0]
    : (tensor<8x4xf32>) -> tensor<8x4xf32>
  // CHECK: shard.shift {{.*}} 1 x {{ *}}128 bytes
  %9 = shard.shift %8 on @g grid_axes = [0] shift_axis = 0 offset = 1 rotate {lacking = 32}
    : tensor<8x4xf32> -> tensor<8x4xf32>
  // CHECK: shard.update_halo {{.*}} 1 x {{ *}}48 bytes
  %10 = shard.update_halo %9 on @g split_axes = [[0]] halo_sizes = [1, 2] {lacking = 12}
    : tensor<8x4xf32>
  // CHECK: tessera.all_gather {{.*}} 1 x {{ *}}384 bytes
  %11 = tessera.all_gather %10 on @g grid_axes = [0] gather_axis = 1 {lacking = 96}
    : tensor<8x4xf32> -> tensor<8x16xf32>
  // CHECK: tessera.exchange {{.*}} 1 x {{ *}}384 bytes
  %12 = tessera.exchange %11
    from {grid = @g, global = tensor<32x16xf32>, factors = [[[32, [0]]], [[16, []]]]}
    to {grid = @g, global = tensor<32x16xf32>, factors = [[[32, []]], [[16, [0]]]]} {lacking = 96}
    : tensor<8x16xf32> -> tensor<32x4xf32>
  // CHECK: tessera.all_to_all {{.*}} 1 x {{ *}}384 bytes
  %13 = tessera.all_to_all %12 on @g grid_axes = [0] split_axis = 0 concat_axis = 1 {lacking = 96}
    : tensor<32x4xf32> -> tensor<8x16xf32>
  return %13 : tensor<8x16xf32>
}
