// Attributes and types of the dialect on their own, in each spelling that is read.
// RUN: %mlir_opt %s | FileCheck %s
// RUN: %mlir_opt %s | %mlir_opt | FileCheck %s

// CHECK: axes = #mesh<axisarray[{{\[}}0], [1, 2]]>
// CHECK-SAME: axes_in_brackets = #mesh<axisarray[{{\[}}0], [1, 2]]>
// CHECK-SAME: bare = #mesh.partial<bitwise_xor>
// CHECK-SAME: bracketed = #mesh.partial<max>
// CHECK-SAME: type = !mesh.sharding
module attributes {
  test.axes = #mesh<axisarray[[0], [1, 2]]>,
  test.axes_in_brackets = #mesh.axisarray<[[0], [1, 2]]>,
  test.bare = #mesh<partial bitwise_xor>,
  test.bracketed = #mesh.partial<max>,
  test.type = !mesh.sharding
} {
}
