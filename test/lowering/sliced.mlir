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

// -----

// What may fail fails for elements that nobody looks at, too.
// CHECK-LABEL: func.func @tessera.fn.checked
// CHECK: memref.alloc() : memref<512x1024xf32>
// CHECK: return
func.func @checked(%x: tensor<512x1024xf32>) -> tensor<16x1024xf32> {
  %most = arith.constant 100.0 : f32
  %e = tensor.empty() : tensor<512x1024xf32>
  %y = linalg.map ins(%x : tensor<512x1024xf32>) outs(%e : tensor<512x1024xf32>) (%a: f32, %o: f32) {
    %ok = arith.cmpf olt, %a, %most : f32
    cf.assert %ok, "too much"
    %s = arith.addf %a, %a : f32
    linalg.yield %s : f32
  }
  %r = tensor.extract_slice %y[4, 0] [16, 1024] [1, 1] : tensor<512x1024xf32> to tensor<16x1024xf32>
  return %r : tensor<16x1024xf32>
}

// CHECK-LABEL: func.func @tessera.fn.divided
// CHECK: memref.alloc() : memref<512x1024xi32>
// CHECK: return
func.func @divided(%x: tensor<512x1024xi32>, %y: tensor<512x1024xi32>) -> tensor<16x1024xi32> {
  %q = arith.divsi %x, %y : tensor<512x1024xi32>
  %r = tensor.extract_slice %q[4, 0] [16, 1024] [1, 1] : tensor<512x1024xi32> to tensor<16x1024xi32>
  return %r : tensor<16x1024xi32>
}

// CHECK-LABEL: func.func @tessera.fn.raised
// CHECK: memref.alloc() : memref<512x1024xi32>
// CHECK: return
func.func @raised(%x: tensor<512x1024xi32>, %y: tensor<512x1024xi32>) -> tensor<16x1024xi32> {
  %q = math.ipowi %x, %y : tensor<512x1024xi32>
  %r = tensor.extract_slice %q[4, 0] [16, 1024] [1, 1] : tensor<512x1024xi32> to tensor<16x1024xi32>
  return %r : tensor<16x1024xi32>
}

// CHECK-LABEL: func.func @tessera.fn.divided_indices
// CHECK: memref.alloc() : memref<512x1024xindex>
// CHECK: return
func.func @divided_indices(%x: tensor<512x1024xindex>, %d: index) -> tensor<16x1024xindex> {
  %e = tensor.empty() : tensor<512x1024xindex>
  %q = linalg.map ins(%x : tensor<512x1024xindex>) outs(%e : tensor<512x1024xindex>) (%a: index, %o: index) {
    %s = index.divs %a, %d
    linalg.yield %s : index
  }
  %r = tensor.extract_slice %q[4, 0] [16, 1024] [1, 1] : tensor<512x1024xindex> to tensor<16x1024xindex>
  return %r : tensor<16x1024xindex>
}

// What every number may be divided by, or raised to, does not.
// CHECK-LABEL: func.func @tessera.fn.divided_by_seven
// CHECK: memref.alloc() : memref<16x1024xi32>
// CHECK-NOT: memref.alloc
// CHECK: return
func.func @divided_by_seven(%x: tensor<512x1024xi32>) -> tensor<16x1024xi32> {
  %seven = arith.constant 7 : i32
  %two = arith.constant 2 : i32
  %e = tensor.empty() : tensor<512x1024xi32>
  %q = linalg.map ins(%x : tensor<512x1024xi32>) outs(%e : tensor<512x1024xi32>) (%a: i32, %o: i32) {
    %s = arith.divsi %a, %seven : i32
    %t = math.ipowi %s, %two : i32
    linalg.yield %t : i32
  }
  %r = tensor.extract_slice %q[4, 0] [16, 1024] [1, 1] : tensor<512x1024xi32> to tensor<16x1024xi32>
  return %r : tensor<16x1024xi32>
}

// -----

// Inside of what is made as a slice there may be more.
// CHECK-LABEL: func.func @tessera.fn.inside
// CHECK-NOT: memref.alloc() : memref<{{(300x300|400x200)}}xf32>
// CHECK: return
#id = affine_map<(i, j) -> (i, j)>
func.func @inside(%x: tensor<300x300xf32>, %c: tensor<200x200xf32>) -> tensor<10x10xf32> {
  %c0 = arith.constant 0 : index
  %e = tensor.empty() : tensor<300x300xf32>
  %t = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<300x300xf32>) outs(%e : tensor<300x300xf32>) {
  ^bb0(%a: f32, %o: f32):
    %twice = tensor.concat dim(0) %c, %c : (tensor<200x200xf32>, tensor<200x200xf32>) -> tensor<400x200xf32>
    %few = tensor.extract_slice %twice[3, 4] [5, 5] [1, 1] : tensor<400x200xf32> to tensor<5x5xf32>
    %one = tensor.extract %few[%c0, %c0] : tensor<5x5xf32>
    %s = arith.addf %a, %one : f32
    linalg.yield %s : f32
  } -> tensor<300x300xf32>
  %r = tensor.extract_slice %t[5, 90] [10, 10] [1, 1] : tensor<300x300xf32> to tensor<10x10xf32>
  return %r : tensor<10x10xf32>
}
