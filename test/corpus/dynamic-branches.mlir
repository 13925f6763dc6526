// Tensors of run-time extent through branches, loops with a condition, blocks: kept, exchanged, of
// two extents.
// RUN-CHECK: --grid 1,2,4,6 --seed 1 --shape 0=7x4 --shape 1=7x4 --shape 2=3x4 --range 3=3:4
// RUN-CHECK: --grid 2,4 --seed 2 --shape 0=2x4 --shape 1=2x4 --shape 2=5x4 --range 3=0:1
shard.grid @g(shape = 4)
func.func @main(%x_in: tensor<?x4xf32>, %y: tensor<?x4xf32>, %z: tensor<?x4xf32>, %trips: index, %p: i1)
    -> (tensor<?x4xf32>, tensor<?x4xf32>, tensor<?x4xf32>, tensor<?x4xf32>, index) {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<?x4xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  %w:3 = scf.while (%i = %c0, %u = %x, %v = %y) : (index, tensor<?x4xf32>, tensor<?x4xf32>)
      -> (index, tensor<?x4xf32>, tensor<?x4xf32>) {
    %more = arith.cmpi ult, %i, %trips : index
    %t = math.tanh %u : tensor<?x4xf32>
    scf.condition(%more) %i, %v, %t : index, tensor<?x4xf32>, tensor<?x4xf32>
  } do {
  ^bb0(%i: index, %u: tensor<?x4xf32>, %v: tensor<?x4xf32>):
    %n = tensor.dim %u, %c0 : tensor<?x4xf32>
    %e = tensor.empty(%n) : tensor<?x4xf32>
    %f = linalg.fill ins(%one : f32) outs(%e : tensor<?x4xf32>) -> tensor<?x4xf32>
    %a = arith.addf %u, %f : tensor<?x4xf32>
    %next = arith.addi %i, %c1 : index
    scf.yield %next, %a, %v : index, tensor<?x4xf32>, tensor<?x4xf32>
  }
  %r:2 = scf.if %p -> (tensor<?x4xf32>, tensor<?x4xf32>) {
    %b = arith.negf %x : tensor<?x4xf32>
    scf.yield %b, %x : tensor<?x4xf32>, tensor<?x4xf32>
  } else {
    scf.yield %w#1, %z : tensor<?x4xf32>, tensor<?x4xf32>
  }
  %n = tensor.dim %r#1, %c0 : tensor<?x4xf32>
  %e = tensor.empty(%n) : tensor<?x4xf32>
  %f = linalg.fill ins(%one : f32) outs(%e : tensor<?x4xf32>) -> tensor<?x4xf32>
  %a = arith.addf %r#1, %f : tensor<?x4xf32>
  %c = arith.addf %r#0, %x : tensor<?x4xf32>
  cf.cond_br %p, ^next(%a, %c : tensor<?x4xf32>, tensor<?x4xf32>), ^next(%c, %x : tensor<?x4xf32>, tensor<?x4xf32>)
^next(%g: tensor<?x4xf32>, %h: tensor<?x4xf32>):
  %k = tensor.dim %g, %c0 : tensor<?x4xf32>
  %ee = tensor.empty(%k) : tensor<?x4xf32>
  %ff = linalg.fill ins(%one : f32) outs(%ee : tensor<?x4xf32>) -> tensor<?x4xf32>
  %gg = arith.mulf %g, %ff : tensor<?x4xf32>
  %l = tensor.dim %h, %c0 : tensor<?x4xf32>
  %m = arith.addi %k, %l : index
  return %w#1, %w#2, %gg, %h, %m : tensor<?x4xf32>, tensor<?x4xf32>, tensor<?x4xf32>, tensor<?x4xf32>, index
}
