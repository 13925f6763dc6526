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

// Nor of what is made of them: it lies balanced, and so do the products in front of it, for both.
// CHECK-LABEL: func.func @result_is_made_of_them
// CHECK-NOT: halo
// CHECK-DAG: tessera.exchange %{{.*}} offsets = [array<i64: 0, 8, 16, 24, 33>, array<i64>]} {{.*}} : tensor<?x3xf64> -> tensor<?x3xf64>
// CHECK-DAG: tessera.exchange %{{.*}} offsets = [array<i64: 1, 9, 17, 25, 34>]} {{.*}} : tensor<?xf64> -> tensor<?xf64>
// CHECK-NOT: tessera.exchange
// CHECK: return
func.func @result_is_made_of_them(%x_in: tensor<34x3xf64>, %y_in: tensor<34xf64>) -> (tensor<3xf64>, tensor<33x3xf64>) {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<34x3xf64>
  %y = shard.shard %y_in to %rows : tensor<34xf64>
  %before = tensor.extract_slice %x[0, 0] [33, 3] [1, 1] : tensor<34x3xf64> to tensor<33x3xf64>
  %after = tensor.extract_slice %y[1] [33] [1] : tensor<34xf64> to tensor<33xf64>
  %e = tensor.empty() : tensor<33x3xf64>
  %each = linalg.broadcast ins(%after : tensor<33xf64>) outs(%e : tensor<33x3xf64>) dimensions = [1]
  %m = arith.mulf %before, %each : tensor<33x3xf64>
  %t = math.tanh %m : tensor<33x3xf64>
  %zero = arith.constant dense<0.0> : tensor<3xf64>
  %sum = linalg.reduce { arith.addf } ins(%m : tensor<33x3xf64>) outs(%zero : tensor<3xf64>) dimensions = [0]
  return %sum, %t : tensor<3xf64>, tensor<33x3xf64>
}

// Pieces that suit the first operand move more than those that suit the second: all are looked at.
// CHECK-LABEL: func.func @second_is_larger
// CHECK: tessera.exchange %{{.*}} offsets = [array<i64: 1, 9, 17, 26, 34>]} {{.*}} : tensor<?xf64> -> tensor<?xf64>
// CHECK-NOT: tessera.exchange
// CHECK: return
func.func @second_is_larger(%x_in: tensor<34x3xf64>, %y_in: tensor<34xf64>) -> tensor<3xf64> {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<34x3xf64>
  %y = shard.shard %y_in to %rows : tensor<34xf64>
  %before = tensor.extract_slice %x[0, 0] [33, 3] [1, 1] : tensor<34x3xf64> to tensor<33x3xf64>
  %after = tensor.extract_slice %y[1] [33] [1] : tensor<34xf64> to tensor<33xf64>
  %e = tensor.empty() : tensor<33x3xf64>
  %each = linalg.broadcast ins(%after : tensor<33xf64>) outs(%e : tensor<33x3xf64>) dimensions = [1]
  %m = arith.mulf %each, %before : tensor<33x3xf64>
  %zero = arith.constant dense<0.0> : tensor<3xf64>
  %sum = linalg.reduce { arith.addf } ins(%m : tensor<33x3xf64>) outs(%zero : tensor<3xf64>) dimensions = [0]
  return %sum : tensor<3xf64>
}

// What several ways lead to is looked at once: all sums, of which each is made of those before, take the same pieces.
// CHECK-LABEL: func.func @many_ways
// CHECK-NOT: halo
// CHECK: tessera.exchange %{{.*}} offsets = [array<i64: 1, 9, 17, 25, 32>]} {{.*}} : tensor<8xf64> -> tensor<?xf64>
// CHECK-NOT: tessera.exchange
// CHECK: return
func.func @many_ways(%x_in: tensor<32x3xf64>, %y_in: tensor<32xf64>) -> (tensor<3xf64>, tensor<3xf64>) {
  %rows = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %x = shard.shard %x_in to %rows : tensor<32x3xf64>
  %y = shard.shard %y_in to %rows : tensor<32xf64>
  %before = tensor.extract_slice %x[0, 0] [31, 3] [1, 1] : tensor<32x3xf64> to tensor<31x3xf64>
  %after = tensor.extract_slice %y[1] [31] [1] : tensor<32xf64> to tensor<31xf64>
  %e = tensor.empty() : tensor<31x3xf64>
  %each = linalg.broadcast ins(%after : tensor<31xf64>) outs(%e : tensor<31x3xf64>) dimensions = [1]
  %0 = math.tanh %before : tensor<31x3xf64>
  %1 = arith.mulf %0, %each : tensor<31x3xf64>
  %2 = arith.mulf %1, %0 : tensor<31x3xf64>
  %3 = arith.mulf %2, %1 : tensor<31x3xf64>
  %4 = arith.mulf %3, %2 : tensor<31x3xf64>
  %5 = arith.mulf %4, %3 : tensor<31x3xf64>
  %6 = arith.mulf %5, %4 : tensor<31x3xf64>
  %7 = arith.mulf %6, %5 : tensor<31x3xf64>
  %8 = arith.mulf %7, %6 : tensor<31x3xf64>
  %9 = arith.mulf %8, %7 : tensor<31x3xf64>
  %10 = arith.mulf %9, %8 : tensor<31x3xf64>
  %11 = arith.mulf %10, %9 : tensor<31x3xf64>
  %12 = arith.mulf %11, %10 : tensor<31x3xf64>
  %zero = arith.constant dense<0.0> : tensor<3xf64>
  %first = linalg.reduce { arith.addf } ins(%0 : tensor<31x3xf64>) outs(%zero : tensor<3xf64>) dimensions = [0]
  %last = linalg.reduce { arith.addf } ins(%12 : tensor<31x3xf64>) outs(%zero : tensor<3xf64>) dimensions = [0]
  return %first, %last : tensor<3xf64>, tensor<3xf64>
}
