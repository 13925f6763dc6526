// The loop over a row that others are added to, which is longer than registers, stays a loop in LLVM: as
// straight code its elements would go through the stack. A short row may be straight code.
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
// CHECK: ![[LOOP]] = distinct !{![[LOOP]], ![[DISABLED:[0-9]+]]}
// CHECK: ![[DISABLED]] = !{!"llvm.loop.unroll.disable"}
