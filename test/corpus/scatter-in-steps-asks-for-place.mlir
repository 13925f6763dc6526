// Scatters to places counted in steps whose bodies ask for the place, or for the number of the update, for more than
// the comparison: none of them is an elementwise op on a slice.
// RUN-CHECK: --grid 1,2,3,4 --seed 1
shard.grid @g(shape = 4)
func.func @main(%x_in: tensor<20x3xf32>, %u: tensor<10x3xf32>)
    -> (tensor<20x3xf32>, tensor<20x3xf32>, tensor<20x3xf32>, tensor<20x3xf32>, tensor<20x3xf32>) {
  %s = shard.sharding @g split_axes = [[0], []] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<20x3xf32>
  %ea = tensor.empty() : tensor<10xi32>
  %ia = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>],
      iterator_types = ["parallel"]} outs(%ea : tensor<10xi32>) {
  ^bb0(%o: i32):
    %k = linalg.index 0 : index
    %k32 = arith.index_cast %k : index to i32
    %c2 = arith.constant 2 : i32
    %k2 = arith.muli %k32, %c2 : i32
    linalg.yield %k2 : i32
  } -> tensor<10xi32>

  // The place as the value too, behind a cast.
  %by_cast = linalg.generic {indexing_maps = [affine_map<(r, d, b) -> (b)>, affine_map<(r, d, b) -> (r, d)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%ia : tensor<10xi32>) outs(%x : tensor<20x3xf32>) {
  ^bb0(%k: i32, %o: f32):
    %r = linalg.index 0 : index
    %r32 = arith.index_cast %r : index to i32
    %is = arith.cmpi eq, %r32, %k : i32
    %v = arith.sitofp %r32 : i32 to f32
    %1 = arith.select %is, %v, %o : f32
    linalg.yield %1 : f32
  } -> tensor<20x3xf32>

  // Asked for a second time.
  %twice = linalg.generic {indexing_maps = [affine_map<(r, d, b) -> (b)>, affine_map<(r, d, b) -> (r, d)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%ia : tensor<10xi32>) outs(%x : tensor<20x3xf32>) {
  ^bb0(%k: i32, %o: f32):
    %r = linalg.index 0 : index
    %r32 = arith.index_cast %r : index to i32
    %is = arith.cmpi eq, %r32, %k : i32
    %rr = linalg.index 0 : index
    %rr32 = arith.index_cast %rr : index to i32
    %v = arith.sitofp %rr32 : i32 to f32
    %1 = arith.select %is, %v, %o : f32
    linalg.yield %1 : f32
  } -> tensor<20x3xf32>

  // The number of the update as the value.
  %by_number = linalg.generic {indexing_maps = [affine_map<(r, d, b) -> (b)>, affine_map<(r, d, b) -> (r, d)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%ia : tensor<10xi32>) outs(%x : tensor<20x3xf32>) {
  ^bb0(%k: i32, %o: f32):
    %r = linalg.index 0 : index
    %r32 = arith.index_cast %r : index to i32
    %is = arith.cmpi eq, %r32, %k : i32
    %j = linalg.index 2 : index
    %j32 = arith.index_cast %j : index to i32
    %v = arith.sitofp %j32 : i32 to f32
    %1 = arith.select %is, %v, %o : f32
    linalg.yield %1 : f32
  } -> tensor<20x3xf32>

  // The place as it is computed from that number, for the value too.
  %by_place = linalg.generic {indexing_maps = [affine_map<(r, d, b) -> (b, d)>, affine_map<(r, d, b) -> (r, d)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%u : tensor<10x3xf32>) outs(%x : tensor<20x3xf32>) {
  ^bb0(%p: f32, %o: f32):
    %c2 = arith.constant 2 : index
    %r = linalg.index 0 : index
    %j = linalg.index 2 : index
    %k = arith.muli %j, %c2 : index
    %is = arith.cmpi eq, %r, %k : index
    %k32 = arith.index_cast %k : index to i32
    %kf = arith.sitofp %k32 : i32 to f32
    %v = arith.mulf %kf, %p : f32
    %1 = arith.select %is, %v, %o : f32
    linalg.yield %1 : f32
  } -> tensor<20x3xf32>

  // An update that is looked up.
  %looked_up = linalg.generic {indexing_maps = [affine_map<(r, d, b) -> (b)>, affine_map<(r, d, b) -> (r, d)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%ia : tensor<10xi32>) outs(%x : tensor<20x3xf32>) {
  ^bb0(%k: i32, %o: f32):
    %r = linalg.index 0 : index
    %d = linalg.index 1 : index
    %j = linalg.index 2 : index
    %r32 = arith.index_cast %r : index to i32
    %is = arith.cmpi eq, %r32, %k : i32
    %v = tensor.extract %u[%j, %d] : tensor<10x3xf32>
    %1 = arith.select %is, %v, %o : f32
    linalg.yield %1 : f32
  } -> tensor<20x3xf32>
  return %by_cast, %twice, %by_number, %by_place, %looked_up
      : tensor<20x3xf32>, tensor<20x3xf32>, tensor<20x3xf32>, tensor<20x3xf32>, tensor<20x3xf32>
}
