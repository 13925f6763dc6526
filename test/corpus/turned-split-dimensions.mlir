// Split dimensions read backwards, whole or in part, by maps and by reads in bodies, twice over, of uneven
// pieces, beside what is read forwards, and of what is joined.
// RUN-CHECK: --grid 4,3,2x2,2x3 --seed 1
#own = affine_map<(d0, d1) -> (d0, d1)>
#turned = affine_map<(d0, d1) -> (-d0 + 16, d1)>
#both = affine_map<(d0, d1) -> (-d0 + 16, -d1 + 9)>
#end = affine_map<(d0, d1) -> (-d0 + 14, d1)>
shard.grid @g(shape = 2x2)
func.func @main(%x_in: tensor<17x10xf32>, %y_in: tensor<8x10xf32>)
    -> (tensor<17x10xf32>, tensor<17x10xf32>, tensor<11x10xf32>, tensor<17x10xf32>, tensor<25x10xf32>, tensor<10xf32>) {
  %rows = shard.sharding @g split_axes = [[0], [1]] : !shard.sharding
  %down = shard.sharding @g split_axes = [[0, 1]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<17x10xf32>
  %y = shard.shard %y_in to %down : tensor<8x10xf32>
  %e = tensor.empty() : tensor<17x10xf32>
  %a = linalg.generic {indexing_maps = [#turned, #own, #own], iterator_types = ["parallel", "parallel"]}
      ins(%x, %x : tensor<17x10xf32>, tensor<17x10xf32>) outs(%e : tensor<17x10xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %i = linalg.index 0 : index
    %n = arith.index_cast %i : index to i64
    %f = arith.sitofp %n : i64 to f32
    %0 = arith.mulf %p, %f : f32
    %1 = arith.subf %0, %q : f32
    linalg.yield %1 : f32
  } -> tensor<17x10xf32>
  %b = linalg.generic {indexing_maps = [#both, #own], iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<17x10xf32>) outs(%e : tensor<17x10xf32>) {
  ^bb0(%p: f32, %o: f32):
    linalg.yield %p : f32
  } -> tensor<17x10xf32>
  %e11 = tensor.empty() : tensor<11x10xf32>
  %c = linalg.generic {indexing_maps = [#end, #own], iterator_types = ["parallel", "parallel"]}
      ins(%b : tensor<17x10xf32>) outs(%e11 : tensor<11x10xf32>) {
  ^bb0(%p: f32, %o: f32):
    linalg.yield %p : f32
  } -> tensor<11x10xf32>
  %last = arith.constant 16 : index
  %d = linalg.generic {indexing_maps = [#own], iterator_types = ["parallel", "parallel"]}
      outs(%e : tensor<17x10xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %k = arith.subi %last, %i : index
    %v = tensor.extract %b[%k, %j] : tensor<17x10xf32>
    linalg.yield %v : f32
  } -> tensor<17x10xf32>
  // What is joined and then turned is fetched from where it was before.
  %joined = tensor.concat dim(0) %y, %x : (tensor<8x10xf32>, tensor<17x10xf32>) -> tensor<25x10xf32>
  %e25 = tensor.empty() : tensor<25x10xf32>
  %g = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (-d0 + 24, d1)>, #own], iterator_types = ["parallel", "parallel"]}
      ins(%joined : tensor<25x10xf32>) outs(%e25 : tensor<25x10xf32>) {
  ^bb0(%p: f32, %o: f32):
    %0 = math.tanh %p : f32
    linalg.yield %0 : f32
  } -> tensor<25x10xf32>
  // Of a sum along the turned dimension.
  %zeros = arith.constant dense<0.0> : tensor<10xf32>
  %h = linalg.reduce { arith.addf } ins(%d : tensor<17x10xf32>) outs(%zeros : tensor<10xf32>) dimensions = [0]
  return %a, %b, %c, %d, %g, %h : tensor<17x10xf32>, tensor<17x10xf32>, tensor<11x10xf32>, tensor<17x10xf32>, tensor<25x10xf32>, tensor<10xf32>
}
