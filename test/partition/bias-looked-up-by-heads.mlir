// A table of numbers for each head, looked up for each pair of places: where attention is turned from places to heads,
// what is looked up is turned with it, for nothing, since the table and the places are everywhere.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate,tessera-partition,canonicalize,cse)' | FileCheck %s
shard.grid @g(shape = 4)

// CHECK-LABEL: func.func @main
// CHECK-COUNT-4: shard.all_to_all {{.*}}32xf32> -> tensor
// CHECK-NOT: shard.all
// CHECK: return
func.func @main(%q_in: tensor<8x256x32xf32>, %k_in: tensor<8x256x32xf32>, %v_in: tensor<8x256x32xf32>,
                %table: tensor<32x8xf32>) -> tensor<8x256x32xf32> {
  %places = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %q = shard.shard %q_in to %places : tensor<8x256x32xf32>
  %k = shard.shard %k_in to %places : tensor<8x256x32xf32>
  %v = shard.shard %v_in to %places : tensor<8x256x32xf32>
  %c31 = arith.constant 31 : index
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<256x256x8xf32>
  %bias = linalg.generic {indexing_maps = [affine_map<(i, j, h) -> (i, j, h)>],
                          iterator_types = ["parallel", "parallel", "parallel"]}
      outs(%e0 : tensor<256x256x8xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %h = linalg.index 2 : index
    %far = arith.subi %i, %j : index
    %least = arith.maxsi %far, %c0 : index
    %bucket = arith.minsi %least, %c31 : index
    %x = tensor.extract %table[%bucket, %h] : tensor<32x8xf32>
    linalg.yield %x : f32
  } -> tensor<256x256x8xf32>
  %e1 = tensor.empty() : tensor<8x256x256xf32>
  %biases = linalg.transpose ins(%bias : tensor<256x256x8xf32>) outs(%e1 : tensor<8x256x256xf32>) permutation = [2, 0, 1]
  %e2 = tensor.empty() : tensor<8x32x256xf32>
  %kt = linalg.transpose ins(%k : tensor<8x256x32xf32>) outs(%e2 : tensor<8x32x256xf32>) permutation = [0, 2, 1]
  %z1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<8x256x256xf32>) -> tensor<8x256x256xf32>
  %s = linalg.batch_matmul ins(%q, %kt : tensor<8x256x32xf32>, tensor<8x32x256xf32>)
      outs(%z1 : tensor<8x256x256xf32>) -> tensor<8x256x256xf32>
  %biased = arith.addf %s, %biases : tensor<8x256x256xf32>
  %p = math.exp %biased : tensor<8x256x256xf32>
  %e3 = tensor.empty() : tensor<8x256x32xf32>
  %z3 = linalg.fill ins(%zero : f32) outs(%e3 : tensor<8x256x32xf32>) -> tensor<8x256x32xf32>
  %y = linalg.batch_matmul ins(%p, %v : tensor<8x256x256xf32>, tensor<8x256x32xf32>)
      outs(%z3 : tensor<8x256x32xf32>) -> tensor<8x256x32xf32>
  %r = shard.shard %y to %places : tensor<8x256x32xf32>
  return %r : tensor<8x256x32xf32>
}
