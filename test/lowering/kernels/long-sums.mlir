// Many floats are added up block by block, each from nothing: rounding grows with blocks. Sums whose
// order the program fixes, or in which more than a sum happens, are not.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-lower)' | FileCheck %s
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-lower{reassociate=false})' | FileCheck %s --check-prefix=STRICT

// CHECK-LABEL: func.func private @tessera.kernel.0
// CHECK: %[[SUM:.*]] = scf.for %[[START:.*]] = %{{.*}} to %{{.*}} step %c4096 iter_args(%[[OLD:.*]] = %{{.*}})
// CHECK: %[[END:.*]] = arith.minsi
// CHECK: %[[NOTHING:.*]] = arith.constant -0.0
// CHECK: %[[BLOCK:.*]] = scf.for %{{.*}} = %[[START]] to %[[END]] step %{{.*}} iter_args(%{{.*}} = %[[NOTHING]])
// CHECK: arith.addf %{{.*}} fastmath<reassoc>
// CHECK: arith.addf %[[OLD]], %[[BLOCK]]
// STRICT-LABEL: func.func private @tessera.kernel.0
// STRICT: scf.for
// STRICT-NOT: scf.for
// STRICT: return
func.func @sum(%x: tensor<100003xf32>, %y: tensor<f32>) -> tensor<f32> {
  %r = linalg.reduce { arith.addf } ins(%x : tensor<100003xf32>) outs(%y : tensor<f32>)
    dimensions = [0]
  return %r : tensor<f32>
}

// The second output adds up what the first is by then.
// CHECK-LABEL: func.func private @tessera.kernel.1
// CHECK-NOT: step %c4096
// CHECK: return
#i = affine_map<(i) -> (i)>
#one = affine_map<(i) -> ()>
func.func @of_sums(%x: memref<100003xf32>, %y: memref<f32>, %z: memref<f32>) {
  linalg.generic {indexing_maps = [#i, #one, #one], iterator_types = ["reduction"]}
      ins(%x : memref<100003xf32>) outs(%y, %z : memref<f32>, memref<f32>) {
  ^bb0(%a: f32, %s: f32, %t: f32):
    %u = arith.addf %s, %a : f32
    %v = arith.addf %t, %u : f32
    linalg.yield %u, %v : f32, f32
  }
  return
}
