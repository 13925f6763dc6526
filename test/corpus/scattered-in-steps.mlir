// Updates at places that are indices counted in steps: every second row, all rows backwards, and every
// third from the end.
// RUN-CHECK: --grid 2,3,4,5 --seed 1
shard.grid @g(shape = 4)
func.func @main(%x_in: tensor<20x3xf32>, %v_in: tensor<10x3xf32>, %w_in: tensor<6x3xf32>) -> (tensor<20x3xf32>, tensor<20x3xf32>, tensor<20x3xf32>) {
  %s = shard.sharding @g split_axes = [[0], []] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<20x3xf32>
  %v = shard.shard %v_in to %s : tensor<10x3xf32>
  %w = shard.shard %w_in to %s : tensor<6x3xf32>
  %ea = tensor.empty() : tensor<10x1xi32>
  %ia = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      outs(%ea : tensor<10x1xi32>) {
  ^bb0(%o: i32):
    %k = linalg.index 0 : index
    %k32 = arith.index_cast %k : index to i32
    %c2 = arith.constant 2 : i32
    %k2 = arith.muli %k32, %c2 : i32
    %c1 = arith.constant 1 : i32
    %p = arith.addi %k2, %c1 : i32
    linalg.yield %p : i32
  } -> tensor<10x1xi32>
  %a = linalg.generic {indexing_maps = [affine_map<(r, d, b) -> (b, d)>, affine_map<(r, d, b) -> (b, 0)>, affine_map<(r, d, b) -> (r, d)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%v, %ia : tensor<10x3xf32>, tensor<10x1xi32>) outs(%x : tensor<20x3xf32>) {
  ^bb0(%u: f32, %k: i32, %o: f32):
    %r = linalg.index 0 : index
    %row = arith.index_cast %k : i32 to index
    %is = arith.cmpi eq, %r, %row : index
    %zero = arith.constant 0.0 : f32
    %m = arith.select %is, %u, %zero : f32
    %1 = arith.addf %o, %m : f32
    linalg.yield %1 : f32
  } -> tensor<20x3xf32>
  %eb = tensor.empty() : tensor<20x1xi32>
  %ib = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      outs(%eb : tensor<20x1xi32>) {
  ^bb0(%o: i32):
    %k = linalg.index 0 : index
    %k32 = arith.index_cast %k : index to i32
    %cl = arith.constant 19 : i32
    %p = arith.subi %cl, %k32 : i32
    linalg.yield %p : i32
  } -> tensor<20x1xi32>
  %b = linalg.generic {indexing_maps = [affine_map<(r, d, b) -> (b, d)>, affine_map<(r, d, b) -> (b, 0)>, affine_map<(r, d, b) -> (r, d)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %ib : tensor<20x3xf32>, tensor<20x1xi32>) outs(%x : tensor<20x3xf32>) {
  ^bb0(%u: f32, %k: i32, %o: f32):
    %r = linalg.index 0 : index
    %row = arith.index_cast %k : i32 to index
    %is = arith.cmpi eq, %r, %row : index
    %1 = arith.select %is, %u, %o : f32
    linalg.yield %1 : f32
  } -> tensor<20x3xf32>
  %ec = tensor.empty() : tensor<6x1xi32>
  %ic = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      outs(%ec : tensor<6x1xi32>) {
  ^bb0(%o: i32):
    %k = linalg.index 0 : index
    %k32 = arith.index_cast %k : index to i32
    %cl = arith.constant 19 : i32
    %c3 = arith.constant 3 : i32
    %k3 = arith.muli %k32, %c3 : i32
    %p = arith.subi %cl, %k3 : i32
    linalg.yield %p : i32
  } -> tensor<6x1xi32>
  %c = linalg.generic {indexing_maps = [affine_map<(r, d, b) -> (b, d)>, affine_map<(r, d, b) -> (b, 0)>, affine_map<(r, d, b) -> (r, d)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%w, %ic : tensor<6x3xf32>, tensor<6x1xi32>) outs(%b : tensor<20x3xf32>) {
  ^bb0(%u: f32, %k: i32, %o: f32):
    %r = linalg.index 0 : index
    %row = arith.index_cast %k : i32 to index
    %is = arith.cmpi eq, %r, %row : index
    %1 = arith.select %is, %u, %o : f32
    linalg.yield %1 : f32
  } -> tensor<20x3xf32>
  return %a, %b, %c : tensor<20x3xf32>, tensor<20x3xf32>, tensor<20x3xf32>
}
