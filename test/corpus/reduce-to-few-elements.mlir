// Long reductions to few elements, which a GPU does in parts: along rows and columns, of two results at
// once, of lengths that nothing divides, and from initial values that count once.
// RUN-CHECK: --grid 2,1 --seed 1
// RUN-CHECK: --grid 3 --seed 2
shard.grid @g(shape = 2)
#ij = affine_map<(i, j) -> (i, j)>
#i = affine_map<(i, j) -> (i)>
#j = affine_map<(i, j) -> (j)>
#none = affine_map<(i, j) -> ()>
func.func @main(%x_in: tensor<600x280xf32>, %y_in: tensor<1202x8xf32>, %n_in: tensor<2402x3xi32>,
                %z: tensor<2x70001xf32>, %start: tensor<f32>)
    -> (tensor<f32>, tensor<8xf32>, tensor<8xf32>, tensor<3xi32>, tensor<2xf32>) {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<600x280xf32>
  %y = shard.shard %y_in to %s : tensor<1202x8xf32>
  %n = shard.shard %n_in to %s : tensor<2402x3xi32>

  %all = linalg.generic {indexing_maps = [#ij, #none], iterator_types = ["reduction", "reduction"]}
      ins(%x : tensor<600x280xf32>) outs(%start : tensor<f32>) {
  ^bb0(%a: f32, %sum: f32):
    %square = arith.mulf %a, %a : f32
    %0 = arith.addf %sum, %square : f32
    linalg.yield %0 : f32
  } -> tensor<f32>

  %half = arith.constant dense<0.5> : tensor<8xf32>
  %low = arith.constant dense<-1.0e30> : tensor<8xf32>
  %columns:2 = linalg.generic {indexing_maps = [#ij, #j, #j],
                               iterator_types = ["reduction", "parallel"]}
      ins(%y : tensor<1202x8xf32>) outs(%half, %low : tensor<8xf32>, tensor<8xf32>) {
  ^bb0(%a: f32, %sum: f32, %max: f32):
    %0 = arith.addf %a, %sum : f32
    %1 = arith.maximumf %a, %max : f32
    linalg.yield %0, %1 : f32, f32
  } -> (tensor<8xf32>, tensor<8xf32>)

  %seven = arith.constant dense<7> : tensor<3xi32>
  %bits = linalg.reduce { arith.xori } ins(%n : tensor<2402x3xi32>) outs(%seven : tensor<3xi32>)
      dimensions = [0]

  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<2xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%empty : tensor<2xf32>) -> tensor<2xf32>
  %rows = linalg.reduce { arith.addf } ins(%z : tensor<2x70001xf32>) outs(%zeros : tensor<2xf32>)
      dimensions = [1]
  return %all, %columns#0, %columns#1, %bits, %rows
      : tensor<f32>, tensor<8xf32>, tensor<8xf32>, tensor<3xi32>, tensor<2xf32>
}
