// The loop over a row that others are added to, which is longer than registers, stays a loop in LLVM: as
// straight code its elements would go through the stack. So does one that is shorter than a few vectors,
// which is made vectors of as a loop. Others may be straight code.
// REQUIRES: tesserac
// RUN: %tesserac %s --emit=llvm -o - | FileCheck %s

// CHECK-LABEL: define {{.*}}@tessera.kernel.0(
// CHECK-NOT: {{^}}}
// CHECK: br label {{.*}}, !llvm.loop ![[LOOP:[0-9]+]]
func.func @long(%x: tensor<100x1000xf32>, %init: tensor<1000xf32>) -> tensor<1000xf32> {
  %s = linalg.reduce { arith.addf } ins(%x : tensor<100x1000xf32>) outs(%init : tensor<1000xf32>)
      dimensions = [0]
  return %s : tensor<1000xf32>
}

// CHECK-LABEL: define {{.*}}@tessera.kernel.1(
// CHECK-NOT: !llvm.loop
// CHECK: {{^}}}
func.func @short(%x: tensor<200x100xf32>, %init: tensor<100xf32>) -> tensor<100xf32> {
  %s = linalg.reduce { arith.addf } ins(%x : tensor<200x100xf32>) outs(%init : tensor<100xf32>)
      dimensions = [0]
  return %s : tensor<100xf32>
}
// CHECK-LABEL: define {{.*}}@tessera.kernel.2(
// CHECK: br label {{.*}}, !llvm.loop
// CHECK: {{^}}}
func.func @shorter(%x: tensor<200x8xf32>, %y: tensor<8xf32>, %init: tensor<8xf32>) -> tensor<8xf32> {
  %s = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (j)>],
                       iterator_types = ["reduction", "parallel"]}
      ins(%x, %y : tensor<200x8xf32>, tensor<8xf32>) outs(%init : tensor<8xf32>) {
  ^bb0(%a: f32, %b: f32, %sum: f32):
    %0 = arith.subf %a, %b : f32
    %1 = arith.addf %sum, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<8xf32>
  return %s : tensor<8xf32>
}
// A short row that is combined with others element by element is made vectors of and single elements.
// CHECK-LABEL: define {{.*}}@tessera.kernel.3(
// CHECK: br label {{.*}}, !llvm.loop ![[SHORT:[0-9]+]]
// CHECK: {{^}}}
func.func @windows(%x: tensor<4x6x12xf32>, %w: tensor<3xf32>, %init: tensor<4x6x10xf32>) -> tensor<4x6x10xf32> {
  %s = linalg.pooling_ncw_sum ins(%x, %w : tensor<4x6x12xf32>, tensor<3xf32>) outs(%init : tensor<4x6x10xf32>)
    -> tensor<4x6x10xf32>
  return %s : tensor<4x6x10xf32>
}
// CHECK: ![[LOOP]] = distinct !{![[LOOP]], ![[MANY:[0-9]+]], ![[DISABLED:[0-9]+]]}
// CHECK: ![[MANY]] = !{!"llvm.loop.interleave.count", i32 4}
// CHECK: ![[DISABLED]] = !{!"llvm.loop.unroll.disable"}
// CHECK: ![[SHORT]] = distinct !{![[SHORT]], ![[VECTORS:[0-9]+]], ![[DISABLED]]}
// CHECK: ![[VECTORS]] = !{!"llvm.loop.vectorize.enable", i1 true}
