// What a reduction sums of slices of split tensors is summed where it lies, if that moves less: here the rows of
// %x, all but the last, stay, and one element of %y comes from the next device. Ops between use their index.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate,tessera-partition)' | FileCheck %s
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate,canonicalize,cse,tessera-propagate,tessera-partition)' | FileCheck %s
#id2 = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#none = affine_map<(d0, d1) -> ()>
shard.grid @g(shape = 4)

// CHECK-LABEL: func.func @main
// CHECK: tessera.exchange %{{.*}} offsets = [array<i64: 1, 9, 17, 25, 32>]} {{.*}} : tensor<8xf32> -> tensor<?xf32>
// CHECK-NOT: tessera.exchange
// CHECK: shard.all_reduce %{{.*}} : tensor<f32>
func.func @main(%x_in: tensor<32x16xf32>, %y_in: tensor<32xf32>) -> tensor<f32> {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<32x16xf32>
  %y = shard.shard %y_in to %rows : tensor<32xf32>
  %before = tensor.extract_slice %x[0, 0] [31, 16] [1, 1] : tensor<32x16xf32> to tensor<31x16xf32>
  %after = tensor.extract_slice %y[1] [31] [1] : tensor<32xf32> to tensor<31xf32>
  %e = tensor.empty() : tensor<31x16xf32>
  %m = linalg.generic {indexing_maps = [#id2, #row, #id2], iterator_types = ["parallel", "parallel"]}
      ins(%before, %after : tensor<31x16xf32>, tensor<31xf32>) outs(%e : tensor<31x16xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %i = linalg.index 0 : index
    %k = arith.index_cast %i : index to i32
    %f = arith.sitofp %k : i32 to f32
    %p = arith.mulf %a, %b : f32
    %r = arith.mulf %p, %f : f32
    linalg.yield %r : f32
  } -> tensor<31x16xf32>
  %zero = arith.constant 0.0 : f32
  %s = tensor.empty() : tensor<f32>
  %z = linalg.fill ins(%zero : f32) outs(%s : tensor<f32>) -> tensor<f32>
  %sum = linalg.generic {indexing_maps = [#id2, #none], iterator_types = ["reduction", "reduction"]}
      ins(%m : tensor<31x16xf32>) outs(%z : tensor<f32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.addf %o, %a : f32
    linalg.yield %r : f32
  } -> tensor<f32>
  return %sum : tensor<f32>
}

// A result in balanced pieces is made of the same products: one exchange of the rows for both.
// CHECK-LABEL: func.func @used_otherwise
// CHECK-COUNT-1: tessera.exchange
// CHECK-NOT: tessera.exchange
// CHECK: return
func.func @used_otherwise(%x_in: tensor<32x16xf32>) -> (tensor<f32>, tensor<31x16xf32>) {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<32x16xf32>
  %before = tensor.extract_slice %x[0, 0] [31, 16] [1, 1] : tensor<32x16xf32> to tensor<31x16xf32>
  %m = math.tanh %before : tensor<31x16xf32>
  %zero = arith.constant 0.0 : f32
  %s = tensor.empty() : tensor<f32>
  %z = linalg.fill ins(%zero : f32) outs(%s : tensor<f32>) -> tensor<f32>
  %sum = linalg.generic {indexing_maps = [#id2, #none], iterator_types = ["reduction", "reduction"]}
      ins(%m : tensor<31x16xf32>) outs(%z : tensor<f32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.addf %o, %a : f32
    linalg.yield %r : f32
  } -> tensor<f32>
  return %sum, %m : tensor<f32>, tensor<31x16xf32>
}
