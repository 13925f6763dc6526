// Slices and pads of extents that only the launch knows in functions that are called twice, annotated and not.
// RUN-CHECK: --shape 0=9x3 --grid 1,2,4
// RUN-CHECK: --shape 0=6x3 --grid 3,4 --seed 2
shard.grid @g(shape = 4)
func.func private @shrink(%x: tensor<?x3xf32>, %k: index) -> (tensor<?x3xf32>, tensor<?x3xf32>) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %n = tensor.dim %x, %c0 : tensor<?x3xf32>
  %m = arith.subi %n, %k : index
  %a = tensor.extract_slice %x[1, 0][%m, 3][1, 1] : tensor<?x3xf32> to tensor<?x3xf32>
  %h = arith.divui %n, %c2 : index
  %b = tensor.extract_slice %x[1, 0][%h, 3][2, 1] : tensor<?x3xf32> to tensor<?x3xf32>
  return %a, %b : tensor<?x3xf32>, tensor<?x3xf32>
}
func.func private @annotated(%x: tensor<?x3xf32>) -> tensor<?x3xf32> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %r = shard.sharding @g split_axes = [[]] : !shard.sharding
  %xs = shard.shard %x to %s : tensor<?x3xf32>
  %z = arith.constant 2.0 : f32
  %p = tensor.pad %xs low[0, 1] high[2, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %z : f32
  } : tensor<?x3xf32> to tensor<?x4xf32>
  %c0 = arith.constant 0 : index
  %n = tensor.dim %p, %c0 : tensor<?x4xf32>
  %q = tensor.extract_slice %p[0, 1][%n, 3][1, 1] : tensor<?x4xf32> to tensor<?x3xf32>
  %qs = shard.shard %q to %r : tensor<?x3xf32>
  return %qs : tensor<?x3xf32>
}
func.func @main(%u_in: tensor<?x3xf32>) -> (tensor<?x3xf32>, tensor<?x3xf32>, tensor<?x3xf32>) {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %u = shard.shard %u_in to %s : tensor<?x3xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a:2 = func.call @shrink(%u, %c1) : (tensor<?x3xf32>, index) -> (tensor<?x3xf32>, tensor<?x3xf32>)
  %b:2 = func.call @shrink(%a#0, %c1) : (tensor<?x3xf32>, index) -> (tensor<?x3xf32>, tensor<?x3xf32>)
  %c = func.call @annotated(%b#0) : (tensor<?x3xf32>) -> tensor<?x3xf32>
  %d = tensor.concat dim(0) %c, %b#1, %a#1 : (tensor<?x3xf32>, tensor<?x3xf32>, tensor<?x3xf32>) -> tensor<?x3xf32>
  %dn = tensor.dim %c, %c0 : tensor<?x3xf32>
  %dm = arith.subi %dn, %c1 : index
  %e = tensor.extract_slice %c[1, 0][%dm, 3][1, 1] : tensor<?x3xf32> to tensor<?x3xf32>
  return %b#0, %d, %e : tensor<?x3xf32>, tensor<?x3xf32>, tensor<?x3xf32>
}
