// Functions that take and return tensors of run-time extent, on the caller's grid and on another.
// RUN-CHECK: --seed 1 --shape 0=7x4
// RUN-CHECK: --seed 2 --shape 0=2x4
// RUN-CHECK: --seed 3 --shape 0=8x4
shard.grid @g(shape = 4)
shard.grid @h(shape = 2x2)
func.func private @scale(%x_in: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<?x4xf32>
  %y = arith.addf %x, %x : tensor<?x4xf32>
  return %y : tensor<?x4xf32>
}
func.func private @elsewhere(%x_in: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %s = shard.sharding @h split_axes = [[1], [0]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<?x4xf32>
  %y = math.tanh %x : tensor<?x4xf32>
  return %y : tensor<?x4xf32>
}
func.func @main(%x_in: tensor<?x4xf32>) -> (tensor<?x4xf32>, tensor<?xf32>, index) {
  %s = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<?x4xf32>
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %a = func.call @scale(%x) : (tensor<?x4xf32>) -> tensor<?x4xf32>
  %b = func.call @elsewhere(%a) : (tensor<?x4xf32>) -> tensor<?x4xf32>
  %n = tensor.dim %a, %c0 : tensor<?x4xf32>
  %e = tensor.empty(%n) : tensor<?xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %r = linalg.reduce { arith.addf } ins(%b : tensor<?x4xf32>) outs(%f : tensor<?xf32>) dimensions = [1]
  return %a, %r, %n : tensor<?x4xf32>, tensor<?xf32>, index
}
