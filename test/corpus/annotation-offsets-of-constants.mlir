// Constants, fills and iotas under explicit shard offsets and halos: returned, in a loop, beside balanced values.
// RUN-CHECK: --grid 4 --seed 1
shard.grid @g(shape = 4)
func.func @main(%x_in: tensor<9xi32>) -> (tensor<9xi32>, tensor<9xi32>, tensor<9xi32>, tensor<9xi32>) {
  %s = shard.sharding @g split_axes = [[0]] sharded_dims_offsets = [0, 1, 5, 7, 9] : !shard.sharding
  %h = shard.sharding @g split_axes = [[0]] halo_sizes = [2, 1] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<9xi32>
  %k = arith.constant dense<[1,2,3,4,5,6,7,8,9]> : tensor<9xi32>
  %ks = shard.shard %k to %s : tensor<9xi32>
  %e = tensor.empty() : tensor<9xi32>
  %io = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%e : tensor<9xi32>) {
  ^bb0(%o: i32):
    %i = linalg.index 0 : index
    %j = arith.index_cast %i : index to i32
    linalg.yield %j : i32
  } -> tensor<9xi32>
  %ios = shard.shard %io to %h : tensor<9xi32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%a = %x) -> tensor<9xi32> {
    %b = arith.addi %a, %ks : tensor<9xi32>
    %c = arith.subi %b, %ios : tensor<9xi32>
    scf.yield %c : tensor<9xi32>
  }
  %w = arith.addi %r, %ios : tensor<9xi32>
  %ws = shard.shard %w to %h : tensor<9xi32>
  return %ks, %ios, %r, %ws : tensor<9xi32>, tensor<9xi32>, tensor<9xi32>, tensor<9xi32>
}
