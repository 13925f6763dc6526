// Windows, joins and insertions beside shard offsets that only the launch knows.
// RUN-CHECK: --shape 0=9x3 --range 1=2:5 --grid 4
// RUN-CHECK: --shape 0=8x3 --range 1=1:2 --grid 4 --seed 2
shard.grid @g(shape = 4)
func.func @main(%u_in: tensor<?x3xf32>, %o1: i64) -> (tensor<?x3xf32>, tensor<6x3xf32>, tensor<?x3xf32>, tensor<?x3xf32>) {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %o = shard.sharding @g split_axes = [[0]] sharded_dims_offsets = [0, 1, %o1, 5, 6] : !shard.sharding
  %u = shard.shard %u_in to %s : tensor<?x3xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %u, %c0 : tensor<?x3xf32>
  %m = arith.subi %n, %c1 : index
  %a = tensor.extract_slice %u[1, 0][6, 3][1, 1] : tensor<?x3xf32> to tensor<6x3xf32>
  %ao = shard.shard %a to %o : tensor<6x3xf32>
  %e = tensor.empty(%m) : tensor<?x3xf32>
  %sh = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i + 1, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
     ins(%u : tensor<?x3xf32>) outs(%e : tensor<?x3xf32>) {
  ^bb0(%x: f32, %y: f32):
    %i = linalg.index 0 : index
    %i6 = arith.index_cast %i : index to i64
    %fi = arith.sitofp %i6 : i64 to f32
    %q = arith.addf %x, %fi : f32
    linalg.yield %q : f32
  } -> tensor<?x3xf32>
  %c = tensor.concat dim(0) %ao, %u, %ao : (tensor<6x3xf32>, tensor<?x3xf32>, tensor<6x3xf32>) -> tensor<?x3xf32>
  %ins = tensor.insert_slice %ao into %u[1, 0][6, 3][1, 1] : tensor<6x3xf32> into tensor<?x3xf32>
  return %sh, %ao, %c, %ins : tensor<?x3xf32>, tensor<6x3xf32>, tensor<?x3xf32>, tensor<?x3xf32>
}
