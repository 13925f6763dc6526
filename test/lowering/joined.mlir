// Elementwise ops on what was put together from pieces read the pieces where they lie: one loop for
// each part that lies in one piece of every operand, and no copies.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-lower)' | FileCheck %s

// A roll by three columns, added to what it was made of: two parts.
// CHECK-LABEL: func.func @tessera.fn.rolled
// CHECK-SAME: (%[[X:.*]]: memref<256x256xf32>)
// CHECK: %[[Y:.*]] = memref.alloc() {{.*}}: memref<256x256xf32>
// CHECK-NOT: memref.alloc
// CHECK-NOT: memref.copy
// CHECK-DAG: memref.subview %[[X]][0, 253] [256, 3]
// CHECK-DAG: memref.subview %[[X]][0, 0] [256, 3]
// CHECK: call @tessera.kernel.0
// CHECK-DAG: memref.subview %[[X]][0, 0] [256, 253]
// CHECK-DAG: memref.subview %[[X]][0, 3] [256, 253]
// CHECK: call @tessera.kernel.1
// CHECK-NOT: tessera.kernel
// CHECK: return %[[Y]]
func.func @rolled(%x: tensor<256x256xf32>) -> tensor<256x256xf32> {
  %a = tensor.extract_slice %x[0, 253] [256, 3] [1, 1] : tensor<256x256xf32> to tensor<256x3xf32>
  %b = tensor.extract_slice %x[0, 0] [256, 253] [1, 1] : tensor<256x256xf32> to tensor<256x253xf32>
  %r = tensor.concat dim(1) %a, %b : (tensor<256x3xf32>, tensor<256x253xf32>) -> tensor<256x256xf32>
  %s = arith.addf %r, %x : tensor<256x256xf32>
  return %s : tensor<256x256xf32>
}

// A slice of a padded tensor: where the padding is, the loop reads a number.
// CHECK-LABEL: func.func @tessera.fn.padded
// CHECK-NOT: memref.copy
// CHECK: memref.alloc() {{.*}}: memref<256x256xf32>
// CHECK-NOT: memref.alloc
// CHECK: call @tessera.kernel
// CHECK-NOT: memref.copy
// CHECK: call @tessera.kernel
// CHECK-NOT: tessera.kernel
// CHECK: return
func.func @padded(%x: tensor<256x256xf32>) -> tensor<256x256xf32> {
  %half = arith.constant 0.5 : f32
  %p = tensor.pad %x low[1, 1] high[1, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %half : f32
  } : tensor<256x256xf32> to tensor<258x258xf32>
  %up = tensor.extract_slice %p[0, 1] [256, 256] [1, 1] : tensor<258x258xf32> to tensor<256x256xf32>
  %s = arith.addf %up, %x : tensor<256x256xf32>
  return %s : tensor<256x256xf32>
}

// A tensor that is needed as a whole is put together, and read there.
// CHECK-LABEL: func.func @tessera.fn.returned
// CHECK-COUNT-2: memref.alloc() {{.*}}: memref<256x256xf32>
// CHECK: return
func.func @returned(%x: tensor<256x256xf32>) -> (tensor<256x256xf32>, tensor<256x256xf32>) {
  %a = tensor.extract_slice %x[0, 253] [256, 3] [1, 1] : tensor<256x256xf32> to tensor<256x3xf32>
  %b = tensor.extract_slice %x[0, 0] [256, 253] [1, 1] : tensor<256x256xf32> to tensor<256x253xf32>
  %r = tensor.concat dim(1) %a, %b : (tensor<256x3xf32>, tensor<256x253xf32>) -> tensor<256x256xf32>
  %s = arith.addf %r, %x : tensor<256x256xf32>
  return %r, %s : tensor<256x256xf32>, tensor<256x256xf32>
}

// So is a small one.
// CHECK-LABEL: func.func @tessera.fn.small
// CHECK-COUNT-2: memref.alloc() {{.*}}: memref<8x8xf32>
func.func @small(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %a = tensor.extract_slice %x[0, 5] [8, 3] [1, 1] : tensor<8x8xf32> to tensor<8x3xf32>
  %b = tensor.extract_slice %x[0, 0] [8, 5] [1, 1] : tensor<8x8xf32> to tensor<8x5xf32>
  %r = tensor.concat dim(1) %a, %b : (tensor<8x3xf32>, tensor<8x5xf32>) -> tensor<8x8xf32>
  %s = arith.addf %r, %x : tensor<8x8xf32>
  return %s : tensor<8x8xf32>
}
