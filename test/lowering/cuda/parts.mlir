// Large reductions to few elements are done in parts, enough for all blocks of a GPU, and the parts are
// combined in the order of their places; those behind which the order counts, and small ones, stay.
// REQUIRES: tesserac
// RUN: %tesserac %s --target=cuda --print-after=parts --emit=lowered -o /dev/null 2>&1 | FileCheck %s

// A sum of rows: each part is a row, all rows are one kernel. Of 1024 x 1024 there are 256 parts.
// CHECK-LABEL: func.func {{.*}}sum
// CHECK: tensor.expand_shape {{.*}} into tensor<256x4x1024xf32>
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "reduction", "reduction"]
// CHECK: arith.mulf
// CHECK: linalg.generic {{.*}}iterator_types = ["reduction"]
// CHECK-NOT: arith.mulf
// CHECK: arith.addf
func.func @sum(%x: tensor<1024x1024xf32>, %init: tensor<f32>) -> tensor<f32> {
  %y = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> ()>],
                       iterator_types = ["reduction", "reduction"]}
      ins(%x : tensor<1024x1024xf32>) outs(%init : tensor<f32>) {
  ^bb0(%a: f32, %sum: f32):
    %0 = arith.mulf %a, %a : f32
    %1 = arith.addf %sum, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<f32>
  return %y : tensor<f32>
}

// A sum along columns: neighbouring parts take neighbouring steps; the last rows are no part's.
// CHECK-LABEL: func.func {{.*}}columns
// CHECK: tensor.extract_slice {{.*}} to tensor<1008x512xf32>
// CHECK: tensor.expand_shape {{.*}} into tensor<16x63x512xf32>
// CHECK: linalg.generic {{.*}}iterator_types = ["reduction", "parallel", "parallel"]
// CHECK: tensor.extract_slice {{.*}} to tensor<13x512xf32>
// CHECK: linalg.generic {{.*}}iterator_types = ["reduction", "parallel"]
// CHECK: linalg.generic {{.*}}iterator_types = ["reduction", "parallel"]
func.func @columns(%x: tensor<1021x512xf32>, %init: tensor<512xf32>) -> tensor<512xf32> {
  %y = linalg.reduce { arith.addf } ins(%x : tensor<1021x512xf32>) outs(%init : tensor<512xf32>)
      dimensions = [0]
  return %y : tensor<512xf32>
}

// Products are rounded, and nobody says that their order is free.
// CHECK-LABEL: func.func {{.*}}product
// CHECK-NOT: tensor.expand_shape
func.func @product(%x: tensor<1024x1024xf32>, %init: tensor<f32>) -> tensor<f32> {
  %y = linalg.reduce { arith.mulf } ins(%x : tensor<1024x1024xf32>) outs(%init : tensor<f32>)
      dimensions = [0, 1]
  return %y : tensor<f32>
}

// CHECK-LABEL: func.func {{.*}}small
// CHECK-NOT: tensor.expand_shape
func.func @small(%x: tensor<16x1024xf32>, %init: tensor<f32>) -> tensor<f32> {
  %y = linalg.reduce { arith.addf } ins(%x : tensor<16x1024xf32>) outs(%init : tensor<f32>)
      dimensions = [0, 1]
  return %y : tensor<f32>
}
