// Buffers that are never in use together lie in the same memory, also those of loops; what is
// returned, or has a size that only the launch knows, is allocated by itself and freed when nothing
// looks at it any more.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-lower)' | FileCheck %s
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-lower{share-memory=false})' | FileCheck %s --check-prefix=APART
// RUN: %tesserac %s --verbose -o %t.so --no-cache 2>&1 | FileCheck %s --check-prefix=TOLD

#id = affine_map<(i, j) -> (i, j)>

// CHECK-LABEL: func.func @tessera.fn.chain
// CHECK: %[[BLOCK:.*]] = memref.alloc() : memref<32768xi8>
// CHECK: %[[FIRST:.*]] = arith.constant 0 : index
// CHECK: memref.view %[[BLOCK]][%[[FIRST]]]
// CHECK: call @tessera.call.gemm
// CHECK: %[[SECOND:.*]] = arith.constant 16384 : index
// CHECK: memref.view %[[BLOCK]][%[[SECOND]]]
// CHECK: call @tessera.call.gemm
// CHECK: %[[THIRD:.*]] = arith.constant 0 : index
// CHECK: memref.view %[[BLOCK]][%[[THIRD]]]
// CHECK: call @tessera.call.gemm
// CHECK: %[[RESULT:.*]] = memref.alloc() : memref<64x64xf32>
// CHECK: call @tessera.call.gemm
// CHECK-NEXT: memref.dealloc %[[BLOCK]]
// CHECK: return %[[RESULT]]
// APART-LABEL: func.func @tessera.fn.chain
// APART-COUNT-4: memref.alloc() : memref<64x64xf32>
// APART-NOT: memref.view
func.func @chain(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<64x64xf32>, tensor<64x64xf32>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  %1 = linalg.matmul ins(%0, %b : tensor<64x64xf32>, tensor<64x64xf32>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  %2 = linalg.matmul ins(%1, %b : tensor<64x64xf32>, tensor<64x64xf32>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  %3 = linalg.matmul ins(%2, %b : tensor<64x64xf32>, tensor<64x64xf32>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %3 : tensor<64x64xf32>
}

// What a loop uses is in use as long as the loop runs; what is allocated in it shares with what
// comes before and behind.
// CHECK-LABEL: func.func @tessera.fn.loop
// CHECK: memref.alloc() : memref<3145728xi8>
// CHECK: scf.for
// CHECK-NOT: memref.alloc
// CHECK: }
// TOLD: remark: {{31[0-9]+}} peak bytes (3.1 MB), of a block that {{[0-9]+}} buffers of {{.*}} MB share
func.func @loop(%a: tensor<512x512xf32>, %n: index) -> tensor<512x512xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : tensor<512x512xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<512x512xf32>) -> tensor<512x512xf32>
  %0 = linalg.matmul ins(%a, %a : tensor<512x512xf32>, tensor<512x512xf32>) outs(%f : tensor<512x512xf32>) -> tensor<512x512xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %f) -> tensor<512x512xf32> {
    %1 = linalg.matmul ins(%0, %x : tensor<512x512xf32>, tensor<512x512xf32>) outs(%f : tensor<512x512xf32>) -> tensor<512x512xf32>
    %2 = linalg.matmul ins(%1, %a : tensor<512x512xf32>, tensor<512x512xf32>) outs(%f : tensor<512x512xf32>) -> tensor<512x512xf32>
    %3 = linalg.matmul ins(%2, %1 : tensor<512x512xf32>, tensor<512x512xf32>) outs(%x : tensor<512x512xf32>) -> tensor<512x512xf32>
    scf.yield %3 : tensor<512x512xf32>
  }
  return %r : tensor<512x512xf32>
}

// CHECK-LABEL: func.func @tessera.fn.sizes
// CHECK: %[[A:.*]] = memref.alloc({{.*}}) : memref<?x64xf32>
// CHECK: call @tessera.call.gemm
// CHECK: %[[B:.*]] = memref.alloc({{.*}}) : memref<?x64xf32>
// CHECK: call @tessera.call.gemm
// CHECK-NEXT: memref.dealloc %[[A]]
// CHECK: %[[C:.*]] = memref.alloc({{.*}}) : memref<?x64xf32>
// CHECK: call @tessera.call.gemm
// CHECK-NEXT: memref.dealloc %[[B]]
// CHECK: return %[[C]]
func.func @sizes(%a: tensor<?x64xf32>, %b: tensor<64x64xf32>) -> tensor<?x64xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?x64xf32>
  %e = tensor.empty(%n) : tensor<?x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x64xf32>) -> tensor<?x64xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<?x64xf32>, tensor<64x64xf32>) outs(%f : tensor<?x64xf32>) -> tensor<?x64xf32>
  %1 = linalg.matmul ins(%0, %b : tensor<?x64xf32>, tensor<64x64xf32>) outs(%f : tensor<?x64xf32>) -> tensor<?x64xf32>
  %2 = linalg.matmul ins(%1, %b : tensor<?x64xf32>, tensor<64x64xf32>) outs(%f : tensor<?x64xf32>) -> tensor<?x64xf32>
  return %2 : tensor<?x64xf32>
}
