// Reductions of many rows, and large ones of few rows, are done in parts whose lengths follow from the
// shape alone: rounding grows with parts, and parts are the cores' to share. What the inputs are computed
// by stays in the loop. Small ones, and those whose order counts, are one loop as ever.
// REQUIRES: tesserac
// RUN: %tesserac %s --print-after=parts --emit=lowered -o %t 2>&1 | FileCheck %s
// RUN: FileCheck %s --check-prefix=KERNEL --input-file=%t
// RUN: %tesserac %s --pass-option=tessera-lower.reassociate=false --print-after=parts --emit=lowered -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --check-prefix=STRICT
#ij = affine_map<(i, j) -> (i, j)>
#j = affine_map<(i, j) -> (j)>

// Parts of neighbouring rows, as many as lie in a core's cache, here 125: a tensor of 40 of them.
// CHECK-LABEL: func.func {{.*}}columns
// CHECK: tensor.expand_shape {{.*}} into tensor<40x125x96xf32>
// CHECK: tensor.expand_shape {{.*}} into tensor<40x125x96xf32>
// CHECK: linalg.fill ins(%cst : f32) outs({{.*}} : tensor<40x96xf32>)
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "reduction", "parallel"]
// CHECK: arith.divf
// CHECK: linalg.generic {{.*}}iterator_types = ["reduction", "parallel"]{{.*}} outs(%arg2 : tensor<96xf32>)
// CHECK-NOT: arith.divf
// CHECK: return
// STRICT-LABEL: func.func {{.*}}columns
// STRICT-NOT: tensor.expand_shape
// STRICT: return

// A part begins with what adds nothing, in the kernel that adds up, whose first loop goes over parts.
// KERNEL-LABEL: func.func {{.*}}columns
// KERNEL: call @tessera.kernel.0
// KERNEL: call @tessera.kernel.1
// KERNEL-NOT: call
// KERNEL: return
// KERNEL-LABEL: func.func private @tessera.kernel.0
// KERNEL: scf.for %{{.*}} to %c40
// KERNEL: arith.constant -0.0
// KERNEL: memref.store
func.func @columns(%x: tensor<5000x96xf32>, %y: tensor<5000x96xf32>, %init: tensor<96xf32>) -> tensor<96xf32> {
  %s = linalg.generic {indexing_maps = [#ij, #ij, #j], iterator_types = ["reduction", "parallel"]}
      ins(%x, %y : tensor<5000x96xf32>, tensor<5000x96xf32>) outs(%init : tensor<96xf32>) {
  ^bb0(%a: f32, %b: f32, %sum: f32):
    %0 = arith.divf %a, %b : f32
    %1 = arith.addf %sum, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<96xf32>
  return %s : tensor<96xf32>
}

// Sixteen rows of 7 are one of 112, which is long enough for vectors; then there are parts of 104 of these.
// The last 11 rows are no part's.
// CHECK-LABEL: func.func {{.*}}narrow
// CHECK: tensor.extract_slice {{.*}} to tensor<4992x7xf32>
// CHECK: tensor.expand_shape {{.*}} into tensor<312x16x7xf32>
// CHECK: tensor.expand_shape {{.*}} into tensor<3x104x16x7xf32>
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "reduction", "parallel", "parallel"]
// CHECK: linalg.generic {{.*}}iterator_types = ["reduction", "parallel", "parallel"]
// CHECK: tensor.extract_slice {{.*}} to tensor<11x7xf32>
// CHECK: linalg.generic {{.*}}iterator_types = ["reduction", "parallel"]{{.*}} outs(%arg1 : tensor<7xf32>)
// CHECK: linalg.generic {{.*}}iterator_types = ["reduction", "parallel"]
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @narrow(%x: tensor<5003x7xf32>, %init: tensor<7xf32>) -> tensor<7xf32> {
  %s = linalg.reduce { arith.addf } ins(%x : tensor<5003x7xf32>) outs(%init : tensor<7xf32>)
      dimensions = [0]
  return %s : tensor<7xf32>
}

// A long row; maxima need no leave.
// CHECK-LABEL: func.func {{.*}}row
// CHECK: tensor.expand_shape {{.*}} into tensor<25x8000xf32>
// CHECK: arith.constant 0xFF800000
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "reduction"]
// CHECK: linalg.generic {{.*}}iterator_types = ["reduction"]
// STRICT-LABEL: func.func {{.*}}row
// STRICT: tensor.expand_shape {{.*}} into tensor<25x8000xf32>
func.func @row(%x: tensor<200000xf32>, %init: tensor<f32>) -> tensor<f32> {
  %s = linalg.reduce { arith.maximumf } ins(%x : tensor<200000xf32>) outs(%init : tensor<f32>)
      dimensions = [0]
  return %s : tensor<f32>
}

// Rows enough for all cores, each of which is added up in blocks.
// CHECK-LABEL: func.func {{.*}}rows
// CHECK-NOT: tensor.expand_shape
// CHECK: return
func.func @rows(%x: tensor<64x20000xf32>, %init: tensor<64xf32>) -> tensor<64xf32> {
  %s = linalg.reduce { arith.addf } ins(%x : tensor<64x20000xf32>) outs(%init : tensor<64xf32>)
      dimensions = [1]
  return %s : tensor<64xf32>
}

// CHECK-LABEL: func.func {{.*}}few
// CHECK-NOT: tensor.expand_shape
// CHECK: return
func.func @few(%x: tensor<200x96xf32>, %init: tensor<96xf32>) -> tensor<96xf32> {
  %s = linalg.reduce { arith.addf } ins(%x : tensor<200x96xf32>) outs(%init : tensor<96xf32>)
      dimensions = [0]
  return %s : tensor<96xf32>
}

// CHECK-LABEL: func.func {{.*}}product
// CHECK-NOT: tensor.expand_shape
// CHECK: return
func.func @product(%x: tensor<5000x96xf32>, %init: tensor<96xf32>) -> tensor<96xf32> {
  %s = linalg.reduce { arith.mulf } ins(%x : tensor<5000x96xf32>) outs(%init : tensor<96xf32>)
      dimensions = [0]
  return %s : tensor<96xf32>
}

// What another operand has to each row is not to all elements of several: these rows stay apart.
// CHECK-LABEL: func.func {{.*}}by_row
// CHECK: tensor.expand_shape {{.*}} into tensor<20x250x8xf32>
// CHECK: tensor.expand_shape {{.*}} into tensor<20x250xf32>
// CHECK: linalg.generic {{.*}}iterator_types = ["parallel", "reduction", "parallel"]
func.func @by_row(%x: tensor<5000x8xf32>, %y: tensor<5000xf32>, %init: tensor<8xf32>) -> tensor<8xf32> {
  %s = linalg.generic {indexing_maps = [#ij, affine_map<(i, j) -> (i)>, #j], iterator_types = ["reduction", "parallel"]}
      ins(%x, %y : tensor<5000x8xf32>, tensor<5000xf32>) outs(%init : tensor<8xf32>) {
  ^bb0(%a: f32, %b: f32, %sum: f32):
    %0 = arith.subf %a, %b : f32
    %1 = arith.addf %sum, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<8xf32>
  return %s : tensor<8xf32>
}

// Parts of a dimension in the middle lie there, as in the input; of several, the outermost is cut first.
// CHECK-LABEL: func.func {{.*}}middle
// CHECK: tensor.expand_shape {{.*}} into tensor<4x16x32x512xf32>
// CHECK: linalg.fill {{.*}} tensor<4x16x512xf32>
// CHECK: iterator_types = ["parallel", "reduction", "parallel"]{{.*}} ins({{.*}} : tensor<4x16x512xf32>)
func.func @middle(%x: tensor<4x512x512xf32>, %init: tensor<4x512xf32>) -> tensor<4x512xf32> {
  %s = linalg.reduce { arith.addf } ins(%x : tensor<4x512x512xf32>) outs(%init : tensor<4x512xf32>)
      dimensions = [1]
  return %s : tensor<4x512xf32>
}

// CHECK-LABEL: func.func {{.*}}images
// CHECK: tensor.expand_shape {{.*}} into tensor<8x1x30x50x64xf32>
func.func @images(%x: tensor<8x30x50x64xf32>, %init: tensor<64xf32>) -> tensor<64xf32> {
  %s = linalg.reduce { arith.addf } ins(%x : tensor<8x30x50x64xf32>) outs(%init : tensor<64xf32>)
      dimensions = [0, 1, 2]
  return %s : tensor<64xf32>
}
