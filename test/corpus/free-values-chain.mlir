// Ops without tensor inputs that read, or write over, what other such ops made.
// RUN-CHECK: --grid 1,2,4,6 --seed 1
#id = affine_map<(i, j) -> (i, j)>
shard.grid @g(shape = 4)
func.func @main(%x_in: tensor<10x8xf32>, %v: f32) -> (tensor<10x8xf32>, tensor<10xf32>) {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %columns = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<10x8xf32>
  %half = arith.constant 0.5 : f32
  %e = tensor.empty() : tensor<10x8xf32>
  %filled = linalg.fill ins(%v : f32) outs(%e : tensor<10x8xf32>) -> tensor<10x8xf32>
  %indices = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]}
      outs(%filled : tensor<10x8xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %n = arith.index_cast %i : index to i32
    %f = arith.sitofp %n : i32 to f32
    %s = arith.addf %f, %o : f32
    linalg.yield %s : f32
  } -> tensor<10x8xf32>
  %more = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]}
      outs(%indices : tensor<10x8xf32>) {
  ^bb0(%o: f32):
    %j = linalg.index 1 : index
    %n = arith.index_cast %j : index to i32
    %f = arith.sitofp %n : i32 to f32
    %s = arith.mulf %f, %o : f32
    linalg.yield %s : f32
  } -> tensor<10x8xf32>
  %over = linalg.fill ins(%half : f32) outs(%more : tensor<10x8xf32>) -> tensor<10x8xf32>
  %again = linalg.fill ins(%v : f32) outs(%over : tensor<10x8xf32>) -> tensor<10x8xf32>
  %a = arith.addf %x, %indices : tensor<10x8xf32>
  %b = arith.mulf %a, %more : tensor<10x8xf32>
  %c = arith.addf %b, %again : tensor<10x8xf32>
  %split = shard.shard %c to %columns : tensor<10x8xf32>
  %d = arith.subf %split, %over : tensor<10x8xf32>
  %e1 = tensor.empty() : tensor<10xf32>
  %zero = arith.constant 0.0 : f32
  %first = linalg.fill ins(%v : f32) outs(%e1 : tensor<10xf32>) -> tensor<10xf32>
  %init = linalg.fill ins(%zero : f32) outs(%first : tensor<10xf32>) -> tensor<10xf32>
  %sum = linalg.reduce ins(%d : tensor<10x8xf32>) outs(%init : tensor<10xf32>) dimensions = [1]
    (%p: f32, %q: f32) {
      %r = arith.addf %p, %q : f32
      linalg.yield %r : f32
    }
  return %d, %sum : tensor<10x8xf32>, tensor<10xf32>
}
