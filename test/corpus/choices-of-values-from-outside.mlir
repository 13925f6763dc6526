// What a choice takes beside the largest element is no place, though it is an argument: of the function, not of the
// body. Its number may be that of the operand that has the places, or of none.
// RUN-CHECK: --entry main --grid 2x2,1x4,3x2,1x1 --range 0=-2:2
#line = affine_map<(i) -> (i)>
#one = affine_map<(i) -> ()>
shard.grid @g(shape = 2x2)
func.func @main(%a_in: tensor<7x11xi32>, %second: i64, %b_in: tensor<7x11xi32>, %unused: i64, %late: i64)
    -> (tensor<i32>, tensor<i64>, tensor<i32>, tensor<i32>, tensor<i64>) {
  %s = shard.sharding @g split_axes = [[0], [1]] : !shard.sharding
  %a = shard.shard %a_in to %s : tensor<7x11xi32>
  %b = shard.shard %b_in to %s : tensor<7x11xi32>
  %least = arith.constant -2147483648 : i32
  %none = arith.constant 0 : i64
  %zero = arith.constant 0 : i32
  %flat = tensor.collapse_shape %a [[0, 1]] : tensor<7x11xi32> into tensor<77xi32>
  %other = tensor.collapse_shape %b [[0, 1]] : tensor<7x11xi32> into tensor<77xi32>
  %e = tensor.empty() : tensor<77xi64>
  %places = linalg.generic {indexing_maps = [#line], iterator_types = ["parallel"]} outs(%e : tensor<77xi64>) {
  ^bb0(%o: i64):
    %i = linalg.index 0 : index
    %k = arith.index_cast %i : index to i64
    linalg.yield %k : i64
  } -> tensor<77xi64>
  %e0 = tensor.empty() : tensor<i32>
  %f0 = linalg.fill ins(%least : i32) outs(%e0 : tensor<i32>) -> tensor<i32>
  %f1 = linalg.fill ins(%zero : i32) outs(%e0 : tensor<i32>) -> tensor<i32>
  %e1 = tensor.empty() : tensor<i64>
  %f2 = linalg.fill ins(%none : i64) outs(%e1 : tensor<i64>) -> tensor<i64>
  %r:3 = linalg.generic {indexing_maps = [#line, #line, #line, #one, #one, #one], iterator_types = ["reduction"]}
      ins(%flat, %places, %other : tensor<77xi32>, tensor<77xi64>, tensor<77xi32>)
      outs(%f0, %f2, %f1 : tensor<i32>, tensor<i64>, tensor<i32>) {
  ^bb0(%x: i32, %p: i64, %y: i32, %most: i32, %at: i64, %of: i32):
    %more = arith.cmpi sgt, %x, %most : i32
    %0 = arith.select %more, %x, %most : i32
    %1 = arith.select %more, %second, %at : i64
    %2 = arith.select %more, %y, %of : i32
    linalg.yield %0, %1, %2 : i32, i64, i32
  } -> (tensor<i32>, tensor<i64>, tensor<i32>)
  %q:2 = linalg.generic {indexing_maps = [#line, #one, #one], iterator_types = ["reduction"]}
      ins(%flat : tensor<77xi32>) outs(%f0, %f2 : tensor<i32>, tensor<i64>) {
  ^bb0(%x: i32, %most: i32, %at: i64):
    %more = arith.cmpi sgt, %x, %most : i32
    %0 = arith.select %more, %x, %most : i32
    %1 = arith.select %more, %late, %at : i64
    linalg.yield %0, %1 : i32, i64
  } -> (tensor<i32>, tensor<i64>)
  return %r#0, %r#1, %r#2, %q#0, %q#1 : tensor<i32>, tensor<i64>, tensor<i32>, tensor<i32>, tensor<i64>
}
