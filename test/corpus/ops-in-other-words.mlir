// Ops that structured ops, slices and reshapes say: softmax, tiles, reshapes, bits, generated tensors
// that read others, pads by negative widths and by more than a number, in uneven pieces.
// RUN-CHECK: --entry spread --grid 1,2,3,4,7 --seed 3
// RUN-CHECK: --entry reshapes --grid 1,2,3,4,7 --shape 2=10x12 --seed 3
// RUN-CHECK: --entry generated --grid 1,2,3,4,7 --shape 2=10x6 --seed 3
// RUN-CHECK: --entry padded --grid 1,2,3,4,7 --shape 1=9x6 --seed 3
shard.grid @g(shape = 4)

func.func @spread(%x_in: tensor<7x11xf32>, %t_in: tensor<10x6xf64>, %pad: f64)
    -> (tensor<7x11xf32>, tensor<7x11xf32>, tensor<3x3x4x2xf64>, tensor<10x6xf64>) {
  %columns = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %columns : tensor<7x11xf32>
  %t = shard.shard %t_in to %rows : tensor<10x6xf64>
  %e = tensor.empty() : tensor<7x11xf32>
  %a = linalg.softmax dimension(1) ins(%x : tensor<7x11xf32>) outs(%e : tensor<7x11xf32>) -> tensor<7x11xf32>
  %b = linalg.softmax dimension(0) ins(%x : tensor<7x11xf32>) outs(%e : tensor<7x11xf32>) -> tensor<7x11xf32>
  %f = tensor.empty() : tensor<3x3x4x2xf64>
  %c = linalg.pack %t padding_value(%pad : f64) inner_dims_pos = [0, 1] inner_tiles = [4, 2] into %f
      : tensor<10x6xf64> -> tensor<3x3x4x2xf64>
  %g = tensor.empty() : tensor<10x6xf64>
  %d = linalg.unpack %c inner_dims_pos = [0, 1] inner_tiles = [4, 2] into %g
      : tensor<3x3x4x2xf64> -> tensor<10x6xf64>
  return %a, %b, %c, %d : tensor<7x11xf32>, tensor<7x11xf32>, tensor<3x3x4x2xf64>, tensor<10x6xf64>
}

func.func @reshapes(%x_in: tensor<11x6xf32>, %y_in: tensor<8x6xf32>, %z_in: tensor<?x12xf32>)
    -> (tensor<11x2x3xf32>, tensor<4x12xf32>, tensor<3x16x1xf32>, tensor<?x3x4xf32>, tensor<?x3xf32>, tensor<6xf32>, tensor<11x6xi32>) {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<11x6xf32>
  %y = shard.shard %y_in to %rows : tensor<8x6xf32>
  %z = shard.shard %z_in to %rows : tensor<?x12xf32>
  %to0 = arith.constant dense<[11, 2, 3]> : tensor<3xindex>
  %a = tensor.reshape %x(%to0) : (tensor<11x6xf32>, tensor<3xindex>) -> tensor<11x2x3xf32>
  %to1 = arith.constant dense<[4, 12]> : tensor<2xi32>
  %b = tensor.reshape %y(%to1) : (tensor<8x6xf32>, tensor<2xi32>) -> tensor<4x12xf32>
  %to2 = arith.constant dense<[3, 16, 1]> : tensor<3xi64>
  %c = tensor.reshape %y(%to2) : (tensor<8x6xf32>, tensor<3xi64>) -> tensor<3x16x1xf32>
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %n = tensor.dim %z, %c0 : tensor<?x12xf32>
  %to3 = tensor.from_elements %n, %c3, %c4 : tensor<3xindex>
  %d = tensor.reshape %z(%to3) : (tensor<?x12xf32>, tensor<3xindex>) -> tensor<?x3x4xf32>
  %m = arith.muli %n, %c4 : index
  %to4 = tensor.from_elements %m, %c3 : tensor<2xindex>
  %g = tensor.reshape %z(%to4) : (tensor<?x12xf32>, tensor<2xindex>) -> tensor<?x3xf32>
  %e0 = tensor.extract %x[%c3, %c4] : tensor<11x6xf32>
  %e1 = tensor.extract %y[%c3, %c4] : tensor<8x6xf32>
  %e = tensor.from_elements %e0, %e1, %e0, %e1, %e0, %e1 : tensor<6xf32>
  %split = shard.shard %e to %rows : tensor<6xf32>
  %f = tensor.bitcast %x : tensor<11x6xf32> to tensor<11x6xi32>
  return %a, %b, %c, %d, %g, %split, %f : tensor<11x2x3xf32>, tensor<4x12xf32>, tensor<3x16x1xf32>, tensor<?x3x4xf32>, tensor<?x3xf32>, tensor<6xf32>, tensor<11x6xi32>
}

func.func @generated(%x_in: tensor<11x6xf32>, %n: index {tessera.range = [9, 10]}, %y_in: tensor<?x6xf32>)
    -> (tensor<11x6xf32>, tensor<8x?xf32>, tensor<14x8xf32>, tensor<?x6xf32>) {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<11x6xf32>
  %y = shard.shard %y_in to %rows : tensor<?x6xf32>
  %last = arith.constant 10 : index
  %c2 = arith.constant 2 : index
  %a = tensor.generate {
  ^bb0(%i: index, %j: index):
    %k = arith.subi %last, %i : index
    %v = tensor.extract %x[%k, %j] : tensor<11x6xf32>
    tensor.yield %v : f32
  } : tensor<11x6xf32>
  %b = tensor.generate %n {
  ^bb0(%i: index, %j: index):
    %v = tensor.extract %x[%i, %c2] : tensor<11x6xf32>
    %w = tensor.extract %x[%j, %c2] : tensor<11x6xf32>
    %z = arith.addf %v, %w : f32
    tensor.yield %z : f32
  } : tensor<8x?xf32>
  %p = tensor.pad %x low[1, 0] high[2, 2] {
  ^bb0(%i: index, %j: index):
    %c0 = arith.constant 0 : index
    %v = tensor.extract %x[%c0, %c0] : tensor<11x6xf32>
    tensor.yield %v : f32
  } : tensor<11x6xf32> to tensor<14x8xf32>
  %q = tensor.pad %y low[%n, 0] high[2, 0] {
  ^bb0(%i: index, %j: index):
    %v = tensor.extract %x[%c2, %j] : tensor<11x6xf32>
    tensor.yield %v : f32
  } : tensor<?x6xf32> to tensor<?x6xf32>
  return %a, %b, %p, %q : tensor<11x6xf32>, tensor<8x?xf32>, tensor<14x8xf32>, tensor<?x6xf32>
}

func.func @padded(%x_in: tensor<11x6xf32>, %y_in: tensor<?x6xf32>)
    -> (tensor<8x6xf32>, tensor<11x7xf32>, tensor<5x6xf32>, tensor<3x6xf32>, tensor<?x5xf32>, tensor<12x7xf32>) {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<11x6xf32>
  %y = shard.shard %y_in to %rows : tensor<?x6xf32>
  %f = arith.constant 3.0 : f32
  %a = tensor.pad %x low[-2, 0] high[-1, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %f : f32
  } : tensor<11x6xf32> to tensor<8x6xf32>
  %b = tensor.pad %x low[2, -1] high[-2, 2] {
  ^bb0(%i: index, %j: index):
    tensor.yield %f : f32
  } : tensor<11x6xf32> to tensor<11x7xf32>
  %c = tensor.pad %x low[-12, 0] high[6, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %f : f32
  } : tensor<11x6xf32> to tensor<5x6xf32>
  %d = tensor.pad %x low[4, 0] high[-12, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %f : f32
  } : tensor<11x6xf32> to tensor<3x6xf32>
  %e = tensor.pad %y low[-2, -1] high[3, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %f : f32
  } : tensor<?x6xf32> to tensor<?x5xf32>
  %g = tensor.pad %x low[1, 0] high[0, 1] {
  ^bb0(%i: index, %j: index):
    %s = arith.addi %i, %j : index
    %k = arith.index_cast %s : index to i32
    %n = arith.sitofp %k : i32 to f32
    tensor.yield %n : f32
  } : tensor<11x6xf32> to tensor<12x7xf32>
  return %a, %b, %c, %d, %e, %g : tensor<8x6xf32>, tensor<11x7xf32>, tensor<5x6xf32>, tensor<3x6xf32>, tensor<?x5xf32>, tensor<12x7xf32>
}
