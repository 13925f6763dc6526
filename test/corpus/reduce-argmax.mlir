// The pair of a maximum and its index, of which only the maximum is compared.
// RUN-CHECK: --grid 1x2,2x1,2x2,2x3,2x4,4x2 --seed 1
shard.grid @g(shape = 2x2)
#ij = affine_map<(i, j) -> (i, j)>
#i = affine_map<(i, j) -> (i)>
func.func @main(%x_in: tensor<12x16xf32>) -> (tensor<12xf32>, tensor<12xi64>) {
  %s = shard.sharding @g split_axes = [[0], [1]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<12x16xf32>
  %low = arith.constant dense<-1.0e30> : tensor<12xf32>
  %zero = arith.constant dense<0> : tensor<12xi64>
  %r:2 = linalg.generic {indexing_maps = [#ij, #i, #i],
                         iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<12x16xf32>) outs(%low, %zero : tensor<12xf32>, tensor<12xi64>) {
  ^bb0(%a: f32, %max: f32, %at: i64):
    %j = linalg.index 1 : index
    %here = arith.index_cast %j : index to i64
    %greater = arith.cmpf ogt, %a, %max : f32
    %0 = arith.select %greater, %a, %max : f32
    %1 = arith.select %greater, %here, %at : i64
    linalg.yield %0, %1 : f32, i64
  } -> (tensor<12xf32>, tensor<12xi64>)
  return %r#0, %r#1 : tensor<12xf32>, tensor<12xi64>
}
