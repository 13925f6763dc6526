// Collectives of memory stay where they are: it may change between two of them, though no op says so.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-optimize)' | FileCheck %s
shard.grid @g(shape = 4)

// CHECK-LABEL: func.func @twice
// CHECK: shard.all_reduce
// CHECK: linalg.fill
// CHECK: shard.all_reduce
func.func @twice(%m: memref<4xi32>, %v: i32) -> (memref<4xi32>, memref<4xi32>) {
  %a = shard.all_reduce %m on @g grid_axes = [0] : memref<4xi32> -> memref<4xi32>
  linalg.fill ins(%v : i32) outs(%m : memref<4xi32>)
  %b = shard.all_reduce %m on @g grid_axes = [0] : memref<4xi32> -> memref<4xi32>
  return %a, %b : memref<4xi32>, memref<4xi32>
}

// CHECK-LABEL: func.func @in_a_loop
// CHECK: scf.for
// CHECK: shard.all_reduce
func.func @in_a_loop(%m: memref<4xi32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %a = shard.all_reduce %m on @g grid_axes = [0] : memref<4xi32> -> memref<4xi32>
    linalg.add ins(%a, %m : memref<4xi32>, memref<4xi32>) outs(%m : memref<4xi32>)
  }
  return
}

// Small ones of tensors share a message with each other, and pass no memory.
// CHECK-LABEL: func.func @around
// CHECK: shard.all_reduce {{.*}} tensor<2xi32>
// CHECK: shard.all_reduce {{.*}} memref<4xi32>
// CHECK: shard.all_reduce {{.*}} tensor<3xi32>
func.func @around(%x: tensor<2xi32>, %y: tensor<3xi32>, %m: memref<4xi32>) -> (tensor<2xi32>, memref<4xi32>, tensor<3xi32>) {
  %a = shard.all_reduce %x on @g grid_axes = [0] : tensor<2xi32> -> tensor<2xi32>
  %b = shard.all_reduce %m on @g grid_axes = [0] : memref<4xi32> -> memref<4xi32>
  %c = shard.all_reduce %y on @g grid_axes = [0] : tensor<3xi32> -> tensor<3xi32>
  return %a, %b, %c : tensor<2xi32>, memref<4xi32>, tensor<3xi32>
}

// CHECK-LABEL: func.func @unused
// CHECK: shard.update_halo
func.func @unused(%m: memref<6x4xf32>) {
  %h = shard.update_halo %m on @g split_axes = [[0]] halo_sizes = [1, 1] : memref<6x4xf32>
  return
}

// CHECK-LABEL: func.func @written_in_each_trip
// CHECK: scf.for
// CHECK: memref.store
// CHECK: shard.all_reduce
func.func @written_in_each_trip(%m: memref<4xf32>, %n: index, %start: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%p = %start) -> f32 {
    memref.store %p, %m[%c0] : memref<4xf32>
    %s = shard.all_reduce %m on @g grid_axes = [0] : memref<4xf32> -> memref<4xf32>
    %q = memref.load %s[%c0] : memref<4xf32>
    scf.yield %q : f32
  }
  return %r : f32
}

// Packing the reductions of tensors leaves that of memory before what writes to it.
// CHECK-LABEL: func.func @beside_packing
// CHECK: shard.all_reduce {{.*}} memref
// CHECK: memref.store
func.func @beside_packing(%x: tensor<4xf32>, %y: tensor<4xf32>, %m: memref<4xf32>, %v: f32) -> (tensor<4xf32>, tensor<4xf32>, memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %a = shard.all_reduce %x on @g grid_axes = [0] : tensor<4xf32> -> tensor<4xf32>
  %s = shard.all_reduce %m on @g grid_axes = [0] : memref<4xf32> -> memref<4xf32>
  memref.store %v, %m[%c0] : memref<4xf32>
  %b = shard.all_reduce %y on @g grid_axes = [0] : tensor<4xf32> -> tensor<4xf32>
  return %a, %b, %s : tensor<4xf32>, tensor<4xf32>, memref<4xf32>
}
