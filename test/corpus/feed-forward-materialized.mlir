// sigmoid(a @ b) @ c with every value annotated, into a given destination.
// RUN-CHECK: --grid 1x2,2x1,2x2,2x3,2x4,4x2 --seed 1
shard.grid @g(shape = 2x2)
func.func @main(%a_in: tensor<10x12xf32>, %b_in: tensor<12x16xf32>, %c_in: tensor<16x12xf32>,
                %out_in: tensor<10x12xf32>) -> tensor<10x12xf32> {
  %sa = shard.sharding @g split_axes = [[], [0, 1]] : !shard.sharding
  %sb = shard.sharding @g split_axes = [[0], [1]] : !shard.sharding
  %sc = shard.sharding @g split_axes = [[1], [0]] : !shard.sharding
  %sg = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %sh = shard.sharding @g split_axes = [[], [1]] : !shard.sharding
  %a = shard.shard %a_in to %sa : tensor<10x12xf32>
  %b = shard.shard %b_in to %sb : tensor<12x16xf32>
  %c = shard.shard %c_in to %sc : tensor<16x12xf32>
  %out = shard.shard %out_in to %sa : tensor<10x12xf32>
  %ag = shard.shard %a to %sg annotate_for_users : tensor<10x12xf32>
  %zero = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<10x16xf32>
  %f0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<10x16xf32>) -> tensor<10x16xf32>
  %h0 = linalg.matmul ins(%ag, %b : tensor<10x12xf32>, tensor<12x16xf32>)
      outs(%f0 : tensor<10x16xf32>) -> tensor<10x16xf32>
  %h = shard.shard %h0 to %sh : tensor<10x16xf32>
  %s0 = tosa.sigmoid %h : (tensor<10x16xf32>) -> tensor<10x16xf32>
  %s = shard.shard %s0 to %sh : tensor<10x16xf32>
  %e1 = tensor.empty() : tensor<10x12xf32>
  %f1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<10x12xf32>) -> tensor<10x12xf32>
  %y0 = linalg.matmul ins(%s, %c : tensor<10x16xf32>, tensor<16x12xf32>)
      outs(%f1 : tensor<10x12xf32>) -> tensor<10x12xf32>
  %y = shard.shard %y0 to %sa : tensor<10x12xf32>
  %r = bufferization.materialize_in_destination %y in %out
      : (tensor<10x12xf32>, tensor<10x12xf32>) -> tensor<10x12xf32>
  return %r : tensor<10x12xf32>
}
