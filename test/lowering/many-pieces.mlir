// A concatenation of a few pieces becomes insertions, so that these may be computed in their places. One
// of many stays: bufferization would compare each insertion with all others.
// RUN: %tesserac %s -o - --emit=lowered --print-after=concats 2>&1 | FileCheck %s

// CHECK-LABEL: @tessera.fn.few
// CHECK-NOT: tensor.concat
// CHECK-COUNT-8: tensor.insert_slice
// CHECK: return
func.func @few(%a0: tensor<4xf32>, %a1: tensor<4xf32>, %a2: tensor<4xf32>, %a3: tensor<4xf32>, %a4: tensor<4xf32>, %a5: tensor<4xf32>, %a6: tensor<4xf32>, %a7: tensor<4xf32>) -> tensor<32xf32> {
  %r = tensor.concat dim(0) %a0, %a1, %a2, %a3, %a4, %a5, %a6, %a7 : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<32xf32>
  return %r : tensor<32xf32>
}

// CHECK-LABEL: @tessera.fn.many
// CHECK-NOT: tensor.insert_slice
// CHECK: tensor.concat
// CHECK: return
func.func @many(%a0: tensor<4xf32>, %a1: tensor<4xf32>, %a2: tensor<4xf32>, %a3: tensor<4xf32>, %a4: tensor<4xf32>, %a5: tensor<4xf32>, %a6: tensor<4xf32>, %a7: tensor<4xf32>, %a8: tensor<4xf32>) -> tensor<36xf32> {
  %r = tensor.concat dim(0) %a0, %a1, %a2, %a3, %a4, %a5, %a6, %a7, %a8 : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<36xf32>
  return %r : tensor<36xf32>
}

// On memory each piece is copied.
// CHECK-LABEL: func.func @tessera.fn.many
// CHECK-COUNT-9: call @tessera.kernel
