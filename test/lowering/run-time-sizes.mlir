// Results whose sizes are known only at run time: the sizes that tessera ops carry, else what the
// group holds together, or this device's balanced share.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-lower)' --mlir-print-local-scope | FileCheck %s

shard.grid @g(shape = 2x2)

// CHECK-LABEL: func.func @tessera.fn.given
// CHECK-SAME: %[[N:[a-z0-9]+]]: index)
// CHECK-NOT: llvm.call @tessera_rt_{{[^b]}}
// CHECK: llvm.call @tessera_rt_bytes
// CHECK: memref.alloc(%[[N]])
func.func @given(%a: tensor<10x8xf32>, %n: index) -> tensor<?x8xf32> {
  %r = tessera.all_slice %a on @g grid_axes = [0, 1] slice_axis = 0 sizes(%n)
    : tensor<10x8xf32> -> tensor<?x8xf32>
  return %r : tensor<?x8xf32>
}

// CHECK-LABEL: func.func @tessera.fn.joined
// CHECK: %[[LOCAL:.*]] = memref.dim
// CHECK: %[[WORD:.*]] = arith.index_cast %[[LOCAL]]
// CHECK: %[[ALL:.*]] = llvm.call @tessera_rt_sum_size(%{{.*}}, %[[WORD]])
// CHECK: %[[SIZE:.*]] = arith.index_cast %[[ALL]]
// CHECK: memref.alloc(%[[SIZE]])
func.func @joined(%a: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %r = shard.all_gather %a on @g grid_axes = [1] gather_axis = 0 : tensor<?x8xf32> -> tensor<?x8xf32>
  return %r : tensor<?x8xf32>
}

// CHECK-LABEL: func.func @tessera.fn.balanced
// CHECK: llvm.call @tessera_rt_grid_extent
// CHECK: llvm.call @tessera_rt_process_index
// CHECK: arith.divui
// CHECK: memref.alloc(
func.func @balanced(%a: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %r = shard.reduce_scatter %a on @g grid_axes = [1] scatter_axis = 0 : tensor<?x8xf32> -> tensor<?x8xf32>
  return %r : tensor<?x8xf32>
}
