// Offsets that end with the extent of the argument that they split, and of each other's; of a result
// under halos and a matmul. The extent is found without the offsets.
// RUN-CHECK: --seed 1 --shape 0=7x3 --shape 1=7 --shape 2=9x2
// RUN-CHECK: --seed 2 --shape 0=3x3 --shape 1=3 --shape 2=8x2
// RUN-CHECK: --seed 3 --shape 0=4x3 --shape 1=4 --shape 2=0x2
shard.grid @g(shape = 4)
func.func @main(%a: tensor<?x3xf64>, %b: tensor<?xf64>, %c: tensor<?x2xf64>,
                %k: i64 {tessera.range = [0, 4]})
    -> (tensor<?x3xf64>, tensor<?xf64>, index, tensor<?x2xf64>, tensor<2x2xf64>) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  // Each ends with the other's extent; both are equal here.
  %n = tensor.dim %a, %c0 : tensor<?x3xf64>
  %m = tensor.dim %b, %c0 : tensor<?xf64>
  %n64 = arith.index_cast %n : index to i64
  %m64 = arith.index_cast %m : index to i64
  %k3 = arith.minsi %k, %m64 : i64
  %s = shard.sharding @g split_axes = [[0]] sharded_dims_offsets = [0, %k3, %k3, %k3, %m64] : !shard.sharding
  %t = shard.sharding @g split_axes = [[0]] sharded_dims_offsets = [0, %k3, %k3, 3, %n64] : !shard.sharding
  %x = shard.shard %a to %s : tensor<?x3xf64>
  %y = shard.shard %b to %t : tensor<?xf64>
  %v = math.tanh %x : tensor<?x3xf64>
  %w = math.exp %y : tensor<?xf64>
  %r = arith.addi %n, %m : index
  // Half of the rows on one device, half on another.
  %rows = tensor.dim %c, %c0 : tensor<?x2xf64>
  %half = arith.divui %rows, %c2 : index
  %rows64 = arith.index_cast %rows : index to i64
  %half64 = arith.index_cast %half : index to i64
  %h = shard.sharding @g split_axes = [[0]] sharded_dims_offsets = [0, 0, %half64, %half64, %rows64] : !shard.sharding
  %d = shard.shard %c to %h : tensor<?x2xf64>
  %zero = arith.constant 0.0 : f64
  %empty = tensor.empty() : tensor<2x2xf64>
  %filled = linalg.fill ins(%zero : f64) outs(%empty : tensor<2x2xf64>) -> tensor<2x2xf64>
  %across = tensor.empty(%rows) : tensor<2x?xf64>
  %transposed = linalg.transpose ins(%d : tensor<?x2xf64>) outs(%across : tensor<2x?xf64>)
      permutation = [1, 0]
  %product = linalg.matmul ins(%transposed, %d : tensor<2x?xf64>, tensor<?x2xf64>)
      outs(%filled : tensor<2x2xf64>) -> tensor<2x2xf64>
  %halo = shard.sharding @g split_axes = [[0]] halo_sizes = [%half64, 1] : !shard.sharding
  %e = shard.shard %d to %halo annotate_for_users : tensor<?x2xf64>
  return %v, %w, %r, %e, %product
      : tensor<?x3xf64>, tensor<?xf64>, index, tensor<?x2xf64>, tensor<2x2xf64>
}
