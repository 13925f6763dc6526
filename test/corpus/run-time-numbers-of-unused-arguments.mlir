// Arguments of run-time layouts whose data nobody uses: canonicalize deletes their annotations, and
// what they say stays on the function. One is asked for its shape all the same.
// RUN-CHECK: --seed 1 --shape 0=7x3 --shape 1=5 --shape 2=6
// RUN-CHECK: --seed 2 --shape 0=4x1 --shape 1=8 --shape 2=1
shard.grid @g(shape = 2x2)
func.func @main(%a: tensor<?x?xf64>, %b: tensor<?xf64>, %c: tensor<?xf64>,
                %h: i64 {tessera.range = [0, 3]}, %k: i64 {tessera.range = [0, 2]})
    -> (tensor<?xf64>, index, index) {
  %c0 = arith.constant 0 : index
  %rows = tensor.dim %a, %c0 : tensor<?x?xf64>
  %n = tensor.dim %b, %c0 : tensor<?xf64>
  %n64 = arith.index_cast %n : index to i64
  %halo = shard.sharding @g split_axes = [[], [0, 1]] halo_sizes = [%h, 1] : !shard.sharding
  %cut = shard.sharding @g split_axes = [[1]] sharded_dims_offsets = [0, %k, %n64] : !shard.sharding
  %x = shard.shard %a to %halo : tensor<?x?xf64>
  %y = shard.shard %b to %cut : tensor<?xf64>
  %v = math.tanh %c : tensor<?xf64>
  return %v, %rows, %n : tensor<?xf64>, index, index
}
