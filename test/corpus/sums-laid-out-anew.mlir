// Three values that a loop carries take one partial gradient. Once it is clear that all together pay more if
// they are carried partial, they lie as the annotation behind the loop has one of them.
// RUN-CHECK: --grid 2x2,2x3,1x3
shard.grid @g(shape = 2x2)
func.func @main(%x_in: tensor<24x16xf64>, %w_in: tensor<16x16xf64>, %u_in: tensor<16x16xf64>) -> (tensor<16x16xf64>, tensor<16x16xf64>) {
  %second = shard.sharding @g split_axes = [[1]] : !shard.sharding
  %whole = shard.sharding @g split_axes = [[]] : !shard.sharding
  %rows = shard.sharding @g split_axes = [[0, 1]] : !shard.sharding
  %columns = shard.sharding @g split_axes = [[], [0, 1]] : !shard.sharding
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0.0 : f64
  %no_sum = tensor.empty() : tensor<16x16xf64>
  %none = linalg.fill ins(%zero : f64) outs(%no_sum : tensor<16x16xf64>) -> tensor<16x16xf64>
  %no_row = tensor.empty() : tensor<24x16xf64>
  %nothing = linalg.fill ins(%zero : f64) outs(%no_row : tensor<24x16xf64>) -> tensor<24x16xf64>
  %x = shard.shard %x_in to %second : tensor<24x16xf64>
  %w = shard.shard %w_in to %whole : tensor<16x16xf64>
  %u = shard.shard %u_in to %columns : tensor<16x16xf64>
  %r:3 = scf.for %i = %c0 to %c2 step %c1 iter_args(%a = %w, %b = %none, %c = %w) -> (tensor<16x16xf64>, tensor<16x16xf64>, tensor<16x16xf64>) {
    %y = linalg.matmul ins(%x, %w : tensor<24x16xf64>, tensor<16x16xf64>) outs(%nothing : tensor<24x16xf64>) -> tensor<24x16xf64>
    %t = math.tanh %y : tensor<24x16xf64>
    %g = linalg.matmul indexing_maps = [affine_map<(i, j, k) -> (k, i)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>]
      ins(%x, %t : tensor<24x16xf64>, tensor<24x16xf64>) outs(%none : tensor<16x16xf64>) -> tensor<16x16xf64>
    %both = arith.addf %g, %c : tensor<16x16xf64>
    %added = arith.addf %a, %both : tensor<16x16xf64>
    %taken = arith.subf %b, %both : tensor<16x16xf64>
    %left = arith.subf %c, %both : tensor<16x16xf64>
    scf.yield %added, %taken, %left : tensor<16x16xf64>, tensor<16x16xf64>, tensor<16x16xf64>
  }
  %lies = shard.shard %r#1 to %rows : tensor<16x16xf64>
  %product = linalg.matmul ins(%lies, %w : tensor<16x16xf64>, tensor<16x16xf64>) outs(%none : tensor<16x16xf64>) -> tensor<16x16xf64>
  return %r#2, %product : tensor<16x16xf64>, tensor<16x16xf64>
}
