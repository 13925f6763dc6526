// A kernel with much to do is called for blocks of its outermost parallel loop; arguments travel
// through memory, and the loops know that their pointers are apart. A small one is a loop as ever.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-lower)' | FileCheck %s

#ij = affine_map<(i, j) -> (i, j)>
func.func @large(%x: tensor<?x3000xf32>, %y: tensor<?x3000xf32>) -> tensor<?x3000xf32> {
  %r = linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<?x3000xf32>) outs(%y : tensor<?x3000xf32>) {
  ^bb0(%a: f32, %b: f32):
    %t = arith.addf %a, %b : f32
    linalg.yield %t : f32
  } -> tensor<?x3000xf32>
  return %r : tensor<?x3000xf32>
}
// CHECK: func.func private @tessera.kernel.1.steps(%{{[^)]*}}llvm.noalias}, {{.*}}, %[[FROM:arg[0-9]+]]: index, %[[TO:arg[0-9]+]]: index)
// CHECK: scf.for %{{.*}} = %[[FROM]] to %[[TO]]
// CHECK: llvm.func internal @tessera.kernel.1.block(%{{.*}}: !llvm.ptr, %{{.*}}: i64, %{{.*}}: i64)
// CHECK: llvm.load
// CHECK: call @tessera.kernel.1.steps(
// CHECK: func.func private @tessera.kernel.1(%{{.*}}, %[[ROWS:arg[0-9]+]]: index)
// CHECK-NOT: scf.for
// CHECK: llvm.mlir.addressof @tessera.kernel.1.block
// CHECK: arith.muli %[[ROWS]], %c3000
// CHECK-NOT: scf.for
// CHECK: llvm.call @tessera_rt_parallel(

// What is combined to one value in an order of its own is not split; what is in any order, in parts, is.
func.func @product(%x: tensor<2000x1000xf32>, %f: tensor<f32>) -> tensor<f32> {
  %r = linalg.generic {indexing_maps = [#ij, affine_map<(i, j) -> ()>], iterator_types = ["reduction", "reduction"]}
      ins(%x : tensor<2000x1000xf32>) outs(%f : tensor<f32>) {
  ^bb0(%a: f32, %s: f32):
    %t = arith.mulf %s, %a : f32
    linalg.yield %t : f32
  } -> tensor<f32>
  return %r : tensor<f32>
}
// CHECK: func.func private @tessera.kernel.2(
// CHECK: scf.for

func.func @sum(%x: tensor<2000x1000xf32>, %f: tensor<f32>) -> tensor<f32> {
  %r = linalg.generic {indexing_maps = [#ij, affine_map<(i, j) -> ()>], iterator_types = ["reduction", "reduction"]}
      ins(%x : tensor<2000x1000xf32>) outs(%f : tensor<f32>) {
  ^bb0(%a: f32, %s: f32):
    %t = arith.addf %s, %a : f32
    linalg.yield %t : f32
  } -> tensor<f32>
  return %r : tensor<f32>
}
// CHECK: func.func private @tessera.kernel.3.steps(%{{.*}}, %[[FIRST:arg[0-9]+]]: index, %[[LAST:arg[0-9]+]]: index)
// CHECK: scf.for %{{.*}} = %[[FIRST]] to %[[LAST]]
// CHECK: func.func private @tessera.kernel.4(

func.func @small(%x: tensor<30x30xf32>, %y: tensor<30x30xf32>) -> tensor<30x30xf32> {
  %r = linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<30x30xf32>) outs(%y : tensor<30x30xf32>) {
  ^bb0(%a: f32, %b: f32):
    %t = arith.addf %a, %b : f32
    linalg.yield %t : f32
  } -> tensor<30x30xf32>
  return %r : tensor<30x30xf32>
}
// CHECK: func.func private @tessera.kernel.5(
// CHECK: scf.for
// CHECK-NOT: tessera_rt_parallel(%
