// Tensors of run-time extent that pass between blocks.
// RUN-CHECK: --grid 1,2,4 --seed 1 --shape 0=7x4 --shape 1=3x4
// RUN-CHECK: --grid 2,4 --seed 2 --shape 0=2x4 --shape 1=9x4
shard.grid @g(shape = 4)
func.func @main(%x_in: tensor<?x4xf32>, %y: tensor<?x4xf32>, %c: i1) -> (tensor<?x4xf32>, index) {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<?x4xf32>
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  cf.cond_br %c, ^next(%x : tensor<?x4xf32>), ^next(%y : tensor<?x4xf32>)
^next(%u: tensor<?x4xf32>):
  %v = shard.shard %u to %s annotate_for_users : tensor<?x4xf32>
  %n = tensor.dim %v, %c0 : tensor<?x4xf32>
  %e = tensor.empty(%n) : tensor<?x4xf32>
  %f = linalg.fill ins(%one : f32) outs(%e : tensor<?x4xf32>) -> tensor<?x4xf32>
  %w = arith.addf %v, %f : tensor<?x4xf32>
  return %w, %n : tensor<?x4xf32>, index
}
