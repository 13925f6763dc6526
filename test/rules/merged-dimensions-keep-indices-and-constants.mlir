// A merged dimension split over both of its factors: indices, slices of constants, generated values.
// REQUIRES: tessera-check
// RUN: %tessera_check %s --seed 1 --grid 1,2,3,4,2x2,2x3,4x2 | FileCheck %s

// CHECK-COUNT-7: results agree

shard.grid @g(shape = 2x2)
#i = affine_map<(i) -> (i)>
func.func @main(%x_in: tensor<4x6x3xi32>) -> (tensor<72xi32>, tensor<72xi32>, tensor<72xi32>) {
  %s = shard.sharding @g split_axes = [[0], [1]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<4x6x3xi32>
  %m = tensor.collapse_shape %x [[0, 1, 2]] : tensor<4x6x3xi32> into tensor<72xi32>
  %e = tensor.empty() : tensor<72xi32>
  %0 = linalg.generic {indexing_maps = [#i, #i], iterator_types = ["parallel"]} ins(%m : tensor<72xi32>) outs(%e : tensor<72xi32>) {
  ^bb0(%a: i32, %o: i32):
    %i = linalg.index 0 : index
    %v = arith.index_cast %i : index to i32
    %w = arith.addi %v, %a : i32
    linalg.yield %w : i32
  } -> tensor<72xi32>
  %c = arith.constant dense<[0, 1, 4, 9, 16, 25, 36, 49, 64, 81, 3, 24, 47, 72, 2, 31, 62, 95, 33, 70, 12, 53, 96, 44, 91, 43, 94, 50, 8, 65, 27, 88, 54, 22, 89, 61, 35, 11, 86, 66, 48, 32, 18, 6, 93, 85, 79, 75, 73, 73, 75, 79, 85, 93, 6, 18, 32, 48, 66, 86, 11, 35, 61, 89, 22, 54, 88, 27, 65, 8, 50, 94]> : tensor<72xi32>
  %1 = arith.addi %m, %c : tensor<72xi32>
  %iota = linalg.generic {indexing_maps = [#i], iterator_types = ["parallel"]} outs(%e : tensor<72xi32>) {
  ^bb0(%o: i32):
    %i = linalg.index 0 : index
    %v = arith.index_cast %i : index to i32
    linalg.yield %v : i32
  } -> tensor<72xi32>
  %2 = arith.muli %m, %iota : tensor<72xi32>
  return %0, %1, %2 : tensor<72xi32>, tensor<72xi32>, tensor<72xi32>
}
