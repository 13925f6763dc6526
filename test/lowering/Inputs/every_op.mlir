// Each collective once, on values that differ between devices: v = a + 100 * device.
shard.grid @g(shape = 2x2)

func.func private @mine(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %l = shard.process_linear_index on @g : index
  %i = arith.index_cast %l : index to i32
  %f = arith.sitofp %i : i32 to f32
  %h = arith.constant 100.0 : f32
  %o = arith.mulf %f, %h : f32
  %s = tensor.splat %o : tensor<4x4xf32>
  %v = arith.addf %a, %s : tensor<4x4xf32>
  return %v : tensor<4x4xf32>
}
func.func @all_slice(%a: tensor<4x4xf32>) -> tensor<1x4xf32> {
  %v = call @mine(%a) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %r = shard.all_slice %v on @g grid_axes = [1, 0] slice_axis = 0 : tensor<4x4xf32> -> tensor<1x4xf32>
  return %r : tensor<1x4xf32>
}
func.func @reduce_scatter(%a: tensor<4x4xf32>) -> tensor<4x2xf64> {
  %v = call @mine(%a) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %r = shard.reduce_scatter %v on @g grid_axes = [0] scatter_axis = 1 : tensor<4x4xf32> -> tensor<4x2xf64>
  return %r : tensor<4x2xf64>
}
func.func @broadcast(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %v = call @mine(%a) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %r = shard.broadcast %v on @g grid_axes = [1] root = [1] : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return %r : tensor<4x4xf32>
}
func.func @gather(%a: tensor<4x4xf32>, %root: index) -> tensor<8x4xf32> {
  %v = call @mine(%a) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %r = shard.gather %v on @g grid_axes = [1] gather_axis = 0 root = [%root] : (tensor<4x4xf32>, index) -> tensor<8x4xf32>
  return %r : tensor<8x4xf32>
}
func.func @scatter(%a: tensor<4x4xf32>) -> tensor<2x4xf32> {
  %v = call @mine(%a) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %r = shard.scatter %v on @g grid_axes = [0] scatter_axis = 0 root = [1] : (tensor<4x4xf32>) -> tensor<2x4xf32>
  return %r : tensor<2x4xf32>
}
func.func @reduce(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %v = call @mine(%a) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %r = shard.reduce %v on @g grid_axes = [0, 1] reduction = max root = [1, 0] : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return %r : tensor<4x4xf32>
}
// A ring along axis 1: each sends to the other and receives from it.
func.func @ring(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %v = call @mine(%a) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %i = shard.process_multi_index on @g axes = [1] : index
  %one = arith.constant 1 : index
  %peer = arith.subi %one, %i : index
  %s = shard.send %v on @g grid_axes = [1] destination = [%peer] : (tensor<4x4xf32>, index) -> tensor<4x4xf32>
  %r = shard.recv %v on @g grid_axes = [1] source = [%peer] : (tensor<4x4xf32>, index) -> tensor<4x4xf32>
  %t = arith.addf %s, %r : tensor<4x4xf32>
  return %t : tensor<4x4xf32>
}
func.func @shift(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %v = call @mine(%a) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %r = shard.shift %v on @g grid_axes = [0] shift_axis = 0 offset = -1 rotate : tensor<4x4xf32> -> tensor<4x4xf32>
  return %r : tensor<4x4xf32>
}
func.func @halo(%a: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  %v = call @mine(%a) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %one = arith.constant 1 : i64
  %r = shard.update_halo %v on @g split_axes = [[0], [1]] halo_sizes = [1, %one, 1, 1] : tensor<4x4xf32>
  return %v, %r : tensor<4x4xf32>, tensor<4x4xf32>
}
func.func @neighbours() -> (index, index) {
  %i:2 = shard.process_multi_index on @g : index, index
  %n:2 = shard.neighbors_linear_indices on @g[%i#0, %i#1] split_axes = [0] : index, index
  return %n#0, %n#1 : index, index
}
func.func @shard_shape(%n: index) -> (index, index) {
  %i:2 = shard.process_multi_index on @g : index, index
  %s = shard.sharding @g split_axes = [[0, 1], []] : !shard.sharding
  %d:2 = shard.shard_shape dims = [10, %n] sharding = %s device = [%i#0, %i#1] : index, index
  %t = shard.sharding @g split_axes = [[1]] sharded_dims_offsets = [0, 3, 10] : !shard.sharding
  %e = shard.shard_shape dims = [10] sharding = %t device = [%i#0, %i#1] : index
  return %d#0, %e : index, index
}
func.func @uneven(%a: tensor<10x4xf32>) -> (index, tensor<10x4xf32>, tensor<10x4xf32>) {
  %l = shard.process_linear_index on @g : index
  %four = arith.constant 4 : index
  %ten = arith.constant 10 : index
  %s = arith.addi %ten, %l : index
  %n = arith.divui %s, %four : index
  %p = tessera.all_slice %a on @g grid_axes = [0, 1] slice_axis = 0 sizes(%n) : tensor<10x4xf32> -> tensor<?x4xf32>
  %r = tessera.reduce_scatter %a on @g grid_axes = [0, 1] scatter_axis = 0 sizes(%n) : tensor<10x4xf32> -> tensor<?x4xf32>
  %g = tessera.all_gather %p on @g grid_axes = [0, 1] gather_axis = 0 : tensor<?x4xf32> -> tensor<10x4xf32>
  %h = tessera.all_gather %r on @g grid_axes = [0, 1] gather_axis = 0 : tensor<?x4xf32> -> tensor<10x4xf32>
  return %n, %g, %h : index, tensor<10x4xf32>, tensor<10x4xf32>
}
// Upstream's ops on sizes that only the run knows.
func.func @unknown(%a: tensor<?x4xf32>) -> (index, tensor<?x4xf32>) {
  %p = shard.all_slice %a on @g grid_axes = [0, 1] slice_axis = 0 : tensor<?x4xf32> -> tensor<?x4xf32>
  %g = shard.all_gather %p on @g grid_axes = [0, 1] gather_axis = 0 : tensor<?x4xf32> -> tensor<?x4xf32>
  %c0 = arith.constant 0 : index
  %n = tensor.dim %p, %c0 : tensor<?x4xf32>
  return %n, %g : index, tensor<?x4xf32>
}
func.func @exchange(%a: tensor<8x8xf32>) -> tensor<4x4xf32> {
  %s = tessera.all_slice %a on @g grid_axes = [0] slice_axis = 0 : tensor<8x8xf32> -> tensor<4x8xf32>
  %t = tessera.all_slice %s on @g grid_axes = [1] slice_axis = 1 : tensor<4x8xf32> -> tensor<4x4xf32>
  %b = tessera.exchange %t from {grid = @g, global = tensor<8x8xf32>, factors = [[[8, [0]]], [[8, [1]]]]} to {grid = @g, global = tensor<8x8xf32>, factors = [[[8, [1]]], [[8, [0]]]]} : tensor<4x4xf32> -> tensor<4x4xf32>
  return %b : tensor<4x4xf32>
}
// In a loop: the all-reduce stays where it is and runs as often.
func.func @loop(%a: tensor<4x4xf32>, %n: index) -> tensor<4x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> (tensor<4x4xf32>) {
    %s = shard.all_reduce %x on @g grid_axes = [0, 1] reduction = average : tensor<4x4xf32> -> tensor<4x4xf32>
    %t = arith.addf %s, %x : tensor<4x4xf32>
    scf.yield %t : tensor<4x4xf32>
  }
  return %r : tensor<4x4xf32>
}
