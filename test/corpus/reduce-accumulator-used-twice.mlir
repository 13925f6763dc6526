// The accumulator feeds both the sum and what is added to it, so that it is no plain sum.
// RUN-CHECK: --grid 1,2,4,6,8 --seed 1
shard.grid @g(shape = 4)
#ij = affine_map<(i, j) -> (i, j)>
#i = affine_map<(i, j) -> (i)>
func.func @main(%x_in: tensor<12x16xi32>, %init: tensor<12xi32>) -> tensor<12xi32> {
  %s = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<12x16xi32>
  %r = linalg.generic {indexing_maps = [#ij, #i], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<12x16xi32>) outs(%init : tensor<12xi32>) {
  ^bb0(%a: i32, %acc: i32):
    %mixed = arith.xori %a, %acc : i32
    %sum = arith.addi %acc, %mixed : i32
    linalg.yield %sum : i32
  } -> tensor<12xi32>
  return %r : tensor<12xi32>
}
