// A broadcast value that several ops read is written to no memory: each reads the smaller one.
// REQUIRES: tesserac
// RUN: %tesserac %s -o %t --no-cache --print-after=show-products 2>&1 | FileCheck %s

#whole = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

// CHECK-LABEL: func.func @tessera.fn.main
// CHECK-NOT: linalg.yield
// CHECK: linalg.generic {{.*}} ins(%arg1, %arg0 : tensor<64x32xf32>, tensor<64xf32>)
// CHECK: arith.addf
// CHECK-NEXT: linalg.yield
// CHECK-NOT: linalg.yield
// CHECK: linalg.generic {{.*}} ins(%arg2, %arg0 : tensor<64x32xf32>, tensor<64xf32>)
// CHECK: arith.mulf
func.func @main(%a: tensor<64xf32>, %b: tensor<64x32xf32>, %c: tensor<64x32xf32>)
    -> (tensor<64x32xf32>, tensor<64x32xf32>) {
  %e = tensor.empty() : tensor<64x32xf32>
  %wide = linalg.broadcast ins(%a : tensor<64xf32>) outs(%e : tensor<64x32xf32>) dimensions = [1]
  %sum = linalg.add ins(%b, %wide : tensor<64x32xf32>, tensor<64x32xf32>)
      outs(%e : tensor<64x32xf32>) -> tensor<64x32xf32>
  %product = linalg.mul ins(%c, %wide : tensor<64x32xf32>, tensor<64x32xf32>)
      outs(%e : tensor<64x32xf32>) -> tensor<64x32xf32>
  return %sum, %product : tensor<64x32xf32>, tensor<64x32xf32>
}

// Of a dimension of size 1 too.
// CHECK-LABEL: func.func @tessera.fn.column
// CHECK-NOT: linalg.yield
// CHECK: linalg.generic {{.*}} ins(%arg1, %arg0 : tensor<64x32xf32>, tensor<64x1xf32>)
// CHECK: arith.addf
// CHECK-NEXT: linalg.yield
// CHECK-NOT: linalg.yield
// CHECK: linalg.generic {{.*}} ins(%arg2, %arg0 : tensor<64x32xf32>, tensor<64x1xf32>)
// CHECK: arith.mulf
func.func @column(%a: tensor<64x1xf32>, %b: tensor<64x32xf32>, %c: tensor<64x32xf32>)
    -> (tensor<64x32xf32>, tensor<64x32xf32>) {
  %e = tensor.empty() : tensor<64x32xf32>
  %wide = linalg.generic {
      indexing_maps = [affine_map<(d0, d1) -> (d0, 0)>, affine_map<(d0, d1) -> (d0, d1)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<64x1xf32>) outs(%e : tensor<64x32xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<64x32xf32>
  %sum = linalg.add ins(%b, %wide : tensor<64x32xf32>, tensor<64x32xf32>)
      outs(%e : tensor<64x32xf32>) -> tensor<64x32xf32>
  %product = linalg.mul ins(%c, %wide : tensor<64x32xf32>, tensor<64x32xf32>)
      outs(%e : tensor<64x32xf32>) -> tensor<64x32xf32>
  return %sum, %product : tensor<64x32xf32>, tensor<64x32xf32>
}
