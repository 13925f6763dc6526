// One row is set, and another added to, at places that are numbers.
// In narrow integers indices wrap, and several rows are at the number.
// RUN-CHECK: --entry one_row --grid 1,2,3,4
// RUN-CHECK: --entry wraps --grid 1,2,3,4
// RUN-CHECK: --entry wraps_in_a_bit --grid 1,2,3,4
shard.grid @g(shape = 2)
func.func @one_row(%x_in: tensor<20x3xf32>, %v: tensor<1x3xf32>) -> tensor<20x3xf32> {
  %s = shard.sharding @g split_axes = [[0], []] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<20x3xf32>
  %seven = arith.constant dense<7> : tensor<1x1xi32>
  %last = arith.constant dense<19> : tensor<1x1xi32>
  %a = linalg.generic {indexing_maps = [affine_map<(r, d, b) -> (b, d)>, affine_map<(r, d, b) -> (b, 0)>, affine_map<(r, d, b) -> (r, d)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%v, %seven : tensor<1x3xf32>, tensor<1x1xi32>) outs(%x : tensor<20x3xf32>) {
  ^bb0(%u: f32, %k: i32, %o: f32):
    %r = linalg.index 0 : index
    %row = arith.index_cast %k : i32 to index
    %is = arith.cmpi eq, %r, %row : index
    %m = arith.select %is, %u, %o : f32
    linalg.yield %m : f32
  } -> tensor<20x3xf32>
  %b = linalg.generic {indexing_maps = [affine_map<(r, d, b) -> (b, d)>, affine_map<(r, d, b) -> (b, 0)>, affine_map<(r, d, b) -> (r, d)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%v, %last : tensor<1x3xf32>, tensor<1x1xi32>) outs(%a : tensor<20x3xf32>) {
  ^bb0(%u: f32, %k: i32, %o: f32):
    %r = linalg.index 0 : index
    %row = arith.index_cast %k : i32 to index
    %is = arith.cmpi eq, %r, %row : index
    %zero = arith.constant 0.0 : f32
    %m = arith.select %is, %u, %zero : f32
    %1 = arith.addf %o, %m : f32
    linalg.yield %1 : f32
  } -> tensor<20x3xf32>
  return %b : tensor<20x3xf32>
}

func.func @wraps(%x_in: tensor<300x3xf32>, %v: tensor<1x3xf32>) -> tensor<300x3xf32> {
  %s = shard.sharding @g split_axes = [[0], []] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<300x3xf32>
  %c = arith.constant dense<5> : tensor<1x1xi8>
  %a = linalg.generic {indexing_maps = [affine_map<(r, d, b0) -> (b0, d)>, affine_map<(r, d, b0) -> (b0, 0)>, affine_map<(r, d, b0) -> (r, d)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%v, %c : tensor<1x3xf32>, tensor<1x1xi8>) outs(%x : tensor<300x3xf32>) {
  ^bb0(%u: f32, %k: i8, %o: f32):
    %zero = arith.constant 0.0 : f32
    %r = linalg.index 0 : index
    %dd = linalg.index 1 : index
    %row = arith.index_cast %r : index to i8
    %is = arith.cmpi eq, %row, %k : i8
    %m = arith.select %is, %u, %o : f32
    linalg.yield %m : f32
  } -> tensor<300x3xf32>
  return %a : tensor<300x3xf32>
}

func.func @wraps_in_a_bit(%x_in: tensor<20x3xf32>, %v: tensor<1x3xf32>) -> tensor<20x3xf32> {
  %s = shard.sharding @g split_axes = [[0], []] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<20x3xf32>
  %c = arith.constant dense<0> : tensor<1x1xi1>
  %a = linalg.generic {indexing_maps = [affine_map<(r, d, b0) -> (b0, d)>, affine_map<(r, d, b0) -> (b0, 0)>, affine_map<(r, d, b0) -> (r, d)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%v, %c : tensor<1x3xf32>, tensor<1x1xi1>) outs(%x : tensor<20x3xf32>) {
  ^bb0(%u: f32, %k: i1, %o: f32):
    %zero = arith.constant 0.0 : f32
    %r = linalg.index 0 : index
    %dd = linalg.index 1 : index
    %row = arith.index_cast %r : index to i1
    %is = arith.cmpi eq, %row, %k : i1
    %m = arith.select %is, %u, %o : f32
    linalg.yield %m : f32
  } -> tensor<20x3xf32>
  return %a : tensor<20x3xf32>
}
