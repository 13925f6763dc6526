// Dimensions of size zero: split, moved, contracted, reduced, merged, cut.
// RUN-CHECK: --entry moves --grid 4,2,3,1,8 --seed 1
// RUN-CHECK: --entry computes --grid 4,2,3,1,8 --seed 1
// RUN-CHECK: --entry even --grid 4,2,3,1 --seed 1
shard.grid @g(shape = 4)
func.func @moves(%x_in: tensor<13x0xf32>, %y_in: tensor<0x8xi64>)
    -> (tensor<13x0xf32>, tensor<13x0xf32>, tensor<0x8xi64>, tensor<0x8xi64>) {
  %whole = shard.sharding @g split_axes = [[]] : !shard.sharding
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %columns = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %halo = shard.sharding @g split_axes = [[0]] halo_sizes = [1, 2] : !shard.sharding
  %parts = shard.sharding @g split_axes = [[]] {tessera.partial = [[0, #shard<partial sum>]]} : !shard.sharding
  %x = shard.shard %x_in to %whole : tensor<13x0xf32>
  %a = arith.addf %x, %x : tensor<13x0xf32>
  %a0 = shard.shard %a to %rows : tensor<13x0xf32>
  %b = arith.mulf %a0, %x : tensor<13x0xf32>
  %b0 = shard.shard %b to %columns : tensor<13x0xf32>
  %y = shard.shard %y_in to %rows : tensor<0x8xi64>
  %c = arith.addi %y, %y : tensor<0x8xi64>
  %c0 = shard.shard %c to %halo : tensor<0x8xi64>
  %d = arith.muli %c0, %y : tensor<0x8xi64>
  %d0 = shard.shard %d to %columns : tensor<0x8xi64>
  %e = shard.shard %d0 to %parts annotate_for_users : tensor<0x8xi64>
  return %a0, %b0, %c0, %e : tensor<13x0xf32>, tensor<13x0xf32>, tensor<0x8xi64>, tensor<0x8xi64>
}

func.func @computes(%x_in: tensor<6x0xf32>, %y_in: tensor<0x10xf32>)
    -> (tensor<6x10xf32>, tensor<6xf32>, tensor<0xf32>, tensor<0x10xf32>) {
  %columns = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %columns : tensor<6x0xf32>
  %y = shard.shard %y_in to %rows : tensor<0x10xf32>
  %three = arith.constant 3.0 : f32
  %e = tensor.empty() : tensor<6x10xf32>
  %f = linalg.fill ins(%three : f32) outs(%e : tensor<6x10xf32>) -> tensor<6x10xf32>
  %p = linalg.matmul ins(%x, %y : tensor<6x0xf32>, tensor<0x10xf32>) outs(%f : tensor<6x10xf32>) -> tensor<6x10xf32>
  %e1 = tensor.empty() : tensor<6xf32>
  %f1 = linalg.fill ins(%three : f32) outs(%e1 : tensor<6xf32>) -> tensor<6xf32>
  %r = linalg.reduce {arith.maximumf} ins(%x : tensor<6x0xf32>) outs(%f1 : tensor<6xf32>) dimensions = [1]
  %m = tensor.collapse_shape %x [[0, 1]] : tensor<6x0xf32> into tensor<0xf32>
  %m0 = math.tanh %m : tensor<0xf32>
  %s = shard.shard %m0 to %rows : tensor<0xf32>
  %k = arith.constant dense<2.0> : tensor<0x10xf32>
  %q = arith.mulf %k, %y : tensor<0x10xf32>
  %q0 = shard.shard %q to %columns : tensor<0x10xf32>
  return %p, %r, %s, %q0 : tensor<6x10xf32>, tensor<6xf32>, tensor<0xf32>, tensor<0x10xf32>
}

// Even rows of no elements, cut from what every device has.
func.func @even(%x_in: tensor<12x0xf32>) -> tensor<12x0xf32> {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %whole = shard.sharding @g split_axes = [[]] : !shard.sharding
  %a = math.tanh %x_in : tensor<12x0xf32>
  %b = shard.shard %a to %whole : tensor<12x0xf32>
  %c = shard.shard %b to %rows annotate_for_users : tensor<12x0xf32>
  return %c : tensor<12x0xf32>
}
