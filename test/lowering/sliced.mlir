// Of what is only looked at through slices, these are made, and not the whole.
// RUN: %mlir_opt %s --split-input-file --pass-pipeline='builtin.module(tessera-lower)' | FileCheck %s

// CHECK-LABEL: func.func @tessera.fn.transposed
// CHECK: memref.alloc() : memref<128x1024xf32>
// CHECK-NOT: memref.alloc
// CHECK: return
func.func @transposed(%x: tensor<1024x1024xf32>) -> tensor<128x1024xf32> {
  %e = tensor.empty() : tensor<1024x1024xf32>
  %t = linalg.transpose ins(%x : tensor<1024x1024xf32>) outs(%e : tensor<1024x1024xf32>) permutation = [1, 0]
  %y = tensor.extract_slice %t[100, 0] [128, 1024] [1, 1] : tensor<1024x1024xf32> to tensor<128x1024xf32>
  return %y : tensor<128x1024xf32>
}

// -----

// One of two pieces alone, and of a chain behind it.
// CHECK-LABEL: func.func @tessera.fn.chain
// CHECK: memref.alloc() : memref<16x1024xf32>
// CHECK-NOT: memref.alloc
// CHECK: return
func.func @chain(%x: tensor<512x1024xf32>, %y: tensor<512x1024xf32>) -> tensor<16x1024xf32> {
  %c = tensor.concat dim(0) %x, %y : (tensor<512x1024xf32>, tensor<512x1024xf32>) -> tensor<1024x1024xf32>
  %s = arith.addf %c, %c : tensor<1024x1024xf32>
  %e = math.exp %s : tensor<1024x1024xf32>
  %r = tensor.extract_slice %e[600, 0] [16, 1024] [1, 1] : tensor<1024x1024xf32> to tensor<16x1024xf32>
  return %r : tensor<16x1024xf32>
}

// -----

// CHECK-LABEL: func.func @tessera.fn.padded
// CHECK: memref.alloc() : memref<20x1024xf32>
// CHECK-NOT: memref.alloc
// CHECK: return
func.func @padded(%x: tensor<512x1024xf32>) -> tensor<20x1024xf32> {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[8, 0] high[8, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<512x1024xf32> to tensor<528x1024xf32>
  %r = tensor.extract_slice %p[4, 0] [20, 1024] [1, 1] : tensor<528x1024xf32> to tensor<20x1024xf32>
  return %r : tensor<20x1024xf32>
}

// -----

// What somebody needs as a whole is made as a whole, and so is what slices cover.
// CHECK-LABEL: func.func @tessera.fn.whole
// CHECK: memref.alloc() : memref<1024x1024xf32>
// CHECK: return
func.func @whole(%x: tensor<1024x1024xf32>) -> (tensor<128x1024xf32>, tensor<1024x1024xf32>) {
  %e = math.exp %x : tensor<1024x1024xf32>
  %r = tensor.extract_slice %e[0, 0] [128, 1024] [1, 1] : tensor<1024x1024xf32> to tensor<128x1024xf32>
  return %r, %e : tensor<128x1024xf32>, tensor<1024x1024xf32>
}

// CHECK-LABEL: func.func @tessera.fn.covered
// CHECK: memref.alloc() : memref<1024x1024xf32>
// CHECK: return
func.func @covered(%x: tensor<1024x1024xf32>) -> (tensor<512x1024xf32>, tensor<512x1024xf32>) {
  %e = math.exp %x : tensor<1024x1024xf32>
  %a = tensor.extract_slice %e[0, 0] [512, 1024] [1, 1] : tensor<1024x1024xf32> to tensor<512x1024xf32>
  %b = tensor.extract_slice %e[511, 0] [512, 1024] [1, 1] : tensor<1024x1024xf32> to tensor<512x1024xf32>
  return %a, %b : tensor<512x1024xf32>, tensor<512x1024xf32>
}
