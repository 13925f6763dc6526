// A loop writes into a tensor that it carries, of an extent that only the launch knows and that
// stays split: nothing is gathered.
// RUN-CHECK: --entry writes --grid 4,2,3,1,8 --shape 0=6x4x8 --shape 1=6x8
// RUN-CHECK: --entry writes --grid 4 --shape 0=0x4x8 --shape 1=0x8
// RUN-CHECK: --entry swaps --grid 4,3 --shape 0=6x4 --shape 1=9x4
shard.grid @g(shape = 4)
func.func @writes(%cache: tensor<?x4x8xf32>, %k: tensor<?x8xf32>) -> (tensor<?x4x8xf32>, tensor<?x8xf32>) {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %cache to %s : tensor<?x4x8xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %n = tensor.dim %x, %c0 : tensor<?x4x8xf32>
  %r = scf.for %i = %c0 to %c4 step %c1 iter_args(%u = %x) -> tensor<?x4x8xf32> {
    %old = tensor.extract_slice %u[0, %i, 0] [%n, 1, 8] [1, 1, 1]
      : tensor<?x4x8xf32> to tensor<?x8xf32>
    %new = arith.addf %old, %k : tensor<?x8xf32>
    %v = tensor.insert_slice %new into %u[0, %i, 0] [%n, 1, 8] [1, 1, 1]
      : tensor<?x8xf32> into tensor<?x4x8xf32>
    scf.yield %v : tensor<?x4x8xf32>
  }
  %last = tensor.extract_slice %r[0, 3, 0] [%n, 1, 8] [1, 1, 1]
    : tensor<?x4x8xf32> to tensor<?x8xf32>
  return %r, %last : tensor<?x4x8xf32>, tensor<?x8xf32>
}

// The extents change places: six rows of nine are a cut.
func.func @swaps(%a: tensor<?x4xf32>, %b: tensor<?x4xf32>) -> tensor<?x2xf32> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %a to %s : tensor<?x4xf32>
  %y = shard.shard %b to %s : tensor<?x4xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %n = tensor.dim %x, %c0 : tensor<?x4xf32>
  %r:2 = scf.for %i = %c0 to %c3 step %c1 iter_args(%u = %x, %v = %y)
      -> (tensor<?x4xf32>, tensor<?x4xf32>) {
    %w = arith.negf %v : tensor<?x4xf32>
    scf.yield %w, %u : tensor<?x4xf32>, tensor<?x4xf32>
  }
  %first = tensor.extract_slice %r#0[0, 1] [%n, 2] [1, 1] : tensor<?x4xf32> to tensor<?x2xf32>
  return %first : tensor<?x2xf32>
}
