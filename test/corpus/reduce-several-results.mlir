// One op reduces to a sum, a maximum and an integer minimum, each with its own kind and init.
// RUN-CHECK: --grid 1x2,2x1,2x2,2x3,2x4,4x2 --seed 1
shard.grid @g(shape = 2x2)
#ij = affine_map<(i, j) -> (i, j)>
#i = affine_map<(i, j) -> (i)>
func.func @main(%x_in: tensor<12x16xf32>, %n: tensor<12x16xi32>)
    -> (tensor<12xf32>, tensor<12xf32>, tensor<12xi32>) {
  %s = shard.sharding @g split_axes = [[], [1, 0]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<12x16xf32>
  %half = arith.constant dense<0.5> : tensor<12xf32>
  %low = arith.constant dense<-1.0e30> : tensor<12xf32>
  %five = arith.constant dense<5> : tensor<12xi32>
  %r:3 = linalg.generic {indexing_maps = [#ij, #ij, #i, #i, #i],
                         iterator_types = ["parallel", "reduction"]}
      ins(%x, %n : tensor<12x16xf32>, tensor<12x16xi32>)
      outs(%half, %low, %five : tensor<12xf32>, tensor<12xf32>, tensor<12xi32>) {
  ^bb0(%a: f32, %b: i32, %sum: f32, %max: f32, %min: i32):
    %square = arith.mulf %a, %a : f32
    %0 = arith.addf %sum, %square : f32
    %1 = arith.maximumf %a, %max : f32
    %2 = arith.minsi %min, %b : i32
    linalg.yield %0, %1, %2 : f32, f32, i32
  } -> (tensor<12xf32>, tensor<12xf32>, tensor<12xi32>)
  return %r#0, %r#1, %r#2 : tensor<12xf32>, tensor<12xf32>, tensor<12xi32>
}
