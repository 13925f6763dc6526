// Functions return a tensor and a slice of it, or one twice, and the caller writes one: the other keeps
// its numbers.
// RUN-CHECK: --grid 1,2,3 --seed 4
shard.grid @g(shape = 2)
func.func private @two(%x: tensor<8x4xf32>) -> (tensor<8x4xf32>, tensor<2x4xf32>) {
  %e = math.tanh %x : tensor<8x4xf32>
  %s = tensor.extract_slice %e[2, 0] [2, 4] [1, 1] : tensor<8x4xf32> to tensor<2x4xf32>
  return %e, %s : tensor<8x4xf32>, tensor<2x4xf32>
}
func.func private @same(%x: tensor<8x4xf32>) -> (tensor<8x4xf32>, tensor<8x4xf32>) {
  %e = math.tanh %x : tensor<8x4xf32>
  return %e, %e : tensor<8x4xf32>, tensor<8x4xf32>
}
func.func private @arg(%x: tensor<8x4xf32>) -> (tensor<8x4xf32>, tensor<2x4xf32>) {
  %s = tensor.extract_slice %x[2, 0] [2, 4] [1, 1] : tensor<8x4xf32> to tensor<2x4xf32>
  return %x, %s : tensor<8x4xf32>, tensor<2x4xf32>
}
func.func private @first(%x: tensor<8x4xf32>) -> (tensor<8x4xf32>, tensor<2x4xf32>, tensor<32xf32>) {
  %e = math.tanh %x : tensor<8x4xf32>
  %s = tensor.extract_slice %e[0, 0] [2, 4] [1, 1] : tensor<8x4xf32> to tensor<2x4xf32>
  %f = tensor.collapse_shape %e [[0, 1]] : tensor<8x4xf32> into tensor<32xf32>
  return %e, %s, %f : tensor<8x4xf32>, tensor<2x4xf32>, tensor<32xf32>
}
func.func @main(%x_in: tensor<8x4xf32>, %r: tensor<1x4xf32>) -> (tensor<8x4xf32>, tensor<2x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<2x4xf32>, tensor<8x4xf32>, tensor<2x4xf32>, tensor<32xf32>) {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<8x4xf32>
  %a, %b = call @two(%x) : (tensor<8x4xf32>) -> (tensor<8x4xf32>, tensor<2x4xf32>)
  %c = tensor.insert_slice %r into %a[2, 0] [1, 4] [1, 1] : tensor<1x4xf32> into tensor<8x4xf32>
  %d = arith.addf %b, %b : tensor<2x4xf32>
  %m, %n = call @same(%x) : (tensor<8x4xf32>) -> (tensor<8x4xf32>, tensor<8x4xf32>)
  %o = tensor.insert_slice %r into %m[2, 0] [1, 4] [1, 1] : tensor<1x4xf32> into tensor<8x4xf32>
  %p = arith.addf %n, %n : tensor<8x4xf32>
  %y = arith.addf %x, %x : tensor<8x4xf32>
  %u, %v = call @arg(%y) : (tensor<8x4xf32>) -> (tensor<8x4xf32>, tensor<2x4xf32>)
  %w = tensor.insert_slice %r into %u[2, 0] [1, 4] [1, 1] : tensor<1x4xf32> into tensor<8x4xf32>
  %z = arith.addf %v, %v : tensor<2x4xf32>
  %h, %i, %j = call @first(%x) : (tensor<8x4xf32>) -> (tensor<8x4xf32>, tensor<2x4xf32>, tensor<32xf32>)
  %k = tensor.insert_slice %r into %h[0, 0] [1, 4] [1, 1] : tensor<1x4xf32> into tensor<8x4xf32>
  %l = arith.addf %i, %i : tensor<2x4xf32>
  %q = arith.addf %j, %j : tensor<32xf32>
  return %c, %d, %o, %p, %w, %z, %k, %l, %q : tensor<8x4xf32>, tensor<2x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<2x4xf32>, tensor<8x4xf32>, tensor<2x4xf32>, tensor<32xf32>
}
