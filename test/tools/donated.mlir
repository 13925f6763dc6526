// The program of donated.c: an update that is returned twice, and an argument that is returned as it is.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-lower)' | FileCheck %s
// CHECK: func.func @tessera.fn.main({{.*}}) -> memref<4x3xf32>
func.func @main(%w: tensor<4x3xf32> {tessera.donated}, %m: tensor<3xf32> {tessera.donated}, %g: tensor<4x3xf32>)
    -> (tensor<4x3xf32>, tensor<3xf32>, tensor<4x3xf32>) {
  %u = arith.subf %w, %g : tensor<4x3xf32>
  return %u, %m, %u : tensor<4x3xf32>, tensor<3xf32>, tensor<4x3xf32>
}
