// An annotation that leaves something open, with offsets that only the run knows.
// RUN-CHECK: --grid 2x2 --seed 2
shard.grid @g(shape = 2x2)
func.func @main(%a: tensor<14x3xf64>, %n: i64 {tessera.range = [0, 4]}) -> (tensor<14x3xf64>, tensor<14x3xf64>) {
  %s = shard.sharding @g split_axes = [[1, 0]] sharded_dims_offsets = [0, %n, 5, 5, 14] {tessera.open} : !shard.sharding
  %x = math.tanh %a : tensor<14x3xf64>
  %v = shard.shard %x to %s {tessera.priority = 1} : tensor<14x3xf64>
  %y = arith.addf %v, %v : tensor<14x3xf64>
  return %v, %y : tensor<14x3xf64>, tensor<14x3xf64>
}
