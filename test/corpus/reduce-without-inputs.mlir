// A reduction that reads only indices: it counts, for each row, the columns beyond the row's index.
// RUN-CHECK: --grid 1x2,2x1,2x2,2x3,4x2 --seed 1
shard.grid @g(shape = 2x2)
#ij = affine_map<(i, j) -> (i, j)>
#i = affine_map<(i, j) -> (i)>
func.func @main(%x_in: tensor<10x14xi32>) -> tensor<10xi32> {
  %s = shard.sharding @g split_axes = [[0], [1]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<10x14xi32>
  %zero = arith.constant dense<0> : tensor<10xi32>
  %one_i = arith.constant 1 : i32
  %zero_i = arith.constant 0 : i32
  %r = linalg.generic {indexing_maps = [#ij, #i], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<10x14xi32>) outs(%zero : tensor<10xi32>) {
  ^bb0(%a: i32, %acc: i32):
    %p = linalg.index 0 : index
    %q = linalg.index 1 : index
    %beyond = arith.cmpi ult, %p, %q : index
    %one = arith.select %beyond, %one_i, %zero_i : i32
    %sum = arith.addi %acc, %one : i32
    linalg.yield %sum : i32
  } -> tensor<10xi32>
  return %r : tensor<10xi32>
}
