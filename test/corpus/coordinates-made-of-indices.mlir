// Coordinates that are counted, wrapped, put into lists and kept inside, as frontends write a diagonal and
// an element of each row: what of them follows from loops keeps its rows split, the rest is data.
// RUN-CHECK: --grid 4,3 --seed 1 --range 1=0:7
#id = affine_map<(d0) -> (d0)>
shard.grid @g(shape = 4)
func.func @main(%a_in: tensor<10x10xf32>, %labels: tensor<10xi32>)
    -> (tensor<10xf32>, tensor<10xf32>, tensor<10xf32>) {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %a = shard.shard %a_in to %s : tensor<10x10xf32>
  %c0_i32 = arith.constant 0 : i32
  %c10_i32 = arith.constant 10 : i32
  %c3_i32 = arith.constant 3 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %e = tensor.empty() : tensor<10xi32>
  %iota = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%e : tensor<10xi32>) {
  ^bb0(%o: i32):
    %i = linalg.index 0 : index
    %n = arith.index_cast %i : index to i32
    linalg.yield %n : i32
  } -> tensor<10xi32>
  %eb = tensor.empty() : tensor<10xi1>
  %negative = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%iota : tensor<10xi32>) outs(%eb : tensor<10xi1>) {
  ^bb0(%p: i32, %o: i1):
    %n = arith.cmpi slt, %p, %c0_i32 : i32
    linalg.yield %n : i1
  } -> tensor<10xi1>
  %wrapped = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%negative, %iota : tensor<10xi1>, tensor<10xi32>) outs(%e : tensor<10xi32>) {
  ^bb0(%b: i1, %p: i32, %o: i32):
    %q = arith.addi %p, %c10_i32 : i32
    %n = arith.select %b, %q, %p : i32
    linalg.yield %n : i32
  } -> tensor<10xi32>
  // Half of it is not below: nobody knows which without looking.
  %cut = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%iota : tensor<10xi32>) outs(%e : tensor<10xi32>) {
  ^bb0(%p: i32, %o: i32):
    %b = arith.cmpi slt, %p, %c3_i32 : i32
    %n = arith.select %b, %p, %c0_i32 : i32
    linalg.yield %n : i32
  } -> tensor<10xi32>
  %column = tensor.expand_shape %wrapped [[0, 1]] output_shape [10, 1] : tensor<10xi32> into tensor<10x1xi32>
  %other = tensor.expand_shape %labels [[0, 1]] output_shape [10, 1] : tensor<10xi32> into tensor<10x1xi32>
  %third = tensor.expand_shape %cut [[0, 1]] output_shape [10, 1] : tensor<10xi32> into tensor<10x1xi32>
  %e2 = tensor.empty() : tensor<10x2xi32>
  %d0 = tensor.insert_slice %column into %e2[0, 0] [10, 1] [1, 1] : tensor<10x1xi32> into tensor<10x2xi32>
  %diagonal = tensor.insert_slice %column into %d0[0, 1] [10, 1] [1, 1] : tensor<10x1xi32> into tensor<10x2xi32>
  %chosen = tensor.concat dim(1) %column, %other : (tensor<10x1xi32>, tensor<10x1xi32>) -> tensor<10x2xi32>
  %some = tensor.concat dim(1) %third, %column : (tensor<10x1xi32>, tensor<10x1xi32>) -> tensor<10x2xi32>
  %ef = tensor.empty() : tensor<10xf32>
  %x = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%ef : tensor<10xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %p = tensor.extract %diagonal[%i, %c0] : tensor<10x2xi32>
    %q = tensor.extract %diagonal[%i, %c1] : tensor<10x2xi32>
    %m = arith.index_cast %p : i32 to index
    %n = arith.index_cast %q : i32 to index
    %m0 = arith.maxsi %m, %c0 : index
    %m9 = arith.minsi %m0, %c9 : index
    %v = tensor.extract %a[%m9, %n] : tensor<10x10xf32>
    linalg.yield %v : f32
  } -> tensor<10xf32>
  %y = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%ef : tensor<10xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %p = tensor.extract %chosen[%i, %c0] : tensor<10x2xi32>
    %q = tensor.extract %chosen[%i, %c1] : tensor<10x2xi32>
    %m = arith.index_cast %p : i32 to index
    %n = arith.index_cast %q : i32 to index
    %v = tensor.extract %a[%m, %n] : tensor<10x10xf32>
    linalg.yield %v : f32
  } -> tensor<10xf32>
  %z = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%ef : tensor<10xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %p = tensor.extract %some[%i, %c0] : tensor<10x2xi32>
    %q = tensor.extract %some[%i, %c1] : tensor<10x2xi32>
    %m = arith.index_cast %p : i32 to index
    %n = arith.index_cast %q : i32 to index
    %v = tensor.extract %a[%m, %n] : tensor<10x10xf32>
    linalg.yield %v : f32
  } -> tensor<10xf32>
  return %x, %y, %z : tensor<10xf32>, tensor<10xf32>, tensor<10xf32>
}
