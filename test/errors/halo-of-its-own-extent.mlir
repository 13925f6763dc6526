// A halo size cannot depend on the extent of the dimension that has the halo: a device could not
// tell the one without the other.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-partition)' \
// RUN:   --split-input-file --verify-diagnostics=only-expected

shard.grid @g(shape = 2)
func.func @f(%x: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  // expected-error@+1 {{the extent of dimension 0 is needed here}}
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %h = arith.divui %n, %c4 : index
  %m = arith.index_cast %h : index to i64
  %s = shard.sharding @g split_axes = [[0]] halo_sizes = [%m, 1] : !shard.sharding
  %a = shard.shard %x to %s : tensor<?xf32>
  %t = math.tanh %a : tensor<?xf32>
  return %t : tensor<?xf32>
}

// -----

// Nor may two depend on each other's.
shard.grid @g(shape = 2)
func.func @f(%x: tensor<?xf32>, %y: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  // expected-error@+1 {{the extent of dimension 0 is needed here}}
  %m = tensor.dim %y, %c0 : tensor<?xf32>
  %g = arith.divui %n, %c4 : index
  %h = arith.divui %m, %c4 : index
  %g64 = arith.index_cast %g : index to i64
  %h64 = arith.index_cast %h : index to i64
  %s = shard.sharding @g split_axes = [[0]] halo_sizes = [%h64, 1] : !shard.sharding
  %t = shard.sharding @g split_axes = [[0]] halo_sizes = [%g64, 1] : !shard.sharding
  %a = shard.shard %x to %s : tensor<?xf32>
  %b = shard.shard %y to %t : tensor<?xf32>
  return %a, %b : tensor<?xf32>, tensor<?xf32>
}
