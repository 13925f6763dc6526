// Cumulative sums of what is read through windows as well: of an operand that is read ahead of the
// loop, at every second place of it, and together with another loop.
// RUN-CHECK: --grid 1,4,3,5 --seed 3
#x = affine_map<(q, p, t) -> (t)>
#sum = affine_map<(q, p, t) -> (q + t)>
#ahead = affine_map<(q, p, t) -> (t + 1)>
#second = affine_map<(q, p, t) -> (2 * t)>
#out = affine_map<(q, p, t) -> (q, p)>
shard.grid @g(shape = 4)

func.func @main(%x_in: tensor<12xf64>, %y: tensor<14xf64>, %a: tensor<13xf64>, %e: tensor<23xf64>)
    -> (tensor<3x12xf64>, tensor<3x12xf64>) {
  %sh = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %columns = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %x = shard.shard %x_in to %sh : tensor<12xf64>
  %zero = arith.constant dense<0.0> : tensor<3x12xf64>
  %0 = linalg.generic {indexing_maps = [#x, #sum, #out], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %y : tensor<12xf64>, tensor<14xf64>) outs(%zero : tensor<3x12xf64>) {
  ^bb0(%in: f64, %other: f64, %acc: f64):
    %p = linalg.index 1 : index
    %t = linalg.index 2 : index
    %before = arith.cmpi sle, %t, %p : index
    %m = arith.mulf %in, %other : f64
    %s = arith.addf %acc, %m : f64
    %r = arith.select %before, %s, %acc : f64
    linalg.yield %r : f64
  } -> tensor<3x12xf64>
  %1 = linalg.generic {indexing_maps = [#x, #ahead, #second, #out], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %a, %e : tensor<12xf64>, tensor<13xf64>, tensor<23xf64>) outs(%zero : tensor<3x12xf64>) {
  ^bb0(%in: f64, %next: f64, %even: f64, %acc: f64):
    %p = linalg.index 1 : index
    %t = linalg.index 2 : index
    %before = arith.cmpi sle, %t, %p : index
    %m = arith.mulf %in, %next : f64
    %n = arith.addf %m, %even : f64
    %s = arith.addf %acc, %n : f64
    %r = arith.select %before, %s, %acc : f64
    linalg.yield %r : f64
  } -> tensor<3x12xf64>
  %split = shard.shard %1 to %columns : tensor<3x12xf64>
  return %0, %split : tensor<3x12xf64>, tensor<3x12xf64>
}
