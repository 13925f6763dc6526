// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate,canonicalize,cse,tessera-partition,canonicalize)' | FileCheck %s

// The half that is negated goes straight to where it stands in the result: what is computed more
// there is no more than what is received less.
// CHECK-LABEL: func.func @rotated
// CHECK-COUNT-2: tessera.exchange %arg0
// CHECK-NOT: tessera.exchange
// CHECK: return
shard.grid @g(shape = 4)
func.func @rotated(%x_in: tensor<8x64xf32>) -> tensor<8x64xf32> {
  %columns = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %x = shard.shard %x_in to %columns : tensor<8x64xf32>
  %low = tensor.extract_slice %x[0, 0] [8, 32] [1, 1] : tensor<8x64xf32> to tensor<8x32xf32>
  %high = tensor.extract_slice %x[0, 32] [8, 32] [1, 1] : tensor<8x64xf32> to tensor<8x32xf32>
  %minus = arith.negf %high : tensor<8x32xf32>
  %turned = tensor.concat dim(1) %minus, %low : (tensor<8x32xf32>, tensor<8x32xf32>) -> tensor<8x64xf32>
  %r = shard.shard %turned to %columns : tensor<8x64xf32>
  return %r : tensor<8x64xf32>
}
