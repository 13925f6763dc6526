// A body that reads a tensor of its own beside one from outside: the first stays where it is made.
// REQUIRES: tessera-check
// RUN: %tessera_check %s --seed 1 --grid 1,2,3,4 | FileCheck %s

// CHECK-COUNT-4: 1 result agrees

shard.grid @g(shape = 4)

func.func @made_inside(%x_in: tensor<5xf32>) -> tensor<5xf32> {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<5xf32>
  %e = tensor.empty() : tensor<5xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(a) -> (a)>, affine_map<(a) -> (a)>], iterator_types = ["parallel"]}
      ins(%x : tensor<5xf32>) outs(%e : tensor<5xf32>) {
  ^bb0(%p: f32, %q: f32):
    %i = linalg.index 0 : index
    %last = arith.constant 4 : index
    %j = arith.subi %last, %i : index
    %f = tensor.from_elements %p, %p, %p, %p, %p : tensor<5xf32>
    %v = tensor.extract %f[%j] : tensor<5xf32>
    %w = tensor.extract %x[%j] : tensor<5xf32>
    %r = arith.addf %v, %w : f32
    linalg.yield %r : f32
  } -> tensor<5xf32>
  return %y : tensor<5xf32>
}
