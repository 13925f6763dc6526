// Slices, insertions and views that lack some sizes 1 of what they are of: whatever their strides, and
// whatever numbers turn out to be constants. No form costs memory or a copy of its own.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-lower)' --mlir-print-local-scope | FileCheck %s
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-lower,expand-strided-metadata)' -o %t
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-lower{bufferize=false},func.func(convert-elementwise-to-linalg),one-shot-bufferize{bufferize-function-boundaries=1 function-boundary-type-conversion=identity-layout-map},expand-strided-metadata)' -o %t

shard.grid @g(shape = 2)

// Upstream tells by strides which size 1 is lacking, and takes those of the slice for none of the
// tensor's.
// CHECK-LABEL: func.func @tessera.fn.strided
// CHECK: %[[BARE:.*]] = memref.subview %{{.*}}[1, 0, 2] [1, 4, 1] [2, 2, 2] : memref<4x8x3xf32> to memref<4xf32, strided<[6], offset: 26>>
// CHECK: memref.expand_shape %[[BARE]] {{\[\[}}0, 1]] output_shape [4, 1]
// CHECK: memref.alloc
// CHECK-NOT: memref.alloc
// CHECK: return
func.func @strided(%a: tensor<4x8x3xf32>) -> tensor<4x1xf32> {
  %0 = tensor.extract_slice %a[1, 0, 2] [1, 4, 1] [2, 2, 2] : tensor<4x8x3xf32> to tensor<4x1xf32>
  return %0 : tensor<4x1xf32>
}

// CHECK-LABEL: func.func @tessera.fn.strided_insertion
// CHECK: memref.collapse_shape %{{.*}} {{\[\[}}0, 1]] : memref<1x4xf32> into memref<4xf32>
// CHECK: memref.alloc
// CHECK: memref.subview %{{.*}}[1, 0, 2] [1, 4, 1] [2, 2, 2] : memref<4x8x3xf32> to memref<4xf32, strided<[6], offset: 26>>
// CHECK-NOT: memref.alloc
// CHECK: return
func.func @strided_insertion(%a: tensor<4x8x3xf32>, %s: tensor<1x4xf32>) -> tensor<4x8x3xf32> {
  %0 = tensor.insert_slice %s into %a[1, 0, 2] [1, 4, 1] [2, 2, 2] : tensor<1x4xf32> into tensor<4x8x3xf32>
  return %0 : tensor<4x8x3xf32>
}

// Nothing is left of the slice but one element.
// CHECK-LABEL: func.func @tessera.fn.one_element
// CHECK: memref.subview %{{.*}}[1, 1, 1] [1, 1, 1] [1, 4, 4] : memref<4x2x4xf32> to memref<f32, strided<[], offset: 13>>
// CHECK: return
func.func @one_element(%a: tensor<4x2x4xf32>) -> tensor<1x1xf32> {
  %0 = tensor.extract_slice %a[1, 1, 1] [1, 1, 1] [1, 4, 4] : tensor<4x2x4xf32> to tensor<1x1xf32>
  return %0 : tensor<1x1xf32>
}

// Upstream's canonicalize takes the sizes 1 that are lacking for the first ones, once it has made an
// operand a constant.
// CHECK-LABEL: func.func @tessera.fn.constant_offset
// CHECK: memref.subview %{{.*}}[2, 0, 2] [1, 8, 1] [1, 1, 1] : memref<4x8x3xf32> to memref<8xf32, strided<[3], offset: 50>>
// CHECK: return
func.func @constant_offset(%a: tensor<4x8x3xf32>) -> tensor<1x8xf32> {
  %c = arith.constant 2 : index
  %0 = tensor.extract_slice %a[%c, 0, 2] [1, 8, 1] [1, 1, 1] : tensor<4x8x3xf32> to tensor<1x8xf32>
  return %0 : tensor<1x8xf32>
}

// CHECK-LABEL: func.func @tessera.fn.constant_size
// CHECK: memref.subview %{{.*}}[2, 0, 2] [1, 8, 1] [1, 1, 1] : memref<4x8x3xf32> to memref<8xf32, strided<[3], offset: 50>>
// CHECK: return
func.func @constant_size(%a: tensor<4x8x3xf32>) -> tensor<?x8xf32> {
  %c = arith.constant 1 : index
  %one = arith.muli %c, %c : index
  %0 = tensor.extract_slice %a[2, 0, 2] [%one, 8, 1] [1, 1, 1] : tensor<4x8x3xf32> to tensor<?x8xf32>
  return %0 : tensor<?x8xf32>
}

// CHECK-LABEL: func.func @tessera.fn.constant_size_of_insertion
// CHECK: memref.subview %{{.*}}[2, 0, 2] [1, 8, 1] [1, 1, 1]
// CHECK: return
func.func @constant_size_of_insertion(%a: tensor<4x8x3xf32>, %s: tensor<?x8xf32>)
    -> tensor<4x8x3xf32> {
  %c = arith.constant 1 : index
  %0 = tensor.insert_slice %s into %a[2, 0, 2] [%c, 8, 1] [1, 1, 1] : tensor<?x8xf32> into tensor<4x8x3xf32>
  return %0 : tensor<4x8x3xf32>
}

// The first ones are lacking whatever is known later: there is nothing to do.
// CHECK-LABEL: func.func @tessera.fn.first_ones
// CHECK: memref.subview %{{.*}}[1, 0, 0] [1, %{{.*}}, 4] [1, 1, 2] : memref<3x?x8xf32> to memref<?x4xf32
// CHECK-NOT: memref.expand_shape
// CHECK: return
func.func @first_ones(%a: tensor<3x?x8xf32>, %n: index) -> tensor<?x4xf32> {
  %0 = tensor.extract_slice %a[1, 0, 0] [1, %n, 4] [1, 1, 2] : tensor<3x?x8xf32> to tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}

// A column is read where it is, and copied once, to where it is reduced: no reshape of strided memory
// is left, which would copy it too.
// CHECK-LABEL: func.func @tessera.fn.column
// CHECK-NOT: memref.alloc
// CHECK: memref.subview %{{.*}} : memref<?x?xf32> to memref<?xf32, strided<[?], offset: ?>>
// CHECK: memref.alloc(
// CHECK-NOT: memref.alloc
// CHECK: call @tessera.call.all_reduce
// CHECK: return
func.func @column(%x: tensor<?x?xf32>, %n: index, %i: index) -> tensor<?xf32> {
  %s = tensor.extract_slice %x[0, %i] [%n, 1] [1, 1] : tensor<?x?xf32> to tensor<?xf32>
  %r = shard.all_reduce %s on @g grid_axes = [0] : tensor<?xf32> -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// What is computed for a place in a tensor is computed there.
// CHECK-LABEL: func.func @tessera.fn.computed_in_place
// CHECK: memref.alloc
// CHECK: %[[BARE:.*]] = memref.subview %{{.*}} : memref<8x1x6xf32> to memref<6xf32, strided<[1], offset: ?>>
// CHECK: %[[PLACE:.*]] = memref.expand_shape %[[BARE]]
// CHECK: builtin.unrealized_conversion_cast %[[PLACE]]
// CHECK: call @tessera.kernel.
// CHECK-NOT: memref.alloc
// CHECK-NOT: memref.copy
// CHECK-NOT: tessera.kernel
// CHECK: return
func.func @computed_in_place(%x: tensor<1x6xf32>, %i: index) -> tensor<8x1x6xf32> {
  %t = math.absf %x : tensor<1x6xf32>
  %z = tensor.empty() : tensor<8x1x6xf32>
  %0 = tensor.insert_slice %t into %z[%i, 0, 0] [1, 1, 6] [1, 1, 1] : tensor<1x6xf32> into tensor<8x1x6xf32>
  return %0 : tensor<8x1x6xf32>
}

// Views of memory that the program has itself say where everything is.
// CHECK-LABEL: func.func @tessera.fn.view
// CHECK: memref.reinterpret_cast %{{.*}} to offset: [26], sizes: [4, 1], strides: [6, 2] : {{.*}} to memref<4x1xf32, strided<[6, 2], offset: 26>>
// CHECK: return
func.func @view(%x: tensor<4x8x3xf32>) -> tensor<4x1xf32> {
  %m = bufferization.to_buffer %x read_only : tensor<4x8x3xf32> to memref<4x8x3xf32>
  %a = memref.subview %m[1, 0, 2] [1, 4, 1] [2, 2, 2]
      : memref<4x8x3xf32> to memref<4x1xf32, strided<[6, 2], offset: 26>>
  %r = memref.alloc() : memref<4x1xf32>
  memref.copy %a, %r : memref<4x1xf32, strided<[6, 2], offset: 26>> to memref<4x1xf32>
  %t = bufferization.to_tensor %r restrict writable : memref<4x1xf32> to tensor<4x1xf32>
  return %t : tensor<4x1xf32>
}

// CHECK-LABEL: func.func @tessera.fn.certain_view
// CHECK: memref.subview
// CHECK: return
func.func @certain_view(%x: tensor<4x8x3xf32>) -> tensor<8xf32> {
  %m = bufferization.to_buffer %x read_only : tensor<4x8x3xf32> to memref<4x8x3xf32>
  %a = memref.subview %m[1, 0, 2] [1, 8, 1] [1, 1, 1]
      : memref<4x8x3xf32> to memref<8xf32, strided<[3], offset: 26>>
  %r = memref.alloc() : memref<8xf32>
  memref.copy %a, %r : memref<8xf32, strided<[3], offset: 26>> to memref<8xf32>
  %t = bufferization.to_tensor %r restrict writable : memref<8xf32> to tensor<8xf32>
  return %t : tensor<8xf32>
}
