// What a loop carries is written where it is also behind a collective that has read it: what that makes lies
// elsewhere. Not behind a reduction, which may be done in its operand's memory.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-lower)' | FileCheck %s

shard.grid @g(shape = 2)
#id = affine_map<(i) -> (i)>

// CHECK-LABEL: func.func @tessera.fn.gathered
// CHECK: scf.for %{{.*}} = %{{.*}} to %{{.*}} step %{{[a-z0-9_]+}} {
// CHECK: tessera.call.all_gather
// CHECK-NOT: memref.alloc() : memref<65536xf32>
// CHECK: return
func.func @gathered(%x: tensor<65536xf32>, %n: index) -> tensor<65536xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> tensor<65536xf32> {
    %all = shard.all_gather %a on @g grid_axes = [0] gather_axis = 0 : tensor<65536xf32> -> tensor<131072xf32>
    %other = tensor.extract_slice %all[7] [65536] [1] : tensor<131072xf32> to tensor<65536xf32>
    %e = tensor.empty() : tensor<65536xf32>
    %p = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
        ins(%a, %other : tensor<65536xf32>, tensor<65536xf32>) outs(%e : tensor<65536xf32>) {
    ^bb0(%u: f32, %v: f32, %o: f32):
      %s = arith.addf %u, %v : f32
      linalg.yield %s : f32
    } -> tensor<65536xf32>
    scf.yield %p : tensor<65536xf32>
  }
  return %r : tensor<65536xf32>
}
