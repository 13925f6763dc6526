// Loops in tiles, strips and blocks whose last ones are shorter: a transpose, a chain of reductions
// and element-wise ops over the same rows, sums of long columns and of very many elements.
// RUN-CHECK: --grid 1,2,3 --seed 1
shard.grid @g(shape = 2)
#ij = affine_map<(i, j) -> (i, j)>
#ji = affine_map<(i, j) -> (j, i)>
#i = affine_map<(i, j) -> (i)>
func.func @main(%x_in: tensor<67x4133xf32>) -> (tensor<4133x67xf32>, tensor<4133xf32>, tensor<f32>) {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<67x4133xf32>
  %zero = arith.constant 0.0 : f32
  %low = arith.constant -1.0e30 : f32
  %e1 = tensor.empty() : tensor<67xf32>
  %lows = linalg.fill ins(%low : f32) outs(%e1 : tensor<67xf32>) -> tensor<67xf32>
  %max = linalg.reduce { arith.maximumf } ins(%x : tensor<67x4133xf32>) outs(%lows : tensor<67xf32>)
      dimensions = [1]
  %e2 = tensor.empty() : tensor<4133x67xf32>
  %t = linalg.generic {indexing_maps = [#ij, #i, #ji], iterator_types = ["parallel", "parallel"]}
      ins(%x, %max : tensor<67x4133xf32>, tensor<67xf32>) outs(%e2 : tensor<4133x67xf32>) {
  ^bb0(%a: f32, %m: f32, %o: f32):
    %i = linalg.index 1 : index
    %j = arith.index_cast %i : index to i32
    %k = arith.sitofp %j : i32 to f32
    %d = arith.subf %a, %m : f32
    %r = arith.addf %d, %k : f32
    linalg.yield %r : f32
  } -> tensor<4133x67xf32>
  %e3 = tensor.empty() : tensor<4133xf32>
  %f3 = linalg.fill ins(%zero : f32) outs(%e3 : tensor<4133xf32>) -> tensor<4133xf32>
  %columns = linalg.reduce { arith.addf } ins(%x : tensor<67x4133xf32>) outs(%f3 : tensor<4133xf32>)
      dimensions = [0]
  %e4 = tensor.empty() : tensor<f32>
  %f4 = linalg.fill ins(%zero : f32) outs(%e4 : tensor<f32>) -> tensor<f32>
  %all = linalg.reduce { arith.addf } ins(%x : tensor<67x4133xf32>) outs(%f4 : tensor<f32>)
      dimensions = [0, 1]
  return %t, %columns, %all : tensor<4133x67xf32>, tensor<4133xf32>, tensor<f32>
}
