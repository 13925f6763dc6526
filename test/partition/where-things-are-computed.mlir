// Fewer bytes by where things are computed: a dimension that is read backwards costs one exchange, the parts
// of a fused product are computed from the weights that they need, and what a loop adds up is cut once
// behind it, as the annotation there says.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate{remarks=false},tessera-partition,canonicalize,cse)' | FileCheck %s

shard.grid @g(shape = 4)
// CHECK-LABEL: func.func @turn
// CHECK: tessera.exchange %{{.*}} to {{.*}} halo = array<i64: 8, 0, 0, 0>, offsets = [array<i64: 20, 16, 12, 8, 4>, array<i64>]
// CHECK-NOT: shard.all
// CHECK: tensor.extract
// CHECK: return
func.func @turn(%x_in: tensor<16x8xf32>) -> tensor<16x8xf32> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<16x8xf32>
  %e = tensor.empty() : tensor<16x8xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (-d0 + 15, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<16x8xf32>) outs(%e : tensor<16x8xf32>) {
  ^bb0(%p: f32, %o: f32):
    %0 = math.exp %p : f32
    linalg.yield %0 : f32
  } -> tensor<16x8xf32>
  return %y : tensor<16x8xf32>
}

// CHECK-LABEL: func.func @fused
// CHECK: tessera.exchange %arg1 {{.*}} offsets = [array<i64>, array<i64: 0, 3, 6, 9, 12>]} : tensor<8x8xf32> -> tensor<8x3xf32>
// CHECK: tessera.exchange %arg1 {{.*}} offsets = [array<i64>, array<i64: 12, 15, 18, 21, 24>]} : tensor<8x8xf32> -> tensor<8x3xf32>
// CHECK-COUNT-2: linalg.matmul {{.*}} -> tensor<64x3xf32>
// CHECK-NOT: tessera.exchange
// CHECK: return
func.func @fused(%x: tensor<64x8xf32>, %w_in: tensor<8x32xf32>) -> tensor<64x12xf32> {
  %s = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %w = shard.shard %w_in to %s : tensor<8x32xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x32xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<64x32xf32>) -> tensor<64x32xf32>
  %y = linalg.matmul ins(%x, %w : tensor<64x8xf32>, tensor<8x32xf32>) outs(%z : tensor<64x32xf32>) -> tensor<64x32xf32>
  %a = tensor.extract_slice %y[0, 0] [64, 12] [1, 1] : tensor<64x32xf32> to tensor<64x12xf32>
  %b = tensor.extract_slice %y[0, 12] [64, 12] [1, 1] : tensor<64x32xf32> to tensor<64x12xf32>
  %c = arith.mulf %a, %b : tensor<64x12xf32>
  return %c : tensor<64x12xf32>
}

// CHECK-LABEL: func.func @sum
// CHECK: scf.for
// CHECK-NOT: shard.
// CHECK: scf.yield %{{.*}} : tensor<8x8xf32>
// CHECK: shard.reduce_scatter {{.*}} : tensor<8x8xf32> -> tensor<2x8xf32>
func.func @sum(%x_in: tensor<4x16x8xf32>) -> tensor<8x8xf32> {
  %s = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<4x16x8xf32>
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %e = tensor.empty() : tensor<8x8xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%acc = %z) -> (tensor<8x8xf32>) {
    %a = tensor.extract_slice %x[%i, 0, 0] [1, 16, 8] [1, 1, 1] : tensor<4x16x8xf32> to tensor<16x8xf32>
    %g = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (k, i)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>], iterator_types = ["parallel", "parallel", "reduction"]}
        ins(%a, %a : tensor<16x8xf32>, tensor<16x8xf32>) outs(%z : tensor<8x8xf32>) {
    ^bb0(%p: f32, %q: f32, %o: f32):
      %0 = arith.mulf %p, %q : f32
      %1 = arith.addf %o, %0 : f32
      linalg.yield %1 : f32
    } -> tensor<8x8xf32>
    %next = arith.addf %acc, %g : tensor<8x8xf32>
    scf.yield %next : tensor<8x8xf32>
  }
  %y = shard.shard %r to %rows : tensor<8x8xf32>
  return %y : tensor<8x8xf32>
}
