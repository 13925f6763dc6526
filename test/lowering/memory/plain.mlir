// Memory that ends with the block that it is allocated in, or is returned, is freed without upstream's
// deallocation, which finds a declaration then; what passes memory on is upstream's as a whole.
// REQUIRES: tesserac
// RUN: %tesserac %s --print-after=free --print-after=restore --emit=lowered -o /dev/null 2>&1 | FileCheck %s

#id = affine_map<(i, j) -> (i, j)>

// CHECK-LABEL: after free
// CHECK-DAG: func.func private @tessera.fn.chain({{[^%]*}}) -> memref<64x64xf32>{{.*}}{{$}}
// CHECK-DAG: func.func private @tessera.fn.trips({{[^%]*}}) -> memref<64x64xf32>{{.*}}{{$}}
// CHECK-DAG: func.func private @tessera.fn.caller({{[^%]*}}) -> memref<64x64xf32>{{.*}}{{$}}
// CHECK-DAG: func.func @tessera.fn.branch(%{{.*}} {
// CHECK-DAG: func.func @tessera.fn.twice(%{{.*}} {

// CHECK-LABEL: after restore
// CHECK: func.func @tessera.fn.chain(
// CHECK-NOT: private
// CHECK: %[[FIRST:.*]] = memref.alloc()
// CHECK: %[[RESULT:.*]] = memref.alloc()
// CHECK: memref.dealloc %[[FIRST]]
// CHECK-NOT: memref.dealloc
// CHECK: return %[[RESULT]]
func.func @chain(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x64xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %p = linalg.matmul ins(%a, %b : tensor<64x64xf32>, tensor<64x64xf32>)
      outs(%z : tensor<64x64xf32>) -> tensor<64x64xf32>
  %q = linalg.matmul ins(%p, %b : tensor<64x64xf32>, tensor<64x64xf32>)
      outs(%z : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %q : tensor<64x64xf32>
}

// Each trip frees its own.
// CHECK: func.func @tessera.fn.trips(
// CHECK: scf.for
// CHECK: %[[TRIP:.*]] = memref.alloc()
// CHECK: memref.dealloc %[[TRIP]]
// CHECK-NEXT: }
// CHECK: return
func.func @trips(%a: tensor<64x64xf32>, %n: index) -> tensor<64x64xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x64xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%v = %z) -> tensor<64x64xf32> {
    %p = linalg.matmul ins(%a, %v : tensor<64x64xf32>, tensor<64x64xf32>)
        outs(%z : tensor<64x64xf32>) -> tensor<64x64xf32>
    %s = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%p : tensor<64x64xf32>) outs(%v : tensor<64x64xf32>) {
    ^bb0(%x: f32, %y: f32):
      %sum = arith.addf %x, %y : f32
      linalg.yield %sum : f32
    } -> tensor<64x64xf32>
    scf.yield %s : tensor<64x64xf32>
  }
  return %r : tensor<64x64xf32>
}

// What a call gives is the caller's.
// CHECK: func.func @tessera.fn.caller(
// CHECK: %[[GIVEN:.*]] = call @tessera.fn.chain
// CHECK: %[[LAST:.*]] = call @tessera.fn.chain
// CHECK: memref.dealloc %[[GIVEN]]
// CHECK: return %[[LAST]]
func.func @caller(%a: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %p = func.call @chain(%a, %a) : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %q = func.call @chain(%p, %a) : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  return %q : tensor<64x64xf32>
}

// One of two memories goes on from a branch.
func.func @branch(%a: tensor<64x64xf32>, %c: i1) -> tensor<64x64xf32> {
  %p = func.call @chain(%a, %a) : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %r = scf.if %c -> tensor<64x64xf32> {
    %q = func.call @chain(%p, %a) : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
    scf.yield %q : tensor<64x64xf32>
  } else {
    scf.yield %p : tensor<64x64xf32>
  }
  return %r : tensor<64x64xf32>
}

// What is returned twice has to be copied.
func.func @twice(%a: tensor<64x64xf32>) -> (tensor<64x64xf32>, tensor<64x64xf32>) {
  %p = func.call @chain(%a, %a) : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  return %p, %p : tensor<64x64xf32>, tensor<64x64xf32>
}
