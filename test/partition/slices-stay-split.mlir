// What a slice, an insertion, a pad or a join leaves alone stays split: nothing moves, and sizes are
// this device's.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate,tessera-partition)' \
// RUN:   | FileCheck %s --implicit-check-not='{{(shard|tessera)\.(all_[gtr]|reduce_scatter|exchange|gather)}}'

shard.grid @g(shape = 2x4)

// CHECK-LABEL: func.func @even
// CHECK: tensor.extract_slice %{{.*}}[0, 3] [2, 2] [1, 2] : tensor<2x8xf32> to tensor<2x2xf32>
// CHECK: tensor.insert_slice %{{.*}} into %{{.*}}[0, 1] [2, 2] [1, 1] : tensor<2x2xf32> into tensor<2x8xf32>
// CHECK: tensor.concat dim(1) %{{.*}} : (tensor<2x8xf32>, tensor<2x5xf32>) -> tensor<2x13xf32>
// CHECK: tensor.pad
// CHECK: tensor<2x8xf32> to tensor<2x9xf32>
func.func @even(%x_in: tensor<8x8xf32>, %y: tensor<8x5xf32>)
    -> (tensor<8x8xf32>, tensor<8x13xf32>, tensor<8x9xf32>) {
  %s = shard.sharding @g split_axes = [[1]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<8x8xf32>
  %zero = arith.constant 0.0 : f32
  %0 = tensor.extract_slice %x[0, 3] [8, 2] [1, 2] : tensor<8x8xf32> to tensor<8x2xf32>
  %1 = tensor.insert_slice %0 into %x[0, 1] [8, 2] [1, 1] : tensor<8x2xf32> into tensor<8x8xf32>
  %2 = tensor.concat dim(1) %x, %y : (tensor<8x8xf32>, tensor<8x5xf32>) -> tensor<8x13xf32>
  %3 = tensor.pad %x low[0, 1] high[0, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<8x8xf32> to tensor<8x9xf32>
  return %1, %2, %3 : tensor<8x8xf32>, tensor<8x13xf32>, tensor<8x9xf32>
}

// 10 over 4: the sizes differ between devices. Other numbers of the op are as they were.
// CHECK-LABEL: func.func @uneven
// CHECK-SAME: %[[AT:[a-z0-9]+]]: index
// CHECK: %[[SIZE:.*]] = arith.divui
// CHECK: tensor.extract_slice %{{.*}}[1, 0, %[[AT]]] [1, %[[SIZE]], 3] [1, 1, 1] : tensor<3x?x8xf32> to tensor<?x3xf32>
// CHECK: tensor.insert_slice %{{.*}} into %{{.*}}[%[[AT]], 0, 0] [1, %[[SIZE]], 3] [1, 1, 2] : tensor<?x3xf32> into tensor<3x?x8xf32>
func.func @uneven(%x_in: tensor<3x10x8xf32>, %at: index) -> tensor<3x10x8xf32> {
  %s = shard.sharding @g split_axes = [[], [1]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<3x10x8xf32>
  %0 = tensor.extract_slice %x[1, 0, %at] [1, 10, 3] [1, 1, 1] : tensor<3x10x8xf32> to tensor<10x3xf32>
  %1 = tensor.insert_slice %0 into %x[%at, 0, 0] [1, 10, 3] [1, 1, 2] : tensor<10x3xf32> into tensor<3x10x8xf32>
  return %1 : tensor<3x10x8xf32>
}

// The size of a batch is the device's where it is all of it, and the source's own where it is not.
// CHECK-LABEL: func.func @dynamic
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<?x8xf32>
// CHECK-SAME: %[[WIDE:[a-z0-9]+]]: index
// CHECK: %[[ROWS:.*]] = tensor.dim %[[X]]
// CHECK: tensor.extract_slice %[[X]][0, 2] [%[[ROWS]], %[[WIDE]]] [1, 1] : tensor<?x8xf32> to tensor<?x?xf32>
func.func @dynamic(%x_in: tensor<?x8xf32>, %wide: index) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<?x8xf32>
  %n = tensor.dim %x_in, %c0 : tensor<?x8xf32>
  %0 = tensor.extract_slice %x[0, 2] [%n, %wide] [1, 1] : tensor<?x8xf32> to tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// Indices in the body of a pad, which becomes a tensor that is generated around, are those of the whole
// tensor.
// CHECK-LABEL: func.func @indices
// CHECK: tensor.generate
// CHECK-NEXT: ^bb0(%[[I:.*]]: index, %[[J:.*]]: index):
// CHECK: %[[GLOBAL:.*]] = arith.addi %[[I]], %{{.*}} : index
// CHECK: arith.addi %[[GLOBAL]], %[[J]] : index
func.func @indices(%x_in: tensor<8x3xindex>) -> tensor<8x5xindex> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<8x3xindex>
  %0 = tensor.pad %x low[0, 1] high[0, 1] {
  ^bb0(%i: index, %j: index):
    %k = arith.addi %i, %j : index
    tensor.yield %k : index
  } : tensor<8x3xindex> to tensor<8x5xindex>
  return %0 : tensor<8x5xindex>
}

// What a loop carries, of an extent that only the launch knows.
// CHECK-LABEL: func.func @carried
// CHECK: scf.for
// CHECK: tensor.insert_slice %{{.*}} into %{{.*}}[0, %{{.*}}] {{\[}}%{{.*}}, 1] [1, 1] : tensor<?x1xf32> into tensor<?x6xf32>
func.func @carried(%a: tensor<?x6xf32>, %b: tensor<?x1xf32>) -> tensor<?x6xf32> {
  %s = shard.sharding @g split_axes = [[1]] : !shard.sharding
  %x = shard.shard %a to %s : tensor<?x6xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c6 = arith.constant 6 : index
  %n = tensor.dim %x, %c0 : tensor<?x6xf32>
  %0 = scf.for %i = %c0 to %c6 step %c1 iter_args(%u = %x) -> tensor<?x6xf32> {
    %1 = tensor.insert_slice %b into %u[0, %i] [%n, 1] [1, 1]
      : tensor<?x1xf32> into tensor<?x6xf32>
    scf.yield %1 : tensor<?x6xf32>
  }
  return %0 : tensor<?x6xf32>
}
