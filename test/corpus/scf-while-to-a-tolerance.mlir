// Conjugate gradients until the residual is small: what decides is the norm of a split vector, which
// every device has to know, and to the last digit alike. Rows of the matrix are split.
// RUN-CHECK: --grid 1,2,3,4,6 --seed 1
#id = affine_map<(i) -> (i)>
#all = affine_map<(i) -> ()>
shard.grid @g(shape = 4)
func.func @main(%d_in: tensor<23xf64>, %b_in: tensor<23xf64>) -> (tensor<23xf64>, i32) {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %d = shard.shard %d_in to %rows : tensor<23xf64>
  %b = shard.shard %b_in to %rows : tensor<23xf64>
  %none = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %most = arith.constant 60 : i32
  %tolerance = arith.constant 1.0e-18 : f64
  %zero = arith.constant 0.0 : f64
  %zeros = arith.constant dense<0.0> : tensor<23xf64>
  %nought = arith.constant dense<0.0> : tensor<f64>
  // 30 on the diagonal, and what makes the matrix neither diagonal nor banded.
  %e = tensor.empty() : tensor<23x23xf64>
  %a_in = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>],
                          iterator_types = ["parallel", "parallel"]} outs(%e : tensor<23x23xf64>) {
  ^bb0(%o: f64):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %sum = arith.addi %i, %j : index
    %k = arith.index_cast %sum : index to i64
    %f = arith.sitofp %k : i64 to f64
    %c = math.cos %f : f64
    %thirty = arith.constant 30.0 : f64
    %is = arith.cmpi eq, %i, %j : index
    %v = arith.select %is, %thirty, %c : f64
    linalg.yield %v : f64
  } -> tensor<23x23xf64>
  %rows2 = shard.sharding @g split_axes = [[0], []] : !shard.sharding
  %a = shard.shard %a_in to %rows2 : tensor<23x23xf64>
  %r0 = arith.addf %b, %d : tensor<23xf64>
  %s0 = linalg.dot ins(%r0, %r0 : tensor<23xf64>, tensor<23xf64>) outs(%nought : tensor<f64>)
      -> tensor<f64>
  %r:5 = scf.while (%n = %none, %x = %zeros, %res = %r0, %p = %r0, %s = %s0)
      : (i32, tensor<23xf64>, tensor<23xf64>, tensor<23xf64>, tensor<f64>)
      -> (i32, tensor<23xf64>, tensor<23xf64>, tensor<23xf64>, tensor<f64>) {
    %now = tensor.extract %s[] : tensor<f64>
    %large = arith.cmpf ogt, %now, %tolerance : f64
    %few = arith.cmpi slt, %n, %most : i32
    %more = arith.andi %large, %few : i1
    scf.condition(%more) %n, %x, %res, %p, %s
        : i32, tensor<23xf64>, tensor<23xf64>, tensor<23xf64>, tensor<f64>
  } do {
  ^bb0(%n: i32, %x: tensor<23xf64>, %res: tensor<23xf64>, %p: tensor<23xf64>, %s: tensor<f64>):
    %ap = linalg.matvec ins(%a, %p : tensor<23x23xf64>, tensor<23xf64>)
        outs(%zeros : tensor<23xf64>) -> tensor<23xf64>
    %pap = linalg.dot ins(%p, %ap : tensor<23xf64>, tensor<23xf64>) outs(%nought : tensor<f64>)
        -> tensor<f64>
    %alpha = arith.divf %s, %pap : tensor<f64>
    %alphas = tensor.empty() : tensor<23xf64>
    %step = linalg.broadcast ins(%alpha : tensor<f64>) outs(%alphas : tensor<23xf64>)
        dimensions = [0]
    %xs = arith.mulf %step, %p : tensor<23xf64>
    %x1 = arith.addf %x, %xs : tensor<23xf64>
    %rs = arith.mulf %step, %ap : tensor<23xf64>
    %res1 = arith.subf %res, %rs : tensor<23xf64>
    %s1 = linalg.dot ins(%res1, %res1 : tensor<23xf64>, tensor<23xf64>)
        outs(%nought : tensor<f64>) -> tensor<f64>
    %beta = arith.divf %s1, %s : tensor<f64>
    %betas = linalg.broadcast ins(%beta : tensor<f64>) outs(%alphas : tensor<23xf64>)
        dimensions = [0]
    %ps = arith.mulf %betas, %p : tensor<23xf64>
    %p1 = arith.addf %res1, %ps : tensor<23xf64>
    %n1 = arith.addi %n, %one : i32
    scf.yield %n1, %x1, %res1, %p1, %s1
        : i32, tensor<23xf64>, tensor<23xf64>, tensor<23xf64>, tensor<f64>
  }
  return %r#1, %r#0 : tensor<23xf64>, i32
}
