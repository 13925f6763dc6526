// An op without inputs writes global indices into a tensor that is split on both dimensions.
// RUN-CHECK: --grid 1x2,2x1,2x2,2x3,2x4,4x2 --seed 1
shard.grid @g(shape = 2x2)
#ij = affine_map<(i, j) -> (i, j)>
func.func @main(%x_in: tensor<10x18xi32>) -> tensor<10x18xi32> {
  %s = shard.sharding @g split_axes = [[0], [1]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<10x18xi32>
  %hundred = arith.constant 100 : index
  %empty = tensor.empty() : tensor<10x18xi32>
  %iota = linalg.generic {indexing_maps = [#ij], iterator_types = ["parallel", "parallel"]}
      outs(%empty : tensor<10x18xi32>) {
  ^bb0(%out: i32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %p = arith.muli %i, %hundred : index
    %q = arith.addi %p, %j : index
    %r = arith.index_cast %q : index to i32
    linalg.yield %r : i32
  } -> tensor<10x18xi32>
  %sum = arith.addi %iota, %x : tensor<10x18xi32>
  return %sum : tensor<10x18xi32>
}
