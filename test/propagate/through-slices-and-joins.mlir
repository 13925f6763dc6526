// Through slices, insertions, pads and joins a sharding passes both ways, along all that they leave
// alone, and along what they cut, pad or join where that is asked for.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate,cse)' \
// RUN:   | FileCheck %s --implicit-check-not='split_axes = {{\[\[\](, \[\])*\]}}'

shard.grid @g(shape = 4)

// CHECK-LABEL: func.func @forward(
// CHECK: %[[S:.*]] = shard.sharding @g split_axes = {{\[}}[0], []]
// CHECK: %[[C:.*]] = tensor.concat
// CHECK: shard.shard %[[C]] to %[[S]] : tensor<8x14xf32>
// CHECK: %[[E:.*]] = tensor.extract_slice
// CHECK: shard.shard %[[E]] to %[[S]] : tensor<8x3xf32>
// CHECK: %[[P:.*]] = tensor.pad
// CHECK: shard.shard %[[P]] to %[[S]] : tensor<8x4xf32>
// CHECK: %[[I:.*]] = tensor.insert_slice
// CHECK: shard.shard %[[I]] to %[[S]] : tensor<8x9xf32>
func.func @forward(%x_in: tensor<8x12xf32>, %y: tensor<8x2xf32>, %z: tensor<8x9xf32>) -> tensor<8x9xf32> {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<8x12xf32>
  %one = arith.constant 1.0 : f32
  %c = tensor.concat dim(1) %x, %y : (tensor<8x12xf32>, tensor<8x2xf32>) -> tensor<8x14xf32>
  %e = tensor.extract_slice %c[0, 9] [8, 3] [1, 2] : tensor<8x14xf32> to tensor<8x3xf32>
  %p = tensor.pad %e low[0, 1] high[0, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %one : f32
  } : tensor<8x3xf32> to tensor<8x4xf32>
  %r = tensor.insert_slice %p into %z[0, 3] [8, 4] [1, 1] : tensor<8x4xf32> into tensor<8x9xf32>
  return %r : tensor<8x9xf32>
}

// From the result, and from the destination to what is written into it; dropped dimensions included.
// CHECK-LABEL: func.func @backward(
// CHECK-SAME: %[[X:arg[0-9]+]]: tensor<3x8x12xf32>
// CHECK-SAME: %[[Z:arg[0-9]+]]: tensor<8x9xf32>
// CHECK-DAG: %[[S:.*]] = shard.sharding @g split_axes = {{\[}}[0], []]
// CHECK-DAG: %[[T:.*]] = shard.sharding @g split_axes = {{\[}}[], [0], []]
// CHECK-DAG: shard.shard %[[X]] to %[[T]] : tensor<3x8x12xf32>
// CHECK-DAG: shard.shard %[[Z]] to %[[S]] : tensor<8x9xf32>
// CHECK: %[[E:.*]] = tensor.extract_slice
// CHECK: shard.shard %[[E]] to %[[S]] : tensor<8x4xf32>
func.func @backward(%x: tensor<3x8x12xf32>, %z: tensor<8x9xf32>) -> tensor<8x9xf32> {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %e = tensor.extract_slice %x[1, 0, 2] [1, 8, 4] [1, 1, 1] : tensor<3x8x12xf32> to tensor<8x4xf32>
  %i = tensor.insert_slice %e into %z[0, 1] [8, 4] [1, 2] : tensor<8x4xf32> into tensor<8x9xf32>
  %r = shard.shard %i to %rows : tensor<8x9xf32>
  return %r : tensor<8x9xf32>
}

// Along what they cut, pad or join too, by numbers that are known: each extent is split by itself. A
// single row is not.
// CHECK-LABEL: func.func @along(
// CHECK-DAG: %[[S:.*]] = shard.sharding @g split_axes = {{\[}}[0], []]
// CHECK: %[[C:.*]] = tensor.concat
// CHECK: shard.shard %[[C]] to %[[S]] : tensor<17x12xf32>
// CHECK: %[[E:.*]] = tensor.extract_slice
// CHECK: shard.shard %[[E]] to %[[S]] : tensor<7x12xf32>
// CHECK: %[[P:.*]] = tensor.pad
// CHECK: shard.shard %[[P]] to %[[S]] : tensor<9x12xf32>
// CHECK: %[[I:.*]] = tensor.insert_slice
// CHECK: shard.shard %[[I]] to %[[S]] : tensor<20x12xf32>
// CHECK: linalg.generic
func.func @along(%x_in: tensor<8x12xf32>, %y_in: tensor<9x12xf32>, %z_in: tensor<20x12xf32>) -> (tensor<18x11xf32>, tensor<1x12xf32>) {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<8x12xf32>
  %y = shard.shard %y_in to %rows : tensor<9x12xf32>
  %z = shard.shard %z_in to %rows : tensor<20x12xf32>
  %one = arith.constant 1.0 : f32
  %c = tensor.concat dim(0) %x, %y : (tensor<8x12xf32>, tensor<9x12xf32>) -> tensor<17x12xf32>
  %e = tensor.extract_slice %c[2, 0] [7, 12] [2, 1] : tensor<17x12xf32> to tensor<7x12xf32>
  %p = tensor.pad %e low[1, 0] high[1, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %one : f32
  } : tensor<7x12xf32> to tensor<9x12xf32>
  %r = tensor.insert_slice %p into %z[3, 0] [9, 12] [1, 1] : tensor<9x12xf32> into tensor<20x12xf32>
  %o = tensor.empty() : tensor<18x11xf32>
  %w = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i + 2, j + 1)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]} ins(%r : tensor<20x12xf32>) outs(%o : tensor<18x11xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  } -> tensor<18x11xf32>
  %row = tensor.extract_slice %x[4, 0] [1, 12] [1, 1] : tensor<8x12xf32> to tensor<1x12xf32>
  return %w, %row : tensor<18x11xf32>, tensor<1x12xf32>
}
