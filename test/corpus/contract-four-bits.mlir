// Products of 4-bit elements, large enough for a call of the runtime, which would read whole bytes.
// RUN-CHECK: --grid 2,3 --seed 1
shard.grid @g(shape = 2)
func.func @main(%x_in: tensor<32x32xi8>, %w_in: tensor<32x32xi8>, %z: tensor<32x32xi32>) -> (tensor<32x32xi32>) {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<32x32xi8>
  %a = arith.trunci %x : tensor<32x32xi8> to tensor<32x32xi4>
  %b = arith.trunci %w_in : tensor<32x32xi8> to tensor<32x32xi4>
  %r = linalg.matmul ins(%a, %b : tensor<32x32xi4>, tensor<32x32xi4>) outs(%z : tensor<32x32xi32>) -> tensor<32x32xi32>
  return %r : tensor<32x32xi32>
}
