// Open dimensions, axes that are never taken, rounds, directions and groups choose layouts, never
// numbers. Odd sizes.
// RUN-CHECK: --grid 2x2,1x3,3x1 --seed 4
shard.grid @g(shape = 2x2)
func.func @main(%a_in: tensor<7x9xf32>, %b_in: tensor<9x5xf32>, %c_in: tensor<7x5xf32>,
                %d_in: tensor<7x5xf32>) -> (tensor<7x5xf32>, tensor<7x5xf32>, tensor<5xf32>) {
  %columns = shard.sharding @g split_axes = [[]] {tessera.open = [1]} : !shard.sharding
  %late = shard.sharding @g split_axes = [[1], [0]] {tessera.priority = [2, 1]} : !shard.sharding
  %rows = shard.sharding @g split_axes = [[0]] {tessera.open, tessera.replicated = [1]} : !shard.sharding
  %open = shard.sharding @g split_axes = [[]] {tessera.open} : !shard.sharding
  %a = shard.shard %a_in to %columns : tensor<7x9xf32>
  %b = shard.shard %b_in to %late : tensor<9x5xf32>
  %c = shard.shard %c_in to %rows {tessera.group = 3} : tensor<7x5xf32>
  %d = shard.shard %d_in to %rows {tessera.group = 3} : tensor<7x5xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<7x5xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<7x5xf32>) -> tensor<7x5xf32>
  %p = linalg.matmul ins(%a, %b : tensor<7x9xf32>, tensor<9x5xf32>) outs(%f : tensor<7x5xf32>) -> tensor<7x5xf32>
  %q = shard.shard %p to %open {tessera.flow = "forward"} : tensor<7x5xf32>
  %r = arith.addf %q, %c : tensor<7x5xf32>
  %u = shard.shard %d to %open annotate_for_users {tessera.flow = "none"} : tensor<7x5xf32>
  %t = math.tanh %u : tensor<7x5xf32>
  %v = shard.shard %r to %open annotate_for_users {tessera.flow = "backward"} : tensor<7x5xf32>
  %s0 = tensor.empty() : tensor<5xf32>
  %s1 = linalg.fill ins(%zero : f32) outs(%s0 : tensor<5xf32>) -> tensor<5xf32>
  %s = linalg.reduce { arith.addf } ins(%v : tensor<7x5xf32>) outs(%s1 : tensor<5xf32>) dimensions = [0]
  return %r, %t, %s : tensor<7x5xf32>, tensor<7x5xf32>, tensor<5xf32>
}
