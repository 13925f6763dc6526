// A function without annotations is not touched.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate,cse)' \
// RUN:   | FileCheck %s

// CHECK: func.func @plain(%{{.*}}: tensor<8x12xf32>) -> tensor<8x12xf32> {
// CHECK-NEXT: arith.addf
// CHECK-NEXT: return

shard.grid @g(shape = 4)
func.func @plain(%x: tensor<8x12xf32>) -> tensor<8x12xf32> {
  %y = arith.addf %x, %x : tensor<8x12xf32>
  return %y : tensor<8x12xf32>
}
