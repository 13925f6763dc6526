// The largest element of what was two dimensions, each of them split: devices' pieces lie between each
// other, and of equal elements the first one counts.
// RUN-CHECK: --entry main --grid 2x2,1x4,4x1,3x2,1x1 --range 0=-3:3 --range 1=0:4
#all = affine_map<(n, i) -> (n, i)>
#row = affine_map<(n, i) -> (n)>
#line = affine_map<(i) -> (i)>
#one = affine_map<(i) -> ()>
shard.grid @g(shape = 2x2)
func.func @main(%a_in: tensor<3x6x10xi32>, %b_in: tensor<6x10xi8>)
    -> (tensor<3xi32>, tensor<3xi64>, tensor<i8>, tensor<i32>) {
  %of_a = shard.sharding @g split_axes = [[], [1], [0]] : !shard.sharding
  %a = shard.shard %a_in to %of_a : tensor<3x6x10xi32>
  %of_b = shard.sharding @g split_axes = [[0], [1]] : !shard.sharding
  %b = shard.shard %b_in to %of_b : tensor<6x10xi8>
  %least = arith.constant -2147483648 : i32
  %least8 = arith.constant -128 : i8
  %first = arith.constant 0 : i64
  %first32 = arith.constant 0 : i32

  // The place is found in the body.
  %flat = tensor.collapse_shape %a [[0], [1, 2]] : tensor<3x6x10xi32> into tensor<3x60xi32>
  %e0 = tensor.empty() : tensor<3xi32>
  %f0 = linalg.fill ins(%least : i32) outs(%e0 : tensor<3xi32>) -> tensor<3xi32>
  %e1 = tensor.empty() : tensor<3xi64>
  %f1 = linalg.fill ins(%first : i64) outs(%e1 : tensor<3xi64>) -> tensor<3xi64>
  %r:2 = linalg.generic {indexing_maps = [#all, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%flat : tensor<3x60xi32>) outs(%f0, %f1 : tensor<3xi32>, tensor<3xi64>) {
  ^bb0(%x: i32, %most: i32, %at: i64):
    %i = linalg.index 1 : index
    %k = arith.index_cast %i : index to i64
    %more = arith.cmpi sgt, %x, %most : i32
    %0 = arith.select %more, %x, %most : i32
    %1 = arith.select %more, %k, %at : i64
    linalg.yield %0, %1 : i32, i64
  } -> (tensor<3xi32>, tensor<3xi64>)

  // The place is an operand.
  %line = tensor.collapse_shape %b [[0, 1]] : tensor<6x10xi8> into tensor<60xi8>
  %e2 = tensor.empty() : tensor<60xi32>
  %places = linalg.generic {indexing_maps = [#line], iterator_types = ["parallel"]} outs(%e2 : tensor<60xi32>) {
  ^bb0(%o: i32):
    %i = linalg.index 0 : index
    %k = arith.index_cast %i : index to i32
    linalg.yield %k : i32
  } -> tensor<60xi32>
  %e3 = tensor.empty() : tensor<i8>
  %f3 = linalg.fill ins(%least8 : i8) outs(%e3 : tensor<i8>) -> tensor<i8>
  %e4 = tensor.empty() : tensor<i32>
  %f4 = linalg.fill ins(%first32 : i32) outs(%e4 : tensor<i32>) -> tensor<i32>
  %s:2 = linalg.generic {indexing_maps = [#line, #line, #one, #one], iterator_types = ["reduction"]}
      ins(%line, %places : tensor<60xi8>, tensor<60xi32>) outs(%f3, %f4 : tensor<i8>, tensor<i32>) {
  ^bb0(%x: i8, %k: i32, %most: i8, %at: i32):
    %more = arith.cmpi sgt, %x, %most : i8
    %0 = arith.select %more, %x, %most : i8
    %1 = arith.select %more, %k, %at : i32
    linalg.yield %0, %1 : i8, i32
  } -> (tensor<i8>, tensor<i32>)
  return %r#0, %r#1, %s#0, %s#1 : tensor<3xi32>, tensor<3xi64>, tensor<i8>, tensor<i32>
}
