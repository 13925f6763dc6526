// Values on explicit offsets whose types know more, or less, of an extent than their neighbours':
// casts both ways, and elementwise ops whose operands differ.
// RUN-CHECK: --seed 1 --shape 0=8 --shape 2=8x4
// RUN-CHECK: --seed 2 --shape 0=8 --shape 2=8x4
shard.grid @g(shape = 2)
func.func @main(%p: tensor<?xf64>, %q: tensor<8xf64>, %r: tensor<?x4xf64>,
                %k: i64 {tessera.range = [0, 9]})
    -> (tensor<8xf64>, tensor<?xf64>, tensor<8xf64>, tensor<?xf64>, tensor<8x?xf64>, tensor<8x4xf64>) {
  %known = shard.sharding @g split_axes = [[0]] sharded_dims_offsets = [0, 3, 8] : !shard.sharding
  %told = shard.sharding @g split_axes = [[0]] sharded_dims_offsets = [0, %k, 8] : !shard.sharding
  %columns = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %x = shard.shard %p to %known : tensor<?xf64>
  %y = shard.shard %q to %known : tensor<8xf64>
  %a = math.tanh %x : tensor<?xf64>
  %b = tensor.cast %a : tensor<?xf64> to tensor<8xf64>
  %c = math.tanh %b : tensor<8xf64>
  %d = tensor.cast %y : tensor<8xf64> to tensor<?xf64>
  %e = math.tanh %d : tensor<?xf64>
  %empty = tensor.empty() : tensor<8xf64>
  %f = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>,
                                        affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x, %y : tensor<?xf64>, tensor<8xf64>) outs(%empty : tensor<8xf64>) {
  ^bb0(%i: f64, %j: f64, %o: f64):
    %sum = arith.addf %i, %j : f64
    linalg.yield %sum : f64
  } -> tensor<8xf64>
  %g = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
                       iterator_types = ["parallel"]}
      ins(%y : tensor<8xf64>) outs(%x : tensor<?xf64>) {
  ^bb0(%i: f64, %o: f64):
    %sum = arith.mulf %i, %o : f64
    linalg.yield %sum : f64
  } -> tensor<?xf64>
  %z = shard.shard %r to %told : tensor<?x4xf64>
  %h = tensor.cast %z : tensor<?x4xf64> to tensor<8x?xf64>
  %l = math.tanh %h : tensor<8x?xf64>
  %m = tensor.cast %l : tensor<8x?xf64> to tensor<?x4xf64>
  %n = arith.addf %m, %z : tensor<?x4xf64>
  %u = tensor.cast %n : tensor<?x4xf64> to tensor<8x4xf64>
  %v = shard.shard %u to %columns : tensor<8x4xf64>
  return %c, %e, %f, %g, %l, %v
      : tensor<8xf64>, tensor<?xf64>, tensor<8xf64>, tensor<?xf64>, tensor<8x?xf64>, tensor<8x4xf64>
}
