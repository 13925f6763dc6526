// Bodies that read a tensor where the loop that goes along its split rows reduces: sums at shifts with weights
// that are whole, and a kernel's gradient, of which what goes along is split, in steps of two as well.
// RUN-CHECK: --grid 1,2,3,4 --seed 1
shard.grid @g(shape = 4)

func.func @main(%x_in: tensor<37x3xf32>, %w: tensor<33xf32>, %g_in: tensor<33x3xf32>, %h_in: tensor<17x3xf32>)
    -> (tensor<5x3xf32>, tensor<5x3xf32>, tensor<4x3xf32>) {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<37x3xf32>
  %g = shard.shard %g_in to %rows : tensor<33x3xf32>
  %h = shard.shard %h_in to %rows : tensor<17x3xf32>
  %zero = arith.constant 0.0 : f32
  %c2 = arith.constant 2 : index
  %e = tensor.empty() : tensor<5x3xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<5x3xf32>) -> tensor<5x3xf32>

  %sums = linalg.generic {indexing_maps = [affine_map<(k, c, h) -> (h)>, affine_map<(k, c, h) -> (k, c)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%w : tensor<33xf32>) outs(%f : tensor<5x3xf32>) {
  ^bb0(%in: f32, %o: f32):
    %k = linalg.index 0 : index
    %c = linalg.index 1 : index
    %i = linalg.index 2 : index
    %at = arith.addi %i, %k : index
    %v = tensor.extract %x[%at, %c] : tensor<37x3xf32>
    %p = arith.mulf %v, %in : f32
    %q = arith.addf %p, %o : f32
    linalg.yield %q : f32
  } -> tensor<5x3xf32>

  %gradient = linalg.generic {indexing_maps = [affine_map<(k, c, h) -> (h, c)>, affine_map<(k, c, h) -> (k, c)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%g : tensor<33x3xf32>) outs(%f : tensor<5x3xf32>) {
  ^bb0(%in: f32, %o: f32):
    %k = linalg.index 0 : index
    %c = linalg.index 1 : index
    %i = linalg.index 2 : index
    %at = arith.addi %i, %k : index
    %v = tensor.extract %x[%at, %c] : tensor<37x3xf32>
    %p = arith.mulf %v, %in : f32
    %q = arith.addf %p, %o : f32
    linalg.yield %q : f32
  } -> tensor<5x3xf32>

  %e2 = tensor.empty() : tensor<4x3xf32>
  %f2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<4x3xf32>) -> tensor<4x3xf32>
  %in_steps = linalg.generic {indexing_maps = [affine_map<(k, c, h) -> (h, c)>, affine_map<(k, c, h) -> (k, c)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%h : tensor<17x3xf32>) outs(%f2 : tensor<4x3xf32>) {
  ^bb0(%in: f32, %o: f32):
    %k = linalg.index 0 : index
    %c = linalg.index 1 : index
    %i = linalg.index 2 : index
    %twice = arith.muli %i, %c2 : index
    %at = arith.addi %twice, %k : index
    %v = tensor.extract %x[%at, %c] : tensor<37x3xf32>
    %p = arith.mulf %v, %in : f32
    %q = arith.addf %p, %o : f32
    linalg.yield %q : f32
  } -> tensor<4x3xf32>
  return %sums, %gradient, %in_steps : tensor<5x3xf32>, tensor<5x3xf32>, tensor<4x3xf32>
}
