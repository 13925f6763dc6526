// Loops that carry tensors of run-time extent: kept, exchanged, and growing from trip to trip.
// RUN-CHECK: --grid 1,2,4,6 --seed 1 --shape 0=7x4 --shape 1=7x4 --range 2=3:4
// RUN-CHECK: --grid 2,4 --seed 2 --shape 0=2x4 --shape 1=2x4 --range 2=0:1
// RUN-CHECK: --grid 4 --seed 3 --shape 0=8x4 --shape 1=8x4 --range 2=2:3
shard.grid @g(shape = 4)
func.func @main(%x_in: tensor<?x4xf32>, %y: tensor<?x4xf32>, %trips: index) -> (tensor<?x4xf32>, tensor<?x4xf32>, tensor<?x4xf32>, index) {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<?x4xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  %kept = scf.for %i = %c0 to %trips step %c1 iter_args(%u = %x) -> (tensor<?x4xf32>) {
    %n = tensor.dim %u, %c0 : tensor<?x4xf32>
    %e = tensor.empty(%n) : tensor<?x4xf32>
    %f = linalg.fill ins(%one : f32) outs(%e : tensor<?x4xf32>) -> tensor<?x4xf32>
    %v = arith.addf %u, %f : tensor<?x4xf32>
    scf.yield %v : tensor<?x4xf32>
  }
  %a, %b = scf.for %i = %c0 to %trips step %c1 iter_args(%u = %x, %v = %y) -> (tensor<?x4xf32>, tensor<?x4xf32>) {
    %w = arith.mulf %u, %v : tensor<?x4xf32>
    scf.yield %v, %w : tensor<?x4xf32>, tensor<?x4xf32>
  }
  %grown = scf.for %i = %c0 to %trips step %c1 iter_args(%u = %x) -> (tensor<?x4xf32>) {
    %v = tensor.concat dim(0) %u, %x : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
    %t = math.tanh %v : tensor<?x4xf32>
    %m = tensor.dim %t, %c0 : tensor<?x4xf32>
    %e = tensor.empty(%m) : tensor<?x4xf32>
    %f = linalg.fill ins(%one : f32) outs(%e : tensor<?x4xf32>) -> tensor<?x4xf32>
    %r = arith.addf %t, %f : tensor<?x4xf32>
    scf.yield %r : tensor<?x4xf32>
  }
  %rows = tensor.dim %grown, %c0 : tensor<?x4xf32>
  %p = arith.addf %a, %b : tensor<?x4xf32>
  return %kept, %p, %grown, %rows : tensor<?x4xf32>, tensor<?x4xf32>, tensor<?x4xf32>, index
}
