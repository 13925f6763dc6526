// Constant indices, indices in branches, sparse constants, scalars and maps without inputs.
// REQUIRES: tessera-check
// RUN: %tessera_check %s --seed 1 --grid 1,2,3,4,2x2,2x3 | FileCheck %s

// CHECK-COUNT-6: results agree

shard.grid @g(shape = 2x2)
#ij = affine_map<(i, j) -> (i, j)>
#c3 = affine_map<(i, j) -> (3, i)>
func.func @main(%x_in: tensor<8x4xf32>, %s0: tensor<f32>, %tt: tensor<4x8xf32>, %p: i1) -> (tensor<8x4xf32>, tensor<f32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>) {
  %s = shard.sharding @g split_axes = [[0], [1]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<8x4xf32>
  %sp = arith.constant sparse<[[0, 0], [1, 2]], [1.0, 5.0]> : tensor<8x4xf32>
  %0 = arith.addf %x, %sp : tensor<8x4xf32>
  %c = arith.constant dense<2.0> : tensor<f32>
  %1 = arith.mulf %s0, %c : tensor<f32>
  %e = tensor.empty() : tensor<8x4xf32>
  %2 = linalg.generic {indexing_maps = [#ij, #c3, #ij], iterator_types = ["parallel", "parallel"]} ins(%x, %tt : tensor<8x4xf32>, tensor<4x8xf32>) outs(%e : tensor<8x4xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %i = linalg.index 0 : index
    %k = linalg.index 1 : index
    %c2 = arith.constant 2 : index
    %q = arith.cmpi ult, %i, %c2 : index
    %r = scf.if %q -> f32 {
      %k1 = arith.index_cast %k : index to i32
      %k2 = arith.sitofp %k1 : i32 to f32
      scf.yield %k2 : f32
    } else {
      %m = arith.mulf %a, %b : f32
      scf.yield %m : f32
    }
    linalg.yield %r : f32
  } -> tensor<8x4xf32>
  %3 = arith.select %p, %x, %2 : tensor<8x4xf32>
  %4 = linalg.map outs(%e : tensor<8x4xf32>) (%out: f32) {
    %v = arith.constant 3.0 : f32
    linalg.yield %v : f32
  }
  %5 = arith.addf %4, %3 : tensor<8x4xf32>
  return %0, %1, %2, %3, %5 : tensor<8x4xf32>, tensor<f32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>
}
