// Products whose columns are several parts behind each other: each is computed from the weights that it
// needs, with a bias, through reshapes, and where parts and pieces do not fit; in a loop the weights move
// once before it.
// RUN-CHECK: --grid 4,3,2 --seed 1
shard.grid @g(shape = 4)
func.func @main(%x: tensor<10x8xf32>, %w_in: tensor<8x36xf32>, %b_in: tensor<36xf32>, %u_in: tensor<12x36xf32>)
    -> (tensor<2x5x12xf32>, tensor<10x12xf32>) {
  %columns = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %split = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %w = shard.shard %w_in to %columns : tensor<8x36xf32>
  %u = shard.shard %u_in to %columns : tensor<12x36xf32>
  %b = shard.shard %b_in to %split : tensor<36xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<10x36xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<10x36xf32>) -> tensor<10x36xf32>
  %xw = linalg.matmul ins(%x, %w : tensor<10x8xf32>, tensor<8x36xf32>) outs(%z : tensor<10x36xf32>) -> tensor<10x36xf32>
  %bb = linalg.broadcast ins(%b : tensor<36xf32>) outs(%e : tensor<10x36xf32>) dimensions = [0]
  %h = arith.addf %xw, %bb : tensor<10x36xf32>
  %r = tensor.expand_shape %h [[0, 1], [2]] output_shape [2, 5, 36] : tensor<10x36xf32> into tensor<2x5x36xf32>
  %q = tensor.extract_slice %r[0, 0, 0] [2, 5, 12] [1, 1, 1] : tensor<2x5x36xf32> to tensor<2x5x12xf32>
  %k = tensor.extract_slice %r[0, 0, 12] [2, 5, 12] [1, 1, 1] : tensor<2x5x36xf32> to tensor<2x5x12xf32>
  %v = tensor.extract_slice %r[0, 0, 24] [2, 5, 12] [1, 1, 1] : tensor<2x5x36xf32> to tensor<2x5x12xf32>
  %qk = arith.mulf %q, %k : tensor<2x5x12xf32>
  %qkv = arith.addf %qk, %v : tensor<2x5x12xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %e12 = tensor.empty() : tensor<10x12xf32>
  %h0 = linalg.fill ins(%zero : f32) outs(%e12 : tensor<10x12xf32>) -> tensor<10x12xf32>
  %last = scf.for %i = %c0 to %c3 step %c1 iter_args(%s = %h0) -> (tensor<10x12xf32>) {
    %gates = linalg.matmul ins(%s, %u : tensor<10x12xf32>, tensor<12x36xf32>) outs(%h : tensor<10x36xf32>) -> tensor<10x36xf32>
    %f = tensor.extract_slice %gates[0, 0] [10, 12] [1, 1] : tensor<10x36xf32> to tensor<10x12xf32>
    %n = tensor.extract_slice %gates[0, 12] [10, 12] [1, 1] : tensor<10x36xf32> to tensor<10x12xf32>
    %o = tensor.extract_slice %gates[0, 24] [10, 12] [1, 1] : tensor<10x36xf32> to tensor<10x12xf32>
    %tf = math.tanh %f : tensor<10x12xf32>
    %tn = math.tanh %n : tensor<10x12xf32>
    %fn = arith.mulf %tf, %tn : tensor<10x12xf32>
    %to = math.tanh %o : tensor<10x12xf32>
    %next = arith.addf %fn, %to : tensor<10x12xf32>
    scf.yield %next : tensor<10x12xf32>
  }
  return %qkv, %last : tensor<2x5x12xf32>, tensor<10x12xf32>
}
