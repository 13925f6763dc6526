// A transpose of a product that nothing else uses is one product, which has the layout that the
// transposed result is asked for; one with other uses or an annotation between stays.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate)' --mlir-print-local-scope | FileCheck %s
shard.grid @g(shape = 2)

// CHECK-LABEL: func.func @gradient
// CHECK: %[[EMPTY:.*]] = tensor.empty() : tensor<24x16xf32>
// CHECK: linalg.fill {{.*}} -> tensor<24x16xf32>
// CHECK: linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d2, d0)>, affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>]
// CHECK-NOT: transpose
// CHECK: return
func.func @gradient(%x: tensor<16x32xf32>, %y_in: tensor<32x24xf32>) -> tensor<24x16xf32> {
  %s = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %y = shard.shard %y_in to %s : tensor<32x24xf32>
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<16x24xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<16x24xf32>) -> tensor<16x24xf32>
  %p = linalg.matmul ins(%x, %y : tensor<16x32xf32>, tensor<32x24xf32>) outs(%f : tensor<16x24xf32>) -> tensor<16x24xf32>
  %te = tensor.empty() : tensor<24x16xf32>
  %t = linalg.transpose ins(%p : tensor<16x24xf32>) outs(%te : tensor<24x16xf32>) permutation = [1, 0]
  return %t : tensor<24x16xf32>
}

// CHECK-LABEL: func.func @used_twice
// CHECK: linalg.matmul
// CHECK: linalg.transpose
func.func @used_twice(%x: tensor<16x32xf32>, %y: tensor<32x24xf32>) -> (tensor<16x24xf32>, tensor<24x16xf32>) {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<16x24xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<16x24xf32>) -> tensor<16x24xf32>
  %p = linalg.matmul ins(%x, %y : tensor<16x32xf32>, tensor<32x24xf32>) outs(%f : tensor<16x24xf32>) -> tensor<16x24xf32>
  %te = tensor.empty() : tensor<24x16xf32>
  %t = linalg.transpose ins(%p : tensor<16x24xf32>) outs(%te : tensor<24x16xf32>) permutation = [1, 0]
  return %p, %t : tensor<16x24xf32>, tensor<24x16xf32>
}

// CHECK-LABEL: func.func @annotated_between
// CHECK: linalg.matmul
// CHECK: shard.shard
// CHECK: linalg.transpose
func.func @annotated_between(%x: tensor<16x32xf32>, %y: tensor<32x24xf32>) -> tensor<24x16xf32> {
  %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<16x24xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<16x24xf32>) -> tensor<16x24xf32>
  %p = linalg.matmul ins(%x, %y : tensor<16x32xf32>, tensor<32x24xf32>) outs(%f : tensor<16x24xf32>) -> tensor<16x24xf32>
  %a = shard.shard %p to %s : tensor<16x24xf32>
  %te = tensor.empty() : tensor<24x16xf32>
  %t = linalg.transpose ins(%a : tensor<16x24xf32>) outs(%te : tensor<24x16xf32>) permutation = [1, 0]
  return %t : tensor<24x16xf32>
}

// The value that the sum starts from stays.
// CHECK-LABEL: func.func @starts_from_one
// CHECK: %[[ONE:.*]] = arith.constant 1.0
// CHECK: linalg.fill ins(%[[ONE]] : f32) outs(%{{.*}} : tensor<?x16xf32>)
// CHECK-NOT: transpose
// CHECK: return
func.func @starts_from_one(%x: tensor<16x32xf32>, %y: tensor<32x?xf32>, %n: index) -> tensor<?x16xf32> {
  %z = arith.constant 1.0 : f32
  %e = tensor.empty(%n) : tensor<16x?xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<16x?xf32>) -> tensor<16x?xf32>
  %p = linalg.matmul ins(%x, %y : tensor<16x32xf32>, tensor<32x?xf32>) outs(%f : tensor<16x?xf32>) -> tensor<16x?xf32>
  %te = tensor.empty(%n) : tensor<?x16xf32>
  %t = linalg.transpose ins(%p : tensor<16x?xf32>) outs(%te : tensor<?x16xf32>) permutation = [1, 0]
  return %t : tensor<?x16xf32>
}
