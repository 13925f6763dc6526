// Three sums of one gradient, in two trips. Carried partial all three are completed behind the loop; less moves if x
// is gathered once and the loop carries columns of them.
// RUN-CHECK: --grid 4,2,3
shard.grid @g(shape = 4)
func.func @main(%x_in: tensor<24x16xf64>, %w_in: tensor<16x16xf64>) -> (tensor<16x16xf64>, tensor<16x16xf64>, tensor<16x16xf64>) {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0.0 : f64
  %no_sum = tensor.empty() : tensor<16x16xf64>
  %none = linalg.fill ins(%zero : f64) outs(%no_sum : tensor<16x16xf64>) -> tensor<16x16xf64>
  %no_row = tensor.empty() : tensor<24x16xf64>
  %nothing = linalg.fill ins(%zero : f64) outs(%no_row : tensor<24x16xf64>) -> tensor<24x16xf64>
  %x = shard.shard %x_in to %rows : tensor<24x16xf64>
  %w = shard.shard %w_in to %rows : tensor<16x16xf64>
  %r:3 = scf.for %i = %c0 to %c2 step %c1 iter_args(%a = %none, %b = %none, %c = %none) -> (tensor<16x16xf64>, tensor<16x16xf64>, tensor<16x16xf64>) {
    %trip = arith.index_cast %i : index to i32
    %scale = arith.sitofp %trip : i32 to f64
    %scales = tensor.splat %scale : tensor<24x16xf64>
    %scaled = arith.mulf %x, %scales : tensor<24x16xf64>
    %y = linalg.matmul ins(%scaled, %w : tensor<24x16xf64>, tensor<16x16xf64>) outs(%nothing : tensor<24x16xf64>) -> tensor<24x16xf64>
    %t = math.tanh %y : tensor<24x16xf64>
    %g = linalg.matmul indexing_maps = [affine_map<(i, j, k) -> (k, i)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>]
      ins(%x, %t : tensor<24x16xf64>, tensor<24x16xf64>) outs(%none : tensor<16x16xf64>) -> tensor<16x16xf64>
    %added = arith.addf %a, %g : tensor<16x16xf64>
    %taken = arith.subf %b, %g : tensor<16x16xf64>
    %twice = arith.addf %c, %c : tensor<16x16xf64>
    %grown = arith.addf %twice, %g : tensor<16x16xf64>
    scf.yield %added, %taken, %grown : tensor<16x16xf64>, tensor<16x16xf64>, tensor<16x16xf64>
  }
  return %r#0, %r#1, %r#2 : tensor<16x16xf64>, tensor<16x16xf64>, tensor<16x16xf64>
}
