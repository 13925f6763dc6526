// Sums of rows that know their index are made where the rows lie, and what a slice asks for of them moves: not the rows,
// which are more.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate,tessera-partition)' | FileCheck %s
#id2 = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
shard.grid @g(shape = 4)

// CHECK-LABEL: func.func @main
// CHECK-NOT: tessera.exchange %arg0
// CHECK: linalg.generic
// CHECK: tessera.exchange %{{.*}} : tensor<?xf32> -> tensor<?xf32>
// CHECK-NOT: tessera.exchange
func.func @main(%x_in: tensor<26x64xf32>) -> tensor<25xf32> {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<26x64xf32>
  %zero = arith.constant dense<0.0> : tensor<26xf32>
  %sums = linalg.generic {indexing_maps = [#id2, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<26x64xf32>) outs(%zero : tensor<26xf32>) {
  ^bb0(%a: f32, %o: f32):
    %i = linalg.index 0 : index
    %k = arith.index_cast %i : index to i32
    %f = arith.sitofp %k : i32 to f32
    %m = arith.mulf %a, %f : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<26xf32>
  %after = tensor.extract_slice %sums[1] [25] [1] : tensor<26xf32> to tensor<25xf32>
  %t = math.tanh %after : tensor<25xf32>
  return %t : tensor<25xf32>
}
