// A loop that may run zero times, which reads at a place that lies outside of the tensor then: what is
// moved before loops must not read there.
// RUN-CHECK: --grid 1,2,4 --seed 1
// RUN-CHECK: --grid 2 --seed 3
shard.grid @g(shape = 2)
func.func @main(%x_in: tensor<6x6xf32>, %w: tensor<8x6xf32>, %n_in: i32 {tessera.range = [0, 2]}) -> tensor<6xf32> {
  %r0 = shard.sharding @g split_axes = [[],[0]] : !shard.sharding
  %rep = shard.sharding @g split_axes = [[]] : !shard.sharding
  %x = shard.shard %x_in to %r0 : tensor<6x6xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %big = arith.constant 1000000000 : index
  %n = arith.index_cast %n_in : i32 to index
  %is0 = arith.cmpi eq, %n, %c0 : index
  %p = arith.select %is0, %big, %c1 : index
  %z = arith.constant dense<0.0> : tensor<6xf32>
  %l = scf.for %i = %c0 to %n step %c1 iter_args(%a = %z) -> (tensor<6xf32>) {
    %sl = tensor.extract_slice %w[%p, 0] [1, 6] [1, 1] : tensor<8x6xf32> to tensor<6xf32>
    %m = linalg.matvec ins(%x, %sl : tensor<6x6xf32>, tensor<6xf32>) outs(%z : tensor<6xf32>) -> tensor<6xf32>
    %ms = shard.shard %m to %rep : tensor<6xf32>
    %t = math.tanh %ms : tensor<6xf32>
    %b = arith.addf %a, %t : tensor<6xf32>
    scf.yield %b : tensor<6xf32>
  }
  return %l : tensor<6xf32>
}
