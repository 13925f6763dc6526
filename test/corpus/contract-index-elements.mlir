// Products of index elements, large enough for a call of the runtime, which cannot be one: they stay loops.
// RUN-CHECK: --grid 2,3 --seed 1
shard.grid @g(shape = 2)
#a = affine_map<(i, j, k) -> (i, k)>
#b = affine_map<(i, j, k) -> (k, j)>
#c = affine_map<(i, j, k) -> (i, j)>
func.func @main(%x_in: tensor<32x32xindex>, %w_in: tensor<32x32xindex>, %z: tensor<32x32xindex>) -> (tensor<32x32xindex>) {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<32x32xindex>
  %r = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %w_in : tensor<32x32xindex>, tensor<32x32xindex>) outs(%z : tensor<32x32xindex>) {
  ^bb0(%p: index, %q: index, %o: index):
    %u = arith.muli %p, %q : index
    %v = arith.addi %o, %u : index
    linalg.yield %v : index
  } -> tensor<32x32xindex>
  return %r : tensor<32x32xindex>
}
