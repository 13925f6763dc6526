// Ops that run whole and hold annotations, after another annotated function was partitioned.
// RUN-CHECK: --entry main --grid 1,2,3,4,6 --seed 1
shard.grid @g(shape = 4)
func.func private @before(%a: tensor<8x6xf32>) -> tensor<8x6xf32> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %v0 = shard.shard %a to %s : tensor<8x6xf32>
  %e0 = tensor.empty() : tensor<8x6xf32>
  %w0 = linalg.exp ins(%v0 : tensor<8x6xf32>) outs(%e0 : tensor<8x6xf32>) -> tensor<8x6xf32>
  %v1 = shard.shard %w0 to %s : tensor<8x6xf32>
  %e1 = tensor.empty() : tensor<8x6xf32>
  %w1 = linalg.exp ins(%v1 : tensor<8x6xf32>) outs(%e1 : tensor<8x6xf32>) -> tensor<8x6xf32>
  %v2 = shard.shard %w1 to %s : tensor<8x6xf32>
  %e2 = tensor.empty() : tensor<8x6xf32>
  %w2 = linalg.exp ins(%v2 : tensor<8x6xf32>) outs(%e2 : tensor<8x6xf32>) -> tensor<8x6xf32>
  return %w2 : tensor<8x6xf32>
}
func.func @main(%a: tensor<8x6xf32>, %c: i1) -> tensor<8x6xf32> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %a to %s : tensor<8x6xf32>
  %t0 = math.tanh %x : tensor<8x6xf32>
  %q0 = shard.shard %t0 to %s : tensor<8x6xf32>
  %r0 = scf.if %c -> tensor<8x6xf32> {
    %s2 = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
    %i = shard.shard %q0 to %s2 annotate_for_users : tensor<8x6xf32>
    %j = math.sin %i : tensor<8x6xf32>
    %k = arith.addf %i, %j : tensor<8x6xf32>
    scf.yield %k : tensor<8x6xf32>
  } else {
    scf.yield %q0 : tensor<8x6xf32>
  }
  %t1 = math.tanh %r0 : tensor<8x6xf32>
  %q1 = shard.shard %t1 to %s : tensor<8x6xf32>
  %r1 = scf.if %c -> tensor<8x6xf32> {
    %s2 = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
    %i = shard.shard %q1 to %s2 annotate_for_users : tensor<8x6xf32>
    %j = math.sin %i : tensor<8x6xf32>
    %k = arith.addf %i, %j : tensor<8x6xf32>
    scf.yield %k : tensor<8x6xf32>
  } else {
    scf.yield %q1 : tensor<8x6xf32>
  }
  %z = shard.shard %r1 to %s : tensor<8x6xf32>
  return %z : tensor<8x6xf32>
}
