// Sums of what comes behind, and of what comes behind the next, as reversals around sums.
// RUN-CHECK: --grid 4,3,2 --seed 1
#backwards = affine_map<(r, i) -> (r, -i + 10)>
#same = affine_map<(r, i) -> (r, i)>
#in = affine_map<(r, i, k) -> (r, k)>
#out = affine_map<(r, i, k) -> (r, i)>
shard.grid @g(shape = 4)
func.func @main(%x_in: tensor<6x11xf32>) -> (tensor<6x11xf32>, tensor<6x11xf32>) {
  %s = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<6x11xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<6x11xf32>
  %r = linalg.generic {indexing_maps = [#backwards, #same], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<6x11xf32>) outs(%e : tensor<6x11xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  } -> tensor<6x11xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<6x11xf32>) -> tensor<6x11xf32>
  %sum = linalg.generic {indexing_maps = [#in, #out], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%r : tensor<6x11xf32>) outs(%z : tensor<6x11xf32>) {
  ^bb0(%a: f32, %b: f32):
    %i = linalg.index 1 : index
    %k = linalg.index 2 : index
    %counts = arith.cmpi ule, %k, %i : index
    %m = arith.select %counts, %a, %zero : f32
    %0 = arith.addf %b, %m : f32
    linalg.yield %0 : f32
  } -> tensor<6x11xf32>
  %t = linalg.generic {indexing_maps = [#backwards, #same], iterator_types = ["parallel", "parallel"]}
      ins(%sum : tensor<6x11xf32>) outs(%e : tensor<6x11xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  } -> tensor<6x11xf32>
  %z2 = linalg.fill ins(%zero : f32) outs(%e : tensor<6x11xf32>) -> tensor<6x11xf32>
  %before = linalg.generic {indexing_maps = [#in, #out], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%r : tensor<6x11xf32>) outs(%z2 : tensor<6x11xf32>) {
  ^bb0(%a: f32, %b: f32):
    %i = linalg.index 1 : index
    %k = linalg.index 2 : index
    %counts = arith.cmpi sgt, %i, %k : index
    %m = arith.select %counts, %a, %zero : f32
    %0 = arith.addf %b, %m : f32
    linalg.yield %0 : f32
  } -> tensor<6x11xf32>
  %u = linalg.generic {indexing_maps = [#backwards, #same], iterator_types = ["parallel", "parallel"]}
      ins(%before : tensor<6x11xf32>) outs(%e : tensor<6x11xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  } -> tensor<6x11xf32>
  return %t, %u : tensor<6x11xf32>, tensor<6x11xf32>
}
