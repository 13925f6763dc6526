// A call passes descriptors in memory that only the wrapper has, so that calls in loops do not grow
// the stack; one wrapper serves all calls of its ranks and element types.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-lower)' --mlir-print-local-scope | FileCheck %s

shard.grid @g(shape = 2x2)

// CHECK-LABEL: func.func @tessera.fn.main
// CHECK-NOT: llvm.alloca
// CHECK: return
func.func @main(%a: tensor<4x8xf32>, %b: tensor<2x8xf32>, %root: index)
    -> (tensor<8x8xf32>, tensor<4x8xf32>, tensor<2x8xf32>) {
  %0 = shard.all_gather %a on @g grid_axes = [0] gather_axis = 0 : tensor<4x8xf32> -> tensor<8x8xf32>
  %1 = shard.all_gather %b on @g grid_axes = [1] gather_axis = 0 : tensor<2x8xf32> -> tensor<4x8xf32>
  %2 = shard.broadcast %b on @g grid_axes = [0, 1] root = [1, %root]
    : (tensor<2x8xf32>, index) -> tensor<2x8xf32>
  return %0, %1, %2 : tensor<8x8xf32>, tensor<4x8xf32>, tensor<2x8xf32>
}

// CHECK: llvm.func @tessera_rt_all_gather(!llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr)
// CHECK: func.func private @tessera.call.all_gather.2xf32.2xf32(%[[SITE:[a-z0-9]+]]: !llvm.ptr, %[[IN:[a-z0-9]+]]: memref<?x?xf32, strided<[?, ?], offset: ?>>, %[[OUT:[a-z0-9]+]]: memref
// CHECK: %[[NULL:.*]] = llvm.mlir.zero
// CHECK: %[[INP:.*]] = llvm.alloca
// CHECK: llvm.store {{.*}}, %[[INP]]
// CHECK: %[[OUTP:.*]] = llvm.alloca
// CHECK: llvm.store {{.*}}, %[[OUTP]]
// CHECK: llvm.call @tessera_rt_all_gather(%[[SITE]], %[[NULL]], %[[INP]], %[[OUTP]])
// CHECK-NOT: func.func private @tessera.call.all_gather
// CHECK: llvm.func @tessera_rt_broadcast(!llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr)
// CHECK: func.func private @tessera.call.broadcast.2xf32.2xf32.2({{.*}}: i64, %{{.*}}: i64)
// CHECK: %[[WORDS:.*]] = llvm.alloca {{.*}} x i64 :
// CHECK: llvm.call @tessera_rt_broadcast({{.*}}, %[[WORDS]])
