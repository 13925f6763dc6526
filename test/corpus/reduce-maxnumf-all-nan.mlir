// A device whose whole piece is NaN gives nothing to maxnumf, and NaN to maximumf.
// RUN-CHECK: --grid 1,2,4,8 --seed 1
shard.grid @g(shape = 4)
#ij = affine_map<(i, j) -> (i, j)>
#i = affine_map<(i, j) -> (i)>
func.func @main(%x_in: tensor<6x16xf32>) -> (tensor<6xf32>, tensor<6xf32>) {
  %columns = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %x = shard.shard %x_in to %columns : tensor<6x16xf32>
  %nan = arith.constant 0x7FC00000 : f32
  %four = arith.constant 4 : index
  %empty = tensor.empty() : tensor<6x16xf32>
  %v = linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<6x16xf32>) outs(%empty : tensor<6x16xf32>) {
  ^bb0(%a: f32, %out: f32):
    %j = linalg.index 1 : index
    %first = arith.cmpi ult, %j, %four : index
    %r = arith.select %first, %nan, %a : f32
    linalg.yield %r : f32
  } -> tensor<6x16xf32>
  %low = arith.constant dense<-1.0e30> : tensor<6xf32>
  %r:2 = linalg.generic {indexing_maps = [#ij, #i, #i],
                         iterator_types = ["parallel", "reduction"]}
      ins(%v : tensor<6x16xf32>) outs(%low, %low : tensor<6xf32>, tensor<6xf32>) {
  ^bb0(%a: f32, %m: f32, %n: f32):
    %0 = arith.maxnumf %a, %m : f32
    %1 = arith.maximumf %a, %n : f32
    linalg.yield %0, %1 : f32, f32
  } -> (tensor<6xf32>, tensor<6xf32>)
  return %r#0, %r#1 : tensor<6xf32>, tensor<6xf32>
}
