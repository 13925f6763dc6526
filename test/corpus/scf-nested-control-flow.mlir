// A loop with a condition inside of a loop inside of a branch, on two axes, with odd sizes; what the
// first region of the inner loop passes on has another shape than what it gets.
// RUN-CHECK: --grid 1x1,2x2,3x2 --seed 1
shard.grid @g(shape = 2x2)
func.func @main(%x_in: tensor<9x7xf64>, %w: tensor<7x7xf64>, %flag: i1) -> tensor<9x7xf64> {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %columns = shard.sharding @g split_axes = [[], [1]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<9x7xf64>
  %w_s = shard.shard %w to %columns : tensor<7x7xf64>
  %none = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %lower = arith.constant 0 : index
  %step = arith.constant 1 : index
  %upper = arith.constant 3 : index
  %limit = arith.constant 40.0 : f64
  %zeros = arith.constant dense<0.0> : tensor<9x7xf64>
  %line = arith.constant dense<0.0> : tensor<9xf64>
  %nought = arith.constant dense<0.0> : tensor<f64>
  %r = scf.if %flag -> (tensor<9x7xf64>) {
    %f = scf.for %i = %lower to %upper step %step iter_args(%v = %x) -> (tensor<9x7xf64>) {
      %m = linalg.matmul ins(%v, %w_s : tensor<9x7xf64>, tensor<7x7xf64>)
          outs(%zeros : tensor<9x7xf64>) -> tensor<9x7xf64>
      %n:2 = scf.while (%t = %m, %c = %none)
          : (tensor<9x7xf64>, i32) -> (tensor<9xf64>, tensor<9x7xf64>) {
        %s = linalg.reduce ins(%t : tensor<9x7xf64>) outs(%line : tensor<9xf64>) dimensions = [1]
            (%e: f64, %acc: f64) {
              %a = math.absf %e : f64
              %sum = arith.addf %a, %acc : f64
              linalg.yield %sum : f64
            }
        %all = linalg.reduce ins(%s : tensor<9xf64>) outs(%nought : tensor<f64>) dimensions = [0]
            (%e: f64, %acc: f64) {
              %sum = arith.addf %e, %acc : f64
              linalg.yield %sum : f64
            }
        %size = tensor.extract %all[] : tensor<f64>
        %more = arith.cmpf ogt, %size, %limit : f64
        scf.condition(%more) %s, %t : tensor<9xf64>, tensor<9x7xf64>
      } do {
      ^bb0(%s: tensor<9xf64>, %t: tensor<9x7xf64>):
        %half = arith.constant dense<0.5> : tensor<9x7xf64>
        %smaller = arith.mulf %t, %half : tensor<9x7xf64>
        scf.yield %smaller, %one : tensor<9x7xf64>, i32
      }
      %b = linalg.broadcast ins(%n#0 : tensor<9xf64>) outs(%zeros : tensor<9x7xf64>)
          dimensions = [1]
      %y = arith.addf %b, %n#1 : tensor<9x7xf64>
      scf.yield %y : tensor<9x7xf64>
    }
    scf.yield %f : tensor<9x7xf64>
  } else {
    %t = math.tanh %x : tensor<9x7xf64>
    scf.yield %t : tensor<9x7xf64>
  }
  return %r : tensor<9x7xf64>
}
