// Two batches as one, taken apart behind ops on tensors that compute element by element: each is split as it
// is by itself, and nothing moves.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate,tessera-partition,canonicalize,cse)' \
// RUN:   | FileCheck %s
shard.grid @g(shape = 8)
// CHECK-LABEL: func.func @main
// CHECK-NOT: {{shard.all_|tessera.exchange}}
// CHECK: return %{{.*}} : tensor<32x64xf32>
func.func @main(%arg0: tensor<256x64xf32>, %w: tensor<64x64xf32>) -> tensor<256x64xf32> {
  %s = shard.sharding @g split_axes = [[0], []] : !shard.sharding
  %x = shard.shard %arg0 to %s : tensor<256x64xf32>
  %z = arith.constant 0.0 : f32
  %n = arith.negf %x : tensor<256x64xf32>
  %c = tensor.concat dim(0) %x, %n : (tensor<256x64xf32>, tensor<256x64xf32>) -> tensor<512x64xf32>
  %twice = arith.addf %c, %c : tensor<512x64xf32>
  %e = tensor.empty() : tensor<512x64xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<512x64xf32>) -> tensor<512x64xf32>
  %m = linalg.matmul ins(%twice, %w : tensor<512x64xf32>, tensor<64x64xf32>) outs(%f : tensor<512x64xf32>) -> tensor<512x64xf32>
  %t = math.tanh %m : tensor<512x64xf32>
  %a = tensor.extract_slice %t[0, 0] [256, 64] [1, 1] : tensor<512x64xf32> to tensor<256x64xf32>
  %b = tensor.extract_slice %t[256, 0] [256, 64] [1, 1] : tensor<512x64xf32> to tensor<256x64xf32>
  %r = arith.subf %a, %b : tensor<256x64xf32>
  return %r : tensor<256x64xf32>
}
