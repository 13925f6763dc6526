// Each collective gets a constant record that says what it is, where it stands and whom it talks to;
// records that nothing calls are dropped.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-lower)' --mlir-print-local-scope | FileCheck %s

shard.grid @g(shape = 2x?x4)

// CHECK-LABEL: func.func @tessera.fn.main
// CHECK: %[[SITE:.*]] = llvm.mlir.addressof @tessera.site.[[NUMBER:[0-9]+]]
// CHECK: call @tessera.call.reduce_scatter.1xf32.1xf64(%[[SITE]],
func.func @main(%a: tensor<8xf32>) -> tensor<1xf64> {
  %unused = shard.all_gather %a on @g grid_axes = [0] gather_axis = 0 : tensor<8xf32> -> tensor<16xf32>
  %r = shard.reduce_scatter %a on @g grid_axes = [2, 0] reduction = max scatter_axis = 0
    {tessera.reduction = "maxnum"} : tensor<8xf32> -> tensor<1xf64>
  return %r : tensor<1xf64>
}

// CHECK-NOT: shard.
// CHECK-DAG: @[[SHAPE:.*]](dense<[2, -1, 4]> : tensor<3xi64>)
// CHECK-DAG: @tessera.grid.g()
// CHECK-DAG: @{{.*}}("shard.reduce_scatter\00")
// CHECK-DAG: @{{.*}}("{{.*}}sites.mlir:12:8\00")
// CHECK-DAG: @[[AXES:.*]](dense<[2, 0]> : tensor<2xi32>)
// CHECK-NOT: "shard.all_gather
// The record: 104 bytes, kind 9; 2 axes, number 0 after the dropped one; ranks, types, reduction 11.
// CHECK: llvm.mlir.global internal constant @tessera.site.[[NUMBER]]()
// CHECK-DAG: llvm.mlir.constant({{\[\[}}112 : i32, 9 : i32, #llvm.zero, #llvm.zero, #llvm.zero, #llvm.zero, 2 : i32, 0 : i32, 1 : i32, 1 : i32, 14 : i32, 15 : i32, 11 : i32, 0 : i32, 0 : i32, 0 : i32, 0, #llvm.zero, #llvm.zero, #llvm.zero{{\]\]}})
// CHECK-DAG: llvm.mlir.addressof @[[AXES]]
// CHECK-DAG: llvm.mlir.addressof @tessera.grid.g
// CHECK: llvm.return
// CHECK: llvm.mlir.global external constant @tessera_program()
