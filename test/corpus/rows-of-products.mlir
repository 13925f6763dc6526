// Differences of products of fields take the rows that the fields' own differences take.
// RUN-CHECK: --entry flux --grid 2,3,4,5,7 --seed 3
// RUN-CHECK: --entry two_of_one --grid 2,3,4,5,7 --seed 4
shard.grid @g(shape = 4)

// The product comes last: what its operands' differences ask for is not known yet when it is looked at.
func.func @flux(%h_in: tensor<24x5xf32>, %u_in: tensor<24x5xf32>) -> (tensor<23x5xf32>, tensor<23x5xf32>, tensor<23x5xf32>) {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %h = shard.shard %h_in to %rows : tensor<24x5xf32>
  %u = shard.shard %u_in to %rows : tensor<24x5xf32>
  %h1 = tensor.extract_slice %h[1, 0] [23, 5] [1, 1] : tensor<24x5xf32> to tensor<23x5xf32>
  %h0 = tensor.extract_slice %h[0, 0] [23, 5] [1, 1] : tensor<24x5xf32> to tensor<23x5xf32>
  %dh = arith.subf %h1, %h0 : tensor<23x5xf32>
  %u1 = tensor.extract_slice %u[1, 0] [23, 5] [1, 1] : tensor<24x5xf32> to tensor<23x5xf32>
  %u0 = tensor.extract_slice %u[0, 0] [23, 5] [1, 1] : tensor<24x5xf32> to tensor<23x5xf32>
  %du = arith.subf %u1, %u0 : tensor<23x5xf32>
  %hu = arith.mulf %h, %u : tensor<24x5xf32>
  %hu1 = tensor.extract_slice %hu[1, 0] [23, 5] [1, 1] : tensor<24x5xf32> to tensor<23x5xf32>
  %hu0 = tensor.extract_slice %hu[0, 0] [23, 5] [1, 1] : tensor<24x5xf32> to tensor<23x5xf32>
  %dhu = arith.subf %hu1, %hu0 : tensor<23x5xf32>
  return %dh, %du, %dhu : tensor<23x5xf32>, tensor<23x5xf32>, tensor<23x5xf32>
}

// Neither of the two alone would move less if it were computed for more rows; together they do.
func.func @two_of_one(%s_in: tensor<24x5xf32>) -> tensor<22x5xf32> {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %s = shard.shard %s_in to %rows : tensor<24x5xf32>
  %c = arith.constant dense<16.0> : tensor<24x5xf32>
  %t = arith.mulf %s, %c : tensor<24x5xf32>
  %n = arith.negf %s : tensor<24x5xf32>
  %v = arith.mulf %n, %s : tensor<24x5xf32>
  %t1 = tensor.extract_slice %t[1, 0] [22, 5] [1, 1] : tensor<24x5xf32> to tensor<22x5xf32>
  %v2 = tensor.extract_slice %v[2, 0] [22, 5] [1, 1] : tensor<24x5xf32> to tensor<22x5xf32>
  %r = arith.addf %t1, %v2 : tensor<22x5xf32>
  return %r : tensor<22x5xf32>
}
