// Indices of sharded loops are global ones, on even and uneven shards.
// REQUIRES: tessera-check
// RUN: %tessera_check %s --seed 1 --grid 1,2,3,4,2x2,2x3,4x2 | FileCheck %s

// CHECK-COUNT-7: results agree

shard.grid @g(shape = 2x2)
#ij = affine_map<(i, j) -> (i, j)>
#ji = affine_map<(i, j) -> (j, i)>
func.func @main(%x_in: tensor<10x7xi32>) -> (tensor<10x7xi32>, tensor<7x10xi32>, tensor<10x7xi32>) {
  %s = shard.sharding @g split_axes = [[0], [1]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<10x7xi32>
  %e = tensor.empty() : tensor<10x7xi32>
  %0 = linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<10x7xi32>) outs(%e : tensor<10x7xi32>) {
  ^bb0(%a: i32, %o: i32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %c = arith.constant 100 : index
    %k = arith.muli %i, %c : index
    %l = arith.addi %k, %j : index
    %v = arith.index_cast %l : index to i32
    %w = arith.addi %v, %a : i32
    linalg.yield %w : i32
  } -> tensor<10x7xi32>
  // iota, transposed map, used under a sharded op
  %e2 = tensor.empty() : tensor<7x10xi32>
  %iota = linalg.generic {indexing_maps = [#ji], iterator_types = ["parallel", "parallel"]} outs(%e2 : tensor<7x10xi32>) {
  ^bb0(%o: i32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %c = arith.constant 100 : index
    %k = arith.muli %i, %c : index
    %l = arith.addi %k, %j : index
    %v = arith.index_cast %l : index to i32
    linalg.yield %v : i32
  } -> tensor<7x10xi32>
  %t = linalg.transpose ins(%x : tensor<10x7xi32>) outs(%e2 : tensor<7x10xi32>) permutation = [1, 0]
  %1 = arith.addi %t, %iota : tensor<7x10xi32>
  %gen = tensor.generate {
  ^bb0(%i: index, %j: index):
    %c = arith.constant 100 : index
    %k = arith.muli %i, %c : index
    %l = arith.addi %k, %j : index
    %v = arith.index_cast %l : index to i32
    tensor.yield %v : i32
  } : tensor<10x7xi32>
  %2 = arith.addi %x, %gen : tensor<10x7xi32>
  return %0, %1, %2 : tensor<10x7xi32>, tensor<7x10xi32>, tensor<10x7xi32>
}
