// Every second row, which devices far away want, is taken where it lies, and then moves without the rows
// between: half of what a range of all of them has. What neighbours read of them moves as before.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate,tessera-partition,canonicalize,cse)' | FileCheck %s
shard.grid @g(shape = 2)
// CHECK-LABEL: func.func @halves
// CHECK: %[[EVEN:.*]] = tensor.extract_slice {{.*}} [8, 4] [2, 1] : {{.*}} to tensor<8x4xf32>
// CHECK: tessera.exchange %[[EVEN]]
// CHECK: %[[ODD:.*]] = tensor.extract_slice {{.*}} [8, 4] [2, 1] : {{.*}} to tensor<8x4xf32>
// CHECK: tessera.exchange %[[ODD]]
// CHECK-NOT: tessera.exchange
// CHECK: return
func.func @halves(%x_in: tensor<32x4xf32>) -> tensor<32x4xf32> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<32x4xf32>
  %a = tensor.extract_slice %x[0, 0] [16, 4] [2, 1] : tensor<32x4xf32> to tensor<16x4xf32>
  %b = tensor.extract_slice %x[1, 0] [16, 4] [2, 1] : tensor<32x4xf32> to tensor<16x4xf32>
  %c = tensor.concat dim(0) %a, %b : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<32x4xf32>
  %r = shard.shard %c to %s : tensor<32x4xf32>
  return %r : tensor<32x4xf32>
}

// CHECK-LABEL: func.func @neighbours
// CHECK-NOT: tessera.exchange
// CHECK: return
func.func @neighbours(%x_in: tensor<32x4xf32>) -> tensor<16x4xf32> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<32x4xf32>
  %a = tensor.extract_slice %x[0, 0] [16, 4] [2, 1] : tensor<32x4xf32> to tensor<16x4xf32>
  %b = tensor.extract_slice %x[1, 0] [16, 4] [2, 1] : tensor<32x4xf32> to tensor<16x4xf32>
  %c = arith.addf %a, %b : tensor<16x4xf32>
  return %c : tensor<16x4xf32>
}
