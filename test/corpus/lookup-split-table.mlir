// Rows of a table that is split along them, at places that data says, clamped in the body as
// importers write it; places in several dimensions, of several types, and with batch dimensions.
// RUN-CHECK: --grid 1,2,3,4,8 --seed 1
shard.grid @g(shape = 4)
#ij = affine_map<(i, j) -> (i, j)>
#i = affine_map<(i, j) -> (i)>
#bij = affine_map<(b, i, j) -> (b, i, j)>
#bi = affine_map<(b, i, j) -> (b, i)>
func.func @main(%table_in: tensor<11x6xf32>, %ids: tensor<7xi64> {tessera.range = [-3, 14]},
                %batch_in: tensor<6x5xi32> {tessera.range = [0, 11]},
                %cube_in: tensor<5x9x4xf64>, %a: tensor<8xi32> {tessera.range = [0, 5]},
                %b: tensor<8xi32> {tessera.range = [0, 9]},
                %flags_in: tensor<9xi1>, %numbers_in: tensor<13xi32>)
    -> (tensor<7x6xf32>, tensor<6x5x6xf32>, tensor<8x4xf64>, tensor<8x4xf64>, tensor<8xi1>, tensor<8xi32>) {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %middle = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %table = shard.shard %table_in to %rows : tensor<11x6xf32>
  %cube = shard.shard %cube_in to %middle : tensor<5x9x4xf64>
  %flags = shard.shard %flags_in to %rows : tensor<9xi1>
  %numbers = shard.shard %numbers_in to %rows : tensor<13xi32>
  %batch = shard.shard %batch_in to %rows : tensor<6x5xi32>
  %c0 = arith.constant 0 : index
  %c10 = arith.constant 10 : index
  %e0 = tensor.empty() : tensor<7x6xf32>
  %r0 = linalg.generic {indexing_maps = [#i, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%ids : tensor<7xi64>) outs(%e0 : tensor<7x6xf32>) {
  ^bb0(%id: i64, %out: f32):
    %p = arith.index_cast %id : i64 to index
    %low = arith.maxsi %p, %c0 : index
    %row = arith.minsi %low, %c10 : index
    %j = linalg.index 1 : index
    %v = tensor.extract %table[%row, %j] : tensor<11x6xf32>
    linalg.yield %v : f32
  } -> tensor<7x6xf32>
  // The places are split over the axis that the table is split over too.
  %e1 = tensor.empty() : tensor<6x5x6xf32>
  %r1 = linalg.generic {indexing_maps = [#bi, #bij], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%batch : tensor<6x5xi32>) outs(%e1 : tensor<6x5x6xf32>) {
  ^bb0(%id: i32, %out: f32):
    %row = arith.index_cast %id : i32 to index
    %j = linalg.index 2 : index
    %v = tensor.extract %table[%row, %j] : tensor<11x6xf32>
    linalg.yield %v : f32
  } -> tensor<6x5x6xf32>
  // Two dimensions are looked up, one of them split.
  %e2 = tensor.empty() : tensor<8x4xf64>
  %r2 = linalg.generic {indexing_maps = [#i, #i, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%a, %b : tensor<8xi32>, tensor<8xi32>) outs(%e2 : tensor<8x4xf64>) {
  ^bb0(%x: i32, %y: i32, %out: f64):
    %p = arith.index_cast %x : i32 to index
    %q = arith.index_cast %y : i32 to index
    %j = linalg.index 1 : index
    %v = tensor.extract %cube[%p, %q, %j] : tensor<5x9x4xf64>
    linalg.yield %v : f64
  } -> tensor<8x4xf64>
  // One fixed place in the split dimension.
  %c7 = arith.constant 7 : index
  %e3 = tensor.empty() : tensor<8x4xf64>
  %r3 = linalg.generic {indexing_maps = [#i, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<8xi32>) outs(%e3 : tensor<8x4xf64>) {
  ^bb0(%x: i32, %out: f64):
    %p = arith.index_cast %x : i32 to index
    %j = linalg.index 1 : index
    %v = tensor.extract %cube[%p, %c7, %j] : tensor<5x9x4xf64>
    linalg.yield %v : f64
  } -> tensor<8x4xf64>
  // Bits and integers.
  %e4 = tensor.empty() : tensor<8xi1>
  %e5 = tensor.empty() : tensor<8xi32>
  %r4, %r5 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
      iterator_types = ["parallel"]} ins(%b : tensor<8xi32>) outs(%e4, %e5 : tensor<8xi1>, tensor<8xi32>) {
  ^bb0(%y: i32, %out: i1, %out2: i32):
    %q = arith.index_cast %y : i32 to index
    %v = tensor.extract %flags[%q] : tensor<9xi1>
    %w = tensor.extract %numbers[%q] : tensor<13xi32>
    linalg.yield %v, %w : i1, i32
  } -> (tensor<8xi1>, tensor<8xi32>)
  return %r0, %r1, %r2, %r3, %r4, %r5 : tensor<7x6xf32>, tensor<6x5x6xf32>, tensor<8x4xf64>, tensor<8x4xf64>, tensor<8xi1>, tensor<8xi32>
}
