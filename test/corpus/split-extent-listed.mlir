// Split dimensions of an expand_shape that lists an extent as a number where its type does not say it: operands were
// counted by the type, and fusion changed the type under the loop that carries it.
// RUN-CHECK: --grid 2,3,1 --shape 0=28x20
shard.grid @grid(shape = 2)
func.func @main(%x: tensor<?x20xf32>) -> (tensor<?x?x20xf32>, tensor<?x?x20xf32>, tensor<?x?x20xf32>, tensor<?x?x20xf32>) {
  %listed = shard.sharding @grid split_axes = [[0], [], []] : !shard.sharding
  %told = shard.sharding @grid split_axes = [[], [0], []] : !shard.sharding
  %beside = shard.sharding @grid split_axes = [[], [], [0]] : !shard.sharding
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %n = tensor.dim %x, %c0 : tensor<?x20xf32>
  %m = arith.divui %n, %c4 : index
  %a = tensor.expand_shape %x [[0, 1], [2]] output_shape [4, %m, 20] : tensor<?x20xf32> into tensor<?x?x20xf32>
  %b = shard.shard %a to %listed : tensor<?x?x20xf32>
  %c = arith.addf %b, %b : tensor<?x?x20xf32>
  %y = math.absf %x : tensor<?x20xf32>
  %d = tensor.expand_shape %y [[0, 1], [2]] output_shape [4, %m, 20] : tensor<?x20xf32> into tensor<?x?x20xf32>
  %e = shard.shard %d to %told : tensor<?x?x20xf32>
  %f = arith.mulf %e, %e : tensor<?x?x20xf32>
  %z = arith.negf %x : tensor<?x20xf32>
  %g = tensor.expand_shape %z [[0, 1], [2]] output_shape [4, %m, 20] : tensor<?x20xf32> into tensor<?x?x20xf32>
  %h = shard.shard %g to %beside : tensor<?x?x20xf32>
  %i = arith.addf %h, %h : tensor<?x?x20xf32>
  %l = scf.for %k = %c0 to %c3 step %c1 iter_args(%u = %i) -> (tensor<?x?x20xf32>) {
    %s = tensor.collapse_shape %u [[0, 1], [2]] : tensor<?x?x20xf32> into tensor<?x20xf32>
    %t = arith.addf %s, %x : tensor<?x20xf32>
    %v = tensor.expand_shape %t [[0, 1], [2]] output_shape [4, %m, 20] : tensor<?x20xf32> into tensor<?x?x20xf32>
    scf.yield %v : tensor<?x?x20xf32>
  }
  return %c, %f, %i, %l : tensor<?x?x20xf32>, tensor<?x?x20xf32>, tensor<?x?x20xf32>, tensor<?x?x20xf32>
}
