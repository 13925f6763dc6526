// On one bit arith.addi is exclusive or, which a matrix product (or, and) is not: it stays a loop.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-pipeline)' | FileCheck %s

// CHECK-NOT: {{gemm|arith.ori}}
// CHECK: func.func private @tessera.kernel.0
// CHECK: arith.muli {{.*}} : i1
// CHECK-NEXT: arith.addi {{.*}} : i1
// CHECK-NOT: {{gemm|arith.ori}}

#a = affine_map<(i, j, k) -> (i, k)>
#b = affine_map<(i, j, k) -> (k, j)>
#c = affine_map<(i, j, k) -> (i, j)>
func.func @main(%x: tensor<32x32xi1>, %w: tensor<32x32xi1>, %z: tensor<32x32xi1>) -> tensor<32x32xi1> {
  %r = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<32x32xi1>, tensor<32x32xi1>) outs(%z : tensor<32x32xi1>) {
  ^bb0(%p: i1, %q: i1, %o: i1):
    %u = arith.muli %p, %q : i1
    %v = arith.addi %o, %u : i1
    linalg.yield %v : i1
  } -> tensor<32x32xi1>
  return %r : tensor<32x32xi1>
}
