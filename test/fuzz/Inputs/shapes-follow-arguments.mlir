// gen.py --seed 133
// RUN-CHECK: --shape 0=7x2 --shape 1=2x2 --shape 2=2x4 --shape 3=7x4 --shape 9=2x10x6 --shape 10=2x6x6
shard.grid @grid(shape = 2x2)
func.func @main(%a0_1: tensor<?x?xi32>,
                %a0_9: tensor<?x?xi32>,
                %a0_24: tensor<?x?xi32>,
                %a0_25: tensor<?x?xi32>,
                %a1_1: tensor<8xf64>,
                %a1_3: tensor<4x6xf64>,
                %a1_6: tensor<f64>,
                %a2_1: tensor<10x4xf64>,
                %a2_3: tensor<16x6xf64>,
                %a2_16: tensor<?x10x6xf64>,
                %a2_17: tensor<?x6x6xf64>,
                %small: i64 {tessera.range = [0, 4]})
    -> (tensor<?x?xi32>, tensor<?x?xi32>, tensor<?x?xi32>, tensor<?x?xi32>, tensor<?x?xi32>, tensor<?xi32>, tensor<f64>, tensor<8xf64>, tensor<8xf64>, tensor<24xf64>, tensor<10x4xf64>, tensor<6xf64>, tensor<?x10x6xf64>) {
  %sharding0 = shard.sharding @grid split_axes = [[1, 0], []] : !shard.sharding
  %sharding1 = shard.sharding @grid split_axes = [[], [1, 0]] : !shard.sharding
  %sharding2 = shard.sharding @grid split_axes = [[1], [0]] : !shard.sharding
  %sharding3 = shard.sharding @grid split_axes = [[0]] : !shard.sharding
  %sharding4 = shard.sharding @grid split_axes = [[0], [1]] : !shard.sharding
  %sharding5 = shard.sharding @grid split_axes = [[1]] halo_sizes = [0, %small] : !shard.sharding
  %d0_2 = arith.constant 1 : index
  %n0_3 = tensor.dim %a0_1, %d0_2 : tensor<?x?xi32>
  %m0_4 = arith.index_cast %n0_3 : index to i64
  %k0_5 = arith.constant 1 : i64
  %k0_6 = arith.minsi %k0_5, %m0_4 : i64
  %g0_7 = shard.sharding @grid split_axes = [[], [1]] sharded_dims_offsets = [0, %k0_6, %m0_4] : !shard.sharding
  %v0_8 = shard.shard %a0_1 to %g0_7 : tensor<?x?xi32>
  %v0_10 = shard.shard %a0_9 to %sharding1 : tensor<?x?xi32>
  %k0_11 = arith.constant 0 : index
  %k0_12 = arith.constant 1 : index
  %k0_13 = arith.constant 1 : index
  %s0_16 = arith.constant 0 : i32
  %d0_19 = arith.constant 0 : index
  %n0_18 = tensor.dim %v0_8, %d0_19 : tensor<?x?xi32>
  %d0_21 = arith.constant 1 : index
  %n0_20 = tensor.dim %v0_8, %d0_21 : tensor<?x?xi32>
  %c0_17 = tensor.splat %s0_16[%n0_18, %n0_20] : tensor<?x?xi32>
  %v0_22 = scf.for %i0_23 = %k0_11 to %k0_12 step %k0_13 iter_args(%u0_14 = %v0_8) -> (tensor<?x?xi32>) {
    %w0_15 = linalg.matmul ins(%u0_14, %v0_10 : tensor<?x?xi32>, tensor<?x?xi32>) outs(%c0_17 : tensor<?x?xi32>) -> tensor<?x?xi32>
    scf.yield %w0_15 : tensor<?x?xi32>
  }
  %d0_26 = arith.constant 0 : index
  %n0_27 = tensor.dim %a0_9, %d0_26 : tensor<?x?xi32>
  %m0_28 = arith.index_cast %n0_27 : index to i64
  %k0_29 = arith.constant 2 : i64
  %h0_30 = arith.remsi %m0_28, %k0_29 : i64
  %g0_31 = shard.sharding @grid split_axes = [[], [1]] halo_sizes = [%h0_30, 0] : !shard.sharding
  %v0_32 = shard.shard %a0_25 to %g0_31 : tensor<?x?xi32>
  %v0_33 = linalg.matmul ins(%v0_22, %a0_24 : tensor<?x?xi32>, tensor<?x?xi32>) outs(%v0_32 : tensor<?x?xi32>) -> tensor<?x?xi32>
  %v0_34 = math.absi %v0_10 : tensor<?x?xi32>
  %v0_35 = arith.minui %v0_32, %v0_32 : tensor<?x?xi32>
  %v0_36 = shard.shard %v0_35 to %sharding1 : tensor<?x?xi32>
  %s0_37 = arith.constant -1 : i32
  %d0_40 = arith.constant 0 : index
  %n0_39 = tensor.dim %a0_24, %d0_40 : tensor<?x?xi32>
  %c0_38 = tensor.splat %s0_37[%n0_39] : tensor<?xi32>
  %v0_41 = linalg.reduce { arith.minui } ins(%v0_10 : tensor<?x?xi32>) outs(%c0_38 : tensor<?xi32>) dimensions = [1]
  %v1_2 = shard.shard %a1_1 to %sharding3 : tensor<8xf64>
  %v1_4 = shard.shard %a1_3 to %sharding4 : tensor<4x6xf64>
  %v1_5 = shard.shard %v1_2 to %sharding5 annotate_for_users : tensor<8xf64>
  %e1_7 = tensor.empty() : tensor<8xf64>
  %v1_8 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%v1_5, %a1_6 : tensor<8xf64>, tensor<f64>) outs(%e1_7 : tensor<8xf64>) {
  ^bb0(%x0: f64, %x1: f64, %o0: f64):
    %r = arith.mulf %x0, %x1 : f64
    linalg.yield %r : f64
  } -> tensor<8xf64>
  %c1_9 = arith.constant dense<-3.0> : tensor<f64>
  %v1_10 = arith.mulf %a1_6, %c1_9 : tensor<f64>
  %e1_11 = tensor.empty() : tensor<8xf64>
  %v1_12 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%v1_8 : tensor<8xf64>) outs(%e1_11 : tensor<8xf64>) {
  ^bb0(%x0: f64, %o0: f64):
    %i = linalg.index 0 : index
    %j = linalg.index 0 : index
    %g = arith.muli %i, %i : index
    %h = arith.addi %g, %j : index
    %k = arith.index_cast %h : index to i64
    %n = arith.sitofp %k : i64 to f64
    %r = arith.addf %x0, %n : f64
    linalg.yield %r : f64
  } -> tensor<8xf64>
  %e1_13 = tensor.empty() : tensor<8xf64>
  %v1_14 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%v1_12 : tensor<8xf64>) outs(%e1_13 : tensor<8xf64>) {
  ^bb0(%x0: f64, %o0: f64):
    %i = linalg.index 0 : index
    %j = linalg.index 0 : index
    %g = arith.muli %i, %i : index
    %h = arith.addi %g, %j : index
    %k = arith.index_cast %h : index to i64
    %n = arith.sitofp %k : i64 to f64
    %r = arith.addf %x0, %n : f64
    linalg.yield %r : f64
  } -> tensor<8xf64>
  %v1_15 = tensor.collapse_shape %v1_4 [[0, 1]] : tensor<4x6xf64> into tensor<24xf64>
  %v2_2 = shard.shard %a2_1 to %sharding0 : tensor<10x4xf64>
  %v2_4 = shard.shard %a2_3 to %sharding2 : tensor<16x6xf64>
  %k2_5 = arith.constant 0 : index
  %k2_6 = arith.constant 1 : index
  %k2_7 = arith.constant 1 : index
  %v2_10 = scf.for %i2_11 = %k2_5 to %k2_6 step %k2_7 iter_args(%u2_8 = %v2_4) -> (tensor<16x6xf64>) {
    %w2_9 = arith.maximumf %u2_8, %v2_4 : tensor<16x6xf64>
    scf.yield %w2_9 : tensor<16x6xf64>
  }
  %s2_12 = arith.constant 0.0 : f64
  %e2_14 = tensor.empty() : tensor<6xf64>
  %c2_13 = linalg.fill ins(%s2_12 : f64) outs(%e2_14 : tensor<6xf64>) -> tensor<6xf64>
  %v2_15 = linalg.reduce { arith.addf } ins(%v2_10 : tensor<16x6xf64>) outs(%c2_13 : tensor<6xf64>) dimensions = [0]
  %s2_18 = arith.constant 0.0 : f64
  %d2_21 = arith.constant 0 : index
  %n2_20 = tensor.dim %a2_17, %d2_21 : tensor<?x6x6xf64>
  %e2_22 = tensor.empty(%n2_20) : tensor<?x10x6xf64>
  %c2_19 = linalg.fill ins(%s2_18 : f64) outs(%e2_22 : tensor<?x10x6xf64>) -> tensor<?x10x6xf64>
  %v2_23 = linalg.batch_matmul ins(%a2_16, %a2_17 : tensor<?x10x6xf64>, tensor<?x6x6xf64>) outs(%c2_19 : tensor<?x10x6xf64>) -> tensor<?x10x6xf64>
  return %v0_8, %v0_32, %v0_33, %v0_34, %v0_36, %v0_41, %v1_10, %v1_12, %v1_14, %v1_15, %v2_2, %v2_15, %v2_23 : tensor<?x?xi32>, tensor<?x?xi32>, tensor<?x?xi32>, tensor<?x?xi32>, tensor<?x?xi32>, tensor<?xi32>, tensor<f64>, tensor<8xf64>, tensor<8xf64>, tensor<24xf64>, tensor<10x4xf64>, tensor<6xf64>, tensor<?x10x6xf64>
}
