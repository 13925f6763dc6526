// Results that are computed in the memory of a donated argument lie there: no copy, no allocation.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-lower)' --mlir-print-local-scope | FileCheck %s

// A row at a place of the run: written where it belongs, and nothing is returned.
// CHECK-LABEL: func.func @tessera.fn.insert
// CHECK-SAME: (%[[C:.*]]: memref<64x64xf32>, %{{.*}}: memref<1x64xf32>, %{{.*}}: index) attributes
// CHECK-NOT: memref.alloc
// CHECK-NOT: memref.copy
// CHECK: memref.subview %[[C]]
// CHECK-NOT: memref.alloc
// CHECK: return{{$}}
func.func @insert(%c: tensor<64x64xf32> {tessera.donated}, %x: tensor<1x64xf32>, %p: index) -> tensor<64x64xf32> {
  %r = tensor.insert_slice %x into %c[%p, 0][1, 64][1, 1] : tensor<1x64xf32> into tensor<64x64xf32>
  return %r : tensor<64x64xf32>
}

// Of one that is returned twice the second is a copy, and so is a part.
// CHECK-LABEL: func.func @tessera.fn.twice
// CHECK-SAME: (%[[C:.*]]: memref<8xf32>) -> (memref<8xf32>, memref<4xf32>)
// CHECK: %[[PART:.*]] = memref.alloc() : memref<4xf32>
// CHECK: %[[COPY:.*]] = memref.alloc() : memref<8xf32>
// CHECK: memref.copy %[[C]], %[[COPY]]
// CHECK: return %[[COPY]], %[[PART]]
func.func @twice(%c: tensor<8xf32> {tessera.donated}) -> (tensor<8xf32>, tensor<8xf32>, tensor<4xf32>) {
  %s = tensor.extract_slice %c[2][4][1] : tensor<8xf32> to tensor<4xf32>
  return %c, %c, %s : tensor<8xf32>, tensor<8xf32>, tensor<4xf32>
}

// Weights and their optimizer's state, in one loop nest, be they small.
// CHECK-LABEL: func.func @tessera.fn.step
// CHECK-SAME: memref<8xf32>) attributes
// CHECK-NOT: memref.alloc
// CHECK-NOT: memref.copy
// CHECK: return{{$}}
func.func @step(%w: tensor<8xf32> {tessera.donated}, %m: tensor<8xf32> {tessera.donated}, %g: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %a = arith.constant dense<0.9> : tensor<8xf32>
  %s = arith.mulf %m, %a : tensor<8xf32>
  %n = arith.addf %s, %g : tensor<8xf32>
  %u = arith.subf %w, %n : tensor<8xf32>
  return %u, %n : tensor<8xf32>, tensor<8xf32>
}

// What a loop carries is updated in each step.
// CHECK-LABEL: func.func @tessera.fn.loop
// CHECK-NOT: memref.alloc
// CHECK-NOT: memref.copy
// CHECK: scf.for
// CHECK-NOT: memref.alloc
// CHECK-NOT: memref.copy
// CHECK: return{{$}}
func.func @loop(%c: tensor<64x64xf32> {tessera.donated}, %x: tensor<1x64xf32>, %n: index) -> tensor<64x64xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%k = %c) -> tensor<64x64xf32> {
    %t = tensor.insert_slice %x into %k[%i, 0][1, 64][1, 1] : tensor<1x64xf32> into tensor<64x64xf32>
    scf.yield %t : tensor<64x64xf32>
  }
  return %r : tensor<64x64xf32>
}

// Not where the argument is read after the update.
// CHECK-LABEL: func.func @tessera.fn.read_later
// CHECK-SAME: (%[[C:.*]]: memref<8xf32>, %{{.*}}: memref<1xf32>) -> (memref<8xf32>, memref<8xf32>)
// CHECK: %[[COPY:.*]] = memref.alloc() : memref<8xf32>
// CHECK: memref.copy %[[C]], %[[COPY]]
// CHECK: %[[SUM:.*]] = memref.alloc() : memref<8xf32>
// CHECK: return %[[COPY]], %[[SUM]]
func.func @read_later(%c: tensor<8xf32> {tessera.donated}, %x: tensor<1xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %r = tensor.insert_slice %x into %c[3][1][1] : tensor<1xf32> into tensor<8xf32>
  %s = arith.addf %r, %c : tensor<8xf32>
  return %r, %s : tensor<8xf32>, tensor<8xf32>
}

// Two that change places do nothing: the wrapper says which is which.
// CHECK-LABEL: func.func @tessera.fn.swapped
// CHECK-SAME: attributes
// CHECK-NEXT: return{{$}}
func.func @swapped(%a: tensor<8xf32> {tessera.donated}, %b: tensor<8xf32> {tessera.donated}) -> (tensor<8xf32>, tensor<8xf32>) {
  return %b, %a : tensor<8xf32>, tensor<8xf32>
}

// Not where the caller keeps its argument.
// CHECK-LABEL: func.func @tessera.fn.kept
// CHECK-SAME: -> memref<8xf32>
// CHECK: memref.alloc() : memref<8xf32>
// CHECK: memref.copy
// CHECK: return %{{.*}} : memref<8xf32>
func.func @kept(%c: tensor<8xf32>, %x: tensor<1xf32>) -> tensor<8xf32> {
  %r = tensor.insert_slice %x into %c[3][1][1] : tensor<1xf32> into tensor<8xf32>
  return %r : tensor<8xf32>
}

// Nor of a function that another one of the module calls.
// CHECK-LABEL: func.func @tessera.fn.inner
// CHECK-SAME: -> memref<8xf32>
// CHECK: %[[COPY:.*]] = memref.alloc() : memref<8xf32>
// CHECK: return %[[COPY]]
func.func @inner(%c: tensor<8xf32> {tessera.donated}, %x: tensor<1xf32>) -> tensor<8xf32> {
  %r = tensor.insert_slice %x into %c[3][1][1] : tensor<1xf32> into tensor<8xf32>
  return %r : tensor<8xf32>
}

// That one keeps its own.
// CHECK-LABEL: func.func @tessera.fn.outer
// CHECK-SAME: (%[[W:.*]]: memref<8xf32>,
// CHECK: %[[COPY:.*]] = memref.alloc() : memref<8xf32>
// CHECK: memref.copy %[[W]], %[[COPY]]
// CHECK: call @tessera.fn.inner(%[[COPY]]
func.func @outer(%c: tensor<8xf32>, %x: tensor<1xf32>) -> tensor<8xf32> {
  %r = call @inner(%c, %x) : (tensor<8xf32>, tensor<1xf32>) -> tensor<8xf32>
  return %r : tensor<8xf32>
}

// The wrapper: result 0 of @swapped is what argument 1 is.
// CHECK-LABEL: llvm.func internal @tessera.entry.swapped(
// CHECK: call @tessera.fn.swapped(%[[A:.*]], %[[B:.*]]) :
// CHECK: %[[FIRST:.*]] = builtin.unrealized_conversion_cast %[[B]] :
// CHECK: llvm.store %[[FIRST]],
// CHECK: %[[SECOND:.*]] = builtin.unrealized_conversion_cast %[[A]] :
// CHECK: llvm.store %[[SECOND]],
