// The gradient of a table of few rows is added up and goes back to where the table's rows are.
// RUN-CHECK: --grid 2,3,4,5 --seed 1
shard.grid @g(shape = 4)
func.func @main(%t_in: tensor<12x4xf32>, %i_in: tensor<24x1xi32> {tessera.range = [0, 12]}, %y_in: tensor<24x4xf32>) -> tensor<12x4xf32> {
  %s = shard.sharding @g split_axes = [[0], []] : !shard.sharding
  %t = shard.shard %t_in to %s : tensor<12x4xf32>
  %i = shard.shard %i_in to %s : tensor<24x1xi32>
  %y = shard.shard %y_in to %s : tensor<24x4xf32>
  %zeros = arith.constant dense<0.0> : tensor<12x4xf32>
  %ee = tensor.empty() : tensor<24x4xf32>
  %e = linalg.generic {indexing_maps = [affine_map<(b, d) -> (b, 0)>, affine_map<(b, d) -> (b, d)>, affine_map<(b, d) -> (b, d)>], iterator_types = ["parallel", "parallel"]}
      ins(%i, %y : tensor<24x1xi32>, tensor<24x4xf32>) outs(%ee : tensor<24x4xf32>) {
  ^bb0(%k: i32, %p: f32, %o: f32):
    %row = arith.index_cast %k : i32 to index
    %d = linalg.index 1 : index
    %v = tensor.extract %t[%row, %d] : tensor<12x4xf32>
    %1 = arith.subf %v, %p : f32
    linalg.yield %1 : f32
  } -> tensor<24x4xf32>
  %g = linalg.generic {indexing_maps = [affine_map<(r, d, b) -> (b, d)>, affine_map<(r, d, b) -> (b, 0)>, affine_map<(r, d, b) -> (r, d)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%e, %i : tensor<24x4xf32>, tensor<24x1xi32>) outs(%zeros : tensor<12x4xf32>) {
  ^bb0(%u: f32, %k: i32, %o: f32):
    %r = linalg.index 0 : index
    %row = arith.index_cast %k : i32 to index
    %is = arith.cmpi eq, %r, %row : index
    %zero = arith.constant 0.0 : f32
    %m = arith.select %is, %u, %zero : f32
    %1 = arith.addf %o, %m : f32
    linalg.yield %1 : f32
  } -> tensor<12x4xf32>
  return %g : tensor<12x4xf32>
}
