// What is chosen of slices of split tensors: the largest of each row with its index, counted, added up,
// returned; and of a row that is cut. Uneven and empty pieces.
// RUN-CHECK: --entry main --grid 1,2,3,4,7,11 --seed 1
// RUN-CHECK: --entry along --grid 1,2,3,4,7,11 --seed 1
#ij = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#i = affine_map<(i) -> (i)>
#none = affine_map<(i) -> ()>
shard.grid @g(shape = 4)
func.func @main(%x_in: tensor<26x5xf32>, %y_in: tensor<26xi32> {tessera.range = [0, 5]}, %v_in: tensor<26x5xf32>)
    -> (tensor<i32>, tensor<f32>, tensor<25xf32>, tensor<f32>) {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<26x5xf32>
  %y = shard.shard %y_in to %rows : tensor<26xi32>
  %v = shard.shard %v_in to %rows : tensor<26x5xf32>
  %before = tensor.extract_slice %x[0, 0] [25, 5] [1, 1] : tensor<26x5xf32> to tensor<25x5xf32>
  %after = tensor.extract_slice %y[1] [25] [1] : tensor<26xi32> to tensor<25xi32>
  %low = arith.constant dense<0xFF800000> : tensor<25xf32>
  %at = arith.constant dense<0> : tensor<25xi32>
  %a:2 = linalg.generic {indexing_maps = [#ij, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%before : tensor<25x5xf32>) outs(%low, %at : tensor<25xf32>, tensor<25xi32>) {
  ^bb0(%in: f32, %most: f32, %where: i32):
    %k = linalg.index 1 : index
    %here = arith.index_cast %k : index to i32
    %more = arith.cmpf ogt, %in, %most : f32
    %0 = arith.select %more, %in, %most : f32
    %1 = arith.select %more, %here, %where : i32
    linalg.yield %0, %1 : f32, i32
  } -> (tensor<25xf32>, tensor<25xi32>)
  %none = arith.constant dense<0> : tensor<i32>
  %zero = arith.constant dense<0.0> : tensor<f32>
  %count = linalg.generic {indexing_maps = [#i, #i, #none], iterator_types = ["reduction"]}
      ins(%a#1, %after : tensor<25xi32>, tensor<25xi32>) outs(%none : tensor<i32>) {
  ^bb0(%p: i32, %q: i32, %o: i32):
    %is = arith.cmpi eq, %p, %q : i32
    %one = arith.extui %is : i1 to i32
    %r = arith.addi %o, %one : i32
    linalg.yield %r : i32
  } -> tensor<i32>
  %sum = linalg.generic {indexing_maps = [#i, #i, #i, #none], iterator_types = ["reduction"]}
      ins(%a#0, %after, %a#1 : tensor<25xf32>, tensor<25xi32>, tensor<25xi32>) outs(%zero : tensor<f32>) {
  ^bb0(%m: f32, %q: i32, %p: i32, %o: f32):
    %f = arith.sitofp %q : i32 to f32
    %g = arith.sitofp %p : i32 to f32
    %h = arith.addf %f, %g : f32
    %w = arith.mulf %m, %h : f32
    %r = arith.addf %o, %w : f32
    linalg.yield %r : f32
  } -> tensor<f32>
  // The largest are a result, in pieces of their own, and their indices are counted.
  %l = tensor.extract_slice %v[1, 0] [25, 5] [1, 1] : tensor<26x5xf32> to tensor<25x5xf32>
  %b:2 = linalg.generic {indexing_maps = [#ij, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%l : tensor<25x5xf32>) outs(%low, %at : tensor<25xf32>, tensor<25xi32>) {
  ^bb0(%in: f32, %most: f32, %where: i32):
    %i = linalg.index 0 : index
    %k = linalg.index 1 : index
    %both = arith.addi %i, %k : index
    %here = arith.index_cast %both : index to i32
    %more = arith.cmpf ogt, %in, %most : f32
    %0 = arith.select %more, %in, %most : f32
    %1 = arith.select %more, %here, %where : i32
    linalg.yield %0, %1 : f32, i32
  } -> (tensor<25xf32>, tensor<25xi32>)
  %places = linalg.generic {indexing_maps = [#i, #i, #none], iterator_types = ["reduction"]}
      ins(%b#1, %after : tensor<25xi32>, tensor<25xi32>) outs(%zero : tensor<f32>) {
  ^bb0(%p: i32, %q: i32, %o: f32):
    %s = arith.muli %p, %q : i32
    %f = arith.sitofp %s : i32 to f32
    %r = arith.addf %o, %f : f32
    linalg.yield %r : f32
  } -> tensor<f32>
  return %count, %sum, %b#0, %places : tensor<i32>, tensor<f32>, tensor<25xf32>, tensor<f32>
}

// The first of the largest: elements of few values, so that several are.
func.func @along(%x_in: tensor<26xi32> {tessera.range = [0, 3]}, %y_in: tensor<26xi32> {tessera.range = [0, 3]},
                 %z_in: tensor<3x26xf32>) -> (tensor<i32>, tensor<i32>, tensor<3xi64>, tensor<3xf32>) {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %columns = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<26xi32>
  %y = shard.shard %y_in to %s : tensor<26xi32>
  %z = shard.shard %z_in to %columns : tensor<3x26xf32>
  %u = tensor.extract_slice %x[1] [25] [1] : tensor<26xi32> to tensor<25xi32>
  %v = tensor.extract_slice %y[1] [25] [1] : tensor<26xi32> to tensor<25xi32>
  %w = arith.addi %u, %v : tensor<25xi32>
  %none = arith.constant dense<0> : tensor<i32>
  %a:2 = linalg.generic {indexing_maps = [#i, #none, #none], iterator_types = ["reduction"]}
      ins(%w : tensor<25xi32>) outs(%none, %none : tensor<i32>, tensor<i32>) {
  ^bb0(%in: i32, %most: i32, %where: i32):
    %k = linalg.index 0 : index
    %here = arith.index_cast %k : index to i32
    %more = arith.cmpi sgt, %in, %most : i32
    %0 = arith.select %more, %in, %most : i32
    %1 = arith.select %more, %here, %where : i32
    linalg.yield %0, %1 : i32, i32
  } -> (tensor<i32>, tensor<i32>)
  %low = arith.constant dense<0xFF800000> : tensor<3xf32>
  %none64 = arith.constant dense<0> : tensor<3xi64>
  %t = tensor.extract_slice %z[0, 0] [3, 25] [1, 1] : tensor<3x26xf32> to tensor<3x25xf32>
  %b:2 = linalg.generic {indexing_maps = [#ij, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%t : tensor<3x25xf32>) outs(%low, %none64 : tensor<3xf32>, tensor<3xi64>) {
  ^bb0(%in: f32, %most: f32, %where: i64):
    %k = linalg.index 1 : index
    %here = arith.index_cast %k : index to i64
    %more = arith.cmpf ogt, %in, %most : f32
    %0 = arith.select %more, %in, %most : f32
    %1 = arith.select %more, %here, %where : i64
    linalg.yield %0, %1 : f32, i64
  } -> (tensor<3xf32>, tensor<3xi64>)
  return %a#0, %a#1, %b#1, %b#0 : tensor<i32>, tensor<i32>, tensor<3xi64>, tensor<3xf32>
}
