// Along an extent that only the launch knows, windows, pads, slices and joins fetch what they read, and nothing is
// gathered whole.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate,tessera-partition,canonicalize,cse)' \
// RUN:   | FileCheck %s
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate,tessera-partition)' \
// RUN:   | FileCheck %s --check-prefix=NOTHING --implicit-check-not=gather

// NOTHING: module

shard.grid @g(shape = 2)

// The kernel has 3 rows, and a device begins where its rows of the result do.
// CHECK-LABEL: func.func @window(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<?x6xf32>
// CHECK-DAG: %[[C0:.*]] = arith.constant 0 : index
// CHECK: %[[N:.*]] = tensor.extract
// CHECK: %[[PIECE:.*]] = tessera.exchange %[[X]] from {factors = {{\[\[\[}}-1, [0]]], {{\[\[}}6, []]]], global = tensor<?x6xf32>, grid = @g}
// CHECK-SAME: to {factors = {{\[\[\[}}-1, [0]]], {{\[\[}}6, []]]], global = tensor<?x6xf32>, grid = @g, halo = array<i64: 0, 2, 0, 0>, offsets = [array<i64: -9223372036854775808, -9223372036854775808, -9223372036854775808>, array<i64>], part}
// CHECK-SAME: global_sizes(%[[N]])
// CHECK-SAME: -> tensor<?x6xf32>
// CHECK: linalg.conv_2d ins(%[[PIECE]], %{{.*}}) outs({{.*}} : tensor<?x4xf32>)
// CHECK: return {{.*}} : tensor<?x4xf32>
func.func @window(%x_in: tensor<?x6xf32>, %k: tensor<3x3xf32>) -> tensor<?x4xf32> {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<?x6xf32>
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %x, %c0 : tensor<?x6xf32>
  %m = arith.subi %n, %c2 : index
  %e = tensor.empty(%m) : tensor<?x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x4xf32>) -> tensor<?x4xf32>
  %r = linalg.conv_2d ins(%x, %k : tensor<?x6xf32>, tensor<3x3xf32>) outs(%f : tensor<?x4xf32>) -> tensor<?x4xf32>
  return %r : tensor<?x4xf32>
}

// What is padded is as long as the piece of the result is more than what was read for it.
// CHECK-LABEL: func.func @pad(
// CHECK: %[[PIECE:.*]] = tessera.exchange %arg0
// CHECK-SAME: offsets = [array<i64: -9223372036854775808, -9223372036854775808, -9223372036854775808>, array<i64>], part}
// CHECK: tensor.pad %[[PIECE]] low[%{{.*}}, 0] high[%{{.*}}, 0]
func.func @pad(%x_in: tensor<?x6xf32>) -> tensor<?x6xf32> {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<?x6xf32>
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[1, 0] high[2, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<?x6xf32> to tensor<?x6xf32>
  return %p : tensor<?x6xf32>
}

// One row is on every device.
// CHECK-LABEL: func.func @row(
// CHECK: %[[ROW:.*]] = tessera.exchange %arg0
// CHECK-SAME: to {factors = {{\[\[\[}}-1, []]], {{\[\[}}6, []]]], global = tensor<?x6xf32>, grid = @g, offsets = [array<i64: -9223372036854775808, -9223372036854775808>, array<i64>], part}
// CHECK: tensor.extract_slice %[[ROW]][0, 0] [1, 6] [1, 1]
func.func @row(%x_in: tensor<?x6xf32>) -> tensor<6xf32> {
  %split = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %split : tensor<?x6xf32>
  %row = tensor.extract_slice %x[4, 0] [1, 6] [1, 1] : tensor<?x6xf32> to tensor<6xf32>
  return %row : tensor<6xf32>
}

// CHECK-LABEL: func.func @join(
// CHECK: %[[A:.*]] = tessera.exchange %arg0
// CHECK: %[[B:.*]] = tessera.exchange %arg1
// CHECK: tensor.concat dim(0) %[[A]], %[[B]]
func.func @join(%x_in: tensor<?x6xf32>, %y_in: tensor<?x6xf32>) -> tensor<?x6xf32> {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<?x6xf32>
  %y = shard.shard %y_in to %rows : tensor<?x6xf32>
  %xy = tensor.concat dim(0) %x, %y : (tensor<?x6xf32>, tensor<?x6xf32>) -> tensor<?x6xf32>
  return %xy : tensor<?x6xf32>
}

// CHECK-LABEL: func.func @insert(
// CHECK: %[[A:.*]] = tessera.exchange %arg0
// CHECK: tensor.insert_slice %[[A]] into %arg1[%{{.*}}, 0] [%{{.*}}, 6] [1, 1]
func.func @insert(%x_in: tensor<?x6xf32>, %y_in: tensor<?x6xf32>) -> tensor<?x6xf32> {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<?x6xf32>
  %y = shard.shard %y_in to %rows : tensor<?x6xf32>
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x6xf32>
  %r = tensor.insert_slice %x into %y[2, 0] [%n, 6] [1, 1] : tensor<?x6xf32> into tensor<?x6xf32>
  return %r : tensor<?x6xf32>
}

// Shifted slices have one exchange, with two rows more, and are cut out of what it brings.
// CHECK-LABEL: func.func @shifted(
// CHECK: %[[PIECE:.*]] = tessera.exchange %arg0
// CHECK-SAME: halo = array<i64: 0, 2, 0, 0>
// CHECK-NOT: exchange
// CHECK: tensor.extract_slice %[[PIECE]][%{{.*}}, 0] [%{{.*}}, 6] [1, 1]
// CHECK: tensor.extract_slice %[[PIECE]][%{{.*}}, 0] [%{{.*}}, 6] [1, 1]
// CHECK: tensor.extract_slice %[[PIECE]][%{{.*}}, 0] [%{{.*}}, 6] [1, 1]
// CHECK-NOT: exchange
// CHECK: return
func.func @shifted(%x_in: tensor<?x6xf32>) -> tensor<?x6xf32> {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<?x6xf32>
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %n = tensor.dim %x, %c0 : tensor<?x6xf32>
  %m = arith.subi %n, %c2 : index
  %up = tensor.extract_slice %x[0, 0] [%m, 6] [1, 1] : tensor<?x6xf32> to tensor<?x6xf32>
  %middle = tensor.extract_slice %x[1, 0] [%m, 6] [1, 1] : tensor<?x6xf32> to tensor<?x6xf32>
  %down = tensor.extract_slice %x[2, 0] [%m, 6] [1, 1] : tensor<?x6xf32> to tensor<?x6xf32>
  %a = arith.addf %up, %middle : tensor<?x6xf32>
  %b = arith.addf %a, %down : tensor<?x6xf32>
  return %b : tensor<?x6xf32>
}
