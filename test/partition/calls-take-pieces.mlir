// A function without annotations computes on the pieces that a call passes: what it sums up over a split
// dimension is completed inside, and what it is called with stays where it is.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate,canonicalize,cse,tessera-partition)' \
// RUN:   | FileCheck %s --implicit-check-not='{{(shard|tessera)\.(all_[gtr]|reduce_scatter|exchange|gather)}}'

shard.grid @g(shape = 4)

func.func private @share(%x: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %s = linalg.reduce { arith.addf } ins(%x : tensor<64x64xf32>) outs(%f : tensor<64xf32>) dimensions = [1]
  %e2 = tensor.empty() : tensor<64x64xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%x, %s : tensor<64x64xf32>, tensor<64xf32>) outs(%e2 : tensor<64x64xf32>) {
  ^bb0(%a: f32, %m: f32, %o: f32):
    %r = arith.divf %a, %m : f32
    linalg.yield %r : f32
  } -> tensor<64x64xf32>
  return %y : tensor<64x64xf32>
}

// CHECK: func.func private @{{.*}}tensor<64x16xf32>
// CHECK: shard.all_reduce {{.*}} : tensor<64xf32>
// CHECK: return {{.*}} : tensor<64x16xf32>
// CHECK: func.func @main(%arg0: tensor<64x16xf32>
// CHECK: call @{{.*}} : (tensor<64x16xf32>) -> tensor<64x16xf32>
func.func @main(%x_in: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %columns = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %x = shard.shard %x_in to %columns : tensor<64x64xf32>
  %y = func.call @share(%x) : (tensor<64x64xf32>) -> tensor<64x64xf32>
  return %y : tensor<64x64xf32>
}

// What is passed whole may be used in any pieces: the rows of the small one come to columns, and nothing else moves.
func.func private @product(%a: tensor<400x64xf32>, %b: tensor<64x4xf32>) -> tensor<400x4xf32> {
  %z = arith.constant dense<0.0> : tensor<400x4xf32>
  %p = linalg.matmul ins(%a, %b : tensor<400x64xf32>, tensor<64x4xf32>) outs(%z : tensor<400x4xf32>) -> tensor<400x4xf32>
  %t = math.exp %p : tensor<400x4xf32>
  return %t : tensor<400x4xf32>
}

// CHECK: func.func @passed_whole(
// CHECK: shard.all_to_all {{.*}} : tensor<16x4xf32> -> tensor<64x1xf32>
// CHECK: call
func.func @passed_whole(%a_in: tensor<400x64xf32>, %b_in: tensor<64x4xf32>) -> tensor<400x4xf32> {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %whole = shard.sharding @g split_axes = [[]] : !shard.sharding
  %a = shard.shard %a_in to %whole : tensor<400x64xf32>
  %b = shard.shard %b_in to %rows : tensor<64x4xf32>
  %q = func.call @product(%a, %b) : (tensor<400x64xf32>, tensor<64x4xf32>) -> tensor<400x4xf32>
  return %q : tensor<400x4xf32>
}
