// What each device merges of its own elements is all that moves: a maximum and the sum of exponentials
// below it, of 4 devices each. Results that differ in nothing are merged alike on all of them.
// RUN: %mlir_opt %s --pass-pipeline='builtin.module(tessera-propagate,canonicalize,cse,tessera-partition)' \
// RUN:   | FileCheck %s --implicit-check-not='{{(shard|tessera)\.(all_[gtr]|reduce_scatter|exchange|gather)}}'

shard.grid @g(shape = 4)

#ij = affine_map<(i, j) -> (i, j)>
#i = affine_map<(i, j) -> (i)>

// CHECK-LABEL: func.func @main
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]{{.*}} ins({{.*}} : tensor<6x8xf32>, tensor<6x8xf32>)
// CHECK-DAG: shard.all_gather {{.*}} : tensor<1x6xf32> -> tensor<4x6xf32>
// CHECK-DAG: shard.all_gather {{.*}} : tensor<1x6xf32> -> tensor<4x6xf32>
// CHECK: linalg.generic {{.*}} iterator_types = ["reduction", "parallel"]{{.*}} ins({{.*}} : tensor<4x6xf32>, tensor<4x6xf32>)
// CHECK: return
func.func @main(%x_in: tensor<6x32xf32>, %y_in: tensor<6x32xf32>) -> (tensor<6xf32>, tensor<6xf32>) {
  %columns = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %x = shard.shard %x_in to %columns : tensor<6x32xf32>
  %y = shard.shard %y_in to %columns : tensor<6x32xf32>
  %low = arith.constant dense<-1.0e30> : tensor<6xf32>
  %zero = arith.constant dense<0.0> : tensor<6xf32>
  %a:2 = linalg.generic {indexing_maps = [#ij, #ij, #i, #i], iterator_types = ["parallel", "reduction"]}
      ins(%x, %y : tensor<6x32xf32>, tensor<6x32xf32>) outs(%low, %zero : tensor<6xf32>, tensor<6xf32>) {
  ^bb0(%m2: f32, %s2: f32, %m1: f32, %s1: f32):
    %m = arith.maximumf %m1, %m2 : f32
    %d1 = arith.subf %m1, %m : f32
    %d2 = arith.subf %m2, %m : f32
    %e1 = math.exp %d1 : f32
    %e2 = math.exp %d2 : f32
    %p1 = arith.mulf %s1, %e1 : f32
    %p2 = arith.mulf %s2, %e2 : f32
    %s = arith.addf %p1, %p2 : f32
    linalg.yield %m, %s : f32, f32
  } -> (tensor<6xf32>, tensor<6xf32>)
  return %a#0, %a#1 : tensor<6xf32>, tensor<6xf32>
}

// With fewer elements than devices some would have none: the row comes together.
// CHECK-LABEL: func.func @few
// CHECK: {{(shard|tessera)}}.all_gather
// CHECK: linalg.generic
// CHECK: return
func.func @few(%x_in: tensor<6x3xf32>) -> tensor<6xf32> {
  %columns = shard.sharding @g split_axes = [[], [0]] : !shard.sharding
  %x = shard.shard %x_in to %columns : tensor<6x3xf32>
  %low = arith.constant dense<-1.0e30> : tensor<6xf32>
  %a = linalg.generic {indexing_maps = [#ij, #i], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<6x3xf32>) outs(%low : tensor<6xf32>) {
  ^bb0(%in: f32, %o: f32):
    %m = arith.maximumf %in, %o : f32
    %d = arith.subf %in, %o : f32
    %p = math.absf %d : f32
    %n = arith.negf %p : f32
    %e = math.exp %n : f32
    %l = math.log1p %e : f32
    %r = arith.addf %m, %l : f32
    linalg.yield %r : f32
  } -> tensor<6xf32>
  return %a : tensor<6xf32>
}
