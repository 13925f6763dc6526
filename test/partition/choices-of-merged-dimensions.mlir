// A choice along what was two dimensions moves a candidate of each device. Pieces lie between each other: the
// candidate with the lesser place is the one that was found before, which is asked for where one of equal ones
// stays because it is the first. Where nothing says the place, the dimension is brought to ranges first.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate,canonicalize,cse,tessera-partition)' \
// RUN:   | FileCheck %s --implicit-check-not='{{(shard|tessera)\.(all_[gtr]|reduce_scatter|exchange|gather)}}'

shard.grid @g(shape = 2x2)

#line = affine_map<(i) -> (i)>
#one = affine_map<(i) -> ()>

// CHECK-LABEL: func.func @first
// CHECK: %[[FOUND:.*]]:2 = linalg.generic {{.*}} ins(%{{.*}} : tensor<15xf32>)
// CHECK: %[[MOST:.*]] = shard.all_gather {{.*}} : tensor<1xf32> -> tensor<4xf32>
// CHECK: %[[AT:.*]] = shard.all_gather {{.*}} : tensor<1xi64> -> tensor<4xi64>
// CHECK: linalg.generic {{.*}} ins(%[[MOST]], %[[AT]] :
// CHECK-NEXT: ^bb0(%[[X:.*]]: f32, %[[K:.*]]: i64, %[[BEST:.*]]: f32, %[[AT_BEST:.*]]: i64):
// CHECK-NEXT: %[[TURNED:.*]] = arith.cmpi slt, %[[K]], %[[AT_BEST]] : i64
// CHECK-NEXT: arith.select %[[TURNED]], %[[BEST]], %[[X]] : f32
// CHECK-NEXT: arith.select %[[TURNED]], %[[X]], %[[BEST]] : f32
func.func @first(%x_in: tensor<6x10xf32>) -> tensor<i64> {
  %s = shard.sharding @g split_axes = [[0], [1]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<6x10xf32>
  %least = arith.constant 0xFF800000 : f32
  %none = arith.constant 0 : i64
  %flat = tensor.collapse_shape %x [[0, 1]] : tensor<6x10xf32> into tensor<60xf32>
  %e0 = tensor.empty() : tensor<f32>
  %f0 = linalg.fill ins(%least : f32) outs(%e0 : tensor<f32>) -> tensor<f32>
  %e1 = tensor.empty() : tensor<i64>
  %f1 = linalg.fill ins(%none : i64) outs(%e1 : tensor<i64>) -> tensor<i64>
  %r:2 = linalg.generic {indexing_maps = [#line, #one, #one], iterator_types = ["reduction"]}
      ins(%flat : tensor<60xf32>) outs(%f0, %f1 : tensor<f32>, tensor<i64>) {
  ^bb0(%a: f32, %most: f32, %at: i64):
    %i = linalg.index 0 : index
    %k = arith.index_cast %i : index to i64
    %more = arith.cmpf ogt, %a, %most : f32
    %0 = arith.select %more, %a, %most : f32
    %1 = arith.select %more, %k, %at : i64
    linalg.yield %0, %1 : f32, i64
  } -> (tensor<f32>, tensor<i64>)
  return %r#1 : tensor<i64>
}

// CHECK-LABEL: func.func @of_another
// CHECK: shard.all_gather {{.*}} : tensor<3x5xf32> -> tensor<3x10xf32>
// CHECK: shard.all_gather {{.*}} : tensor<3x5xf32> -> tensor<3x10xf32>
// CHECK-COUNT-2: shard.all_gather {{.*}} : tensor<1xf32> -> tensor<2xf32>
// CHECK: linalg.generic
// CHECK-NEXT: ^bb0
// CHECK-NEXT: arith.cmpf
func.func @of_another(%x_in: tensor<6x10xf32>, %y_in: tensor<6x10xf32>) -> tensor<f32> {
  %s = shard.sharding @g split_axes = [[0], [1]] : !shard.sharding
  %x = shard.shard %x_in to %s : tensor<6x10xf32>
  %y = shard.shard %y_in to %s : tensor<6x10xf32>
  %least = arith.constant 0xFF800000 : f32
  %flat = tensor.collapse_shape %x [[0, 1]] : tensor<6x10xf32> into tensor<60xf32>
  %other = tensor.collapse_shape %y [[0, 1]] : tensor<6x10xf32> into tensor<60xf32>
  %e0 = tensor.empty() : tensor<f32>
  %f0 = linalg.fill ins(%least : f32) outs(%e0 : tensor<f32>) -> tensor<f32>
  %r:2 = linalg.generic {indexing_maps = [#line, #line, #one, #one], iterator_types = ["reduction"]}
      ins(%flat, %other : tensor<60xf32>, tensor<60xf32>) outs(%f0, %f0 : tensor<f32>, tensor<f32>) {
  ^bb0(%a: f32, %b: f32, %most: f32, %of: f32):
    %more = arith.cmpf ogt, %a, %most : f32
    %0 = arith.select %more, %a, %most : f32
    %1 = arith.select %more, %b, %of : f32
    linalg.yield %0, %1 : f32, f32
  } -> (tensor<f32>, tensor<f32>)
  return %r#1 : tensor<f32>
}
