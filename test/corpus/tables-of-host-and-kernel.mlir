// A table of where pieces begin that a kernel looks up and the host asks as well, among much else.
// RUN-CHECK: --grid 1x2 --atol 1e-9
shard.grid @grid(shape = 1x2)
func.func @main(%a0_1: tensor<8x6xf64>,
                %a0_3: tensor<4x16xf64>,
                %a0_5: tensor<2x2xf64>,
                %a1_1: tensor<6x12xi32>,
                %a1_4: tensor<12x2xi32>,
                %a1_6: tensor<6x2xi32>,
                %a1_11: tensor<1x2xi32>,
                %a1_21: tensor<2x3xi32>)
    -> (tensor<4x16xf64>, tensor<6x1xi32>) {
  %sharding0 = shard.sharding @grid split_axes = [[1, 0], []] : !shard.sharding
  %sharding1 = shard.sharding @grid split_axes = [[1], []] : !shard.sharding
  %sharding2 = shard.sharding @grid split_axes = [[], [0]] halo_sizes = [1, 5] : !shard.sharding
  %sharding3 = shard.sharding @grid split_axes = [[], [1]] sharded_dims_offsets = [0, 2, 2] : !shard.sharding
  %v0_2 = shard.shard %a0_1 to %sharding0 {tessera.open} : tensor<8x6xf64>
  %v0_4 = shard.shard %a0_3 to %sharding1 : tensor<4x16xf64>
  %v0_6 = shard.shard %a0_5 to %sharding2 : tensor<2x2xf64>
  %c0_7 = arith.constant dense<[[-9.0, -9.0, -8.0], [-4.0, 1.0, -6.0], [-3.0, -7.0, 4.0], [-2.0, 7.0, 8.0]]> : tensor<4x3xf64>
  %v0_8 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0 * 2 + d2, d1 * 2 + d3)>, affine_map<(d0, d1, d2, d3) -> (d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%v0_2, %v0_6 : tensor<8x6xf64>, tensor<2x2xf64>) outs(%c0_7 : tensor<4x3xf64>) {
  ^bb0(%x0: f64, %x1: f64, %o0: f64):
    %r = arith.minimumf %o0, %x0 : f64
    linalg.yield %r : f64
  } -> tensor<4x3xf64>
  %s0_9 = arith.constant 0.0 : f64
  %e0_11 = tensor.empty() : tensor<2x2xf64>
  %c0_10 = linalg.fill ins(%s0_9 : f64) outs(%e0_11 : tensor<2x2xf64>) -> tensor<2x2xf64>
  %v0_12 = linalg.matmul ins(%v0_6, %v0_6 : tensor<2x2xf64>, tensor<2x2xf64>) outs(%c0_10 : tensor<2x2xf64>) -> tensor<2x2xf64>
  %e0_13 = tensor.empty() : tensor<4x16xf64>
  %v0_14 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%v0_4 : tensor<4x16xf64>) outs(%e0_13 : tensor<4x16xf64>) {
  ^bb0(%x0: f64, %o0: f64):
    %t0i = linalg.index 1 : index
    %t0z = arith.constant 0 : index
    %t0m = arith.constant 15 : index
    %t0l = arith.constant 3 : index
    %t0c = arith.constant 2 : index
    %t0j = arith.subi %t0m, %t0i : index
    %t0f = arith.constant 1 : index
    %t0g = arith.constant 1 : index
    %t0p = arith.muli %t0j, %t0f : index
    %t0o = arith.floordivsi %t0p, %t0g : index
    %t0s = arith.addi %t0o, %t0c : index
    %t0 = arith.minsi %t0s, %t0l : index
    %t1i = linalg.index 0 : index
    %t1z = arith.constant 0 : index
    %t1m = arith.constant 3 : index
    %t1l = arith.constant 15 : index
    %t1c = arith.constant 0 : index
    %t1j = arith.maxsi %t1z, %t1i : index
    %t1k = arith.index_cast %t1j : index to i32
    %t1x = arith.sitofp %t1k : i32 to f32
    %t1f = arith.constant 2.0 : f32
    %t1g = arith.constant 3.0 : f32
    %t1y = arith.mulf %t1x, %t1f : f32
    %t1p = arith.divf %t1y, %t1g : f32
    %t1q = math.floor %t1p : f32
    %t1r = arith.fptosi %t1q : f32 to i32
    %t1o = arith.index_cast %t1r : i32 to index
    %t1s = arith.addi %t1o, %t1c : index
    %t1 = arith.minsi %t1s, %t1l : index
    %v = tensor.extract %v0_4[%t0, %t1] : tensor<4x16xf64>
    %r = arith.addf %x0, %v : f64
    linalg.yield %r : f64
  } -> tensor<4x16xf64>
  %v1_2 = shard.shard %a1_1 to %sharding0 : tensor<6x12xi32>
  %v1_3 = tensor.collapse_shape %v1_2 [[0, 1]] : tensor<6x12xi32> into tensor<72xi32>
  %v1_5 = shard.shard %a1_4 to %sharding3 : tensor<12x2xi32>
  %v1_7 = linalg.matmul ins(%v1_2, %v1_5 : tensor<6x12xi32>, tensor<12x2xi32>) outs(%a1_6 : tensor<6x2xi32>) -> tensor<6x2xi32>
  %v1_8 = tensor.extract_slice %v1_7[0, 0] [6, 1] [1, 1] : tensor<6x2xi32> to tensor<6x1xi32>
  %v1_9 = tensor.extract_slice %v1_7[0, 1] [6, 1] [1, 1] : tensor<6x2xi32> to tensor<6x1xi32>
  %v1_10 = arith.muli %v1_8, %v1_9 : tensor<6x1xi32>
  %s1_12 = arith.constant 0 : i32
  %c1_13 = tensor.splat %s1_12 : tensor<6x2xi32>
  %v1_14 = linalg.matmul ins(%v1_9, %a1_11 : tensor<6x1xi32>, tensor<1x2xi32>) outs(%c1_13 : tensor<6x2xi32>) -> tensor<6x2xi32>
  %v1_15 = tensor.extract_slice %v1_14[0, 0] [6, 1] [1, 1] : tensor<6x2xi32> to tensor<6x1xi32>
  %v1_16 = tensor.extract_slice %v1_14[0, 1] [6, 1] [1, 1] : tensor<6x2xi32> to tensor<6x1xi32>
  %v1_17 = arith.addi %v1_15, %v1_16 : tensor<6x1xi32>
  %o1_18 = arith.constant 0 : index
  %r1_19 = tensor.pad %v1_16 low[2, 0] high[%o1_18, 2] {
  ^bb0(%p0: index, %p1: index):
    %n = arith.constant 0 : i32
    tensor.yield %n : i32
  } : tensor<6x1xi32> to tensor<?x3xi32>
  %v1_20 = tensor.cast %r1_19 : tensor<?x3xi32> to tensor<8x3xi32>
  %v1_22 = shard.shard %a1_21 to %sharding1 : tensor<2x3xi32>
  %c1_23 = arith.constant dense<0> : tensor<1x3xi32>
  %s1_24 = arith.constant 0 : i32
  %e1_26 = tensor.empty() : tensor<1x3xi32>
  %c1_25 = linalg.fill ins(%s1_24 : i32) outs(%e1_26 : tensor<1x3xi32>) -> tensor<1x3xi32>
  %k1_27 = arith.constant 0 : index
  %k1_28 = arith.constant 0 : index
  %k1_29 = arith.constant 1 : index
  %v1_30 = scf.for %i1_34 = %k1_27 to %k1_28 step %k1_29 iter_args(%u1_31 = %c1_23) -> (tensor<1x3xi32>) {
  %p1_32 = linalg.matmul ins(%a1_11, %v1_22 : tensor<1x2xi32>, tensor<2x3xi32>) outs(%c1_25 : tensor<1x3xi32>) -> tensor<1x3xi32>
  %n1_33 = arith.addi %u1_31, %p1_32 : tensor<1x3xi32>
    scf.yield %n1_33 : tensor<1x3xi32>
  }
  return %v0_14, %v1_17 : tensor<4x16xf64>, tensor<6x1xi32>
}
