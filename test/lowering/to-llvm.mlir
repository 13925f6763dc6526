// What tessera-lower makes, upstream's passes take to LLVM IR: the whole way in stock mlir-opt.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-lower,convert-linalg-to-loops,canonicalize,cse,expand-strided-metadata,lower-affine,convert-arith-to-llvm,arith-expand,convert-math-to-llvm,convert-math-to-libm,convert-scf-to-cf,finalize-memref-to-llvm{use-generic-functions=1},convert-to-llvm,canonicalize,cse,reconcile-unrealized-casts)' | mlir-translate --mlir-to-llvmir | FileCheck %s

shard.grid @g(shape = 2x2)

// CHECK-DAG: @tessera.grid.g = internal constant [1 x { i32, i32, ptr, ptr }] [{ i32, i32, ptr, ptr } { i32 24, i32 2, ptr @{{.*}}, ptr @{{.*}} }]
// CHECK-DAG: @tessera.groups = internal constant [1 x { ptr, ptr, i32, i32 }] [{ ptr, ptr, i32, i32 } { ptr @tessera.grid.g, ptr @{{.*}}, i32 1, i32 0 }]
// CHECK-DAG: @tessera_program = constant
// CHECK-DAG: call void @tessera_rt_all_reduce(ptr %{{.*}}, ptr null, ptr %{{.*}}, ptr %{{.*}})
// CHECK-DAG: call ptr @_mlir_memref_to_llvm_alloc(
// CHECK-DAG: declare noalias align 64 ptr @_mlir_memref_to_llvm_alloc(i64)
// CHECK-NOT: @malloc
func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  %b = arith.addf %a, %a : tensor<4xf32>
  %r = shard.all_reduce %b on @g grid_axes = [1] : tensor<4xf32> -> tensor<4xf32>
  return %r : tensor<4xf32>
}
