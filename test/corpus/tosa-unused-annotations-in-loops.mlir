// An annotation in a loop that nothing uses, beside an op that is lowered on the way: it stays in its loop.
// RUN-CHECK: --grid 4,3,2 --seed 1

shard.grid @g(shape = 4)
func.func @main(%x: tensor<8x4xf32>, %z: tensor<4x8xf32>) -> (tensor<8x4xf32>, tensor<8x4xf32>) {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %xs = shard.shard %x to %s : tensor<8x4xf32>
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%a = %xs) -> (tensor<8x4xf32>) {
    %e = tensor.empty() : tensor<8x4xf32>
    %y = linalg.add ins(%a, %a : tensor<8x4xf32>, tensor<8x4xf32>) outs(%e : tensor<8x4xf32>) -> tensor<8x4xf32>
    %d = shard.shard %a to %s : tensor<8x4xf32>
    scf.yield %y : tensor<8x4xf32>
  }
  %t = tosa.transpose %z {perms = array<i32: 1, 0>} : (tensor<4x8xf32>) -> tensor<8x4xf32>
  return %r, %t : tensor<8x4xf32>, tensor<8x4xf32>
}
