// What crosses memory goes from tile to tile, of which the last ones may be smaller. Where rows put
// their lines into the same places of a cache tiles are eight lines, moved element by element.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-lower)' | FileCheck %s

// CHECK-DAG: #[[UNROLL:.*]] = #llvm.loop_unroll<disable = true>
// CHECK-DAG: #[[VECTORIZE:.*]] = #llvm.loop_vectorize<disable = true>
// CHECK: #[[SCALAR:.*]] = #llvm.loop_annotation<vectorize = #[[VECTORIZE]], unroll = #[[UNROLL]]>
// CHECK-LABEL: func.func private @tessera.kernel.0
// CHECK: scf.for %[[I:.*]] = %{{.*}} step %c64
// CHECK: scf.for %[[J:.*]] = %{{.*}} step %c8
// CHECK: scf.for %{{.*}} = %[[I]] to
// CHECK: %[[J_END:.*]] = arith.minsi
// CHECK: scf.for %{{.*}} = %[[J]] to %[[J_END]]
// CHECK: } {llvm.loop_annotation = #[[SCALAR]]}
func.func @main(%x: memref<301x1024xf32>, %y: memref<1024x301xf32>) {
  linalg.transpose ins(%x : memref<301x1024xf32>) outs(%y : memref<1024x301xf32>) permutation = [1, 0]
  return
}

// Where much is computed, vectors of what is gathered are worth it.
// CHECK-LABEL: func.func private @tessera.kernel.1
// CHECK: scf.for %{{.*}} step %c32
// CHECK: scf.for %{{.*}} step %c32
// CHECK-NOT: llvm.loop_annotation
// CHECK: return
#t = affine_map<(i, j) -> (j, i)>
#id = affine_map<(i, j) -> (i, j)>
func.func @much(%x: memref<301x1024xf32>, %y: memref<1024x301xf32>) {
  linalg.generic {indexing_maps = [#t, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : memref<301x1024xf32>) outs(%y : memref<1024x301xf32>) {
  ^bb0(%a: f32, %b: f32):
    %e = math.exp %a : f32
    linalg.yield %e : f32
  }
  return
}

// Lines of other rows have room.
// CHECK-LABEL: func.func private @tessera.kernel.2
// CHECK: scf.for %{{.*}} step %c32
// CHECK: scf.for %{{.*}} step %c32
// CHECK-NOT: llvm.loop_annotation
// CHECK: return
func.func @room(%x: memref<301x203xf32>, %y: memref<203x301xf32>) {
  linalg.transpose ins(%x : memref<301x203xf32>) outs(%y : memref<203x301xf32>) permutation = [1, 0]
  return
}
